"""Array elements: indexing, loads and stores."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Operand,
    Static,
    StructValue,
    View,
    describe,
    items_of,
    show_number,
)
from gpucore.front.state.wording import article, index_letters
from gpucore.front.text.nominal import NominalDType, field_dtype
from gpucore.front.values.convert import as_expr, fitted, mismatch, typed_or_weak, widened
from gpucore.front.values.struct_constants import expand_constant
from gpucore.front.values.tables import table_element
from gpucore.immutable import Immutable
from gpucore.ir import build, panels
from gpucore.span import Span
from gpucore.structs import StructDType, field_name, fields_along, fields_of, leaves
from gpucore.types import DType

_EXPRESSIONS = panels.Arithmetic(build.add, build.mul, build.shr, build.bit_and, build.bit_xor)


class Access(Immutable):
    """An array element, with its indices evaluated, or a field of an element that is a struct."""

    array: ArrayReference
    index: ir.Expr  # in elements, row-major
    indices: tuple[ir.Expr, ...]  # one for each axis
    path: tuple[int, ...] = ()

    @property
    def dtype(self) -> DType | StructDType | NominalDType:
        """The dtype of the element or field."""
        dtype = self.array.dtype
        if isinstance(dtype, StructDType) and self.path:
            return field_dtype(fields_along(dtype, self.path)[-1])
        return dtype

    @property
    def place(self) -> ir.Place:
        """The place of a scalar or vector in memory."""
        array = self.array
        if not array.parts:
            return ir.Place(array.memory, self.index, self.path)
        assert isinstance(array.dtype, StructDType)
        paths = [path for path, _ in leaves(array.dtype)]
        return ir.Place(array.parts[paths.index(self.path)], self.index)

    def field(self, number: int) -> Access:
        """A field of the struct at this place."""
        return replace(self, path=(*self.path, number))

    def guard(self, context: Context, span: Span | None) -> None:
        """In debug mode: check the indices of the load, store or atomic that is emitted next."""
        if context.is_debug:
            shape = tuple(length_expr(length) for length in self.array.shape)
            known = all(isinstance(e, ir.Constant) for e in (*shape, *self.indices))
            if not known or isinstance(self.array.memory, ir.Buffer):
                context.builder.emit(ir.Bounds(self.place.memory, self.indices, shape, span))


def load(context: Context, access: Access, node: ast.AST, width: int = 1) -> Operand:
    """Load the element or field; a struct is loaded field by field. `width` is that of the Load."""
    dtype, name = access.dtype, access.array.memory.name
    if isinstance(dtype, StructDType):
        values = []
        for number in range(len(fields_of(dtype))):
            value = load(context, access.field(number), node)
            assert isinstance(value, (*EXPR_CLASSES, StructValue))
            values.append(value)
        return StructValue(dtype, tuple(values))
    check_readable(context, access.array, node)
    span, place = context.span(node), access.place
    if access.path and isinstance(access.array.dtype, StructDType):
        name = field_name(access.array.dtype, access.path).rpartition(".")[2]
    access.guard(context, span)
    value = context.builder.load(name, place, span, width)
    if isinstance(access.array.memory, ir.ConstantArray):
        assert isinstance(dtype, DType)
        return table_element(value, dtype)
    if not isinstance(dtype, NominalDType):
        return value
    context.has_nominal_types = True
    return ir.Convert(value, dtype.ir_type)


def store(context: Context, access: Access, value: Operand, source: ast.AST, span: Span | None, width: int = 1) -> None:
    """Store a value of the element's type; a literal takes that type. `width` is that of the Store."""
    dtype = access.dtype
    if isinstance(dtype, StructDType):
        value = expand_constant(context, value, source)
        if not isinstance(value, StructValue) or value.cls is not dtype:
            context.error(
                KernelTypeError,
                "GP201",
                f"{access.array.memory.name} holds {dtype.__name__}, and {describe(value)} is stored",
                source,
                why="a struct is stored as a whole, or field by field",
                fix=f"store {article(dtype.__name__)}, or assign to a field of the element",
            )
        for number, part in enumerate(value.values):
            store(context, access.field(number), part, source, span)
        return
    context.has_nominal_types |= isinstance(dtype, NominalDType)
    expr = _as_element(context, value, access, source)
    access.guard(context, span)
    context.builder.emit(ir.Store(access.place, expr, span, width))


def _as_element(context: Context, value: Operand, access: Access, source: ast.AST) -> ir.Expr:
    typed, wanted = typed_or_weak(context, value, source), access.dtype.ir_type
    assert not isinstance(wanted, ir.StructType)
    if isinstance(typed, EXPR_CLASSES):
        typed = fitted(context, typed, wanted.element if isinstance(wanted, ir.VectorType) else wanted)
    if isinstance(typed, EXPR_CLASSES) and typed.type != wanted:
        if isinstance(wanted, ir.VectorType) and typed.type == wanted.element:
            return ir.Splat(typed, wanted)
        where = access.array.memory.name
        if access.path and isinstance(access.array.dtype, StructDType):
            where += f"[...].{field_name(access.array.dtype, access.path)}"
        mismatch(context, f"{where} holds {wanted}, and {typed.type} is stored", typed.type, wanted, source)
    return as_expr(context, value, source, wanted)


def subscript(context: Context, array: ArrayReference, node: ast.Subscript) -> Access | ArrayReference:
    """The element that a subscript refers to; a row or column if it has `:`, or fewer indices than the array axes."""
    nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    lowered = [None if isinstance(n, ast.Slice) else context.expression(context, n) for n in nodes]
    items = items_of(lowered[0]) if len(lowered) == 1 and lowered[0] is not None else None
    if len(lowered) == 1 and isinstance(lowered[0], Static) and isinstance(lowered[0].value, str):
        _refuse_text(context, array, lowered[0].value, node)
    if items is not None:
        return part(context, array, list(items), [node.slice] * len(items), node)
    if any(isinstance(n, ast.Slice) and (n.lower or n.upper or n.step) for n in nodes):
        context.error(
            KernelSyntaxError,
            "GP103",
            "a kernel cannot slice an array",
            node,
            why="of each axis it takes one index, or with : all of it",
            fix="index one element",
        )
    return part(context, array, lowered, nodes, node)


def _refuse_text(context: Context, array: ArrayReference, text: str, node: ast.Subscript) -> NoReturn:
    """Refuse `x["mass"]`, NumPy's word for a field."""
    fields = [field.name for field in fields_of(array.dtype)] if isinstance(array.dtype, StructDType) else []
    context.error(
        KernelTypeError,
        "GP208",
        f"an index must be a whole number, not {text!r}",
        node,
        why="in a kernel a field of an array of structs is an attribute",
        fix=f"write {array.name}.{text}" if text in fields else "use an int",
    )


def part(
    context: Context,
    array: ArrayReference,
    lowered: Sequence[Operand | None],
    nodes: Sequence[ast.expr],
    node: ast.Subscript,
) -> Access | ArrayReference:
    """The element at lowered indices, or the view of all elements with these; None stands for `:`."""
    rank, given = len(array.shape), [operand for operand in lowered if operand is not None]
    if len(lowered) > rank:
        refuse_rank(context, array, len(lowered), [*nodes], node)
    if len(given) == rank:
        return element(context, array, given, nodes, node)
    if not given:
        return array
    rows: list[ir.Expr | None] = [
        None if operand is None else as_index(context, array, axis, operand, n)
        for axis, (operand, n) in enumerate(zip(lowered, nodes, strict=True))
    ]
    rows += [None] * (rank - len(rows))
    shape = tuple(length for length, index in zip(array.shape, rows, strict=True) if index is None)
    view = View(array, tuple(rows), (), context.text(node))
    if array.view is not None:
        own = reversed(rows) if array.view.is_transposed else iter(rows)
        indices = tuple(next(own) if index is None else index for index in array.view.indices)
        view = replace(array.view, indices=indices, text=view.text)
    return replace(array, shape=shape, view=view)


def field_of(array: ArrayReference, number: int, text: str) -> ArrayReference:
    """The view of a field of all elements of an array of structs."""
    assert isinstance(array.dtype, StructDType)
    view = array.view or View(array, (None,) * len(array.shape), (), "")
    dtype = field_dtype(fields_of(array.dtype)[number])
    return replace(array, dtype=dtype, view=replace(view, path=(*view.path, number), text=text))


def element(
    context: Context, array: ArrayReference, lowered: Sequence[Operand], nodes: Sequence[ast.expr], node: ast.AST
) -> Access:
    """The element of an array at lowered indices, one for each axis."""
    rank = len(array.shape)
    if len(lowered) != rank:
        refuse_rank(context, array, len(lowered), [], node)
    if array.view is not None:
        step = -1 if array.view.is_transposed else 1
        own, places = iter(lowered[::step]), iter(nodes[::step])
        pairs = [(next(own), next(places)) if index is None else (index, nodes[0]) for index in array.view.indices]
        operands, sources = [operand for operand, _ in pairs], [source for _, source in pairs]
        return replace(element(context, array.view.base, operands, sources, node), path=array.view.path)
    _check_scope(context, array, node)
    exprs = tuple(
        as_index(context, array, axis, operand, n) for axis, (operand, n) in enumerate(zip(lowered, nodes, strict=True))
    )
    if rank == 1:
        return Access(array, exprs[0], exprs)
    if array.panel:
        return Access(array, _in_panels(array, *map(_as_i32, exprs)), exprs)
    flat = _as_i32(exprs[0])
    lengths = array.shape if array.pitch == 0 else (*array.shape[:-1], array.pitch)
    for expr, length in zip(exprs[1:], lengths[1:], strict=True):
        flat = _next_axis(flat, length_expr(length), _as_i32(expr))
    return Access(array, flat, exprs)


def _in_panels(array: ArrayReference, number: ir.Expr, row: ir.Expr, column: ir.Expr) -> ir.Expr:
    """The place of an element of a tile in panels."""
    _, rows, columns = array.shape
    assert isinstance(rows, int) and isinstance(columns, int)
    assert isinstance(array.memory, ir.WorkgroupArray)
    first, is_one, nbytes = build.mul(number, rows * columns), columns <= array.panel, array.memory.element.nbytes
    width = array.panel * nbytes
    return panels.element_in_panels(_EXPRESSIONS, first, row, column, nbytes, rows * width, is_one=is_one, width=width)


def refuse_rank(
    context: Context, array: ArrayReference, number: int, written: list[ast.expr], node: ast.AST
) -> NoReturn:
    """Raise GP208 for a wrong number of indices. The fix keeps the given indices, and has letters for missing ones."""
    rank = len(array.shape)
    texts = ["" if isinstance(index, ast.Slice) else context.text(index) for index in written][:rank]
    texts += [""] * (rank - len(texts))
    letters = iter(index_letters(" ".join((array.name, *texts))))
    texts = [text or next(letters, "i") for text in texts]
    context.error(
        KernelTypeError,
        "GP208",
        f"{array.name} has rank {rank} and is indexed with {number} {'index' if number == 1 else 'indices'}",
        node,
        why="an element has one index for each axis",
        fix=f"write {array.name}[{', '.join(texts)}]",
    )


def _next_axis(flat: ir.Expr, length: ir.Expr, index: ir.Expr) -> ir.Expr:
    """Row-major: the index so far times the length of the next axis, plus the index on that axis."""
    if isinstance(flat, ir.Constant) and isinstance(length, ir.Constant) and isinstance(index, ir.Constant):
        return ir.Constant(int(flat.value) * int(length.value) + int(index.value), ir.I32)
    return build.add(build.mul(flat, length), index)


def length_expr(length: ir.Expr | int) -> ir.Expr:
    """The length of an axis as an expression."""
    return ir.Constant(length, ir.I32) if isinstance(length, int) else length


def _check_scope(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """Refuse the use of a private array outside the block that declares it: a loop iteration or a branch."""
    memory = array.memory
    if isinstance(memory, ir.PrivateArray) and not context.builder.is_open(memory.id):
        context.error(
            KernelTypeError,
            "GP207",
            f"{memory.name} is used after the branch or loop that creates it",
            node,
            why="each execution of gp.private_array creates a new array, all zero",
            fix="create it before the branch or loop",
        )


def _as_i32(expr: ir.Expr) -> ir.Expr:
    return expr if expr.type == ir.I32 else ir.Convert(expr, ir.I32)


def _to_index(context: Context, node: ast.AST) -> str:
    """The fix for an index of another type."""
    text = context.text(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        whole = f"{context.text(node.left)} // {context.text(node.right)}"
        return f"convert, as in gp.i32({text}); of whole numbers, write {whole}"
    return f"convert, as in gp.i32({text})"


def as_index(context: Context, array: ArrayReference, axis: int, operand: Operand, node: ast.AST) -> ir.Expr:
    """An index along an axis of an array: i32 or u32. Raises GP208 for another type, GP310 for one out of range."""
    value = widened(typed_or_weak(context, operand, node))
    if isinstance(value, EXPR_CLASSES):
        if value.type not in (ir.I32, ir.U32):
            context.error(
                KernelTypeError,
                "GP208",
                f"an index must be i32 or u32, not {value.type}",
                node,
                why="arrays are addressed with 32-bit integers",
                fix=_to_index(context, node),
            )
        if isinstance(value, ir.Constant):
            _check_range(context, array, axis, int(value.value), node)
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        context.error(
            KernelTypeError,
            "GP208",
            f"an index must be a whole number, not {value!r}",
            node,
            why="arrays are addressed with 32-bit integers",
            fix="use an int",
        )
    _check_range(context, array, axis, value, node)
    return as_expr(context, Static(value), node, ir.I32)


def _check_range(context: Context, array: ArrayReference, axis: int, index: int, node: ast.AST) -> None:
    length = array.shape[axis]
    if index < 0 or (isinstance(length, int) and index >= length):
        top = f"from 0 to {length - 1}" if isinstance(length, int) else "from 0 up"
        name, where = array.memory.name, array.memory.name
        if len(array.shape) == 1:
            fix = f"as in {name}[{length - 1 if isinstance(length, int) else f'{name}.size - 1'}] for the last"
        else:
            where = f"{name} along axis {axis}"
            fix = f"of which {length - 1 if isinstance(length, int) else f'{name}.shape[{axis}] - 1'} is the last"
        context.error(
            KernelTypeError,
            "GP310",
            f"the index {show_number(index)} is outside {where}",
            node,
            why=f"its indices run {top}; negative ones do not count from the end",
            fix=f"use an index in range, {fix}",
        )


def check_writable(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """Refuse a store to an In or a captured table; record other stores."""
    memory = array.memory
    if isinstance(memory, ir.ConstantArray):
        context.error(
            KernelTypeError,
            "GP208",
            f"{memory.name} is a table of constants and cannot be written",
            node,
            why="what a kernel captures from outside is captured by value, when it is compiled",
            fix=f"pass {memory.name} as an argument, converted with gp.asarray",
        )
    if isinstance(memory, ir.Buffer):
        if not memory.writable:
            context.error(
                KernelTypeError,
                "GP208",
                f"{memory.name} is an In and cannot be written",
                node,
                why="an In is read only, on every device",
                fix=f"annotate {memory.name} as gp.InOut or gp.Out",
            )
        context.written.add(memory.index)


def check_readable(context: Context, array: ArrayReference, node: ast.AST) -> None:
    """Refuse a read of an Out."""
    memory = array.memory
    if isinstance(memory, ir.Buffer) and not memory.readable:
        context.error(
            KernelTypeError,
            "GP208",
            f"{memory.name} is an Out and cannot be read",
            node,
            why="what an Out holds before the kernel writes it is undefined",
            fix=f"annotate {memory.name} as gp.InOut",
        )
