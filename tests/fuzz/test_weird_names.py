"""Kernels with names that mean something to a target, or that it cannot spell, are what they were: drivers take them.

A sample of damaged kernels that are kernels still goes through the drivers too.
"""

from __future__ import annotations

import os
import random
from typing import Any

import mutation_seeds
import pytest
import source_mutations
from test_mutated_sources import draw_subject, translate

import gpucore as gp
from gpucore import compiler
from gpucore.errors import CapabilityError, GpucoreError, LimitError
from gpucore.kernel import Kernel
from gpucore.testing import require_device

COUNT = int(os.environ.get("FUZZ_RENAMED", "24"))
FIRST = int(os.environ.get("FUZZ_SEED", "0"))
ARCHITECTURE = 80


def renamed(seed: int) -> list[Kernel]:
    """The kernels of a module in which one function has weird names; each one is accepted or was refused before."""
    source = random.Random(seed)
    subject = draw_subject(source)
    text, function = source_mutations.rename(subject.text, source)
    kernels = mutation_seeds.calls_of(text, function, mutation_seeds.kernels_of(text, f"<renamed {seed}>"))
    before = mutation_seeds.kernels_of(subject.text, f"<before {seed}>")
    for kernel in kernels:
        error, was = translate(kernel, ("python", "wgsl", "opencl")), translate(before[kernel.name], ())
        assert error is None or was is not None or isinstance(error, CapabilityError), f"seed {seed}: {error}\n{text}"
    return kernels


def damaged(seed: int) -> list[Kernel]:
    """The kernels of a damaged module that are kernels still."""
    source = random.Random(seed)
    changed = source_mutations.damage(draw_subject(source).text, source)
    if changed is None:
        return []
    kernels = mutation_seeds.kernels_of(changed[0], f"<damaged {seed}>")
    found = mutation_seeds.calls_of(*changed, kernels) if kernels else []
    return [kernel for kernel in found if translate(kernel, ("python",)) is None]


def lowered(kernel: Kernel) -> Any:
    bindings = mutation_seeds.bindings_of(kernel)
    return None if bindings is None else kernel.lower(**bindings)


def each(seed: int) -> list[Kernel]:
    return renamed(seed) if seed % 2 else damaged(seed)


@pytest.mark.parametrize("name", ["cpu", "wgpu", "opencl"])
def test_a_driver_takes_it(name: str) -> None:
    device = require_device(name)
    compiled = 0
    for seed in range(FIRST, FIRST + COUNT):
        for kernel in each(seed):
            try:
                module = lowered(kernel)
                if module is None:
                    continue
                compiler.compile_for(device, module).pipeline.release()
            except (CapabilityError, LimitError):
                continue
            except GpucoreError as error:
                if translate(kernel, ("python",)) is None:
                    raise AssertionError(f"seed {seed}, {kernel.name}: {error}") from error
                continue  # refused before any driver saw it
            compiled += 1
    assert compiled > COUNT // 4


def test_nvrtc_takes_it(nvrtc: Any) -> None:
    compiled = 0
    for seed in range(FIRST, FIRST + COUNT):
        for kernel in each(seed):
            bindings = mutation_seeds.bindings_of(kernel)
            if bindings is None or translate(kernel, ("python", "cuda")) is not None:
                continue
            try:
                nvrtc.compile(kernel.emit("cuda", **bindings), ARCHITECTURE)
            except gp.DriverCompileError as error:
                raise AssertionError(f"seed {seed}, {kernel.name}: {error}") from error
            compiled += 1
    assert compiled > COUNT // 4
