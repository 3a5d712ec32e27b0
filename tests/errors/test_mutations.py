"""Whatever a kernel's text is, only gpucore's errors come out of the compiler, each with a place that can be shown."""

from __future__ import annotations

import ast
import linecache
import random
import warnings
from pathlib import Path
from typing import cast

import mutations
import pytest

from gpucore import compiler
from gpucore.errors import CompileError
from gpucore.ir import Capability
from gpucore.kernel import Kernel, find_backend
from gpucore.valid import validate

SUBJECTS = Path(__file__).with_name("mutation_subjects.py")
TREE = ast.parse(SUBJECTS.read_text())
KERNELS: dict[str, dict[str, object]] = {"integers": {"k": 3}, "floats": {}, "vectors": {}, "shared": {}}
PARTS = [*KERNELS, "clamp", "ordered", "find"]
"""What is damaged: a kernel, or a helper, all of which the kernel `integers` calls."""
SEEDS, BATCH = 240, 20


def build(seed: int) -> tuple[str, dict[str, object]] | None:
    """The kernel that the damage reaches, and the names of the module; None where it is no Python any more."""
    source = random.Random(seed)
    part = source.choice(PARTS)
    tree = mutations.damage(TREE, part, source)
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
    return (part if part in KERNELS else "integers"), names


def translate(kernel: Kernel, bindings: dict[str, object]) -> None:
    """All the way to text for the simulator and, with every pass, to a valid module."""
    module = kernel.module(**bindings)
    validate(module, frozenset(Capability), compiler.UNLIMITED)
    simulator = find_backend("simulator")
    compiler.emit_for(compiler.Target.for_backend(simulator), kernel.lower(**bindings))


def refusal(seed: int) -> CompileError | None:
    """The error of a damaged kernel; None where it compiles, or is no Python. Any other exception fails the test."""
    built = build(seed)
    if built is None:
        return None
    name, names = built
    try:
        translate(cast(Kernel, names[name]), KERNELS[name])
    except CompileError as error:
        return error
    except Exception as error:
        raise AssertionError(f"seed {seed}, {name}: {type(error).__name__} came out") from error
    return None


@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_only_our_errors_come_out(first: int) -> None:
    for seed in range(first, first + BATCH):
        error = refusal(seed)
        if error is not None:
            assert error.code != "GP900", f"seed {seed}: {error}"
            assert error.span is not None and error.why and error.fix and "^" in str(error), f"seed {seed}: {error}"


def test_the_damage_reaches_all_of_the_compiler() -> None:
    """Many damaged kernels are refused, with many codes, and many compile."""
    codes = [error.code if error else "" for error in map(refusal, range(0, SEEDS, 4))]
    assert codes.count("") >= 20
    assert len(set(codes)) >= 12
