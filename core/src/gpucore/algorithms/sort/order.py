"""Ascending or descending."""

from __future__ import annotations

import enum


class SortOrder(enum.Enum):
    """The order of a sort. Strict: `SortOrder(2)` and `SortOrder("asc")` raise ValueError."""

    ASCENDING = 0
    DESCENDING = 1

    def __str__(self) -> str:
        return self.name.lower()
