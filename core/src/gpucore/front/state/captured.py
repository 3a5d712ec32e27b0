"""Values from outside a kernel, which are part of the key of its compiled code."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.immutable import Immutable
from gpucore.types import DType

DATA: tuple[type, ...] = (
    bool, int, float, complex, str, bytes, type(None), tuple, list, set, dict, np.generic, np.ndarray, DType,
)  # fmt: skip
"""What is watched in a class. (Its functions are not.)"""


class Captured(Immutable):
    """A value from outside the kernel: part of the cache key. `home` is a closure cell or a namespace."""

    name: str
    value: Any
    home: Any
    contents: Any = None  # a snapshot of the contents of a mutable value, else None

    def look_up(self, name: str, default: object) -> object:
        """The current value of `name` in `home`, or `default` if it is unbound. `name` is this value's own name."""
        if not isinstance(self.home, types.CellType):
            return self.home.get(name, default)
        try:
            return self.home.cell_contents
        except ValueError:  # an empty cell
            return default

    def is_current(self) -> bool:
        """Whether the name still has the captured value, with unchanged contents."""
        if self.look_up(self.name, self) is not self.value:
            return False
        return self.contents is None or contents_of(self.value) == self.contents

    def reader(self) -> Callable[[str, object], object]:
        """The fastest function that takes the name, and returns the captured value only if it is current."""
        if self.contents is not None:
            return self.look_up_unchanged
        return self.look_up if isinstance(self.home, types.CellType) else self.home.get

    def look_up_unchanged(self, name: str, default: object) -> object:
        """The captured value if it is current, else `default`."""
        return self.value if self.is_current() else default


def captured_value(home: Any, name: str, value: Any) -> Captured:
    """A value that `name` has in `home`, with a snapshot of its contents."""
    return Captured(name, value, home, contents_of(value))


def contents_of(value: Any) -> Any:
    """A snapshot of a list, dict, set or array, nested ones included, to compare with later; None for other values."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (list, bytearray)):
        return type(value), [_inside(item) for item in value]
    if isinstance(value, dict):
        return dict, [(_inside(key), _inside(item)) for key, item in value.items()]
    if isinstance(value, set):
        return set, frozenset(map(_inside, value))
    if isinstance(value, tuple):
        inner = [contents_of(item) for item in value]
        return None if all(item is None for item in inner) else (tuple, inner)
    return None


def _inside(value: Any) -> Any:
    """An item to compare with later. 1, 1.0 and True are equal, and so are 0.0 and -0.0, but not in a kernel."""
    if isinstance(value, float):
        return type(value), value.hex()
    if isinstance(value, np.generic):
        return type(value), value.tobytes()
    if isinstance(value, (tuple, frozenset)):
        inner = map(_inside, value)
        return type(value), tuple(inner) if isinstance(value, tuple) else frozenset(inner)
    found = contents_of(value)
    return (type(value), value) if found is None else found
