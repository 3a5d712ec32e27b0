"""Runs the invocations of a workgroup from one collective operation to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import GeneratorType
from typing import Any, TypeAlias

from gpucore.ir import SubgroupOp
from gpucore.simulator.checking.collectives import (
    report_different_tiles,
    report_divergence,
    report_missing_lane,
    report_non_uniform,
)
from gpucore.simulator.checking.emit import CheckedProgram
from gpucore.simulator.checking.products import CheckedProducts
from gpucore.simulator.checking.shadow import ShadowMemory
from gpucore.simulator.checking.watch import Group, Runner, Site, Watch
from gpucore.simulator.collectives import OF_WORKGROUP, UNIFORM, MissingLane, Request, answers, subgroups
from gpucore.simulator.groups import BEGIN, Product, differing_parts

Started: TypeAlias = "GeneratorType[int | Request, Any, None]"

_EDGES = ("shuffle_up", "shuffle_down")
"""Operations with no source lane at one edge of the subgroup, a defect only if the result depends on it."""


class _Diverged(Exception):  # noqa: N818 (ends a workgroup; never raised to the user)
    """Invocations have reached different statements; it is reported."""


class Lockstep:
    """The started invocations of one workgroup.

    One subgroup runs after the other, through its own operations. At a barrier, at `assume_uniform` and at the end it
    waits for the workgroup.
    """

    def __init__(
        self,
        program: CheckedProgram,
        watch: Watch,
        group: Group,
        runners: list[Runner],
        started: list[Started],
        arrays: Sequence[ShadowMemory],
        buffers: Sequence[ShadowMemory],
        fill: int | None,
    ) -> None:
        self._program, self._watch, self._group = program, watch, group
        self._runners, self._started, self._fill = runners, started, fill
        self._arrays, self._buffers, self._products = arrays, buffers, CheckedProducts(runners)
        size = program.options.subgroup_size if program.has_teams else len(runners)
        self._teams = subgroups(len(runners), size)
        self._arrivals: list[int | Request | None] = [None] * len(runners)  # None: at its end
        self._sent: list[Any] = [None] * len(runners)
        self.missing: dict[Site, tuple[Runner, int, int, int]] = {}
        """As in Result."""

    def run(self, order: Callable[[list[Any]], list[Any]]) -> None:
        """Run to the end, or until invocations have diverged. `order` permutes subgroups, and those who go on."""
        try:
            while True:
                for team in order(self._teams) if len(self._teams) > 1 else self._teams:
                    self._advance(order(self._runners[team.start : team.stop]))
                    while self._passes(team):
                        self._advance(order(self._runners[team.start : team.stop]))
                if not self._pass_together():
                    return
        except _Diverged:
            for invocation in self._started:
                invocation.close()

    def _advance(self, runners: list[Runner]) -> None:
        """Run each to its next collective operation, or its end."""
        for me in runners:
            me.steps = 0
            try:
                self._arrivals[me.number] = self._started[me.number].send(self._sent[me.number])
            except StopIteration:
                self._arrivals[me.number] = None

    def _site_of_all(self, members: range) -> Site | None:
        """Where the invocations are; None if they have ended."""
        sites = [self._site(self._arrivals[number]) for number in members]
        if any(site is not sites[0] for site in sites):
            report_divergence(self._watch, self._runners[members.start : members.stop], sites)
            raise _Diverged
        return sites[0]

    def _site(self, arrival: int | Request | None) -> Site | None:
        if arrival is None:
            return None
        return self._program.sites[arrival.number if isinstance(arrival, Request) else arrival]

    def _requests(self, members: range) -> list[Request]:
        return [one for one in self._arrivals[members.start : members.stop] if isinstance(one, Request)]

    def _passes(self, team: range) -> bool:
        """Whether a subgroup is at one of its own operations, whose answers it gets."""
        site, requests = self._site_of_all(team), self._requests(team)
        if site is None or not requests or requests[0].operation in OF_WORKGROUP:
            return False
        members, missing = self._runners[team.start : team.stop], list[MissingLane]()
        self._sent[team.start : team.stop] = answers(requests, missing, self._fill)
        for lane, wanted in missing:
            self.missing.setdefault(site, (members[lane], lane, wanted, len(members)))
            if requests[0].operation not in _EDGES:
                report_missing_lane(self._watch, members[lane], lane, wanted, len(members), site)
        if requests[0].operation == SubgroupOp.BARRIER.value:
            self._settle(buffers=site.buffers)
            members[0].team.pass_barrier(site)
        return True

    def _pass_together(self) -> bool:
        """Whether all subgroups go on, after an operation of the workgroup."""
        everyone = range(len(self._runners))
        site, requests = self._site_of_all(everyone), self._requests(everyone)
        if site is None:
            return False
        self._sent = [None] * len(everyone)
        operands = [request.operand for request in requests]
        if requests and requests[0].operation == UNIFORM:
            self._sent = operands
            report_non_uniform(self._watch, self._runners, operands, site)
        elif requests and requests[0].operation == BEGIN:
            self._begin_products(operands, site)
        elif requests:
            self._products.wait(operands)
        else:
            self._settle(buffers=site.buffers)
            self._group.pass_barrier(site)
        return True

    def _begin_products(self, products: list[Product], site: Site) -> None:
        numbers = differing_parts(products)
        if numbers is None:
            self._products.begin(products)
        else:
            first, other = numbers
            report_different_tiles(self._watch, self._runners[first], self._runners[other], site)

    def _settle(self, *, buffers: bool) -> None:
        for memory in (*self._arrays, *self._buffers) if buffers else self._arrays:
            memory.settle(is_end=False)
