"""What tuning found out."""

from __future__ import annotations

from typing import Any

from gpucore.immutable import Immutable
from gpucore.profile.results import format_seconds


class Trial(Immutable):
    """What was found out about one candidate. Times are in seconds, None where it was not timed."""

    candidate: Any  # as it is in the space
    is_right: bool  # whether its output is right
    reason: str = ""  # why it is not, or which error it raised
    seconds: float | None = None  # the median
    least: float | None = None  # of all rounds
    most: float | None = None  # likewise
    rounds: int = 0  # fewer than those of others: it was clearly slower, or took long


class Tuning(Immutable):
    """The result of `gp.tune`. Printed, it is a table of all candidates."""

    best: Any  # the candidate with the least median time of those whose output is right
    trials: tuple[Trial, ...]  # the best one first, then those that are right by their times, then the others
    device: str  # the id of the device
    clock: str  # "device" or "host": whose clock the times are by; the host's is with the wait

    @property
    def seconds(self) -> float:
        """The median time of the best candidate, in seconds."""
        return self.trials[0].seconds or 0.0

    def table(self) -> list[dict[str, Any]]:
        """A row for each trial: "candidate" (text), "seconds", "least", "most", "rounds", "verdict"."""
        return [
            {
                "candidate": describe(trial.candidate), "seconds": trial.seconds, "least": trial.least,
                "most": trial.most, "rounds": trial.rounds, "verdict": self._verdict(trial),
            } for trial in self.trials
        ]  # fmt: skip

    def _verdict(self, trial: Trial) -> str:
        if not trial.is_right:
            return trial.reason
        if trial is self.trials[0]:
            return "best"
        return f"{trial.seconds / self.seconds:.2f} x" if trial.seconds and self.seconds else "right"

    def __str__(self) -> str:
        head = ("candidate", "median", "least", "most", "rounds", "verdict")
        rows: list[tuple[str, ...]] = [head]
        for each in self.table():
            times = ["-" if each[name] is None else format_seconds(each[name]) for name in ("seconds", "least", "most")]
            rows.append((each["candidate"], *times, str(each["rounds"] or "-"), each["verdict"]))
        widths = [max(len(row[column]) for row in rows) for column in range(len(head) - 1)]
        lines = []
        for row in rows:
            first, *others = (
                cell.rjust(width) if column else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row[:-1], widths, strict=True))
            )
            lines.append("  ".join([first, *others, row[-1]]).rstrip())
        return "\n".join([f"tuned on {self.device}, times by the clock of the {self.clock}", *lines])


def describe(candidate: Any) -> str:
    """A candidate in a line: "tile=16 rows=4" of one with names."""
    names = getattr(candidate, "_fields", None)
    if names is None:
        return " ".join(str(candidate).split())
    return " ".join(f"{name}={value!r}" for name, value in zip(names, candidate, strict=True))
