"""The signature of a kernel as plain data, and made again of it, without the module that defines the kernel.

Each parameter is `{"name", "by", "kind", ...}`: `by` says how a call gives it ("both", "position", "name"), `default`
is there if it has one. An array has a `mode` ("in", "out", "inout"), a `rank` and an `element`, a scalar an `element`,
a constant the name of its class. An element is the name of a dtype, or an object with a "variable" and the dtypes
"among" which it is, a "struct" and its fields, or an "enum" and its members.

Structs and enums are made again. They take what the program's own classes of the same name and fields have made, so
that a program passes its own objects, as to the kernel itself.
"""

from __future__ import annotations

import enum
import inspect
import keyword
import math
from collections.abc import Mapping
from typing import Any, TypeVar

from gpucore import ir
from gpucore.arguments import element_of
from gpucore.errors import ArgumentError
from gpucore.front.text.nominal import NominalDType, nominal_type
from gpucore.front.text.signature import (
    BufferParameter,
    ConstParameter,
    Parameter,
    ScalarParameter,
    Signature,
    StructParameter,
)
from gpucore.structs import StructDType, fields_of, make_struct
from gpucore.types import DTYPES, BufferAnnotation, ConstAnnotation, DType, bf16

_DTYPES: dict[str, DType] = {str(dtype.ir_type): dtype for dtype in (*DTYPES, bf16)}
_KINDS = {
    "both": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "position": inspect.Parameter.POSITIONAL_ONLY,
    "name": inspect.Parameter.KEYWORD_ONLY,
}
_BY: dict[Any, str] = {kind: by for by, kind in _KINDS.items()}
_CONSTANTS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}


class LoadedStruct(StructDType):
    """The metaclass of structs that packages have."""

    def takes(self, other: object) -> bool:
        return isinstance(other, StructDType) and other.ir_type == self.ir_type

    def __instancecheck__(self, value: object) -> bool:
        return self.takes(type(value))


class _LoadedEnumMeta(enum.EnumMeta):
    def __instancecheck__(cls, value: Any) -> bool:
        is_alike = issubclass(type(value), enum.IntEnum) and type(value).__name__ == cls.__name__
        return is_alike and cls.__members__.get(value.name) == value.value


class LoadedEnum(enum.IntEnum, metaclass=_LoadedEnumMeta):
    """The base of enums that packages have."""


# ---------------------------------------------------------------- to plain data


def signature_to_json(kernel: str, signature: Signature) -> list[dict[str, Any]]:
    """A signature as plain data. Raises ArgumentError for one that needs more."""
    return [
        {**_describe_call(kernel, signature.python.parameters[parameter.name]), **_describe(kernel, parameter)}
        for parameter in signature.parameters
    ]


def constant_to_json(kernel: str, name: str, value: Any) -> bool | int | float | str:
    """The value of a compile-time parameter as plain data, and a member of an IntEnum as its number. Raises
    ArgumentError for others."""
    if isinstance(value, enum.Enum) and isinstance(value, int):
        return int(value)
    if type(value) in _CONSTANTS.values() and not (isinstance(value, float) and not math.isfinite(value)):
        return value  # type: ignore[no-any-return]  # of one of these classes
    raise ArgumentError(f"{kernel}: the value of {name}, {value!r:.60}, is no finite number, bool or str, and a "
                        "package can have no others")  # fmt: skip


def _describe_call(kernel: str, parameter: inspect.Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {"name": parameter.name, "by": _BY[parameter.kind]}
    if parameter.default is not parameter.empty:
        described["default"] = constant_to_json(kernel, f"the default of {parameter.name}", parameter.default)
    return described


def _describe(kernel: str, parameter: Parameter) -> dict[str, Any]:
    match parameter:
        case BufferParameter(_, mode, element, rank):
            is_own = isinstance(element, NominalDType) and element.ir_type != ir.BF16  # a NewType or an enum
            plain = element_of(element) if is_own else None  # type: ignore[arg-type]  # it is one of these
            described = _describe_element(kernel, element) if plain is None else str(plain)
            return {"kind": "array", "mode": mode, "rank": rank, "element": described}
        case StructParameter(_, cls):
            return {"kind": "struct", "element": _describe_element(kernel, cls)}
        case ConstParameter(_, type):
            return {"kind": "const", "type": _constant_class(type)}
    return {"kind": "scalar", "element": _describe_element(kernel, parameter.type)}


def _constant_class(wanted: Any) -> str:
    if isinstance(wanted, enum.EnumMeta) and issubclass(wanted, int):
        return "int"
    return next((name for name, cls in _CONSTANTS.items() if cls is wanted), "any")


def _describe_element(kernel: str, element: Any) -> Any:
    if isinstance(element, TypeVar):
        return {"variable": element.__name__, "among": [str(each.ir_type) for each in element.__constraints__]}
    if isinstance(element, StructDType):
        fields = [
            {"name": field.name, "element": _describe_element(kernel, field.nominal or field.dtype)}
            for field in fields_of(element)
        ]
        return {"struct": element.__name__, "fields": fields}
    python = element.ir_type.python if isinstance(element, NominalDType) else element
    if isinstance(python, enum.EnumMeta):
        return {"enum": python.__name__, "members": {each.name: int(each.value) for each in python}}  # type: ignore[var-annotated]  # of an IntEnum
    if isinstance(element, DType):
        return str(element.ir_type)
    nominal = element.ir_type if isinstance(element, NominalDType) else nominal_type(element)
    assert nominal is not None
    return str(nominal if nominal == ir.BF16 else nominal.base)


# ---------------------------------------------------------------- from plain data


class SignatureReader:
    """Makes signatures again. Structs, enums and type variables of one name and contents are made once."""

    def __init__(self) -> None:
        self.structs: dict[str, StructDType] = {}  # P, P_2, P_3 ... are those named P
        self._made: dict[str, Any] = {}

    def read(self, data: Any) -> Signature:
        """The signature that `signature_to_json` describes. Raises an exception for other data."""
        parameters = tuple(self._parameter(each) for each in data)
        python = inspect.Signature([
            inspect.Parameter(
                parameter.name, _KINDS[each["by"]], annotation=_annotation(parameter),
                default=self._default(each, parameter),
            )
            for each, parameter in zip(data, parameters, strict=True)
        ])  # fmt: skip
        is_plain = all(each["by"] == "both" for each in data)
        return Signature(parameters, python, tuple(python.parameters) if is_plain else ())

    def _default(self, data: Mapping[str, Any], parameter: Parameter) -> Any:
        if "default" not in data:
            return inspect.Parameter.empty
        kind = parameter.type if isinstance(parameter, ScalarParameter) else None
        if isinstance(kind, NominalDType):
            return kind.ir_type.python(data["default"])
        return data["default"]

    def _parameter(self, data: Mapping[str, Any]) -> Parameter:
        name = _name(data["name"])
        match data["kind"]:
            case "array":
                if data["mode"] not in ("in", "out", "inout") or data["rank"] not in (1, 2, 3, 4):
                    raise ValueError(f"no array: {data!r:.200}")
                element = self._element(data["element"])
                return BufferParameter(name, data["mode"], NominalDType(ir.BF16) if element is bf16 else element,
                                       int(data["rank"]))  # fmt: skip
            case "struct":
                cls = self._element(data["element"])
                if isinstance(cls, StructDType):
                    return StructParameter(name, cls)
            case "const":
                return ConstParameter(name, _CONSTANTS.get(data["type"], object))
            case "scalar":
                return ScalarParameter(name, self._scalar(self._element(data["element"])))
        raise ValueError(f"no parameter: {data!r:.200}")

    def _scalar(self, element: Any) -> Any:
        nominal = nominal_type(element)
        return element if nominal is None else NominalDType(nominal)

    def _element(self, data: Any) -> Any:
        if isinstance(data, str):
            return _DTYPES[data]
        key = repr(data)
        if key not in self._made:
            self._made[key] = self._make(data)
        return self._made[key]

    def _make(self, data: Mapping[str, Any]) -> Any:
        make: Any
        if "variable" in data:
            name, among = _name(data["variable"]), [_DTYPES[each] for each in data["among"]]
            make = TypeVar
            return make(name, *among)
        if "enum" in data:
            members = {_name(name): int(value) for name, value in data["members"].items()}
            make = LoadedEnum
            return make(_name(data["enum"]), members)
        name = _name(data["struct"])
        fields = {_name(field["name"]): self._element(field["element"]) for field in data["fields"]}
        cls = type(name, (), {"__annotations__": fields, "__module__": __name__, "__qualname__": name})
        made: Any = make_struct(cls, {}, {}, LoadedStruct)
        others = sum(struct.__name__ == name for struct in self.structs.values())
        self.structs[f"{name}_{others + 1}" if others else name] = made
        return made


def _name(text: Any) -> str:
    """A name of Python. The code of launches is made of names."""
    if not isinstance(text, str) or not text.isidentifier() or keyword.iskeyword(text):
        raise ValueError(f"no name: {text!r:.60}")
    return text


def _annotation(parameter: Parameter) -> Any:
    match parameter:
        case BufferParameter(_, mode, element, rank):
            return BufferAnnotation(mode, element, rank)
        case ConstParameter(_, type):
            return ConstAnnotation(type)
        case StructParameter(_, cls):
            return cls
    return parameter.type.ir_type.python if isinstance(parameter.type, NominalDType) else parameter.type


__all__ = ["LoadedEnum", "LoadedStruct", "SignatureReader", "constant_to_json", "signature_to_json"]
