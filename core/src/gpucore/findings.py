"""Findings of `gp.check`: each has a code, a message, source locations and invocations."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from gpucore.errors import CheckError, IncompleteOutputError
from gpucore.immutable import Immutable, field
from gpucore.span import Span

Axes = tuple[int, int, int]


class FindingCode(enum.Enum):
    """The kinds of findings. The value is the code in messages; docs/errors.md lists them."""

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
    INCOMPLETE_OUTPUT = "GP712"


WHY = {
    FindingCode.RACE: "the order of the two accesses is undefined, even when both write the same value",
    FindingCode.DIVERGENT_BARRIER: "every invocation of the workgroup must reach it, or a device hangs or gives "
    "wrong results",
    FindingCode.OUT_OF_RANGE: "a read out of range gives an undefined value, and a write may change any memory",
    FindingCode.NEVER_WRITTEN: "memory that was never written has undefined contents",
    FindingCode.MISSING_LANE: "the value of a lane that does not exist is undefined",
    FindingCode.SCHEDULE: "invocations between two barriers, and workgroups, run in any order",
    FindingCode.OVERFLOW: "the exact result does not fit its type, and wraps",
    FindingCode.NAN: "the result is NaN although no operand is",
    FindingCode.NOT_UNIFORM: "gp.assume_uniform promises one value for all invocations of a workgroup",
    FindingCode.ASSERTION: "an assertion in the kernel failed",
    FindingCode.NO_END: "workgroups run one after the other here, and no device guarantees to run two at the same time",
    FindingCode.INCOMPLETE_OUTPUT: IncompleteOutputError.WHY,
}

FIX = {
    FindingCode.RACE: {
        "workgroup": "put gp.barrier() between the two, or use an atomic function for both",
        "buffer": "let only one invocation access the element, use an atomic function for both, put gp.barrier() "
        "between two invocations of one workgroup, or split the kernel into two",
    },
    FindingCode.DIVERGENT_BARRIER: {"": "move gp.barrier() out of the branch or loop, and guard only the work"},
    FindingCode.NEVER_WRITTEN: {"": "write every element that is read, or guard the read"},
    FindingCode.INCOMPLETE_OUTPUT: {"": IncompleteOutputError.FIX},
    FindingCode.MISSING_LANE: {"": "use gp.subgroup_size() instead of a fixed number, and guard the lane"},
}


class Invocation(Immutable):
    """One invocation of a dispatch: its ids, each a tuple for x, y and z."""

    global_id: Axes  # in the whole dispatch
    local_id: Axes  # in its workgroup
    workgroup_id: Axes  # of its workgroup

    def __str__(self) -> str:
        return f"invocation {self.global_id} (local_id {self.local_id} of workgroup {self.workgroup_id})"


@dataclass(slots=True)
class Finding:
    """One defect found by a checked run. As text it is formatted like a compile error."""

    code: str
    """The kind of defect: "GP701" for a race."""
    message: str
    """What is wrong."""
    spans: tuple[Span, ...]
    """Locations in the user's source: for a race both, in the order of the file."""
    invocations: tuple[Invocation, ...] = ()
    """The invocations of its first occurrence, in the same order."""
    array: str = ""
    """The name of the array that it is about, if it is about one."""
    memory: str = ""
    """Where that array is: "buffer" or "workgroup"."""
    count: int = 1
    """The number of occurrences."""
    why: str = ""
    """The reason, where it is not the one that all findings of this code have."""
    fix: str = ""
    """What to do, where that differs in the same way."""

    @property
    def lines(self) -> tuple[int, ...]:
        """The line numbers of `spans`."""
        return tuple(span.line for span in self.spans)

    def __str__(self) -> str:
        return self.render()

    def render(self) -> str:
        """Location, code, message, carets, why and fix, formatted like a compile error."""
        kind = FindingCode(self.code)
        place = f"{self.spans[0]}: " if self.spans else ""
        times = f" ({self.count} times)" if self.count > 1 else ""
        lines = [f"{place}error[{self.code}]: {self.message}{times}"]
        for position, span in enumerate(dict.fromkeys(self.spans)):
            lines += [f"  and {span}"] if position else []
            lines += _excerpts(span)
        lines.append(f"  why: {self.why or WHY[kind]}")
        fixes = FIX.get(kind, {})
        if fix := self.fix or fixes.get(self.memory, fixes.get("", "")):
            lines.append(f"  fix: {fix}")
        return "\n".join(lines)


def _excerpts(span: Span) -> list[str]:
    """The source line with its carets, and those of its callers."""
    shown = [excerpt] if (excerpt := span.excerpt()) else []
    caller = span.called_from
    while caller is not None:
        shown.append(f"  called from {caller}")
        shown += [excerpt] if (excerpt := caller.excerpt()) else []
        caller = caller.called_from
    return shown


class CheckReport(Immutable):
    """The result of a check. It is true, and `ok`, without findings. As text it shows every finding with carets."""

    kernel: str
    """The kernel's name."""
    findings: tuple[Finding, ...]
    """One for each code and place, in the order of the codes."""
    invocations: int
    """The number of invocations of one schedule."""
    schedules: int
    """The number of runs that were asked for."""
    subgroup_size: int
    """Invocations of a subgroup in these runs."""
    skipped: tuple[str, ...] = field(default=())
    """Notes on what was not checked: the schedules after one that ended early."""

    @property
    def ok(self) -> bool:
        """Whether there are no findings."""
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
        """Raise CheckError, with the report as its text, if there are findings."""
        if not self.ok:
            raise CheckError(str(self))
