"""Counts of the calls that core makes to a backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any


class Traffic:
    """How often each call was made: uploads (write), downloads (read), copies on the device, dispatches."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def counting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call, counted."""

        def counted(*args: Any, **keywords: Any) -> Any:
            self.counts[name] += 1
            return call(*args, **keywords)

        return counted

    @property
    def uploads(self) -> int:
        return self.counts["write"]

    @property
    def downloads(self) -> int:
        return self.counts["read"]

    @property
    def dispatches(self) -> int:
        return self.counts["dispatch"]
