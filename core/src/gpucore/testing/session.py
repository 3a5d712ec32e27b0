"""A run of the kit on one device, and its report."""

from __future__ import annotations

import faulthandler
import importlib
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gpucore as gp
from gpucore.runtime.root_cause import describe_cause
from gpucore.testing.behaviours import Behaviour, Outcome, list_behaviours, run_behaviour
from gpucore.testing.devices import describe_device
from gpucore.testing.expectations import check_expectations, judge
from gpucore.testing.isolation import TIME_LIMIT, DeviceFailedError, Isolation
from gpucore.testing.suites import Behaviours
from gpucore.testing.tiers import DEFAULT_TIER, parse_tier

FORMAT = "gpucore conformance"
VERSION = 1
"""Of the report's form. It grows when a key is taken away, or means something else."""

_STANDARD_ERROR = 2  # the process's own, whatever `sys.stderr` is
STATUSES = ("passed", "failed", "expected", "skipped")


@dataclass
class Session:
    """What is run, and how it ended. Raises ValueError for a tier, a number or a text that selects nothing."""

    device: str
    tier: str = DEFAULT_TIER
    texts: Sequence[str] = ()
    """A behaviour is run if its number, its name or its contract has one of these; () runs all of the tier."""
    expected: Mapping[str, str] = field(default_factory=dict)
    time_limit: float = TIME_LIMIT
    is_isolated: bool = True
    imports: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_expectations(self.expected)
        self.behaviours = [one for one in list_behaviours(Behaviours) if self._is_selected(one)]
        if not self.behaviours:
            having = f" has {' or '.join(map(repr, self.texts))} in it" if self.texts else ": there is none"
            raise ValueError(f"no behaviour of the tier {self.tier}{having}")
        self.info: dict[str, str] = {}
        self.outcomes: list[Outcome] = []

    def _is_selected(self, behaviour: Behaviour) -> bool:
        whole = f"{behaviour.name} [{behaviour.contract}]".lower()
        is_found = not self.texts or any(text.lower() in whole for text in self.texts)
        return is_found and behaviour.tier in parse_tier(self.tier)

    def run(self) -> Iterator[Outcome]:
        """Run the behaviours, one at each step.

        Raises BackendUnavailableError if there is no device, and DeviceFailedError if it cannot be opened. Later
        failures to open it again, after a crash, are those of the behaviours."""
        for outcome in self._run_isolated() if self.is_isolated else self._run_here():
            judged = judge(outcome, self.expected)
            self.outcomes.append(judged)
            yield judged

    def _run_isolated(self) -> Iterator[Outcome]:
        with Isolation(self.device, self.time_limit, self.imports) as isolation:
            isolation.open()
            self.info = isolation.info
            for behaviour in self.behaviours:
                try:
                    outcome = isolation.run(behaviour)
                except (gp.BackendUnavailableError, DeviceFailedError) as error:
                    outcome = Outcome(behaviour, "failed", str(error))
                yield outcome

    def _run_here(self) -> Iterator[Outcome]:
        for module in self.imports:
            try:
                importlib.import_module(module)
            except Exception as error:
                raise DeviceFailedError(f"{module} cannot be imported: {describe_cause(error)}") from error
        device = gp.device(self.device)
        self.info = describe_device(device)
        for behaviour in self.behaviours:
            faulthandler.dump_traceback_later(self.time_limit, exit=True, file=_STANDARD_ERROR)
            try:
                outcome = run_behaviour(Behaviours, device, behaviour)
            finally:
                faulthandler.cancel_dump_traceback_later()
            yield outcome

    @property
    def counts(self) -> dict[str, int]:
        """How many behaviours ended in each way."""
        found = Counter(outcome.status for outcome in self.outcomes)
        return {status: found[status] for status in STATUSES}

    def report(self) -> dict[str, Any]:
        """All of it as JSON types; docstring of `gpucore.cli.conformance`."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "gpucore": gp.__version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "device": self.info,
            "tier": self.tier,
            "texts": list(self.texts),
            "isolated": self.is_isolated,
            "time_limit": self.time_limit,
            "counts": self.counts,
            "seconds": round(sum(outcome.seconds for outcome in self.outcomes), 3),
            "behaviours": [_describe(outcome) for outcome in self.outcomes],
        }


def _describe(outcome: Outcome) -> dict[str, Any]:
    behaviour = outcome.behaviour
    return {
        "number": behaviour.number,
        "test": behaviour.method,
        "case": behaviour.case.name if behaviour.case else "",
        "text": behaviour.text,
        "contract": behaviour.contract,
        "tier": behaviour.tier,
        "status": outcome.status,
        "reason": outcome.reason,
        "seconds": round(outcome.seconds, 3),
        "trace": outcome.trace,
    }
