"""The kit catches backends that break the contract: each mutant fails at the behaviour that forbids what it does.

The unbroken backend around the simulator passes the same behaviours, so it is the fault that is caught.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mutant_backends as mutants
import mutant_duties as duties
import mutant_languages as languages
import mutant_marks as marks
import mutant_queues as queues
import pytest
from mutant_backends import WrappedBackend, with_buffers
from mutant_languages import rewriting, swapping
from queued_device import RefusesEverySecond, SeveralQueues

import gpucore as gp
from gpucore.algorithms.shapes import SHAPES, Tile, shapes_of
from gpucore.ir import BinaryOp as Op
from gpucore.ir import Capability
from gpucore.runtime import Backend, DeviceInfo
from gpucore.testing import Behaviours, bench, run_behaviours

Make = Callable[[str], Backend]


def device(device_class: type[mutants.WrappedDevice]) -> Make:
    return lambda name: WrappedBackend(name, device_class)


def language(rewrite: Callable[..., object]) -> Make:
    return lambda name: WrappedBackend(name, rewrite=rewrite)  # type: ignore[arg-type]


def saying(
    facts: Callable[[DeviceInfo], DeviceInfo], device_class: type[mutants.WrappedDevice] = mutants.WrappedDevice
) -> Make:
    return lambda name: WrappedBackend(name, device_class, facts=facts)


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
    "minimum_with_nan": (language(rewriting(languages.minimum_with_nan)), {"C305"}),
    "rounding_half_up": (language(rewriting(languages.rounding_half_up)), {"C320"}),
    "wrapping_conversion": (language(rewriting(languages.wrapping_conversion)), {"C400"}),
    "vanishing_shift": (language(rewriting(languages.vanishing_shift)), {"C224"}),
    "not_as_reversed_comparison": (language(rewriting(languages.not_as_reversed_comparison)), {"C322"}),
    "flushing_bitcast": (language(rewriting(languages.flushing_bitcast)), {"C453"}),
    "without_barriers": (language(languages.without_barriers), {"C601", "C602", "C603", "C604"}),
    "without_subgroup_barriers": (language(languages.without_subgroup_barriers), {"C821"}),
    "atomic_exchange_as_or": (language(languages.atomic_exchange_as_or), {"C624"}),
    "without_copy_waits": (language(languages.without_copy_waits), {"C860", "C863", "C871", "C873"}),
    "waits_for_a_group_less": (language(languages.waiting_for_a_group_less), {"C873"}),
    "turned_fragments": (language(languages.turned_fragments), {"C861", "C863", "C864", "C870", "C878"}),
    "continue_as_break": (language(languages.continue_as_break), {"C502", "C503"}),
    "loop_one_too_far": (language(languages.loop_one_too_far), {"C503", "C504"}),
    "counting_text": (lambda name: WrappedBackend(name, emit=languages.counting_text), {"C006"}),
    "without_lines": (lambda name: WrappedBackend(name, emit=languages.without_lines), {"C016"}),
    "unmapped_lines": (lambda name: WrappedBackend(name, emit=languages.with_unmapped_lines), {"C016"}),
    "shifted_lines": (lambda name: WrappedBackend(name, emit=languages.with_shifted_lines), {"C016"}),
    "lines_shifted_back": (lambda name: WrappedBackend(name, emit=languages.with_lines_shifted_back), {"C016"}),
    "lines_off_by_one": (lambda name: WrappedBackend(name, emit=languages.with_lines_off_by_one), {"C016"}),
    "closes_without_joining": (device(mutants.ClosesWithoutJoining), {"C015"}),
    "host_times_unsaid": (saying(languages.with_device_timestamps, mutants.HostTimesUnsaid), {"C041"}),
    "never_freed": (device(with_buffers(mutants.NeverFreed)), {"C014"}),
    "adopts_a_copy": (device(mutants.AdoptsACopy), {"C043", "C045"}),
    "clears_beside_adopted": (device(mutants.ClearsBesideAdopted), {"C043"}),
    "frees_adopted": (device(mutants.FreesAdopted), {"C043", "C045"}),
    "has_address_before": (device(with_buffers(mutants.HasAddressBefore)), {"C043", "C044"}),
    "binds_fewer_buffers": (device(mutants.BindsFewerBuffers), {"C019"}),
    "runs_small_workgroups": (device(mutants.RunsSmallWorkgroups), {"C018"}),
    "has_little_workgroup_memory": (device(mutants.HasLittleWorkgroupMemory), {"C018"}),
    "lacking_types": (
        lambda name: WrappedBackend(name, emit=languages.lacking_types, lacks=frozenset({Capability.F16})),
        {"C017"},
    ),
    "forgetting_writes": (lambda name: WrappedBackend(name, emit=languages.forgetting_writes), {"C008"}),
}
ABSURD_LIMITS: dict[str, dict[str, object]] = {
    "no_workgroup_memory": {"max_workgroup_memory": 0},
    "negative_buffers": {"max_buffers": -1},
    "buffers_of_no_size": {"max_buffer_size": 0, "max_binding_size": 0},
    "binding_beyond_the_buffer": {"max_binding_size": 1 << 35},
    "buffers_beyond_64_bits": {"max_buffer_size": 1 << 70},
    "workgroups_beyond_32_bits": {"max_workgroups": (2**32, 65535, 65535)},
    "no_workgroups_along_z": {"max_workgroups": (65535, 65535, 0)},
    "negative_workgroup_size": {"max_workgroup_size": (256, 256, -64)},
    "no_invocations": {"max_workgroup_invocations": 0},
    "invocations_beyond_the_sizes": {"max_workgroup_size": (256, 256, 64), "max_workgroup_invocations": 256 * 256 * 65},
    "fraction_of_an_invocation": {"max_workgroup_invocations": 1024.5},
    "negative_subgroups": {"min_subgroup_size": -1},
    "subgroups_from_more_to_less": {"min_subgroup_size": 64, "max_subgroup_size": 32},
    "subgroups_beyond_the_workgroup": {"max_subgroup_size": 1 << 20},
    "no_loop_iterations": {"max_loop_iterations": 0},
}


class ShipsShapes(WrappedBackend):
    """The simulator with shapes of its plugin."""

    def __init__(
        self, name: str, *texts: Any, device_class: type[mutants.WrappedDevice] = mutants.WrappedDevice
    ) -> None:
        super().__init__(name, device_class, lacks=frozenset({Capability.MATRIX_GROUPS}))
        self._texts = [*texts]

    def shapes_for(self, info: DeviceInfo) -> str:
        text: str = self._texts.pop(0) if len(self._texts) > 1 else self._texts[0]
        return text


def shipping(*texts: Any) -> Make:
    return lambda name: ShipsShapes(name, *texts)


TILE = {"tile_m": 16, "tile_n": 16, "tile_k": 8, "own_m": 8, "own_n": 4}


UNIT = {"tile_m": 16, "tile_n": 32, "tile_k": 16, "stages": 2, "invocations": 32}
OF_PARTS = {**UNIT, "tile_n": 64, "tile_k": 64}


def shapes(**values: object) -> str:
    """A table that fits the simulator, with other values of its tile."""
    return json.dumps({"matmul": {"tiles": [{**TILE, **values}], "units": [UNIT], "split": [[2, OF_PARTS]]}})


SHAPES_MUTANTS: dict[str, tuple[Any, ...]] = {
    "shapes_that_are_no_json": ("{",),
    "shapes_in_bytes": (shapes().encode(),),
    "shapes_with_an_unknown_field": ('{"matmul": {"rows": 3}}',),
    "tile_beyond_the_workgroup_memory": (shapes(tile_m=1024, tile_n=1024, own_m=64),),
    "tile_that_is_not_divided": (shapes(own_m=7),),
    "tile_for_other_subgroups": (shapes(gang=3, width=1),),
    "shapes_that_change": (shapes(), shapes(own_m=4)),
}


MUTANTS |= duties.MUTANTS
MUTANTS |= {name: (saying(languages.with_limits(**limits)), {"C004"}) for name, limits in ABSURD_LIMITS.items()}
ALL_NUMBERS = set().union(*(numbers for _, numbers in MUTANTS.values()))
OPTIONAL_NUMBERS = {f"C{number:03}" for number in range(46, 75)}  # of members that a device may have
OPTIONAL_MUTANTS = queues.MUTANTS | marks.MUTANTS
MUTANTS |= {name: (device(device_class), numbers) for name, (device_class, numbers) in OPTIONAL_MUTANTS.items()}
MUTANTS |= {name: (shipping(*texts), {"C075"}) for name, texts in SHAPES_MUTANTS.items()}
MUTANTS["wrong_products_with_shapes"] = (
    lambda name: ShipsShapes(name, shapes(), device_class=mutants.IgnoresLastWorkgroup),
    {"C075"},
)
ENDLESS = {"fences_start_nothing"}  # the kit waits in vain for their work


@contextmanager
def registered(backend: Backend) -> Iterator[gp.Device]:
    """The device of a backend that is registered for the block."""
    gp.register_backend(backend)
    try:
        with gp.device(backend.name) as opened:
            yield opened
    finally:
        gp.unregister_backend(backend.name)


def test_unbroken_backend_passes() -> None:
    fast = ALL_NUMBERS - {"C041", "C068", "C081", "C083"} | {
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
        outcomes = run_behaviours(Behaviours, opened, fast)
    assert {outcome.behaviour.number for outcome in outcomes} == fast
    assert [outcome for outcome in outcomes if outcome.status != "passed"] == []


@pytest.mark.parametrize("name", duties.CORRECT)
def test_unbroken_optional_duties_pass(name: str) -> None:
    make, numbers = duties.CORRECT[name]
    with registered(make(name)) as opened:
        outcomes = run_behaviours(Behaviours, opened, numbers)
    assert [(one.behaviour.number, one.status, one.reason) for one in outcomes] == [
        (number, "passed", "") for number in sorted(numbers)
    ]


def test_unbroken_queue_passes() -> None:
    """A device with a thread of its own, whose marks have the time at which the work came to them."""
    numbers = {"C015", "C032", "C036", "C037", "C038", "C041"}
    with registered(saying(languages.with_device_timestamps, mutants.WithThread)("queued")) as opened:
        outcomes = run_behaviours(Behaviours, opened, numbers)
    assert [(one.behaviour.number, one.status, one.reason) for one in outcomes if one.status != "passed"] == []


@pytest.mark.parametrize(("text", "status"), [(shapes(), "passed"), ("", "skipped")], ids=["shapes", "none"])
def test_unbroken_shapes_pass(text: str, status: str) -> None:
    with registered(ShipsShapes("ships", text)) as opened:
        (outcome,) = run_behaviours(Behaviours, opened, {"C075"})
        assert (outcome.status, outcome.reason) == (status, "" if text else "ships has no shapes for ships:0")
        assert shapes_of(opened).matmul.tiles == ((Tile(**TILE),) if text else SHAPES[opened.kind].matmul.tiles)


@pytest.mark.parametrize("device_class", [SeveralQueues, queues.with_buffers(RefusesEverySecond)])
def test_unbroken_device_with_several_queues_passes(device_class: type[SeveralQueues]) -> None:
    numbers = OPTIONAL_NUMBERS | {f"C{number:03}" for number in (*range(20, 41), 42, 43, 44)}
    with registered(device(device_class)("several_queues")) as opened:
        outcomes = run_behaviours(Behaviours, opened, numbers)
    assert {outcome.behaviour.number for outcome in outcomes} == numbers
    assert [(one.behaviour.number, one.status, one.reason) for one in outcomes if one.status != "passed"] == []


def test_every_behaviour_of_optional_members_catches_a_mutant() -> None:
    assert set().union(*(numbers for _, numbers in OPTIONAL_MUTANTS.values())) == OPTIONAL_NUMBERS


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, numbers = MUTANTS[name]
    if name in ENDLESS:
        monkeypatch.setattr(bench, "_TIMEOUT", 2.0)
    with registered(make(f"mutant_{name}")) as opened:
        outcomes = run_behaviours(Behaviours, opened, numbers)
    duties.LeaksAtClose.kept.clear()
    assert {outcome.behaviour.number: outcome.status for outcome in outcomes} == dict.fromkeys(numbers, "failed")
