"""Helpers that a kernel in another file calls."""

from __future__ import annotations

from typing import Any


def squared(value: Any) -> Any:
    return value * value + 1


def length(a: Any, b: Any) -> Any:
    return squared(a) + squared(b) & 255
