"""Which Python name each object of the IR has, as scopes open and close."""

from __future__ import annotations

import keyword
from collections import Counter

from gpucore.back.names import Names

# Python's own names that generated code uses.
RESERVED = frozenset(keyword.kwlist) | {"abs", "bool", "breakpoint", "int", "max", "min", "print", "range", "tuple"}


class Scope:
    """Names for people who look at variables in a debugger.

    Two variables of one name whose scopes do not overlap share one Python name, as they do in the user's source: two
    loops over `i` are both over `i`.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._live: Counter[str] = Counter()
        self._blocks: list[list[str]] = [[]]
        self._identifiers: dict[object, str] = {}

    def open(self) -> None:
        """Enter a block."""
        self._blocks.append([])

    def close(self) -> None:
        """Leave it: what it bound is out of scope."""
        self._live.subtract(self._blocks.pop())

    def bind(self, key: object, wish: str) -> str:
        """Bring an object into the scope of the innermost block and return its name."""
        self._identifiers[key] = self._names.name((wish, self._live[wish]), wish)
        self._live[wish] += 1
        self._blocks[-1].append(wish)
        return self._identifiers[key]

    def name(self, key: object) -> str:
        """The name of an object in scope."""
        return self._identifiers[key]
