"""The order of a sort."""

from __future__ import annotations

import enum


class SortOrder(enum.Enum):
    """The order of `gp.sort`; `str()` gives "ascending" or "descending"."""

    ASCENDING = 0
    DESCENDING = 1

    def __str__(self) -> str:
        return self.name.lower()
