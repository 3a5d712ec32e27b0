"""Where random choices come from: Hypothesis, so that a failing program shrinks. Simple choices come first."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

_T = TypeVar("_T")


@functools.cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


class Choices:
    """Draws numbers and items. Hypothesis shrinks towards 0 and the first item."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        return self._draw(_below(count)) if count > 1 else 0

    def one_of(self, items: Sequence[_T]) -> _T:
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        """True in about `percent` of a hundred; shrinks to False."""
        return self._draw(_below(100)) >= 100 - percent

    def weighted(self, items: Sequence[tuple[int, Any]]) -> Any:
        """An item by weight."""
        left = self.below(sum(weight for weight, _ in items))
        for weight, item in items:
            if left < weight:
                return item
            left -= weight
        raise AssertionError("weights are positive")


class RandomChoices(Choices):
    """The same choices from a plain generator, where nothing is to shrink."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def below(self, count: int) -> int:
        return self._random.randrange(count) if count > 1 else 0

    def chance(self, percent: int) -> bool:
        return self._random.randrange(100) >= 100 - percent
