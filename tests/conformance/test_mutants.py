"""The kit catches backends that break the contract: each mutant fails at the behaviour that forbids what it does.

The unbroken backend around the simulator passes the same behaviours, so it is the fault that is caught.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import gpucore as gp
from gpucore.ir import BinaryOp as Op
from gpucore.runtime import Backend
from gpucore.testing import ConformanceTests, run_behaviours

sys.path.insert(0, str(Path(__file__).parent))

import mutant_backends as mutants
from mutant_backends import WrappedBackend, rewriting, swapping, with_buffers

Make = Callable[[str], Backend]


def device(device_class: type[mutants.WrappedDevice]) -> Make:
    return lambda name: WrappedBackend(name, device_class)


def language(rewrite: Callable[..., object]) -> Make:
    return lambda name: WrappedBackend(name, rewrite=rewrite)  # type: ignore[arg-type]


MUTANTS: dict[str, tuple[Make, set[str]]] = {
    # what is broken: the backend, and behaviours that must each catch it
    "ignores_last_workgroup": (device(mutants.IgnoresLastWorkgroup), {"C704", "C032", "C600"}),
    "swaps_axes": (device(mutants.SwapsAxes), {"C040", "C700"}),
    "ignores_depth": (device(mutants.IgnoresDepth), {"C040", "C700"}),
    "swaps_buffers": (device(mutants.SwapsBuffers), {"C034", "C115"}),
    "shifts_scalars": (device(mutants.ShiftsScalars), {"C033", "C100", "C101"}),
    "unordered_dispatches": (device(mutants.UnorderedDispatches), {"C032"}),
    "writes_overtake_dispatches": (device(mutants.WritesOvertakeDispatches), {"C029"}),
    "shares_scalars": (device(mutants.SharesScalars), {"C033", "C032"}),
    "marks_done_early": (device(mutants.MarksDoneEarly), {"C036", "C037"}),
    "copies_late": (device(mutants.CopiesLate), {"C030", "C031"}),
    "copies_whole_buffers": (device(mutants.CopiesWholeBuffers), {"C027"}),
    "copies_words": (device(mutants.CopiesWords), {"C028"}),
    "elapsed_in_milliseconds": (device(mutants.ElapsedInMilliseconds), {"C038"}),
    "elapsed_backwards": (device(mutants.ElapsedBackwards), {"C038"}),
    "closes_once": (device(mutants.ClosesOnce), {"C011"}),
    "runs_out_of_memory_once": (device(mutants.RunsOutOfMemoryOnce), {"C013"}),
    "raises_pythons_memory_error": (device(mutants.RaisesPythonsMemoryError), {"C013"}),
    "compile_error_of_driver": (device(mutants.CompileErrorOfDriver), {"C010"}),
    "drops_last_byte": (device(with_buffers(mutants.DropsLastByte)), {"C020", "C118"}),
    "ignores_write_offset": (device(with_buffers(mutants.IgnoresWriteOffset)), {"C021"}),
    "ignores_read_offset": (device(with_buffers(mutants.IgnoresReadOffset)), {"C022"}),
    "reads_stale_data": (device(with_buffers(mutants.ReadsStaleData)), {"C024"}),
    "keeps_callers_data": (device(with_buffers(mutants.KeepsCallersData)), {"C023"}),
    "rounds_size_up": (device(with_buffers(mutants.RoundsSizeUp)), {"C020"}),
    "releases_once": (device(with_buffers(mutants.ReleasesOnce)), {"C026"}),
    "truncating_division": (language(swapping(Op.FLOOR_DIV, Op.TRUNC_DIV)), {"C210", "C107"}),
    "truncating_remainder": (language(swapping(Op.FLOOR_MOD, Op.TRUNC_REM)), {"C211", "C107"}),
    "less_or_equal": (language(swapping(Op.LT, Op.LE)), {"C237", "C322"}),
    "minimum_with_nan": (language(rewriting(mutants.minimum_with_nan)), {"C305"}),
    "rounding_half_up": (language(rewriting(mutants.rounding_half_up)), {"C320"}),
    "wrapping_conversion": (language(rewriting(mutants.wrapping_conversion)), {"C400"}),
    "vanishing_shift": (language(rewriting(mutants.vanishing_shift)), {"C224"}),
    "not_as_reversed_comparison": (language(rewriting(mutants.not_as_reversed_comparison)), {"C322"}),
    "flushing_bitcast": (language(rewriting(mutants.flushing_bitcast)), {"C453"}),
    "without_barriers": (language(mutants.without_barriers), {"C601", "C602", "C603", "C604"}),
    "atomic_exchange_as_or": (language(mutants.atomic_exchange_as_or), {"C624"}),
    "continue_as_break": (language(mutants.continue_as_break), {"C502", "C503"}),
    "loop_one_too_far": (language(mutants.loop_one_too_far), {"C503", "C504"}),
    "counting_text": (lambda name: WrappedBackend(name, emit=mutants.counting_text), {"C006"}),
    "forgetting_writes": (lambda name: WrappedBackend(name, emit=mutants.forgetting_writes), {"C008"}),
}
ALL_NUMBERS = set().union(*(numbers for _, numbers in MUTANTS.values()))


@contextmanager
def registered(backend: Backend) -> Iterator[gp.Device]:
    """The device of a backend that is registered for the block."""
    gp.register_backend(backend)
    try:
        opened = gp.device(backend.name)
        yield opened
        opened.close()
    finally:
        gp.unregister_backend(backend.name)


def test_unbroken_backend_passes() -> None:
    fast = ALL_NUMBERS | {
        "C001",
        "C002",
        "C003",
        "C004",
        "C005",
        "C007",
        "C009",
        "C012",
        "C025",
        "C035",
        "C113",
        "C300",
        "C454",
    }
    with registered(WrappedBackend("unbroken")) as opened:
        outcomes = run_behaviours(ConformanceTests, opened, fast)
    assert {outcome.behaviour.number for outcome in outcomes} == fast
    assert [outcome for outcome in outcomes if outcome.status != "passed"] == []


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name: str) -> None:
    make, numbers = MUTANTS[name]
    with registered(make(f"mutant_{name}")) as opened:
        outcomes = run_behaviours(ConformanceTests, opened, numbers)
    assert {outcome.behaviour.number: outcome.status for outcome in outcomes} == dict.fromkeys(numbers, "failed")
