"""The Python name of each object of the IR, as scopes open and close."""

from __future__ import annotations

import keyword
from collections import Counter

from gpucore.back.names import Names

# Python's own names that generated code uses.
RESERVED = frozenset(keyword.kwlist) | {"abs", "bool", "breakpoint", "int", "max", "min", "print", "range", "tuple"}


class Scope:
    """Names, chosen for people who look at variables in a debugger.

    Two variables of the same name whose scopes do not overlap share one Python name, as in the user's source: two loops
    over `i` both use `i`.
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
        """Leave the innermost block."""
        self._live.subtract(self._blocks.pop())

    def bind(self, key: object, preferred: str) -> str:
        """Add an object to the innermost scope and return its name."""
        self._identifiers[key] = self._names.name((preferred, self._live[preferred]), preferred)
        self._live[preferred] += 1
        self._blocks[-1].append(preferred)
        return self._identifiers[key]

    def name(self, key: object) -> str:
        """The name of an object in scope."""
        return self._identifiers[key]
