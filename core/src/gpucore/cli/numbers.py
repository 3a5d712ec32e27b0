"""Formatting of numbers, durations and rates."""

from __future__ import annotations

from gpucore.profile.results import format_seconds as format_seconds

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")


def format_bytes(nbytes: int) -> str:
    """Bytes with a binary unit: "16 KiB", "2.5 GiB"."""
    value, unit = float(nbytes), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.4g} {_UNITS[unit]}"


def format_rate(rate: float) -> str:
    """A rate with three digits, never with an exponent for large ones: "0.0042", "27.9", "37,712"."""
    return f"{rate:.3g}" if rate < 100 else f"{rate:,.0f}"


def count(number: int, word: str) -> str:
    """A number with its noun: "1 value", "100,000 values"."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
