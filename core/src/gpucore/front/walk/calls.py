"""Lowering of calls: conversions, built-in functions, structs and helpers."""

from __future__ import annotations

import ast
import dataclasses
import typing
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, NoReturn

import numpy as np

from gpucore import ir
from gpucore.errors import ArgumentError, KernelSyntaxError, KernelTypeError
from gpucore.front.language.checks import check_count, known_value, refuse
from gpucore.front.language.intrinsics import FUNCTIONS, SPECIAL
from gpucore.front.language.substitutes import is_from_numpy, suggest_replacement
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, StructValue, describe, items_of
from gpucore.front.state.target import Target
from gpucore.front.state.wording import article, did_you_mean
from gpucore.front.text.foreign import own_word
from gpucore.front.text.nominal import NominalDType, field_dtype, nominal_type
from gpucore.front.values.convert import as_expr, as_nominal, convert
from gpucore.front.values.elements import Access
from gpucore.front.values.masks import components
from gpucore.front.values.struct_constants import default_of, expand_constant, typed_constant
from gpucore.front.walk.inlining import inline
from gpucore.front.walk.memory import attribute, component, read, refer
from gpucore.host import as_in_kernels, is_by_component, is_host_only
from gpucore.ir import build
from gpucore.structs import StructDType, StructField, fields_of, member
from gpucore.types import DType


def lower_call(context: Context, node: ast.Call) -> Operand:
    """Lower a call to its result."""
    callee = _callee(context, node)
    if isinstance(callee, _Method):
        return _call_method(context, callee, node)
    function = as_in_kernels(callee.value) if isinstance(callee, Static) else None
    if isinstance(function, MethodType) and isinstance(function.__self__, StructDType):  # a class method
        assert isinstance(function.__func__, FunctionType)
        return _call_method(context, _Method(Static(function.__self__), function.__func__), node)
    _refuse_stars(context, node)
    if not callable(function):
        context.error(
            KernelSyntaxError,
            "GP106",
            f"{context.text(node.func)} is not callable",
            node,
            why=f"it is {describe(callee)}",
            fix="call a function",
        )
    special = SPECIAL.get(_key(function))
    if special is not None:
        return special(context, node)
    args = [context.expression(context, arg) for arg in node.args]
    if isinstance(getattr(function, "__self__", None), Target):
        return _ask_target(context, function, args, node)
    if isinstance(function, DType):
        _refuse_keywords(context, node)
        return _construct(context, function, args, node)
    if isinstance(function, StructDType):
        return _make_struct(context, function, args, node)
    if (nominal := nominal_type(function)) is not None:
        check_count(context, args, node, 1)
        context.has_nominal_types = True
        return as_nominal(context, args[0], nominal, node.args[0])
    handler = FUNCTIONS.get(_key(function))
    if handler is not None:
        _refuse_keywords(context, node)
        return handler(context, args, node)
    if isinstance(function, FunctionType) and not is_host_only(function):
        keywords = {k.arg: context.expression(context, k.value) for k in node.keywords if k.arg is not None}
        if is_by_component(function) and len(args) == 1 and not keywords:
            vector = args[0]
            if isinstance(vector, EXPR_CLASSES) and isinstance(vector.type, ir.VectorType):
                return _inline_by_component(context, function, vector, node)
        return inline(context, function, args, keywords, node)
    _refuse_call(context, function, node)


def _inline_by_component(context: Context, function: FunctionType, vector: ir.Expr, node: ast.Call) -> Operand:
    """The vector of a helper's results on the components of a vector of u32."""
    words = as_expr(context, vector, node.args[0], ir.with_scalar(vector.type, ir.U32))
    results = (inline(context, function, [part], {}, node) for part in components(context, words, node))
    return build.construct(*(as_expr(context, result, node) for result in results))


def _refuse_call(context: Context, function: Any, node: ast.Call) -> NoReturn:
    """Raise the error for a function that a kernel cannot call, with what to write instead."""
    is_own = is_host_only(function)
    is_name_of_gp = isinstance(function, FunctionType) and function.__module__.startswith("gpucore.")
    in_kernels = own_word(context.text(node.func), is_called=True) if is_own and is_name_of_gp else None
    if hasattr(function, "__wrapped__") and not (is_own or isinstance(function, type) or is_from_numpy(function)):
        is_of_module = isinstance(node.func, ast.Attribute)
        foreign = own_word(context.text(node.func), is_called=True) if is_of_module else None
        context.error(
            KernelSyntaxError,
            "GP101",
            f"{context.text(node.func)} is wrapped by a decorator",
            node,
            why="what the decorator adds runs in Python, and a device cannot run it",
            fix=foreign or "remove the decorator, or use the function that it wraps",
        )
    context.error(
        KernelSyntaxError,
        "GP106",
        f"a kernel cannot call {context.text(node.func)}",
        node,
        why="it works on whole arrays, outside kernels"
        if is_own
        else "it is neither part of the kernel language nor a Python function whose source can be read",
        fix=(in_kernels or "call it outside the kernel") if is_own else suggest_replacement(context, function, node),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Method:
    """A method of a struct, and the struct that it is called on."""

    owner: Operand | None  # None for a static method
    function: FunctionType


def _callee(context: Context, node: ast.Call) -> Operand | _Method:
    """The called operand or method. The object of a method call is evaluated once."""
    if not isinstance(node.func, ast.Attribute):
        return context.expression(context, node.func)
    owner = refer(context, node.func.value)
    if isinstance(owner, Static):
        owner = expand_constant(context, owner, node.func.value)
    cls: object = owner.cls if isinstance(owner, StructValue) else owner.dtype if isinstance(owner, Access) else None
    if isinstance(cls, StructDType):
        written = member(cls, node.func.attr)
        if isinstance(written, FunctionType):
            return _Method(read(context, owner, node.func.value), written)
        if isinstance(written, staticmethod) and isinstance(written.__func__, FunctionType):
            return _Method(None, written.__func__)
        if isinstance(written, classmethod) and isinstance(written.__func__, FunctionType):
            return _Method(Static(cls), written.__func__)
    return read(context, attribute(context, owner, node.func), node.func)


def _call_method(context: Context, method: _Method, node: ast.Call) -> Operand:
    """Inline a method with the struct as the first argument, the class for a class method, neither for a static one."""
    _refuse_stars(context, node)
    args = [context.expression(context, arg) for arg in node.args]
    keywords = {k.arg: context.expression(context, k.value) for k in node.keywords if k.arg is not None}
    owner = [] if method.owner is None else [method.owner]
    return inline(context, method.function, [*owner, *args], keywords, node)


def _refuse_stars(context: Context, node: ast.Call) -> None:
    if any(isinstance(arg, ast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
        context.error(
            KernelSyntaxError,
            "GP103",
            "a kernel cannot contain * or ** in a call",
            node,
            why="the number of arguments is fixed when the kernel is compiled",
            fix="write the arguments out",
        )


def _key(function: Any) -> Any:
    try:
        hash(function)
    except TypeError:
        return None
    return function


def _refuse_keywords(context: Context, node: ast.Call) -> None:
    if node.keywords:
        context.error(
            KernelTypeError,
            "GP206",
            f"{context.text(node.func)} takes no keyword arguments",
            node,
            why="built-in functions take arguments by position",
            fix="remove the names",
        )


def _ask_target(context: Context, method: Callable[..., Any], args: list[Operand], node: ast.Call) -> Operand:
    """gp.target.has(capability) or gp.target.matrix(dtype, precision)."""
    is_capability = method.__name__ == "has"
    check_count(context, args, node, 1, 1 if is_capability else 2)
    places = ("the capability",) if is_capability else ("the dtype", "the precision")
    asked = [known_value(context, *each) for each in zip(args, node.args, places, strict=False)]
    try:
        return Static(method(*asked))
    except ArgumentError as error:
        if not is_capability:
            why = "units multiply tiles of some dtypes, of f32 with a precision"
            wrong = node.args[-1] if isinstance(asked[0], DType) else node.args[0]
            refuse(context, str(error), wrong, why, 'write gp.f16, or gp.f32, "high"')
        names = [known.value for known in ir.Capability]
        fix = did_you_mean(str(asked[0]), names, "write gp.Capability.F16, or another capability")
        refuse(context, str(error), node.args[0], "gp.target.has takes one capability", fix)


def _construct(context: Context, dtype: DType, args: list[Operand], node: ast.Call) -> Operand:
    type = dtype.ir_type
    if len(args) == 1 and items_of(args[0]) is None:
        return convert(context, args[0], type, node.args[0])
    if isinstance(type, ir.VectorType):
        parts: list[ir.Expr] = []
        for arg, arg_node in zip(args, node.args, strict=True):
            if isinstance(arg, EXPR_CLASSES) and isinstance(arg.type, ir.VectorType):
                simple = isinstance(arg, (ir.Value, ir.Local, ir.Construct, ir.Splat))
                source = arg if simple else context.builder.let("vector", arg, context.span(arg_node))
                own = (component(source, i) for i in range(arg.type.width))
                parts += [as_expr(context, part, arg_node, type.element) for part in own]
            else:
                parts.append(as_expr(context, arg, arg_node, type.element))
        if len(parts) == type.width:
            return ir.Construct(tuple(parts), type)
    count = f"1 or {type.width} components" if isinstance(type, ir.VectorType) else "one value"
    given = f"{len(args)} argument{'s' * (len(args) != 1)} {'were' if len(args) != 1 else 'was'} given"
    context.error(
        KernelTypeError,
        "GP206",
        f"gp.{type} is made from {count}",
        node,
        why=f"{describe(args[0])} was given" if len(args) == 1 and items_of(args[0]) is not None else given,
        fix=f"write gp.{type} with {count}",
    )


def _make_struct(context: Context, cls: StructDType, args: list[Operand], node: ast.Call) -> Operand:
    for name in ("__init__", "__post_init__", "__new__"):
        _refuse_custom_construction(context, cls, name, node)
    fields = fields_of(cls)
    given: dict[str, tuple[Operand, ast.AST]] = {}
    for field, arg, arg_node in zip(fields, args, node.args, strict=False):
        given[field.name] = (arg, arg_node)
    is_twice = False
    for keyword in node.keywords:
        is_twice = is_twice or keyword.arg in given
        given[str(keyword.arg)] = (context.expression(context, keyword.value), keyword.value)
    defaults = {field.name: field.default for field in dataclasses.fields(typing.cast(Any, cls))}
    for field in fields:
        if field.name not in given and defaults[field.name] is not dataclasses.MISSING:
            given[field.name] = (default_of(context, cls, field, defaults[field.name], node), node)
    names = [field.name for field in fields]
    if len(args) > len(fields) or set(given) != set(names) or is_twice:
        context.error(
            KernelTypeError,
            "GP206",
            f"{cls.__name__} needs exactly its fields: {', '.join(names)}",
            node,
            why=f"the call gives {', '.join(given) or 'none'}",
            fix=f"write {cls.__name__}({', '.join(f'{name}=...' for name in names)})",
        )
    checked = [_as_field(context, field, *given[field.name]) for field in fields]
    span = context.span(node)
    values = tuple(
        value if isinstance(value, StructValue) else context.builder.let(field.name, value, span)
        for field, value in zip(fields, checked, strict=True)
    )
    return StructValue(cls, values)


def _refuse_custom_construction(context: Context, cls: StructDType, name: str, node: ast.Call) -> None:
    """Refuse a struct with a user-defined `__init__`, `__post_init__` or `__new__`."""
    written = member(cls, name)
    generated = name == "__init__" and not cls.__gpucore_has_init__
    if written is not None and not generated:
        context.error(
            KernelTypeError,
            "GP206",
            f"{cls.__name__} defines {name} and cannot be created in a kernel",
            node,
            why=f"a kernel creates a struct from its fields, and does not run {name}",
            fix=f"remove {name}, and write a static method that returns {article(cls.__name__)}",
        )


def _as_field(context: Context, field: StructField, operand: Operand, node: ast.AST) -> ir.Expr | StructValue:
    """An operand as the value of a field. It must have the field's type; a literal takes it, and fills a vector."""
    operand, dtype = expand_constant(context, operand, node), field_dtype(field)
    if not isinstance(dtype, StructDType):
        context.has_nominal_types |= isinstance(dtype, NominalDType)
        is_whole = isinstance(operand, Static) and isinstance(operand.value, (tuple, list, np.ndarray))
        if is_whole and isinstance(operand, Static):  # a default value, as written in Python
            constant = typed_constant(operand.value, dtype.ir_type)
            if constant is not None:
                return constant
        return as_expr(context, operand, node, dtype.ir_type)
    if isinstance(operand, StructValue) and operand.cls is dtype:
        return operand
    context.error(
        KernelTypeError,
        "GP201",
        f"the field {field.name!r} is {article(dtype.__name__)}, not {describe(operand)}",
        node,
        why="a field has one type",
        fix=f"give {article(dtype.__name__)}, as in {dtype.__name__}(...)",
    )
