"""Random kernels do on the simulator and on the CPU what Python does."""

from __future__ import annotations

import linecache

import numpy as np
import plain_python
import pytest
import random_kernels

from gpucore.errors import KernelTypeError

X = np.array([3, -1, 4, 1, -5, 9, 2, 6], np.int32)


def build(seed: int, strays: float = 0.0):
    """The kernel of a seed, with its text where tracebacks and the front end find it."""
    text = random_kernels.Writer(seed, strays).module()
    name = f"<random kernel {seed}, {strays}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, object] = {"__name__": f"random_kernel_{seed}"}
    exec(compile(text, name, "exec"), names)  # noqa: S102 (text that this file wrote)
    return names["k"]


@pytest.mark.parametrize("seed", range(40))
def test_random_kernel(agree, seed):
    agree(build(seed), X, np.zeros(8, np.int32))


@pytest.mark.parametrize("first", range(0, 100, 10))
def test_names_that_only_some_paths_assign(agree, first):
    """A name that Python may find unassigned is refused; where the kernel is accepted, it does what Python does."""
    accepted = 0
    for seed in range(first, first + 10):
        kernel = build(seed, strays=0.15)
        try:
            plain_python.run(kernel, [X.copy(), np.zeros(8, np.int32)], 8)
        except UnboundLocalError:
            with pytest.raises(KernelTypeError, match="GP207"):
                kernel.module()
            continue
        try:
            kernel.module()
        except KernelTypeError as error:  # no path of these invocations, but some path
            assert error.code == "GP207"  # noqa: PT017 (which code it is, is what is tested)
            continue
        agree(kernel, X, np.zeros(8, np.int32))
        accepted += 1
    assert accepted >= 2
