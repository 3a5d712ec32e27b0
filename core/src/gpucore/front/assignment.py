"""Lowering of assignments: names, elements of arrays, components of vectors, tuples."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.context import Context
from gpucore.front.convert import as_expr, fit_literal, is_expr, mismatch
from gpucore.front.memory import check_writable, component, place
from gpucore.front.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Group,
    Operand,
    Static,
    default_type,
    describe,
    is_number,
    plain_number,
)
from gpucore.front.operators import binary
from gpucore.types import DType


def lower_assign(context: Context, node: ast.Assign) -> None:
    """`target = value`, with one target or several."""
    value = context.expression(context, node.value)
    if len(node.targets) > 1 and is_expr(value) and not isinstance(value, (ir.Value, ir.Constant)):
        assert isinstance(value, EXPR_CLASSES)
        value = context.builder.let("value", value, context.span(node))
    for target in node.targets:
        _assign(context, target, value, node)


def lower_annotated(context: Context, node: ast.AnnAssign) -> None:
    """`x: gp.f32 = 0`: a literal takes the annotated type; a typed value must have it."""
    annotation = context.expression(context, node.annotation)
    dtype = annotation.value if isinstance(annotation, Static) else None
    if node.value is None or not isinstance(dtype, DType) or not isinstance(node.target, ast.Name):
        context.error(KernelSyntaxError, "GP102", "an annotated variable needs a scalar or vector type and a value", node,
                      why="a variable has its type from the first assignment", fix="write x: gp.f32 = 0")  # fmt: skip
    operand = context.expression(context, node.value)
    typed = as_expr(context, operand, node.value, dtype.ir_type)
    bind_name(context, node.target, typed, node.value)


def lower_augmented(context: Context, node: ast.AugAssign) -> None:
    """`x += value`, `a[i] += value`. The place is evaluated once."""
    target, span = node.target, context.span(node)
    if isinstance(target, ast.Name):
        current = context.expression(context, ast.copy_location(ast.Name(target.id, ast.Load()), target))
        bind_name(context, target, _combine(context, node, current), node)
        return
    if isinstance(target, ast.Subscript):
        array = context.expression(context, target.value)
        if isinstance(array, ArrayReference):
            where = place(context, array, target)
            check_writable(context, array, target)
            if isinstance(where.memory, ir.Buffer) and not where.memory.readable:
                context.error(KernelTypeError, "GP208", f"{where.memory.name} is an Out and cannot be read", target,
                              why="an augmented assignment reads before it writes", fix=f"annotate {where.memory.name} as gp.InOut")  # fmt: skip
            if not isinstance(where.index, (ir.Value, ir.Constant)):
                where = ir.Place(where.memory, context.builder.let("index", where.index, span))
            current = context.builder.load(where.memory.name, where, span)
            result = _combine(context, node, current)
            context.builder.emit(ir.Store(where, _as_element(context, result, where.memory, node), span))
            return
    if isinstance(target, ast.Attribute):
        current = context.expression(context, ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target))
        _assign(context, target, _combine(context, node, current), node)
        return
    _refuse_target(context, target)


def _combine(context: Context, node: ast.AugAssign, current: Operand) -> Operand:
    value = context.expression(context, node.value)
    return binary(context, node.op, current, value, node.target, node.value, node)


def _assign(context: Context, target: ast.expr, value: Operand, node: ast.stmt) -> None:
    span = context.span(node)
    if isinstance(target, ast.Name):
        bind_name(context, target, value, node)
    elif isinstance(target, ast.Tuple):
        _assign_tuple(context, target, value, node)
    elif isinstance(target, ast.Subscript):
        array = context.expression(context, target.value)
        if not isinstance(array, ArrayReference):
            context.error(KernelTypeError, "GP202", f"{describe(array)} has no elements to assign", target,
                          why="only arrays can be assigned by index; components of vectors by name",
                          fix="write v.x = value, or index an array")  # fmt: skip
        where = place(context, array, target)
        check_writable(context, array, target)
        context.builder.emit(ir.Store(where, _as_element(context, value, array.memory, node), span))
    elif isinstance(target, ast.Attribute):
        _assign_component(context, target, value, node)
    else:
        _refuse_target(context, target)


def _refuse_target(context: Context, target: ast.expr) -> None:
    context.error(KernelSyntaxError, "GP102", f"a kernel cannot assign to {context.text(target)}", target,
                  why="names, elements of arrays and components of vectors can be assigned", fix="assign to one of these")  # fmt: skip


def _as_element(context: Context, value: Operand, memory: ir.Memory, node: ast.AST) -> ir.Expr:
    """The value to store, which must have the array's type; a literal takes it."""
    source = getattr(node, "value", node)
    if isinstance(value, EXPR_CLASSES) and value.type != memory.element:
        if isinstance(memory.element, ir.VectorType) and value.type == memory.element.element:
            return ir.Splat(value, memory.element)
        mismatch(context, f"{memory.name} holds {memory.element}, and {value.type} is stored", value.type, memory.element, source)
    return as_expr(context, value, source, memory.element)


def _assign_tuple(context: Context, target: ast.Tuple, value: Operand, node: ast.stmt) -> None:
    items: tuple[Operand, ...] | None = value.items if isinstance(value, Group) else None
    if isinstance(value, Static) and isinstance(value.value, tuple):
        items = tuple(Static(item) for item in value.value)
    if items is None or len(items) != len(target.elts):
        context.error(KernelTypeError, "GP206", f"{len(target.elts)} names cannot take {describe(value)}", node,
                      why="a tuple is taken apart item by item", fix="give as many values as names")  # fmt: skip
    # Every right side is evaluated before the first assignment, as Python does.
    held = [
        context.builder.let("item", item, context.span(node))
        if isinstance(item, EXPR_CLASSES) and not isinstance(item, (ir.Value, ir.Constant, ir.Param))
        else item
        for item in items
    ]
    for name, item in zip(target.elts, held, strict=True):
        _assign(context, name, item, node)


def _assign_component(context: Context, target: ast.Attribute, value: Operand, node: ast.stmt) -> None:
    """`v.x = value` gives v a new value with one component changed; `a[i].x = value` likewise an element."""
    vector = context.expression(context, ast.copy_location(_as_load(target.value), target.value))
    if not isinstance(vector, EXPR_CLASSES) or not isinstance(vector.type, ir.VectorType) or target.attr not in "xyzw"[: vector.type.width]:
        context.error(KernelTypeError, "GP209", f"{context.text(target)} cannot be assigned", target,
                      why="single components x, y, z, w of vectors can; structs are values that do not change",
                      fix="assign one component, or build a new struct")  # fmt: skip
    new = as_expr(context, value, getattr(node, "value", node), vector.type.element)
    source = context.builder.let("vector", vector, context.span(node))
    parts = tuple(new if "xyzw"[i] == target.attr else component(source, i) for i in range(vector.type.width))
    _assign(context, target.value, ir.Construct(parts, vector.type), node)


def _as_load(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    if isinstance(node, ast.Subscript):
        return ast.Subscript(node.value, node.slice, ast.Load())
    return node


# ---------------------------------------------------------------- names


def bind_name(context: Context, target: ast.Name, value: Operand, node: ast.AST) -> None:
    """Give a name a value. A name assigned once keeps compile-time values and arrays; others become variables."""
    frame, name = context.frame, target.id
    use = frame.uses[name]
    context.flow.assigned.add(name)
    if use.is_single and not isinstance(value, EXPR_CLASSES):
        if isinstance(value, ArrayReference):
            value = _named_array(context, value, name)
        frame.bindings[name] = value
        return
    if use.is_scoped:
        assert isinstance(value, EXPR_CLASSES)
        already = isinstance(value, ir.Value) and value.name == name
        frame.bindings[name] = value if already else context.builder.let(name, value, context.span(node))
        return
    _assign_variable(context, target, value, node)


def _named_array(context: Context, array: ArrayReference, name: str) -> ArrayReference:
    """An array takes the name of the variable it is assigned to."""
    memory = array.memory
    if isinstance(memory, ir.WorkgroupArray) and memory.name == "workgroup_array":
        renamed: ir.Memory = ir.WorkgroupArray(memory.id, name, memory.element, memory.length)
        arrays = context.builder.workgroup_arrays
        arrays[arrays.index(memory)] = renamed
        return ArrayReference(renamed, array.shape)
    if isinstance(memory, ir.PrivateArray) and memory.name == "private_array":
        private = ir.PrivateArray(memory.id, name, memory.element, memory.length)
        block = context.builder.block
        for position in range(len(block) - 1, -1, -1):
            statement = block[position]
            if isinstance(statement, ir.DeclareArray) and statement.array == memory:
                block[position] = ir.DeclareArray(private, statement.span)
        return ArrayReference(private, array.shape)
    return array


def _assign_variable(context: Context, target: ast.Name, value: Operand, node: ast.AST) -> None:
    frame, name, source = context.frame, target.id, getattr(node, "value", node)
    existing = frame.bindings.get(name)
    if not isinstance(value, EXPR_CLASSES) and not (isinstance(value, Static) and is_number(value.value)):
        context.error(KernelTypeError, "GP204", f"the variable {name!r} cannot hold {describe(value)} and change", target,
                      why="a name that is assigned more than once holds numbers and vectors; others are fixed",
                      fix="use another name for each value")  # fmt: skip
    if not isinstance(existing, ir.Local):
        type = value.type if isinstance(value, EXPR_CLASSES) else default_type(plain_number(value.value))
        existing = context.builder.local(name, type)
        frame.bindings[name] = existing
    if isinstance(value, EXPR_CLASSES):
        if value.type != existing.type:
            context.error(KernelTypeError, "GP204", f"the variable {name!r} is {existing.type} and cannot become {value.type}", node,
                          why="a variable has one type, that of its first assignment",
                          fix=f"convert, as in gp.{existing.type}({context.text(source)}), or start with gp.{value.type}(...)")  # fmt: skip
        expr: ir.Expr = value
    else:
        expr = fit_literal(context, plain_number(value.value), existing.type, source)
    context.builder.emit(ir.Assign(existing, expr, context.span(node)))

