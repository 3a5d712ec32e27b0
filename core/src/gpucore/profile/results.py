"""The table of a profile: a row for each kernel, and one for each kind of copy, on each device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpucore.immutable import Immutable, field_names
from gpucore.runtime.protocol import DeviceInfo

KERNEL = "kernel"
_NAME_WIDTH = 40
_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")

Cells = Sequence[str]

COLUMNS = (
    ("kernel", False), ("device", False), ("calls", True), ("time", True), ("mean", True), ("min", True),
    ("share", True), ("read", True), ("written", True), ("GB/s", True), ("compile", True),
)  # fmt: skip
"""The titles of the table's columns, and whether they are aligned to the right."""


class ProfileRow(Immutable):
    """The work of one kernel, or the copies of one kind, on one device."""

    kind: str  # "kernel", "copy" (on the device), "upload" or "download"
    name: str  # of the kernel; that of the kind for copies
    device: str  # its id
    timestamps: str  # "device", or "host" for a device without timestamps
    calls: int  # how often it ran
    seconds: float  # device time of all calls
    min_seconds: float  # of the fastest call
    share: float  # of the device time of all rows, from 0 to 1
    bytes_read: int  # of the arrays bound as In and InOut, in all calls
    bytes_written: int  # of those bound as Out and InOut
    compiles: int  # how often it was compiled, or read from the cache on disk
    saved_compiles: int  # how many of these the cache had
    compile_seconds: float  # of the host, in total

    @property
    def mean_seconds(self) -> float:
        """Device time of a call; 0.0 without one."""
        return self.seconds / self.calls if self.calls else 0.0

    @property
    def bytes_per_second(self) -> float:
        """Bytes read and written in a second of device time; 0.0 if no time was measured."""
        return (self.bytes_read + self.bytes_written) / self.seconds if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """The fields, as plain data."""
        return {name: getattr(self, name) for name in field_names(self)}


class Total:
    """A row that grows."""

    def __init__(self) -> None:
        self.calls = self.bytes_read = self.bytes_written = self.compiles = self.saved_compiles = 0
        self.seconds = self.compile_seconds = self.min_seconds = 0.0

    def add(self, seconds: float, bytes_read: int, bytes_written: int) -> None:
        """Count a call."""
        self.min_seconds = min(self.min_seconds, seconds) if self.calls else seconds
        self.calls += 1
        self.seconds += seconds
        self.bytes_read += bytes_read
        self.bytes_written += bytes_written

    def row(self, kind: str, name: str, device: str, timestamps: str, all_seconds: float) -> ProfileRow:
        """The row so far; `all_seconds` is the device time of all rows."""
        share = self.seconds / all_seconds if all_seconds else 0.0
        return ProfileRow(
            kind, name, device, timestamps, self.calls, self.seconds, self.min_seconds, share, self.bytes_read,
            self.bytes_written, self.compiles, self.saved_compiles, self.compile_seconds,
        )  # fmt: skip


def timestamps_of(info: DeviceInfo) -> str:
    """Whose clock the times of a device are by: "device" or "host"."""
    return dict(info.details).get("timestamps", "device")


def table_of(rows: Sequence[ProfileRow]) -> list[list[str]]:
    """The cells of the rows, and of one that is their total."""
    cells = [
        [
            _shortened(row.name if row.kind == KERNEL else f"[{row.name}]"),
            row.device if row.timestamps == "device" else f"{row.device} (host)",
            str(row.calls),
            format_seconds(row.seconds),
            format_seconds(row.mean_seconds),
            format_seconds(row.min_seconds),
            f"{row.share:.1%}",
            _format_bytes(row.bytes_read),
            _format_bytes(row.bytes_written),
            _format_rate(row.bytes_per_second * 1e-9),
            _format_compiles(row.compiles, row.saved_compiles, row.compile_seconds),
        ]
        for row in rows
    ]
    total = [
        "total", "", str(sum(row.calls for row in rows)), format_seconds(sum(row.seconds for row in rows)), "", "", "",
        _format_bytes(sum(row.bytes_read for row in rows)), _format_bytes(sum(row.bytes_written for row in rows)), "",
        _format_compiles(
            sum(row.compiles for row in rows), sum(row.saved_compiles for row in rows),
            sum(row.compile_seconds for row in rows),
        ),
    ]  # fmt: skip
    return [*cells, total]


def lines_under(seconds: float, busy: Mapping[str, float], has_host_times: bool) -> list[str]:
    """What stands under the table. `seconds` is the time of the profile, `busy` what each device has worked of it."""
    shares = "".join(f"; {device} worked {format_seconds(time)} of it" for device, time in busy.items())
    lines = [f"the block took {format_seconds(seconds)}{shares}"]
    if has_host_times:
        lines.append("(host): the device has no timestamps, and its times are by the host's clock")
    return lines


def text_of(cells: Sequence[Cells]) -> str:
    """The table as aligned text."""
    rows = [[title for title, _ in COLUMNS], *cells]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    lines = []
    for row in rows:
        padded = [
            text.rjust(width) if is_right else text.ljust(width)
            for text, width, (_, is_right) in zip(row, widths, COLUMNS, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def format_seconds(seconds: float) -> str:
    """A duration with three digits: "4.21 ms"."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:.0f} s"


def _format_bytes(nbytes: int) -> str:
    """Bytes with a decimal unit, as in GB/s: "16 kB", "2.5 GB"."""
    value, unit = float(nbytes), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.3g} {_UNITS[unit]}"


def _format_rate(rate: float) -> str:
    return f"{rate:.2f}" if rate < 10 else f"{rate:.1f}" if rate < 100 else f"{rate:.0f}"


def _format_compiles(compiles: int, saved: int, seconds: float) -> str:
    if not compiles:
        return "-"
    origin = " (disk)" if saved == compiles else f" ({saved} of {compiles} disk)" if saved else ""
    return format_seconds(seconds) + origin


def _shortened(name: str) -> str:
    return name if len(name) <= _NAME_WIDTH else f"{name[: _NAME_WIDTH - 3]}..."
