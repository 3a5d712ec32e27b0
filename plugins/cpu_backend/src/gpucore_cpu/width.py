"""How many invocations run together: more than one vector has lanes for, where that hides latency.

In the loop of a reduction, each iteration waits for the sum of the one before, and the invocations of a workgroup read
neighbouring elements. With one vector, a gang waits in each iteration and reads the array in pieces that are far apart.
A gang of the whole row of the workgroup has a sum in each of many registers, and reads the array in order.
"""

from __future__ import annotations

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind, MathOp, scalar_of
from gpucore.ir.walk import expressions, statements, subexpressions, uses_subgroups
from gpucore_cpu.arithmetic import SLOW
from gpucore_cpu.divergence import Divergence

_REGISTERS = 16  # vectors of one name
_MAX_STATEMENTS = 80  # of a kernel
_MAX_NODES = 32  # of the expressions of the loop
_PLAIN = (
    ir.Let, ir.Load, ir.Store, ir.Declare, ir.Assign, ir.If, ir.ForRange, ir.Barrier, ir.Uniform,
)  # fmt: skip
_FREE = frozenset({MathOp.MIN, MathOp.MAX, MathOp.ABS, MathOp.FMA})
_RING = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL})


def choose_width(module: ir.Module, uniform: frozenset[int], num_lanes: int) -> int:
    """The size of the gangs of a kernel that fill vectors if they have `num_lanes` lanes of 32 bits."""
    row = 1 << module.workgroup_size[0].bit_length() - 1
    if num_lanes == 1 or row <= num_lanes or uses_subgroups(module):  # subgroups are gangs of one vector
        return num_lanes
    every = tuple(statements(module.body))
    if len(every) > _MAX_STATEMENTS or not all(isinstance(statement, _PLAIN) for statement in every):
        return num_lanes
    divergence = Divergence(module.body, uniform, num_lanes)
    definitions = {s.value.id: s.expr for s in every if isinstance(s, ir.Let)}
    loops = [statement for statement in every if isinstance(statement, ir.ForRange)]
    registers = [_registers(loop, divergence, definitions) for loop in loops]
    if not loops or 0 in registers or max(registers) > _REGISTERS:
        return num_lanes
    return min(row, num_lanes * (1 << (_REGISTERS // max(registers)).bit_length() - 1))


def _registers(loop: ir.ForRange, divergence: Divergence, definitions: dict[int, ir.Expr]) -> int:
    """How many vectors the sums of a loop need for each vector of lanes; 0 if the loop is none of a reduction."""
    nodes, loads, sums = 0, 0, {}
    for statement in loop.body:
        match statement:
            case ir.Load(place=ir.Place(memory=ir.Buffer(), index=index)):
                loads += 1
                if _step(index, divergence, definitions) not in (0, 1):
                    return 0
            case ir.Assign():
                if not any(part == statement.local for part in subexpressions(statement.expr)):
                    return 0
                sums[statement.local.id] = scalar_of(statement.local.type).bits * ir.num_components(
                    statement.local.type
                )
            case ir.Let():
                pass
            case _:
                return 0
        for part in (part for expr in expressions(statement) for part in subexpressions(expr)):
            nodes += 1
            if (isinstance(part, ir.Call) and part.op not in _FREE) or (
                isinstance(part, ir.Binary) and part.op in SLOW
            ):
                return 0
    if divergence.is_varying(loop.start) or not loads or not sums or nodes > _MAX_NODES:
        return 0
    return max(1, sum(sums.values()) // 32)


def _step(expr: ir.Expr, divergence: Divergence, definitions: dict[int, ir.Expr]) -> int | None:
    """The difference of an index between neighbouring lanes, where that is a constant."""
    if not divergence.is_varying(expr):
        return 0
    match expr:
        case ir.Builtin(kind=BuiltinKind.LOCAL_ID, axis=0):
            return 1
        case ir.Value() if expr.id in definitions:
            return _step(definitions[expr.id], divergence, definitions)
        case ir.Convert():
            return _step(expr.operand, divergence, definitions)
        case ir.Call(op=MathOp.MIN):  # a clamped index
            return _step(expr.args[0], divergence, definitions)
        case ir.Binary() if expr.op in _RING:
            left, right = (_step(side, divergence, definitions) for side in (expr.left, expr.right))
            if left is None or right is None:
                return None
            if expr.op is not BinaryOp.MUL:
                return left + right if expr.op is BinaryOp.ADD else left - right
            if isinstance(expr.right, ir.Constant):
                return left * int(expr.right.value)
    return None
