"""Whatever a kernel's text is, only gpucore's errors come out of the compiler, each with a place that can be shown."""

from __future__ import annotations

import ast
import linecache
import random
import warnings
from pathlib import Path

import mutations
import pytest

from gpucore import compiler
from gpucore.errors import CompileError
from gpucore.ir import Capability
from gpucore.kernel import Kernel, find_backend
from gpucore.valid import validate

SUBJECTS = Path(__file__).with_name("mutation_subjects.py")
TREE = ast.parse(SUBJECTS.read_text())
KERNELS = {"integers": {"k": 3}, "floats": {}, "vectors": {}, "shared": {}}
PARTS = [*KERNELS, "clamp", "ordered", "find"]


def build(seed: int) -> dict[str, object] | None:
    """The names of a damaged module; None where it is no Python any more."""
    source = random.Random(seed)
    tree = mutations.damage(TREE, source.choice(PARTS), source)
    try:
        text = ast.unparse(tree)
    except (ValueError, RecursionError):
        return None
    name = f"<mutation {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, object] = {"__name__": f"mutation_{seed}"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            code = compile(text, name, "exec")
        except SyntaxError:
            return None
        exec(code, names)  # noqa: S102 (text that this file made)
    return names


def translate(kernel: Kernel, bindings: dict[str, object]) -> None:
    """All the way to text for the simulator and, with every pass, to a valid module."""
    module = kernel.module(**bindings)
    validate(module, frozenset(Capability), compiler.UNLIMITED)
    simulator = find_backend("simulator")
    compiler.emit_for(simulator, kernel.module(keep_variables=True, **bindings))


@pytest.mark.parametrize("first", range(0, 6000, 200))
def test_only_our_errors_come_out(first: int) -> None:
    for seed in range(first, first + 200):
        names = build(seed)
        for name, bindings in KERNELS.items() if names else ():
            kernel = names[name]
            assert isinstance(kernel, Kernel)
            try:
                translate(kernel, bindings)
            except CompileError as error:
                assert error.code != "GP900", f"seed {seed}, {name}: {error}"
                assert error.span is not None and error.why and error.fix, f"seed {seed}, {name}: {error}"
                assert "^" in str(error)
            except Exception as error:
                raise AssertionError(f"seed {seed}, {name}: {type(error).__name__} came out") from error
