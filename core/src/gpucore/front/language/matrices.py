"""Tiles in workgroup memory; structs as arrays of their fields, which is what matrices are."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpucore import ir
from gpucore.front.language.arrays import known_shape
from gpucore.front.language.checks import check_count, known_dtype, known_value, refuse
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Group,
    Operand,
    Static,
    StructValue,
    describe,
    whole_number,
)
from gpucore.front.text.nominal import NominalDType, element_dtype, plain
from gpucore.front.values.convert import as_expr
from gpucore.front.values.elements import check_readable, element, load
from gpucore.ir import panels
from gpucore.structs import MATRIX_LAYOUT, StructDType, fields_of, member


def make_tiles(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.tiles(dtype, count, (rows, columns))."""
    check_count(context, args, node, 3)
    type = known_dtype(context, args[0], node.args[0])
    if not isinstance(type, ir.ScalarType) or type == ir.BOOL:
        refuse(
            context,
            f"a tile holds numbers, not {type}",
            node.args[0],
            "it is a part of a matrix",
            "use a scalar type, such as gp.f32 or gp.f16",
        )
    count = known_value(context, args[1], node.args[1], "the number of tiles")
    shape = known_value(context, args[2], node.args[2], "the shape of a tile")
    if not isinstance(shape, tuple) or len(shape) != 2:
        refuse(
            context,
            f"the shape of a tile is its rows and columns, not {shape!r:.60}",
            node.args[2],
            "a tile is a part of a matrix",
            f"write {context.text(node.func)}({context.text(node.args[0])}, {context.text(node.args[1])}, (16, 16))",
        )
    count, rows, columns = known_shape(context, Static((count, *shape)), node)
    is_banked = context.target.kind not in ("cpu", "software")
    is_padded = panels.has_padding(context.target.limits.max_workgroup_memory)
    has_units = context.target.has(ir.Capability.MATRIX_UNITS) and not is_padded
    panel = panels.panel_of(columns, type.nbytes) // type.nbytes if has_units else 0
    pitch = columns + (panels.padding_of(type.nbytes) // type.nbytes if is_banked and not panel else 0)
    name = context.array_names.get(node, "tiles")
    memory = ir.WorkgroupArray(context.builder.new_id(), name, plain(type), count * rows * pitch, context.span(node))
    context.builder.workgroup_arrays.append(memory)
    shape, dtype = (count, rows, columns), element_dtype(type)
    context.has_nominal_types |= isinstance(dtype, NominalDType)
    return ArrayReference(memory, shape, dtype, pitch=pitch, panel=panel)


def is_transposed(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.is_transposed(tile), of anything but a tile None."""
    check_count(context, args, node, 1)
    tile = args[0]
    if not isinstance(tile, ArrayReference) or tile.pitch == 0 or len(tile.shape) != 2 or tile.view is None:
        return Static(None)
    return Static(tile.view.is_transposed)


def is_array(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """is_array(value)."""
    check_count(context, args, node, 1)
    return Static(isinstance(args[0], ArrayReference))


def has_rows_in_memory(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """has_rows_in_memory(array)."""
    check_count(context, args, node, 1)
    array = args[0]
    if not isinstance(array, ArrayReference) or array.view is None:
        return Static(isinstance(array, ArrayReference))
    view = array.view
    return Static(view.indices[-1] is None and not view.path and not view.is_transposed and view.base.view is None)


def layout_of(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """layout_of(matrix)."""
    check_count(context, args, node, 1)
    return Static(member(args[0].cls, MATRIX_LAYOUT) if isinstance(args[0], StructValue) else None)


def struct_values(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """struct_values(struct); of anything else a tuple of it alone."""
    check_count(context, args, node, 1)
    return Group(args[0].values if isinstance(args[0], StructValue) else (args[0],))


def make_struct(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """make_struct(cls, values): `values` is a private array with as many elements as the struct has fields."""
    check_count(context, args, node, 2)
    cls, array = known_value(context, args[0], node.args[0], "the struct"), args[1]
    is_array = isinstance(array, ArrayReference) and isinstance(array.memory, ir.PrivateArray)
    if not isinstance(cls, StructDType) or not isinstance(array, ArrayReference) or not is_array:
        given = f"{describe(args[0])} and {describe(array)}"
        refuse(context, f"a struct and a private array are needed, not {given}", node, "", "")
    indices = [[Static(n)] for n in range(len(fields_of(cls)))]
    loaded = (load(context, element(context, array, index, [node.args[1]], node), node) for index in indices)
    return StructValue(cls, tuple(value for value in loaded if isinstance(value, EXPR_CLASSES)))


def _place(context: Context, array: Operand, index: Operand, nodes: list[ast.expr], node: ast.Call) -> ir.Place:
    """The place of an element of an array with one axis."""
    if not isinstance(array, ArrayReference):
        refuse(context, f"an array is needed, not {describe(array)}", nodes[0], "", "")
    if isinstance(array.memory, ir.Buffer):
        check_readable(context, array, node)
    return element(context, array, [index], [nodes[1]], node).place


def load_fragments(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """load_fragments(array, index, is_transposed)."""
    check_count(context, args, node, 3)
    place = _place(context, args[0], args[1], node.args[:2], node)
    is_transposed = bool(known_value(context, args[2], node.args[2], "whether matrices are transposed"))
    value = ir.Value(context.builder.new_id(), "fragments", ir.VectorType(ir.U32, 4))
    context.builder.emit(ir.MatrixLoad(value, place, is_transposed, context.span(node)))
    return value


def multiply_fragments(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """multiply_fragments(inputs, left, right, sums)."""
    check_count(context, args, node, 4)
    inputs = known_value(context, args[0], node.args[0], "what is multiplied")
    left, right, sums = (as_expr(context, arg, n) for arg, n in zip(args[1:], node.args[1:], strict=True))
    value = ir.Value(context.builder.new_id(), "sums", sums.type)
    context.builder.emit(ir.MatrixMultiply(value, inputs, left, right, sums, context.span(node)))
    return value


def accumulate_fragments(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """accumulate_fragments(inputs, inner, sums, first, left, first, right, first)."""
    check_count(context, args, node, 8)
    inputs, inner = (known_value(context, args[at], node.args[at], "what is multiplied") for at in (0, 1))
    sums, left, right = (_elements(context, args, node, at) for at in (2, 4, 6))
    context.builder.emit(ir.MatrixAccumulate(inputs, inner, sums, left, right, context.span(node)))
    return Static(None)


def _elements(context: Context, args: list[Operand], node: ast.Call, at: int) -> ir.Elements:
    """The elements that two arguments say: a private array, and the first of them."""
    array, first = args[at], known_value(context, args[at + 1], node.args[at + 1], "the first element")
    if not (isinstance(array, ArrayReference) and isinstance(array.memory, ir.PrivateArray)):
        refuse(context, f"a private array is needed, not {describe(array)}", node, "", "")
    return ir.Elements(array.memory, first)


def _panel_bytes(context: Context, tile: Operand) -> int:
    """The bytes of a panel of a tile, or of its transpose, from which groups multiply; 0 if it is not in such panels,
    or the device has no groups."""
    if not isinstance(tile, ArrayReference) or tile.view is None or not tile.panel:
        return 0
    rows = tile.view.base.shape[1]
    assert isinstance(rows, int) and isinstance(tile.memory, ir.WorkgroupArray)
    is_whole = tile.panel * tile.memory.element.nbytes == panels.PANEL
    is_whole = is_whole and rows * panels.PANEL % panels.PANEL_ALIGNMENT == 0
    return rows * panels.PANEL if is_whole and context.target.has(ir.Capability.MATRIX_GROUPS) else 0


def panel_bytes(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """panel_bytes(tile)."""
    check_count(context, args, node, 1)
    return Static(_panel_bytes(context, args[0]))


def multiply_group(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """multiply_group(sums, first, inputs, left, row, right, column, columns)."""
    check_count(context, args, node, 8)
    sums, left, right = args[0], args[3], args[5]
    first, inputs, columns = (known_value(context, args[at], node.args[at], "a part of it") for at in (1, 2, 7))
    if not (isinstance(sums, ArrayReference) and isinstance(sums.memory, ir.PrivateArray)):
        refuse(context, f"a private array is needed, not {describe(sums)}", node, "", "")
    assert isinstance(left, ArrayReference) and isinstance(right, ArrayReference) and left.view and right.view
    of_left, of_right = [args[4], Static(0)], [Static(0), args[6]]
    first_left = element(context, left, of_left, [node.args[4]] * 2, node).place
    first_right = element(context, right, of_right, [node.args[6]] * 2, node).place
    inner = left.shape[1]
    assert isinstance(inner, int)
    of_panels = _panel_bytes(context, left), _panel_bytes(context, right)
    made = ir.GroupMultiply(
        sums.memory, first, inputs, first_left, first_right, columns, inner, *of_panels,
        left.view.is_transposed, right.view.is_transposed, context.span(node),
    )  # fmt: skip
    context.builder.emit(made)
    return Static(None)


def wait_for_group(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """wait_for_group(sums)."""
    check_count(context, args, node, 1)
    assert isinstance(args[0], ArrayReference) and isinstance(args[0].memory, ir.PrivateArray)
    context.builder.emit(ir.GroupWait(args[0].memory, context.span(node)))
    return Static(None)


def copy_async(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """copy_async(target, index, source, start, count, valid, is_aligned)."""
    check_count(context, args, node, 7)
    place = _place(context, args[0], args[1], node.args[:2], node)
    source = _place(context, args[2], args[3], node.args[2:4], node)
    count = known_value(context, args[4], node.args[4], "the number of elements")
    valid = as_expr(context, args[5], node.args[5], ir.I32)
    is_aligned = bool(known_value(context, args[6], node.args[6], "whether the source is aligned"))
    context.builder.emit(ir.CopyAsync(place, source, count, valid, is_aligned, context.span(node)))
    return Static(None)


def _whole_array(array: Operand) -> tuple[ArrayReference, tuple[ir.Expr, ...]] | None:
    """The array of which one of rank 2 has all elements with these first indices; None if it has others, or is in no
    buffer."""
    if not isinstance(array, ArrayReference) or not isinstance(array.memory, ir.Buffer):
        return None
    if array.view is None:
        return (array, ()) if len(array.shape) == 2 else None
    view, first = array.view, array.view.indices[:-2]
    has_all = view.indices[-2:] == (None, None) and None not in first and not view.path and view.base.view is None
    known = tuple(index for index in first if index is not None)
    return (view.base, known) if has_all and not view.is_transposed else None


def copies_parts(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """copies_parts(tile, array)."""
    check_count(context, args, node, 2)
    found = _whole_array(args[1])
    if found is None or not _panel_bytes(context, args[0]):
        return Static(False)
    memory = found[0].memory
    assert isinstance(memory, ir.Buffer)
    alignment = ir.Builtin(ir.BuiltinKind.ROW_ALIGNMENT, memory.index)
    return ir.build.binary(ir.BinaryOp.EQ, alignment, ir.Constant(panels.PIECE, ir.I32))


def copy_part(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """copy_part(tile, array, row, column)."""
    check_count(context, args, node, 4)
    tile, found = args[0], _whole_array(args[1])
    assert isinstance(tile, ArrayReference) and found is not None
    array, first = found
    nodes: list[ast.expr] = [node.args[1]] * len(array.shape)
    start = element(context, array, [Static(0)] * len(array.shape), nodes, node).place
    to = element(context, tile, [Static(0), Static(0)], [node.args[0]] * 2, node).place
    check_readable(context, array, node)
    lengths = tuple(length if not isinstance(length, int) else ir.Constant(length, ir.I32) for length in array.shape)
    place = [as_expr(context, args[at], node.args[at], ir.I32) for at in (2, 3)]
    indices = (*(as_expr(context, index, node, ir.I32) for index in first), *place)
    rows, columns = tile.shape
    assert isinstance(rows, int) and isinstance(columns, int)
    context.builder.emit(ir.CopyPart(to, start, lengths, indices, rows, columns, context.span(node)))
    return Static(None)


def alignment(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """alignment()."""
    check_count(context, args, node, 0)
    return ir.Builtin(ir.BuiltinKind.ALIGNMENT, 0)


def together(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """together(*uniform): numbers, and arrays whose indices are meant."""
    uniform: list[ir.Expr] = []
    names: list[str] = []
    for arg, written in zip(args, node.args, strict=True):
        if isinstance(arg, EXPR_CLASSES):
            uniform.append(arg)
            names.append(context.text(written))
        elif isinstance(arg, ArrayReference):
            indices = _indices_of(arg)
            uniform += indices
            names += [f"index of {arg.name}"] * len(indices)
    context.builder.emit(ir.Together(context.span(node), tuple(uniform), tuple(names)))
    return Static(None)


def _indices_of(array: ArrayReference) -> list[ir.Expr]:
    """The indices that say which part of an array a view is."""
    if array.view is None:
        return []
    return [*(index for index in array.view.indices if index is not None), *_indices_of(array.view.base)]


def barrier_of(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """barrier_of(*arrays)."""
    memories = [arg.memory for arg in args if isinstance(arg, ArrayReference)]
    ids = tuple(memory.id for memory in memories if isinstance(memory, ir.WorkgroupArray))
    context.builder.emit(ir.Barrier(context.span(node), buffers=False, arrays=ids))
    return Static(None)


def end_copies(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """end_copies()."""
    check_count(context, args, node, 0)
    context.builder.emit(ir.CopyGroup(context.span(node)))
    return Static(None)


def wait_for_copies(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """wait_for_copies(pending): nothing on a device whose copies end at once."""
    check_count(context, args, node, 1)
    pending = known_value(context, args[0], node.args[0], "the number of groups of copies that may be under way")
    if whole_number(Static(pending)) is None or pending < 0:
        refuse(
            context,
            f"the number of groups must be a whole number from 0, not {pending!r:.60}",
            node,
            "as many groups of copies may be under way after the wait",
            "write gp.copy_wait() to wait for all copies",
        )
    if context.target.has(ir.Capability.ASYNC_COPY):
        context.builder.emit(ir.CopyWait(pending, context.span(node)))
    return Static(None)


MATRICES: dict[str, Callable[[Context, list[Operand], ast.Call], Operand]] = {
    "tiles": make_tiles, "is_transposed": is_transposed, "is_array": is_array,
    "has_rows_in_memory": has_rows_in_memory, "layout_of": layout_of,
    "struct_values": struct_values, "make_struct": make_struct, "load_fragments": load_fragments,
    "multiply_fragments": multiply_fragments, "accumulate_fragments": accumulate_fragments,
    "panel_bytes": panel_bytes, "multiply_group": multiply_group,
    "wait_for_group": wait_for_group,
    "copy_async": copy_async, "copies_parts": copies_parts, "copy_part": copy_part,
    "alignment": alignment, "together": together, "barrier_of": barrier_of, "end_copies": end_copies,
    "wait_for_copies": wait_for_copies,
}  # fmt: skip
"""The functions by name."""
