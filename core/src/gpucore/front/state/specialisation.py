"""What a kernel is compiled for."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gpucore import ir
from gpucore.front.state.target import ANY, Target
from gpucore.immutable import Immutable
from gpucore.structs import StructDType, fields_of


@dataclass(frozen=True, slots=True)
class Specialisation:
    """What a kernel is compiled for: element types of arrays, types of type variables, values of constants."""

    elements: tuple[ir.Element, ...]  # element types of the array parameters, in order
    types: tuple[tuple[TypeVar, ir.Type], ...]
    constants: tuple[tuple[str, Any], ...]
    target: Target = ANY
    is_debug: bool = False  # with bounds checks, asserts and prints
    kinds: tuple[Any, ...] = ()  # distinguish constants that compare equal: 1, 1.0 and True, 0.0 and -0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", tuple(kind_of(value) for _, value in self.constants))


_KINDS: dict[int, tuple[Immutable, Any]] = {}  # by id, with the object, so that the id stays its own
_MAX_KINDS = 1024


def kind_of(value: Any) -> Any:
    """What distinguishes a constant from others that compare equal."""
    if not isinstance(value, Immutable):
        return _kind_of(value)
    known = _KINDS.get(id(value))
    if known is None:
        if len(_KINDS) >= _MAX_KINDS:
            _KINDS.clear()
        known = _KINDS[id(value)] = value, _kind_of(value)
    return known[1]


def _kind_of(value: Any) -> Any:
    cls: type = type(value)
    if isinstance(value, tuple):
        return cls, tuple(map(kind_of, value))
    if isinstance(value, (int, str)):
        return cls
    if isinstance(value, (float, complex, np.generic)):
        return cls, repr(value)
    if isinstance(value, frozenset):
        return cls, frozenset((item, kind_of(item)) for item in value)
    if isinstance(cls, StructDType):
        return cls, tuple(kind_of(getattr(value, field.name)) for field in fields_of(cls))
    if dataclasses.is_dataclass(cls):
        return cls, tuple(kind_of(getattr(value, field.name)) for field in dataclasses.fields(cls))
    return cls
