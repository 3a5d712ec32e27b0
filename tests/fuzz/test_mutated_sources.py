"""Whatever a kernel's text is, only gpucore's errors come out of its translation to every language, and soon."""

from __future__ import annotations

import inspect
import os
import random
import time
import types

import module_mutations
import mutation_seeds
import pytest
import source_mutations

from gpucore import compiler
from gpucore.errors import CompileError, GpucoreError
from gpucore.kernel import Kernel, find_backend

LANGUAGES = ("python", "wgsl", "cuda", "opencl", "llvm")
COUNT, BATCH = int(os.environ.get("FUZZ_SOURCES", "180")), 30
FIRST = int(os.environ.get("FUZZ_SEED", "0"))
MOST_SECONDS = 30.0
"""Of processor time, for one kernel in all languages: texts of a hundred thousand statements are among them."""


def translate(kernel: Kernel, languages: tuple[str, ...] = LANGUAGES) -> GpucoreError | None:
    """The refusal of a kernel, or None where it becomes text in every language that has what it needs."""
    try:
        bindings = mutation_seeds.bindings_of(kernel)
        if bindings is None:
            return None
        lowered = kernel.lower(**bindings)
    except GpucoreError as error:
        return error
    refusal: GpucoreError | None = None
    for language in languages:
        try:
            compiler.emit_for(compiler.Target.for_backend(find_backend(language)), lowered)
        except GpucoreError as error:
            refusal = error
    return refusal


def draw_subject(source: random.Random) -> mutation_seeds.Subject:
    is_random = source.random() < 0.3
    return mutation_seeds.random_subject(source) if is_random else source.choice(mutation_seeds.subjects())


def check(seed: int) -> str:
    """What became of the mutation of a seed: the error's code, "" for none. Fails on what is not gpucore's error."""
    source = random.Random(seed)
    if source.random() < 0.25:
        return check_module(seed, source)
    subject = draw_subject(source)
    changed = source_mutations.damage(subject.text, source)
    if changed is None:
        return "no Python"
    text, function = changed
    kernels = mutation_seeds.kernels_of(text, f"<mutation {seed}>")
    if not kernels:
        return "no Python"
    return check_kernels(f"seed {seed}, {subject.name}", mutation_seeds.calls_of(text, function, kernels))


def check_kernels(seed: str, kernels: list[Kernel]) -> str:
    """The code of the last refusal of some kernels, "" for none."""
    code = ""
    for kernel in kernels:
        started = time.process_time()
        try:
            error = translate(kernel)
        except Exception as other:
            raise AssertionError(f"{seed}, {kernel.name}: {type(other).__name__}: {other}") from other
        seconds = time.process_time() - started
        assert seconds < MOST_SECONDS, f"{seed}, {kernel.name}: {seconds:.0f} s"
        if isinstance(error, CompileError):
            where = f"{seed}, {kernel.name}: {error}"
            assert error.code != "GP900", where
            assert error.why and error.fix, where
            # Only what has no text of the user's has no place: a kernel of print, or of len.
            has_text = isinstance(inspect.unwrap(kernel.function), types.FunctionType)
            assert not has_text or (error.span is not None and "^" in str(error)), where
            code = error.code
        elif error is not None:
            code = type(error).__name__
    return code


def check_module(seed: int, source: random.Random) -> str:
    """The same for damage around the kernels of a module: its definitions, and a call of each kernel."""
    subject = draw_subject(source)
    text, file = module_mutations.damage(subject.text, source), f"<module {seed}>"
    if text is None:
        return "no Python"
    where = f"seed {seed}, {subject.name}"
    names, failure = mutation_seeds.run(text, file)
    if failure is not None and not mutation_seeds.is_users(failure, file):
        raise AssertionError(f"{where}: {type(failure).__name__}: {failure}") from failure
    kernels = list(mutation_seeds.kernels_in(names, file).values())  # those above the failure, if there is one
    if not kernels:
        return "no Python"
    for kernel in kernels:
        try:
            kernel(invocations=1)
        except Exception as other:
            if not mutation_seeds.is_users(other, file):
                raise AssertionError(f"{where}, {kernel.name}(): {type(other).__name__}: {other}") from other
    return check_kernels(where, source.sample(kernels, min(2, len(kernels))))


@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, BATCH))
def test_only_our_errors_come_out(first: int) -> None:
    codes = [check(seed) for seed in range(first, first + BATCH)]
    assert "" in codes  # some are kernels still
    assert len(set(codes)) >= 4  # and others are refused for reasons of many kinds


def test_there_are_many_kernels_to_damage() -> None:
    found = mutation_seeds.subjects()
    assert len(found) >= 10
    assert any("algorithms" in subject.name for subject in found)
