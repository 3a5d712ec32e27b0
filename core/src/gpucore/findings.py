"""What `gp.check` finds: each finding with a code, what happened, where, and in which invocations."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from gpucore.errors import CheckError
from gpucore.immutable import Immutable, field
from gpucore.span import Span

Axes = tuple[int, int, int]


class FindingCode(enum.Enum):
    """The kinds of findings. The value is the code that is shown; docs/errors.md has them in a table."""

    RACE = "GP701"
    DIVERGENT_BARRIER = "GP702"
    OUT_OF_RANGE = "GP703"
    NEVER_WRITTEN = "GP704"
    MISSING_LANE = "GP705"
    SCHEDULE = "GP706"
    OVERFLOW = "GP707"
    NAN = "GP708"
    NOT_UNIFORM = "GP709"
    ASSERTION = "GP710"
    NO_END = "GP711"
    EXCHANGED_AXES = "GP712"


WHY = {
    FindingCode.RACE: "which of the two comes first is not defined, not even when both write the same value",
    FindingCode.DIVERGENT_BARRIER: "every invocation of the workgroup must arrive; a device hangs here, or goes wrong",
    FindingCode.OUT_OF_RANGE: "what such a read gives or such a write changes is not defined",
    FindingCode.NEVER_WRITTEN: "memory that was never written holds anything",
    FindingCode.MISSING_LANE: "what a lane that does not exist gives is not defined",
    FindingCode.SCHEDULE: "invocations between two barriers, and workgroups, run in any order",
    FindingCode.OVERFLOW: "the exact result does not fit its type, and wraps",
    FindingCode.NAN: "no operand is NaN, and the result is",
    FindingCode.NOT_UNIFORM: "gp.assume_uniform promises one value for all invocations of a workgroup",
    FindingCode.ASSERTION: "the kernel's own assertion does not hold",
    FindingCode.NO_END: "workgroups run one after the other here, and nothing says that a device runs two at once",
    FindingCode.EXCHANGED_AXES: "axis 0 of a grid is x, gp.global_id(0), and this grid seems to be given in another "
    "order than that in which the kernel takes its ids",
}

FIX = {
    FindingCode.RACE: {
        "workgroup": "put gp.barrier() between the two, or use an atomic function for both",
        "buffer": "let one invocation own the element, use an atomic function for both, put gp.barrier() between two "
        "invocations of one workgroup, or make two kernels of it",
    },
    FindingCode.DIVERGENT_BARRIER: {"": "move gp.barrier() out of the branch or loop, and guard only the work"},
    FindingCode.NEVER_WRITTEN: {"": "write every element that is read, or guard the read"},
    FindingCode.EXCHANGED_AXES: {
        "": "give the grid in the order of the ids: where gp.global_id(0) counts along the last axis of y, "
        "invocations=y.shape[::-1]"
    },
    FindingCode.MISSING_LANE: {"": "take gp.subgroup_size() instead of a fixed number, and guard the lane"},
}


class Invocation(Immutable):
    """One invocation of a dispatch: its ids along x, y and z."""

    global_id: Axes
    local_id: Axes
    workgroup_id: Axes

    def __str__(self) -> str:
        return f"invocation {self.global_id} (local_id {self.local_id} of workgroup {self.workgroup_id})"


@dataclass(slots=True)
class Finding:
    """One defect that a checked run showed.

    `spans` are the places in the user's source (of a race: both, the earlier in the file first), `invocations` those
    of its first occurrence, in the order of `spans` where there are two; `count` says how often it occurred.
    `memory` is "buffer" or "workgroup" where the finding is about an array, whose name is `array`.
    """

    code: str
    message: str
    spans: tuple[Span, ...]
    invocations: tuple[Invocation, ...] = ()
    array: str = ""
    memory: str = ""
    count: int = 1

    @property
    def lines(self) -> tuple[int, ...]:
        """The line numbers of `spans`."""
        return tuple(span.line for span in self.spans)

    def __str__(self) -> str:
        return self.render()

    def render(self) -> str:
        """Place, code, message, carets, why and fix, in the form of a compile error."""
        kind = FindingCode(self.code)
        place = f"{self.spans[0]}: " if self.spans else ""
        times = f" ({self.count} times)" if self.count > 1 else ""
        lines = [f"{place}error[{self.code}]: {self.message}{times}"]
        for position, span in enumerate(dict.fromkeys(self.spans)):
            lines += [f"  and {span}"] if position else []
            lines += _excerpts(span)
        lines.append(f"  why: {WHY[kind]}")
        fixes = FIX.get(kind, {})
        if fix := fixes.get(self.memory, fixes.get("", "")):
            lines.append(f"  fix: {fix}")
        return "\n".join(lines)


def _excerpts(span: Span) -> list[str]:
    """The line with its carets, and those of the calls that lead to it."""
    shown = [excerpt] if (excerpt := span.excerpt()) else []
    caller = span.called_from
    while caller is not None:
        shown.append(f"  called from {caller}")
        shown += [excerpt] if (excerpt := caller.excerpt()) else []
        caller = caller.called_from
    return shown


class CheckReport(Immutable):
    """What a check found. True, and `ok`, if it found nothing; as text: every finding with carets."""

    kernel: str
    findings: tuple[Finding, ...]
    invocations: int
    """How many invocations one schedule ran."""
    schedules: int
    subgroup_size: int
    skipped: tuple[str, ...] = field(default=())
    """What could not be done, in words: schedules after one that did not run to its end."""

    @property
    def ok(self) -> bool:
        """Whether there is no finding."""
        return not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def _headline(self) -> str:
        many = "no findings" if self.ok else f"{len(self.findings)} finding{'s' * (len(self.findings) > 1)}"
        return (
            f"{self.kernel}: {many} ({self.invocations} invocations, {self.schedules} "
            f"schedule{'s' * (self.schedules != 1)}, subgroups of {self.subgroup_size})"
        )

    def __repr__(self) -> str:
        codes = ", ".join(dict.fromkeys(finding.code for finding in self.findings))
        return f"<gpucore check of {self._headline()}{f': {codes}; print() shows them' if codes else ''}>"

    def __str__(self) -> str:
        return "\n\n".join([self._headline(), *self.skipped, *map(str, self.findings)])

    def raise_for_findings(self) -> None:
        """Raise CheckError with the report as its text, unless there is no finding."""
        if not self.ok:
            raise CheckError(str(self))
