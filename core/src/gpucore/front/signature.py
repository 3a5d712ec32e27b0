"""A kernel's signature: what each parameter takes, read from its annotations."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.source import FunctionSource
from gpucore.types import BufferAnnotation, ConstAnnotation, DType, StructField, bool_, struct_fields

Generic = DType | TypeVar


@dataclass(frozen=True, slots=True)
class BufferParameter:
    """An array argument."""

    name: str
    mode: str
    element: Generic
    rank: int


@dataclass(frozen=True, slots=True)
class ScalarParameter:
    """A number by value."""

    name: str
    type: Generic


@dataclass(frozen=True, slots=True)
class StructParameter:
    """A struct by value."""

    name: str
    cls: type
    fields: tuple[StructField, ...]


@dataclass(frozen=True, slots=True)
class ConstParameter:
    """A compile-time value."""

    name: str
    type: type


Parameter = BufferParameter | ScalarParameter | StructParameter | ConstParameter


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters in order, and Python's own view of them for binding arguments."""

    parameters: tuple[Parameter, ...]
    python: inspect.Signature


_FIX = "annotate as in `x: gp.In[gp.f32]`, `y: gp.Out[gp.f32, 2]`, `a: gp.f32` or `n: gp.Const[int]`"


def read_signature(source: FunctionSource) -> Signature:
    """The signature of a kernel; KernelTypeError GP104 for parameters that cannot be."""
    python = inspect.signature(source.function)
    nodes = {
        arg.arg: arg for arg in [*source.node.args.posonlyargs, *source.node.args.args, *source.node.args.kwonlyargs]
    }
    parameters = []
    for name, parameter in python.parameters.items():
        node = nodes.get(name, source.node)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            _refuse(
                source,
                f"the parameter {name!r} collects arguments",
                node,
                "a kernel's parameters must be plain to see",
                "name each parameter",
            )
        if parameter.annotation is parameter.empty:
            _refuse(
                source,
                f"the parameter {name!r} has no annotation",
                node,
                "a kernel is compiled for the types of its parameters",
                _FIX,
            )
        annotation = _evaluate(source, parameter.annotation, node)
        parameters.append(_parameter(source, name, annotation, node))
    return Signature(tuple(parameters), python)


def _refuse(source: FunctionSource, message: str, node: Any, why: str, fix: str) -> None:
    raise KernelTypeError("GP104", message, source.span(node), why=why, fix=fix)


def _evaluate(source: FunctionSource, annotation: Any, node: Any) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(source.global_names), source.closure())  # noqa: S307 (the user's own annotation)
    except Exception as error:
        raise KernelTypeError(
            "GP104",
            f"the annotation {annotation!r} cannot be evaluated: {error}",
            source.span(node),
            why="with `from __future__ import annotations` it is looked up among globals and the closure",
            fix="define its names at the top of the file, or leave out the __future__ import",
        ) from error


def _parameter(source: FunctionSource, name: str, annotation: Any, node: Any) -> Parameter:
    if isinstance(annotation, BufferAnnotation):
        element = annotation.element
        valid = isinstance(element, TypeVar) or (isinstance(element, DType) and element is not bool_)
        if not valid or annotation.rank not in (1, 2) or isinstance(annotation.rank, bool):
            _refuse(source, f"the parameter {name!r} is annotated {annotation!r}", node,
                    "arrays hold scalars or vectors (no bool) and have rank 1 or 2", _FIX)  # fmt: skip
        assert isinstance(element, (TypeVar, DType))
        _check_constraints(source, element, node)
        return BufferParameter(name, annotation.mode, element, annotation.rank)
    if isinstance(annotation, ConstAnnotation):
        return ConstParameter(name, annotation.type)
    if (fields := struct_fields(annotation)) is not None:
        return StructParameter(name, annotation, fields)
    if annotation is bool:
        annotation = bool_
    if isinstance(annotation, TypeVar):
        _check_constraints(source, annotation, node)
        return ScalarParameter(name, annotation)
    if isinstance(annotation, DType) and isinstance(annotation.ir_type, ir.ScalarType):
        return ScalarParameter(name, annotation)
    shown = annotation.__name__ if isinstance(annotation, type) else repr(annotation)
    why = (
        "vectors are passed in arrays"
        if isinstance(annotation, DType)
        else "on a device a parameter is an array, a scalar, a struct or a constant"
    )
    fix = "write gp.f32" if annotation is float else "write gp.i32, or gp.Const[int]" if annotation is int else _FIX
    _refuse(source, f"the parameter {name!r} is annotated {shown}", node, why, fix)
    raise AssertionError


def _check_constraints(source: FunctionSource, element: Generic, node: Any) -> None:
    if isinstance(element, TypeVar) and not all(isinstance(c, DType) for c in element.__constraints__):
        _refuse(source, f"the type variable {element.__name__} is constrained to other than dtypes", node,
                "it stands for a scalar or vector type", 'write TypeVar("T", gp.f32, gp.u32)')  # fmt: skip


def check_constant(value: Any, wanted: type) -> bool:
    """Whether a value may be given for `Const[wanted]`: of that class, and hashable, for it is part of a key."""
    if wanted is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if wanted is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    try:
        hash(value)
    except TypeError:
        return False
    return not isinstance(wanted, type) or isinstance(value, wanted)
