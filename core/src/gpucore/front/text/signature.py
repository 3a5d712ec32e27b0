"""A kernel's signature, read from its annotations."""

from __future__ import annotations

import ast
import enum
import inspect
import keyword
from collections.abc import Mapping
from types import FunctionType, MappingProxyType
from typing import Any, NoReturn, TypeVar

import numpy as np

from gpucore.errors import ArgumentError, KernelTypeError
from gpucore.front.text.foreign import own_word
from gpucore.front.text.nominal import NominalDType, nominal_type
from gpucore.front.text.source import UnreadFunction, read_source
from gpucore.immutable import Immutable
from gpucore.structs import StructDType
from gpucore.types import DTYPES, BufferAnnotation, ConstAnnotation, DType, bf16, bool_

Generic = DType | NominalDType | TypeVar


class BufferParameter(Immutable):
    """An array argument."""

    name: str
    mode: str
    element: Generic | StructDType
    rank: int


class ScalarParameter(Immutable):
    """A number by value."""

    name: str
    type: Generic


class StructParameter(Immutable):
    """A struct by value."""

    name: str
    cls: StructDType


class ConstParameter(Immutable):
    """A compile-time value."""

    name: str
    type: type


Parameter = BufferParameter | ScalarParameter | StructParameter | ConstParameter


class Signature(Immutable):
    """The parameters in order, and the Python signature for binding arguments.

    `names` are the parameter names if every parameter may be given both by position and by name, else empty.
    """

    parameters: tuple[Parameter, ...]
    python: inspect.Signature
    names: tuple[str, ...]


_FIX = "annotate as in `x: gp.In[gp.f32]`, `y: gp.Out[gp.f32, 2]`, `a: gp.f32` or `n: gp.Const[int]`"


_VALUES = (int, float, complex, str, bytes, list, tuple, set, frozenset, dict, np.generic, np.ndarray)
_RESERVED = ("invocations", "workgroups")


def read_signature(function: FunctionType, local_names: Mapping[str, Any] = MappingProxyType({})) -> Signature:
    """The signature of a kernel; KernelTypeError GP104 for unsupported parameters.

    `local_names` are names in the scope of the kernel's definition, for annotations that are strings. The text of the
    function is read only for errors.
    """
    try:
        return _read(UnreadFunction(function), local_names)
    except KernelTypeError:
        return _read(read_source(function), local_names)  # raises with the places


def _read(source: UnreadFunction, local_names: Mapping[str, Any]) -> Signature:
    python = inspect.signature(source.function)
    for name, parameter in python.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            _refuse(
                source,
                f"the parameter {name!r} collects arguments",
                source.argument(name),
                "the number of a kernel's parameters is fixed",
                "name each parameter",
            )
    _check_result(source, python.return_annotation, local_names)
    parameters = []
    for name, parameter in python.parameters.items():
        node = source.argument(name)
        if name in _RESERVED:
            _refuse(
                source,
                f"no parameter can be named {name!r}",
                node,
                f"a call of the kernel takes {name}= for itself",
                "use another name",
            )
        if parameter.annotation is parameter.empty:
            _refuse(
                source,
                f"the parameter {name!r} has no annotation",
                node,
                "a kernel is compiled for the types of its parameters",
                _FIX,
            )
        annotation = _evaluate(source, parameter.annotation, getattr(node, "annotation", None) or node, local_names)
        parameters.append(_parameter(source, name, annotation, node))
    is_plain = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in python.parameters.values())
    return Signature(tuple(parameters), python, tuple(python.parameters) if is_plain else ())


def _check_result(source: UnreadFunction, annotation: Any, local_names: Mapping[str, Any]) -> None:
    """Refuse a return annotation other than None."""
    if annotation is inspect.Signature.empty:
        return
    node = source.result()
    result = _evaluate(source, annotation, node, local_names)
    if result is not None and result is not type(None):
        _refuse(
            source,
            f"{source.name} is annotated with the result {ast.unparse(node)}",
            node,
            "a kernel returns nothing; its results are what it stores in arrays",
            "write -> None, and store to a parameter such as `result: gp.Out[gp.f32]`",
        )


def make_signature(name: str, annotations: Mapping[str, Any]) -> Signature:
    """The signature of a kernel that has no Python source, from the annotation of each parameter."""
    place = _Unwritten(name)
    for parameter in annotations:
        if parameter in _RESERVED or not parameter.isidentifier() or keyword.iskeyword(parameter):
            _refuse(place, f"no parameter can be named {parameter!r}", ast.Pass(), "a call gives it by name",
                    "use another name")  # fmt: skip
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    python = inspect.Signature([inspect.Parameter(parameter, kind) for parameter in annotations])
    parameters = tuple(_parameter(place, key, value, ast.Pass()) for key, value in annotations.items())
    return Signature(parameters, python, tuple(annotations))


class _Unwritten(Immutable):
    """Takes the place of FunctionSource for a kernel without source: errors about its signature have no span."""

    name: str

    def span(self, node: ast.AST) -> None:
        return None


def _refuse(source: UnreadFunction | _Unwritten, message: str, node: ast.AST, why: str, fix: str) -> NoReturn:
    raise KernelTypeError("GP104", message, source.span(node), why=why, fix=fix)


def _evaluate(source: UnreadFunction, annotation: Any, node: ast.AST, local_names: Mapping[str, Any]) -> Any:
    """The value of an annotation. A string, as with `from __future__ import annotations`, is evaluated."""
    if not isinstance(annotation, str):
        return annotation
    names = {**local_names, **source.closure()}
    try:
        return eval(annotation, source.global_names, names)  # noqa: S307 (the user's own annotation)
    except Exception as error:  # noqa: BLE001 (any error is reported in the message)
        _refuse(
            source,
            f"the annotation {annotation!r} cannot be evaluated: {error}",
            node,
            "an annotation that is a string is evaluated with the globals and the names around the definition",
            own_word(annotation, is_called=False) or "define its names before the kernel",
        )


def _parameter(source: UnreadFunction | _Unwritten, name: str, annotation: Any, node: ast.AST) -> Parameter:
    if isinstance(annotation, BufferAnnotation):
        return _buffer_parameter(source, name, annotation, node)
    if isinstance(annotation, ConstAnnotation):
        if isinstance(annotation.type, DType):
            fix = "write gp.Const[int], gp.Const[float] or gp.Const[bool]; annotate a runtime value as gp.f32"
            _refuse(source, f"the parameter {name!r} is a Const of {annotation.type!r}", node,
                    "a compile-time value is a Python object, of a Python class", fix)  # fmt: skip
        if isinstance(annotation.type, _VALUES) or annotation.type is None:
            _refuse(source, f"the parameter {name!r} is a Const of {annotation.type!r}, which is a value", node,
                    "the brackets take the class of the argument",
                    "write gp.Const[int], gp.Const[float], gp.Const[bool] or another class")  # fmt: skip
        return ConstParameter(name, annotation.type)
    if isinstance(annotation, StructDType):
        return StructParameter(name, annotation)
    if annotation is bool:
        annotation = bool_
    if isinstance(annotation, TypeVar):
        _check_constraints(source, annotation, node)
        return ScalarParameter(name, annotation)
    if annotation is bf16:
        _refuse(source, f"the parameter {name!r} is annotated gp.bf16", node,
                "bf16 is a type of elements of arrays; numbers are passed as f32", "write gp.f32")  # fmt: skip
    if isinstance(annotation, DType):
        return ScalarParameter(name, annotation)
    if (nominal := nominal_type(annotation)) is not None:
        return ScalarParameter(name, NominalDType(nominal))
    why = "on a device a parameter is an array, a scalar, a vector, a struct or a constant"
    shown = annotation.__name__ if type(annotation) is type else repr(annotation)
    _refuse(source, f"the parameter {name!r} is annotated {shown}", node, why, _foreign(node) or _fix(annotation))


def _buffer_parameter(
    source: UnreadFunction | _Unwritten, name: str, annotation: BufferAnnotation, node: ast.AST
) -> Parameter:
    element = annotation.element
    if (nominal := nominal_type(element)) is not None:
        element = NominalDType(nominal)
    is_element = isinstance(element, (TypeVar, NominalDType, StructDType, DType)) and element is not bool_
    if not is_element or isinstance(annotation.rank, bool) or annotation.rank not in (1, 2, 3, 4):
        _refuse(source, f"the parameter {name!r} is annotated {annotation!r}", node,
                "arrays hold scalars, vectors or structs (no bool) and have rank 1 to 4", _FIX)  # fmt: skip
    assert isinstance(element, (TypeVar, NominalDType, StructDType, DType))
    _check_layout(source, element, node)
    _check_constraints(source, element, node)
    return BufferParameter(name, annotation.mode, element, annotation.rank)


def _check_layout(source: UnreadFunction | _Unwritten, element: object, node: ast.AST) -> None:
    if isinstance(element, StructDType):
        try:
            _ = element.dtype
        except ArgumentError as error:
            _refuse(source, str(error), node, "an array of structs has the same layout on the host", "change the field")


def _foreign(node: ast.AST) -> str | None:
    """The fix for an annotation that is a word of another library."""
    if not isinstance(node, ast.arg) or node.annotation is None:
        return None
    return own_word(ast.unparse(node.annotation), is_called=False)


def _fix(annotation: Any) -> str:
    if annotation is float:
        return "write gp.f32"
    if annotation is int:
        return "write gp.i32, or gp.Const[int]"
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return f"make {annotation.__name__} an enum.IntEnum, or write gp.Const[{annotation.__name__}]"
    if isinstance(annotation, type) and issubclass(annotation, (np.generic, np.ndarray)):
        known = next((dtype for dtype in DTYPES if dtype == annotation), None)
        return f"write gp.{known.ir_type}" if known is not None else _FIX
    return _FIX


def _check_constraints(source: UnreadFunction | _Unwritten, element: object, node: ast.AST) -> None:
    if isinstance(element, TypeVar) and not all(isinstance(c, DType) for c in element.__constraints__):
        _refuse(source, f"the type variable {element.__name__} has constraints that are not dtypes", node,
                "it stands for a scalar or vector type", 'write TypeVar("T", gp.f32, gp.u32)')  # fmt: skip


def check_constant(value: Any, wanted: Any) -> bool:
    """Whether a value may be passed for `Const[wanted]`: an instance of that class, and hashable, for the cache key."""
    if wanted is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if wanted is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    try:
        hash(value)
    except TypeError:
        return False
    return not isinstance(wanted, type) or isinstance(value, wanted)


def plain_constant(value: Any, wanted: Any) -> Any:
    """The value as the kernel uses it: a Python int or float if annotated as such."""
    if wanted is int and isinstance(value, np.integer):
        return int(value)
    return float(value) if wanted is float else value
