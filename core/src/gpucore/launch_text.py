"""Functions that the calls of one kernel run, generated as text: straight code with the kernel's own checks.

They are named `p0`, `p1` and so on after the positions of the parameters. `repeat` makes a call that is like an earlier
one; whatever it finds that is not, it returns False, and the call is made in the long way, which raises the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.arguments import check_scalar
from gpucore.array import Array
from gpucore.front.state.specialisation import kind_of
from gpucore.front.text.signature import BufferParameter, ConstParameter, Parameter, ScalarParameter, Signature
from gpucore.layout import Layout
from gpucore.runtime.packing import packer
from gpucore.types import DTYPES, DType

_BOOLS = frozenset({bool})
_INTEGERS = frozenset({int, *(dtype.dtype.type for dtype in DTYPES if dtype.dtype.kind in "iu")})
_FLOATS = _INTEGERS | {float, *(dtype.dtype.type for dtype in DTYPES if dtype.dtype.kind == "f")}

GridKey = int | tuple[object, ...]


class LayoutText:
    """Expressions for the values that a kernel packs, and the names that these use."""

    def __init__(self, kernel: str, layout: Layout, signature: Signature) -> None:
        self._layout = layout
        self._positions = {parameter.name: at for at, parameter in enumerate(signature.parameters)}
        self._kernel = kernel
        self.parameters = ", ".join(f"p{at}" for at in self._positions.values())
        self.names: dict[str, Any] = {
            "PACK": packer(layout.slots, layout.nbytes).pack, "CHECK": check_scalar, "BOOLS": _BOOLS,
            "INTEGERS": _INTEGERS, "FLOATS": _FLOATS,
        }  # fmt: skip

    def values(self) -> list[str]:
        """The values to pack."""
        return [
            self._number(slot.origin, slot.type)
            if isinstance(slot.origin, ir.ArgumentOrigin)
            else self._fact(slot.origin)
            for slot in self._layout.slots
        ]

    def preconditions(self) -> str:
        """Whether the call satisfies the kernel's assumptions; "" if there are none."""
        tests = []
        for each in self._layout.assumptions:
            positive, negative = self._sum(each.terms, 1), self._sum(each.terms, -1)
            tests.append(f"{positive} >= {negative}")
            if each.multiple > 1:
                tests.append(f"({positive} - ({negative})) % {each.multiple} == 0")
        return " and ".join(tests)

    def _sum(self, terms: Sequence[tuple[int, Sequence[ir.Origin]]], sign: int) -> str:
        """The sum of the terms whose factors have a sign, by size."""
        products = [
            " * ".join([str(abs(factor))] * (abs(factor) != 1 or not origins) + [self._whole(each) for each in origins])
            for factor, origins in terms
            if factor * sign > 0
        ]
        return " + ".join(products) or "0"

    def _number(self, origin: ir.ArgumentOrigin, type: ir.ScalarType) -> str:
        """A number passed by value. Plain numbers are only checked by packing, which refuses overflow."""
        plain = "BOOLS" if type == ir.BOOL else "INTEGERS" if type.is_integer else "FLOATS"
        name = f"{origin.name}.{origin.field}" if origin.field else origin.name
        self.names[f"T_{type.name}"] = type
        return (
            f"(v if (v := {self._raw(origin)}).__class__ in {plain} else "
            f"CHECK({self._kernel!r}, {name!r}, v, T_{type.name}))"
        )

    def _raw(self, origin: ir.ArgumentOrigin) -> str:
        text = f"p{self._positions[origin.name]}"
        for step in origin.field.split(".") if origin.field else ():
            text += f"[{step}]" if step.isdigit() else f".{step}"
        return text

    def _whole(self, origin: ir.Origin) -> str:
        return f"int({self._raw(origin)})" if isinstance(origin, ir.ArgumentOrigin) else self._fact(origin)

    def _fact(self, origin: ir.ShapeOrigin | ir.LastIndexOrigin | ir.GridOrigin | ir.StartOrigin) -> str:
        """A length, last index, start or dimension of the grid."""
        match origin:
            case ir.ShapeOrigin(name, axis):
                return self._length(name, axis)
            case ir.LastIndexOrigin(name):
                lengths = [self._length(name, axis) for axis in range(self._layout.views[name].rank)]
                return f"((({' * '.join(lengths)}) or 1) - 1)"
            case ir.StartOrigin(name):
                array, width = f"p{self._positions[name]}", self._layout.views[name].width
                return f"({array}.start // {width} if {width} > {array}.dtype.width else {array}.start)"
            case ir.GridOrigin("columns"):
                return "grid.dispatched[0]"
            case ir.GridOrigin("called"):
                return "grid.called"
            case ir.GridOrigin(what):
                return f"grid.requested[{'xyz'.index(what)}]"

    def _length(self, name: str, axis: int) -> str:
        """A length. If a buffer of scalars is viewed as vectors, its last axis is shorter."""
        array, view = f"p{self._positions[name]}", self._layout.views[name]
        length = f"{array}.shape[{axis}]"
        if view.width == 1 or axis != view.rank - 1:
            return length
        return f"({length} // {view.width} if {array}.dtype.width == 1 else {length})"


def define(text: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    """The function that a text defines, named `made`."""
    space = dict(names)
    exec(text, space)  # noqa: S102 (the texts of this module)
    made: Callable[..., Any] = space["made"]
    return made


def pack_function(text: LayoutText) -> Callable[..., bytes]:
    """The packed scalars of a call, from its arguments and its grid. Raises ArgumentError for wrong numbers."""
    return define(f"def made({text.parameters}, grid):\n    return PACK({', '.join(text.values())})", text.names)


def fits_function(text: LayoutText) -> Callable[..., bool] | None:
    """Whether a call with checked arguments satisfies the kernel's assumptions; None if there are none."""
    condition = text.preconditions()
    return define(f"def made({text.parameters}, grid):\n    return {condition}", text.names) if condition else None


# ---------------------------------------------------------------- keys


class Keys:
    """`key(*arguments)` is all that determines how a call is compiled and where; it raises for what is no argument.

    `find(*arguments)` is what `launches` has for the key, or None.
    """

    def __init__(self, signature: Signature, launches: Mapping[Any, Any]) -> None:
        self._signature = signature
        parts: list[str] = []
        for at, parameter in enumerate(signature.parameters):
            if isinstance(parameter, BufferParameter):
                first = not any(part.endswith(".device") for part in parts)
                parts += [f"p{at}.dtype", f"p{at}.placement", *([f"p{at}.device"] if first else [])]
            elif isinstance(parameter, ConstParameter):
                parts.append(f"CONSTANT(p{at})")
            elif not _has_fixed_type(parameter):
                parts.append(f"p{at}.__class__")
        parameters = ", ".join(f"p{at}" for at in range(len(signature.parameters)))
        key = f"({''.join(f'{part}, ' for part in parts)})"
        names = {"GET": launches.get, "CONSTANT": _constant}
        self.key = define(f"def made({parameters}):\n    return {key}", names)
        self.find = define(
            f"def made({parameters}):\n    try:\n        return GET({key})\n    except Exception:\n        return None",
            names,
        )

    def differences(self, arguments: Sequence[Any]) -> tuple[list[str], dict[str, Any]]:
        """Tests of other arguments, which find a key that differs but for the device, and the names that they use."""
        tests: list[str] = []
        names: dict[str, Any] = {"CONSTANT": _constant, "Array": Array}
        for at, (parameter, argument) in enumerate(zip(self._signature.parameters, arguments, strict=True)):
            if isinstance(parameter, BufferParameter):
                names[f"D{at}"] = argument.dtype
                tests += [f"p{at}.__class__ is not Array or p{at}.dtype is not D{at}"]
                tests.append(f"p{at}.placement" + (f" != {argument.placement}" if argument.placement else ""))
            elif isinstance(parameter, ConstParameter):
                names[f"C{at}"], names[f"K{at}"] = argument, _constant(argument)
                tests.append(f"(p{at} is not C{at} and CONSTANT(p{at}) != K{at})")
            elif not _has_fixed_type(parameter):
                names[f"C{at}"] = argument.__class__
                tests.append(f"p{at}.__class__ is not C{at}")
        return tests, names


def _has_fixed_type(parameter: Parameter) -> bool:
    return isinstance(parameter, ScalarParameter) and isinstance(parameter.type, DType)


def _constant(value: Any) -> Any:
    """A compile-time value, apart from others that compare equal: 1, 1.0 and True."""
    return value, kind_of(value)


# ---------------------------------------------------------------- grids

_ONLY_INT = {int}


def grid_key(invocations: Any, workgroups: Any, default: Any) -> GridKey | None:
    """The key of a grid: equal keys mean equal grids. None: there is none. `default` is the array of a call without a
    grid."""
    if workgroups is not None:
        key = _count_key(workgroups) if invocations is None else None
        return None if key is None else ("workgroups", key)
    if invocations is None:
        invocations = default
    return invocations.shape[::-1] if type(invocations) is Array else _count_key(invocations)


def _count_key(counts: Any) -> GridKey | None:
    if type(counts) is int:
        return counts
    if type(counts) is tuple and set(map(type, counts)) == _ONLY_INT:
        return counts
    return int(counts) if isinstance(counts, np.integer) else None
