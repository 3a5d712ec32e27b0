"""The IR as readable text: the output of `kernel.ir()` and `gpucore inspect --target ir`, and of the golden files."""

from __future__ import annotations

from collections.abc import Iterator

from gpucore.ir import nodes as n
from gpucore.ir import walk
from gpucore.ir.module import Module
from gpucore.ir.ops import BinaryOp, UnaryOp
from gpucore.ir.types import StructType

_INFIX = {
    BinaryOp.ADD: "+", BinaryOp.SUB: "-", BinaryOp.MUL: "*", BinaryOp.DIV: "/", BinaryOp.FLOOR_DIV: "//",
    BinaryOp.FLOOR_MOD: "%", BinaryOp.BIT_AND: "&", BinaryOp.BIT_OR: "|", BinaryOp.BIT_XOR: "^", BinaryOp.SHL: "<<",
    BinaryOp.SHR: ">>", BinaryOp.AND: "and", BinaryOp.OR: "or", BinaryOp.EQ: "==", BinaryOp.NE: "!=",
    BinaryOp.LT: "<", BinaryOp.LE: "<=", BinaryOp.GT: ">", BinaryOp.GE: ">=",
}  # fmt: skip
_MAX_VALUES = 16  # of a constant array
_PREFIX = {UnaryOp.NEG: "-", UnaryOp.NOT: "not ", UnaryOp.INVERT: "~"}


def print_module(module: Module) -> str:
    """The whole module as indented text, one statement per line."""
    x, y, z = module.workgroup_size
    lines = [f"kernel {module.name} workgroup_size=({x}, {y}, {z})"]
    if module.min_workgroups is not None:
        lines[0] += f" min_workgroups={module.min_workgroups}"
    for buffer in module.buffers:
        mode = "inout" if buffer.readable and buffer.writable else "out" if buffer.writable else "in"
        lines.append(f"  buffer {buffer.index} {buffer.name}: {mode} {buffer.element}")
    for param, origin in zip(module.params, module.origins, strict=True):
        lines.append(f"  param {param.index} {param.name}: {param.type} = {origin}")
    for array in module.workgroup_arrays:
        lines.append(f"  workgroup {array.name}.{array.id}: {array.element}[{array.length}]")
    for table in walk.constant_arrays(module.body):
        lines.append(f"  constant {table.name}.{table.id}: {table.element}[{table.length}] = {_values(table)}")
    lines.append("body")
    lines.extend(_block(module.body))
    return "\n".join(lines) + "\n"


def _values(table: n.ConstantArray) -> str:
    shown = ", ".join(map(repr, table.values[:_MAX_VALUES]))
    return shown + ", ..." * (table.length > _MAX_VALUES)


def print_expr(expr: n.Expr) -> str:
    """One expression, fully parenthesised."""
    match expr:
        case n.Constant():
            return f"{expr.value!r}:{expr.type}"
        case n.Value() | n.Local():
            return f"{expr.name}.{expr.id}"
        case n.Param():
            return expr.name
        case n.Builtin():
            return f"{expr.kind.value}({expr.axis})"
        case n.Unary():
            return f"({_PREFIX[expr.op]}{print_expr(expr.operand)})"
        case n.Binary() if expr.op in _INFIX:
            return f"({print_expr(expr.left)} {_INFIX[expr.op]} {print_expr(expr.right)})"
        case n.Binary():
            return f"{expr.op.value}({print_expr(expr.left)}, {print_expr(expr.right)})"
        case n.Call():
            return f"{expr.op.value}({', '.join(map(print_expr, expr.args))})"
        case n.Select():
            return f"select({', '.join(map(print_expr, (expr.condition, expr.if_true, expr.if_false)))})"
        case n.Convert():
            return f"{expr.type}({print_expr(expr.operand)})"
        case n.Bitcast():
            return f"bitcast[{expr.type}]({print_expr(expr.operand)})"
        case n.Construct():
            return f"{expr.type}({', '.join(map(print_expr, expr.components))})"
        case n.Splat():
            return f"splat[{expr.type}]({print_expr(expr.operand)})"
        case n.Extract():
            return f"{print_expr(expr.vector)}.{'xyzw'[expr.index]}"


def _place(place: n.Place) -> str:
    memory = place.memory
    name = memory.name if isinstance(memory, n.Buffer) else f"{memory.name}.{memory.id}"
    element, path = memory.element, ""
    for number in place.path:
        assert isinstance(element, StructType)
        path += f".{element.fields[number].name}"
        element = element.fields[number].type
    name = name if place.view is None else f"{name} as {place.view}"
    return f"{name}[{print_expr(place.index)}]{path}"


def _define(value: n.Value) -> str:
    return f"{value.name}.{value.id}: {value.type}"


def _block(block: n.Block) -> Iterator[str]:
    for statement in block:
        for line in _statement(statement):
            yield "  " + line


def _statement(statement: n.Stmt) -> Iterator[str]:
    match statement:
        case n.If():
            yield f"if {print_expr(statement.condition)}"
            yield from _block(statement.then)
            if statement.orelse:
                yield "else"
                yield from _block(statement.orelse)
        case n.ForRange():
            start, stop = print_expr(statement.start), print_expr(statement.stop)
            yield f"for {_define(statement.counter)} in {start} .. {stop}"
            yield from _block(statement.body)
        case n.Loop():
            yield "loop"
            yield from _block(statement.body)
        case _:
            yield _simple(statement)


def _width(statement: n.Load | n.Store) -> str:
    return f" (one of {statement.width})" if statement.width > 1 else ""


def _copied(statement: n.CopyAsync | n.CopyPart) -> str:
    """What a copy copies."""
    if isinstance(statement, n.CopyAsync):
        return f"{print_expr(statement.valid)} of {statement.count}{', aligned' if statement.is_aligned else ''}"
    lengths, at = (", ".join(map(print_expr, each)) for each in (statement.lengths, statement.indices))
    return f"{statement.rows} x {statement.columns} at ({at}) of ({lengths})"


def _subgroup(statement: n.Subgroup) -> str:
    given = [print_expr(e) for e in (statement.operand, statement.argument) if e is not None]
    given += [f"bits {statement.bits}"] if statement.bits else []
    given += [] if statement.buffers else ["of workgroup memory"]
    text = f"subgroup {statement.op.value} {', '.join(given)}".rstrip()
    return f"let {_define(statement.value)} = {text}" if statement.value else text


def _matrix(
    statement: n.MatrixLoad | n.MatrixMultiply | n.MatrixAccumulate | n.GroupMultiply | n.GroupWait,
) -> str:
    match statement:
        case n.MatrixLoad():
            of = " transposed" if statement.is_transposed else ""
            return f"let {_define(statement.value)} = matrix load{of} {_place(statement.place)}"
        case n.MatrixMultiply():
            inputs = ", ".join(map(print_expr, (statement.left, statement.right, statement.sums)))
            return f"let {_define(statement.value)} = matrix multiply {statement.inputs.value} {inputs}"
        case n.MatrixAccumulate():
            sums, left, right = (f"{part.array.name}[{part.first}:]" for part, _ in statement.parts)
            return f"matrix multiply {statement.inputs.value} 16x{statement.inner}x8 {sums} += {left} @ {right}"
        case n.GroupMultiply():
            left = f"{_place(statement.left)}{'.T' if statement.is_left_transposed else ''}"
            right = f"{_place(statement.right)}{'.T' if statement.is_right_transposed else ''}"
            shape = f"64x{statement.inner}x{statement.columns}"
            target = f"{statement.sums.name}[{statement.first}:]"
            return f"group multiply {statement.inputs.value} {shape} {target} += {left} @ {right}"
        case n.GroupWait():
            return f"wait for {statement.sums.name}"


def _cooperative(statement: n.CooperativeLoad | n.CooperativeStore | n.CooperativeOperation) -> str:
    match statement:
        case n.CooperativeLoad():
            by = "columns" if statement.is_transposed else "rows"
            place = f"{_place(statement.place)}, {by} {statement.pitch} apart"
            return f"let {_define(statement.value)} = cooperative load {place}"
        case n.CooperativeStore():
            place = f"{_place(statement.place)}, rows {statement.pitch} apart"
            return f"cooperative store {place} = {print_expr(statement.matrix)}"
        case n.CooperativeOperation():
            operands = ", ".join(map(print_expr, statement.operands))
            return f"let {_define(statement.value)} = cooperative {statement.op.value} {operands}"


def _simple(statement: n.Stmt) -> str:
    match statement:
        case n.Let():
            return f"let {_define(statement.value)} = {print_expr(statement.expr)}"
        case n.Load():
            return f"load {_define(statement.value)} = {_place(statement.place)}{_width(statement)}"
        case n.Store():
            return f"store {_place(statement.place)} = {print_expr(statement.expr)}{_width(statement)}"
        case n.Prefetch():
            return f"prefetch {_place(statement.place)}"
        case n.Declare():
            init = f" = {print_expr(statement.init)}" if statement.init is not None else ""
            return f"var {statement.local.name}.{statement.local.id}: {statement.local.type}{init}"
        case n.Assign():
            return f"{statement.local.name}.{statement.local.id} = {print_expr(statement.expr)}"
        case n.DeclareArray():
            array = statement.array
            return f"private {array.name}.{array.id}: {array.element}[{array.length}]"
        case n.Atomic():
            operands = [e for e in (statement.comparand, statement.operand) if e is not None]
            text = f"atomic {statement.op.value} {_place(statement.place)}"
            text += "".join(f", {print_expr(e)}" for e in operands)
            return f"let {_define(statement.value)} = {text}" if statement.value else text
        case n.Debug():
            parts = [repr(p) if isinstance(p, str) else print_expr(p) for p in statement.parts]
            if statement.condition is not None:
                parts.insert(0, print_expr(statement.condition))
            return f"{statement.kind.value} {', '.join(parts)}".rstrip()
        case n.Subgroup():
            return _subgroup(statement)
        case n.MatrixLoad() | n.MatrixMultiply() | n.MatrixAccumulate() | n.GroupMultiply() | n.GroupWait():
            return _matrix(statement)
        case n.CooperativeLoad() | n.CooperativeStore() | n.CooperativeOperation():
            return _cooperative(statement)
        case n.CopyAsync() | n.CopyPart():
            return f"copy {_place(statement.place)} = {_place(statement.source)}, {_copied(statement)}"
        case n.CopyGroup():
            return "end of a group of copies"
        case n.PipelineStep():
            return f"{statement.op.value} {statement.pending}" if statement.pending else statement.op.value
        case n.CopyWait():
            return f"wait for copies, but {statement.pending} groups"
        case n.Uniform():
            return f"let {_define(statement.value)} = uniform {print_expr(statement.expr)}"
        case n.Barrier():
            return "barrier" if statement.buffers else "barrier of workgroup memory"
        case n.DeviceFence():
            return "fence of the device"
        case n.Together():
            same = ", ".join(map(print_expr, statement.uniform))
            return f"all invocations together, with the same {same}" if same else "all invocations together"
        case n.Bounds():
            indices, extents = (", ".join(map(print_expr, e)) for e in (statement.indices, statement.extents))
            return f"bounds {statement.memory.name}: ({indices}) below ({extents})"
        case _:
            return type(statement).__name__.lower()
