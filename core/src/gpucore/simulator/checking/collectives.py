"""Findings about collective operations: barriers, `assume_uniform`, lanes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gpucore.findings import FindingCode
from gpucore.simulator.checking.watch import Runner, Site, Watch
from gpucore.simulator.running import differing


def report_divergence(watch: Watch, runners: Sequence[Runner], sites: Sequence[Site | None]) -> None:
    """Invocations of a workgroup or subgroup wait at different statements, or some have ended (None)."""
    waiting, site = next((runner, site) for runner, site in zip(runners, sites, strict=True) if site is not None)
    other, elsewhere = next((runner, at) for runner, at in zip(runners, sites, strict=True) if at is not site)
    number = sum(at is site for at in sites)
    does = "has ended" if elsewhere is None else f"is at another {elsewhere.verb}"
    whole = math.prod(waiting.size) == len(runners)
    message = (
        f"{site.verb} not reached by all invocations of {'' if whole else 'a subgroup of '}workgroup "
        f"{waiting.group.id}: {number} of {len(runners)} are "
        f"there, such as {waiting.identity}; {other.identity} {does}"
    )
    spans = (site.span,) if elsewhere is None else (site.span, elsewhere.span)
    watch.report(FindingCode.DIVERGENT_BARRIER, message, spans, (waiting.identity, other.identity))


def report_non_uniform(watch: Watch, runners: Sequence[Runner], operands: Sequence[Any], site: Site) -> None:
    """A value given to `assume_uniform` that is not uniform."""
    number = differing(operands)
    if number is not None:
        first, other = runners[0].identity, runners[number].identity
        message = (
            f"{site.verb}: the value is not the same in workgroup {runners[0].group.id}: {operands[0]} in {first}, "
            f"{operands[number]} in {other}"
        )
        watch.report(FindingCode.NOT_UNIFORM, message, (site.span,), (first, other))


def report_different_tiles(watch: Watch, runner: Runner, other: Runner, site: Site) -> None:
    """A group of 128 that multiplies tiles which are not the same for all of it; the product is left out."""
    invocations = runner.identity, other.identity
    message = f"{site.verb}: the tiles are not the same for {invocations[0]} and {invocations[1]}"
    why, fix = "the invocations of a group multiply the same tiles", "let the index of a tile be the same for all"
    watch.report(FindingCode.NOT_UNIFORM, message, (site.span,), invocations, why=why, fix=fix)


def report_missing_lane(watch: Watch, runner: Runner, lane: int, wanted: int, lanes: int, site: Site) -> None:
    """A lane reads from one that its subgroup does not have."""
    message = (
        f"{site.verb}: lane {lane} reads from lane {wanted}, and the subgroup has {lanes} lanes, in {runner.identity}"
    )
    watch.report(FindingCode.MISSING_LANE, message, (site.span,), (runner.identity,))
