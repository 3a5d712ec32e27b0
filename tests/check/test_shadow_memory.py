"""Races of random accesses: shadow memory, which keeps a few marks for each element, against all pairs of accesses."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Group, Runner, Site, Team, Watch
from gpucore.span import Span

KINDS = ("load", "store", "atomic", "atomic_load")
TEAM = 2
"""Invocations of a subgroup; a workgroup has two."""
SITES = [(kind, 10 * number + which) for number, kind in enumerate(KINDS, 1) for which in (0, 1)]
"""Two places in the source for each way to touch an element: kind and line."""


class Event(NamedTuple):
    group: int
    epoch: int
    barriers: tuple[int, int]  # that each of the two subgroups has passed
    invocation: int
    site: int
    index: int


def races(one: Event, two: Event) -> bool:
    """The definition, for two accesses."""
    kinds = {SITES[one.site][0], SITES[two.site][0]}
    if one.index != two.index or not kinds & {"store", "atomic"} or kinds <= {"atomic", "atomic_load"}:
        return False
    if one.group != two.group:
        return True
    if one.epoch != two.epoch or one.invocation == two.invocation:
        return False
    team, other = one.invocation // TEAM, two.invocation // TEAM
    return team != other or one.barriers[team] == two.barriers[team]


@st.composite
def runs(draw: st.DrawFn) -> list[Event]:
    """Accesses as the simulator orders them: group by group, and in each barrier by barrier.

    The two subgroups of a workgroup pass barriers of their own at any time.
    """
    events = []
    for group in draw(st.permutations(range(3))):
        barriers = [0, 0]
        for epoch in range(3):
            touches = st.tuples(st.integers(0, 3), st.integers(0, len(SITES) - 1), st.integers(0, 1))
            for passes, touch in draw(st.lists(st.tuples(st.sampled_from((None, None, 0, 1)), touches), max_size=6)):
                if passes is not None:
                    barriers[passes] += 1
                events.append(Event(group, epoch, (barriers[0], barriers[1]), *touch))
    return events


@given(runs())
@settings(max_examples=400, deadline=None)
def test_the_lines_of_all_races_are_found_and_no_others(events: list[Event]) -> None:
    watch = Watch()
    memory = ShadowMemory([0, 0], 2, None)
    sites = [
        Site(number, "used", "x", "buffer", Span("file.py", line, 0, line, 1)) for number, (_, line) in enumerate(SITES)
    ]
    groups = [Group(number, (number, 0, 0)) for number in range(3)]
    teams = [[Team(), Team()] for _ in groups]
    runners = [
        [Runner(watch, group, teams[number][k // TEAM], k, (k, 0, 0), (4, 1, 1)) for k in range(4)]
        for number, group in enumerate(groups)
    ]
    for event in events:
        groups[event.group].ordered = event.epoch  # the barriers that order buffers
        groups[event.group].epoch = 2 * event.epoch + event.index  # all: others are passed, too
        for team, epoch in zip(teams[event.group], event.barriers, strict=True):
            team.ordered, team.epoch = epoch, 2 * epoch + event.index
        runner, site = runners[event.group][event.invocation], sites[event.site]
        match SITES[event.site][0]:
            case "load":
                memory.load(event.index, site, runner, 0)
            case "store":
                memory.store(event.index, 1, site, runner)
            case "atomic":
                memory.atomic(event.index, lambda old: old + 1, False, site, runner, 0)
            case _:
                memory.atomic(event.index, None, False, site, runner, 0)
    expected = {
        tuple(sorted((SITES[one.site][1], SITES[two.site][1])))
        for one, two in itertools.combinations(events, 2)
        if races(one, two)
    }
    assert {finding.lines for finding in watch.findings} == expected
    assert all(finding.code == "GP701" for finding in watch.findings)


def test_fields_of_a_struct_are_told_apart() -> None:
    watch, group = Watch(), Group(0, (0, 0, 0))
    memory = ShadowMemory([{}, {}], 2, None)
    one, two = (Runner(watch, group, Team(), k, (k, 0, 0), (2, 1, 1)) for k in range(2))

    def site(number: int, part: int) -> Site:
        def write(data: list[dict[int, int]], index: int, value: int) -> None:
            data[index][part] = value

        return Site(
            number, "written", "x", "buffer", Span("f.py", number, 0, number, 1), (part,), range(4), write=write
        )

    memory.store(0, 1, site(1, 0), one)
    memory.store(0, 2, site(2, 1), two)
    assert watch.findings == ()
    memory.store(0, 3, site(3, 0), two)
    assert [finding.lines for finding in watch.findings] == [(1, 3)]
    assert memory.data[0] == {0: 3, 1: 2}


def test_an_access_out_of_range_is_reported_and_not_done() -> None:
    watch = Watch()
    memory, runner = ShadowMemory([5, 6], 2, None), Runner(watch, Group(0, (0, 0, 0)), Team(), 0, (0, 0, 0), (1, 1, 1))
    sites = [Site(number, "used", "x", "buffer", Span("f.py", number, 0, number, 1)) for number in range(1, 4)]
    for index in (-1, 2):
        memory.store(index, 9, sites[0], runner)
        assert memory.load(index, sites[1], runner, 0) == 0
        assert memory.atomic(index, lambda old: old + 1, False, sites[2], runner, 0) == 0
    assert memory.data == [5, 6]
    assert [(finding.code, finding.lines, finding.count) for finding in watch.findings] == [
        ("GP703", (1,), 2),
        ("GP703", (2,), 2),
        ("GP703", (3,), 2),
    ]


def test_what_bounds_refuse_is_not_done_and_only_that() -> None:
    watch = Watch()
    memory, runner = ShadowMemory([0] * 6, 6, None), Runner(watch, Group(0, (0, 0, 0)), Team(), 0, (0, 0, 0), (1, 1, 1))
    site = Site(0, "written", "x", "buffer", Span("f.py", 1, 0, 1, 1))
    runner.bounds((0, 4), (2, 3))
    memory.store(4, 9, site, runner)
    runner.bounds((1, 1), (2, 3))
    memory.store(4, 7, site, runner)
    assert memory.data == [0, 0, 0, 0, 7, 0]
    (finding,) = watch.findings
    assert finding.message.startswith("index (0, 4) is out of range for 'x' of shape (2, 3), in axis 1, written by")
