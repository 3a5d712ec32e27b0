"""Inlining of helpers: plain Python functions in the kernel language, lowered at each call."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any, NoReturn, TypeVar

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context, Frame, LoweringFacts, Restart
from gpucore.front.state.flow import Flow, can_vary
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Operand,
    Static,
    StructValue,
    compile_time_value,
    describe,
    items_of,
)
from gpucore.front.state.wording import article
from gpucore.front.text.foreign import own_word
from gpucore.front.text.nominal import NominalDType, nominal_type
from gpucore.front.text.source import FunctionSource, read_source
from gpucore.front.values.convert import as_expr, fitted, freeze, known_constant, mismatch
from gpucore.front.values.struct_constants import expand_constant
from gpucore.front.values.variables import assign_variable, new_variable, stays_literal
from gpucore.front.walk.results import take_result
from gpucore.structs import StructDType
from gpucore.types import BufferAnnotation, ConstAnnotation, DType, bool_, dtype_of

_MAX_DEPTH = 64


def inline(
    context: Context, function: FunctionType, args: list[Operand], keywords: dict[str, Operand], node: ast.expr
) -> Operand:
    """Lower the body of a helper in place of its call."""
    if any(frame.source.function is function for frame in context.frames) or len(context.frames) > _MAX_DEPTH:
        names = [frame.source.name for frame in context.frames]
        is_recursive = function.__name__ in names
        context.error(
            KernelSyntaxError,
            "GP107",
            f"{function.__name__} calls itself" if is_recursive else "helpers call each other too deeply",
            node,
            why=f"devices have no stack for recursion ({' -> '.join([*names[-8:], function.__name__])})",
            fix="write a loop",
        )
    context.builder.count += 2  # a call counts even if its result is a single expression
    context.check_size(node)
    source = _read(context, function, node)
    bound = _as_written(source, _bind(context, function, args, keywords, node))
    if enforces_annotations(function):
        places = _places(context, source, len(args), node)
        bound = {name: _with_annotated_type(context, source, name, bound[name], places[name]) for name in bound}
    mark, facts, outer = context.builder.mark(), LoweringFacts(), context.flow
    while True:
        try:
            return _inline_once(context, source, bound, facts, node)
        except Restart as restart:
            if restart.frame.facts is not facts:
                raise
            context.builder.roll_back(mark)
        finally:
            context.flow = outer


def _inline_once(
    context: Context, source: FunctionSource, bound: dict[str, Operand], facts: LoweringFacts, node: ast.expr
) -> Operand:
    parsed, span = source.parsed, context.span(node)
    returns = _result_type(context, source)
    frame = Frame(source, parsed.uses, span, None, facts, closure=source.closure(), returns=returns)
    frame.base_block = context.builder.block
    context.frames.append(frame)
    context.flow = Flow()
    try:
        if parsed.needs_exit:
            frame.return_exit = context.new_exit(f"{source.name}_return")
        for name, operand in bound.items():
            bind_parameter(context, name, operand, parsed.arguments[name])
        context.statements(context, source.node.body)
        return take_result(context)
    finally:
        context.frames.pop()


def _read(context: Context, function: FunctionType, node: ast.expr) -> FunctionSource:
    try:
        return read_source(function)
    except KernelSyntaxError as error:
        # The error is shown at the call, which the author of the kernel can change.
        foreign = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            foreign = own_word(context.text(node.func), is_called=True)
        context.error(KernelSyntaxError, error.code, error.message, node, why=error.why, fix=foreign or error.fix)


def _bind(
    context: Context, function: FunctionType, args: list[Operand], keywords: dict[str, Operand], node: ast.expr
) -> dict[str, Operand]:
    signature = context.signatures.get(function)
    if signature is None:
        signature = context.signatures[function] = inspect.signature(function)
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in signature.parameters.values()):
        context.error(
            KernelSyntaxError,
            "GP103",
            f"{function.__name__} takes * or ** arguments",
            node,
            why="the number of a helper's parameters is fixed",
            fix="name each parameter",
        )
    try:
        bound = signature.bind(*args, **keywords)
    except TypeError as error:
        plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        names = signature.replace(parameters=plain, return_annotation=inspect.Signature.empty)
        context.error(
            KernelTypeError,
            "GP206",
            f"the call does not match {function.__name__}: {error}",
            node,
            why=f"it is defined as {function.__name__}{names}",
            fix="pass the arguments that it takes",
        )
    return {
        name: bound.arguments[name] if name in bound.arguments else Static(parameter.default)
        for name, parameter in signature.parameters.items()
    }


def _as_written(source: FunctionSource, bound: dict[str, Operand]) -> dict[str, Operand]:
    """The arguments by the names in the source text. (Python mangles a parameter `__x` of a method to `_Class__x`.)"""
    return dict(zip(source.parsed.arguments, bound.values(), strict=True))


def _places(context: Context, source: FunctionSource, count: int, node: ast.expr) -> dict[str, ast.expr]:
    """The node of each argument, by the names in the source text; that of the call for one that is not written there.

    `count` is the number of arguments by position.
    """
    written = node.args if isinstance(node, ast.Call) else []
    keywords = {k.arg: k.value for k in node.keywords if k.arg is not None} if isinstance(node, ast.Call) else {}
    signature = context.signatures[source.function]
    unwritten = [node] * (count - len(written))  # the object of a method, the operands of an operator
    bound = signature.bind(*unwritten, *written, **keywords).arguments
    names = zip(source.parsed.arguments, signature.parameters, strict=True)
    return {own: bound.get(name, node) for own, name in names}


def bind_parameter(context: Context, name: str, operand: Operand, node: ast.arg) -> None:
    """Bind a parameter. One that the function assigns is treated as a variable with an initial assignment."""
    frame, operand = context.frame, known_constant(operand)
    use = frame.uses.get(name)
    if use is not None:
        operand = expand_constant(context, operand, node)
    if use is None and name in frame.facts.variables and can_vary(operand):  # a vector whose component is assigned
        _make_variable(context, name, operand, node)
    elif use is None:
        frame.parameters[name] = freeze(context, operand, node, name)
    elif stays_literal(context, name, operand, node):
        context.flow.bindings[name] = operand
    elif can_vary(operand):
        _make_variable(context, name, operand, node)
    else:
        context.flow.bindings[name] = freeze(context, operand, node, name)


def _make_variable(context: Context, name: str, operand: Operand, node: ast.arg) -> None:
    """A parameter as a variable with an initial assignment."""
    value = freeze(context, operand, node, name) if isinstance(operand, StructValue) else operand
    variable = context.frame.variables[name] = new_variable(context, name, value)
    assign_variable(context, name, variable, value, node, context.span(node))
    context.flow.bindings[name] = variable
    context.frame.facts.variables.add(name)


def enforces_annotations(function: FunctionType) -> bool:
    """Whether the helper is decorated with gp.func: its annotations are then types that the arguments must have."""
    return bool(getattr(function, "__gpucore_func__", False))


def _with_annotated_type(
    context: Context, source: FunctionSource, name: str, operand: Operand, place: ast.expr
) -> Operand:
    """An argument for an annotated parameter: a literal takes its type; a value of another type is refused.

    `place` is the argument in the calling function.
    """
    wanted = _annotation(context, source, name)
    if isinstance(wanted, StructDType):
        operand = expand_constant(context, operand, place)
        if not isinstance(operand, StructValue) or operand.cls is not wanted:
            _refuse_argument(
                context, source, name, wanted.__name__, describe(operand), place, f"pass {article(wanted.__name__)}"
            )
        return operand
    if isinstance(wanted, BufferAnnotation):
        _check_array(context, source, name, operand, wanted, place)
        return operand
    if isinstance(wanted, ConstAnnotation):
        if compile_time_value(operand) is None:
            given, instead = f"a runtime {describe(operand)}", "pass a literal or a parameter annotated gp.Const"
            _refuse_argument(context, source, name, "a compile-time value", given, place, instead)
        return operand
    if isinstance(wanted, DType):
        type = wanted.ir_type
    else:
        nominal = nominal_type(wanted)
        if nominal is None:
            return operand  # a function or a Python class
        context.has_nominal_types = True
        type = nominal
    if isinstance(operand, EXPR_CLASSES) and fitted(context, operand, type).type != type:
        mismatch(context, _passed(source, name, str(type), str(operand.type)), operand.type, type, place)
    items = items_of(operand)
    if items is None or not isinstance(type, ir.VectorType):
        return as_expr(context, operand, place, type)
    if len(items) != type.width:
        instead = f"give {type.width} numbers, or {article(str(type))}"
        _refuse_argument(context, source, name, str(type), describe(operand), place, instead)
    nodes = place.elts if isinstance(place, ast.Tuple) else [place] * len(items)
    parts = (as_expr(context, item, node, type.element) for item, node in zip(items, nodes, strict=True))
    return ir.Construct(tuple(parts), type)


def _check_array(
    context: Context, source: FunctionSource, name: str, operand: Operand, wanted: BufferAnnotation, place: ast.expr
) -> None:
    """Refuse an array of another rank, or of another element type unless it is an unbound type variable."""
    element: Any = wanted.element
    if isinstance(element, TypeVar):
        bound = context.type_bindings.get(element)
        element = None if bound is None else dtype_of(bound)
    rank = f" of rank {wanted.rank}" if wanted.rank != 1 else ""
    shown = f"an array of {element!r}{rank}".replace("gpucore.", "gp.") if element is not None else f"an array{rank}"
    if not isinstance(operand, ArrayReference):
        _refuse_argument(context, source, name, shown, describe(operand), place, "pass such an array")
    nominal = nominal_type(element)
    fits = operand.dtype == (element if nominal is None else NominalDType(nominal))
    of_rank = f" of rank {len(operand.shape)}" if len(operand.shape) != wanted.rank else ""
    if len(operand.shape) != wanted.rank or not (fits or element is None):
        given = f"{describe(operand)} of {operand.dtype!r}".replace("gpucore.", "gp.")
        _refuse_argument(context, source, name, shown, f"{given}{of_rank}", place, "pass such an array")


def _passed(source: FunctionSource, name: str, wanted: str, given: str) -> str:
    return f"the parameter {name!r} of {source.name} is {wanted}, and {given} is passed"


def _refuse_argument(
    context: Context, source: FunctionSource, name: str, wanted: str, given: str, place: ast.expr, instead: str
) -> NoReturn:
    is_own = str(source.function.__module__).partition(".")[0] == __name__.partition(".")[0]
    context.error(
        KernelTypeError,
        "GP201",
        _passed(source, name, wanted, given),
        place,
        why="a helper decorated with gp.func takes the types that it is annotated with",
        fix=instead if is_own else f"{instead}, or remove the annotation of {name} in {source.name}",
    )


def _result_type(context: Context, source: FunctionSource) -> ir.Type | None:
    """The annotated result, if it is a scalar or vector. Literals that the helper returns take this type."""
    annotation = _annotation(context, source, "return")
    if isinstance(annotation, DType):
        return annotation.ir_type
    nominal = nominal_type(annotation)
    context.has_nominal_types |= nominal is not None
    return nominal


def _annotation(context: Context, source: FunctionSource, name: str) -> Any:
    """The annotation of a parameter or of the result, with type variables resolved; None if there is none."""
    function = source.function
    annotation: Any = function.__annotations__.get(name)
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, function.__globals__, source.closure())  # noqa: S307 (the user's own text)
        except Exception:  # noqa: BLE001 (an annotation that cannot be evaluated is ignored)
            return None
    if isinstance(annotation, TypeVar):
        bound = context.type_bindings.get(annotation)
        return None if bound is None else dtype_of(bound)
    return bool_ if annotation is bool else annotation
