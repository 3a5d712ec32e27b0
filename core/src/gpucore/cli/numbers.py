"""Formatting of numbers, durations and rates."""

from __future__ import annotations

import argparse
import re

from gpucore.profile.results import format_seconds as format_seconds

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")


def format_bytes(nbytes: int) -> str:
    """Bytes with a binary unit: "16 KiB", "2.5 GiB"."""
    value, unit = float(nbytes), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.4g} {_UNITS[unit]}"


_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([KMGTP]i?)?B?", re.IGNORECASE)


def parse_bytes(text: str) -> int:
    """The bytes that a text means: "4GiB", "1.5 GB", "1048576". Raises ArgumentTypeError."""
    found = _SIZE.fullmatch(text.strip())
    unit = (found[2] or "").lower() if found else ""
    factor = (1024 if unit.endswith("i") else 1000) ** ("kmgtp".index(unit[0]) + 1 if unit else 0)
    nbytes = int(float(found[1]) * factor) if found else 0
    if nbytes < 1:
        raise argparse.ArgumentTypeError(f"a size is a number of bytes above 0, such as 4GiB or 500MB, not {text!r}")
    return nbytes


def format_rate(rate: float) -> str:
    """A rate with three digits, never with an exponent for large ones: "0.0042", "27.9", "37,712"."""
    return f"{rate:.3g}" if rate < 100 else f"{rate:,.0f}"


def count(number: int, word: str) -> str:
    """A number with its noun: "1 value", "100,000 values"."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
