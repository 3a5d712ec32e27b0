"""How many invocations run together: those of several vectors where that hides latency, one where lanes do not pay.

In the loop of a reduction, each iteration waits for the sum of the one before, and the invocations of a workgroup read
neighbouring elements. With one vector, a gang waits in each iteration and reads the array in pieces that are far apart.
A gang of the whole row of the workgroup has a sum in each of many registers, and reads the array in order.

The loop of a histogram has no sums, but reads an array in order in the same way.

In the loop over a row of a sparse matrix, each invocation has its own number of iterations and reads elements that are
far from those of its neighbours. A gather takes as long as a load for each lane, and a gang as many iterations as the
longest row. Such kernels run one invocation after the other, and their loops are not unrolled: the processor would
guess wrong twice at the end of each row.
"""

from __future__ import annotations

from gpucore.plugin import ir
from gpucore.plugin.ir import BinaryOp, BuiltinKind, MathOp, scalar_of, walk
from gpucore_cpu.arithmetic import SLOW
from gpucore_cpu.divergence import Divergence

_REGISTERS = 16  # vectors of one name
_MAX_STATEMENTS = 80  # of a kernel
_MAX_NODES = 32  # of the expressions of the loop
_ATOMIC_REGISTERS = 2  # vectors of indices and values, for an atomic in the loop
_PLAIN = (
    ir.Let, ir.Load, ir.Store, ir.Declare, ir.Assign, ir.If, ir.ForRange, ir.Barrier, ir.Uniform, ir.Atomic,
)  # fmt: skip
_FREE = frozenset({MathOp.MIN, MathOp.MAX, MathOp.ABS, MathOp.FMA})
_RING = frozenset({BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL})
_EXPENSIVE = 40  # nodes that an operation of several instructions counts as
_NODES_PER_GATHER = 8  # more arithmetic than that is worth lanes


def choose_width(module: ir.Module, uniform: frozenset[int], num_lanes: int) -> int:
    """The size of the gangs of a kernel that fill vectors if they have `num_lanes` lanes of 32 bits."""
    row = 1 << module.workgroup_size[0].bit_length() - 1
    if num_lanes == 1 or row <= num_lanes or walk.uses_subgroups(module):  # subgroups are gangs of one vector
        return num_lanes
    every = tuple(walk.statements(module.body))
    if len(every) > _MAX_STATEMENTS or not all(isinstance(statement, _PLAIN) for statement in every):
        return num_lanes
    divergence = Divergence(module.body, uniform, num_lanes)
    definitions = {s.value.id: s.expr for s in every if isinstance(s, ir.Let)}
    loops = [statement for statement in every if isinstance(statement, ir.ForRange)]
    if _is_gathering(every, divergence, definitions):
        return 1
    registers = [_registers(loop, divergence, definitions) for loop in loops]
    counting = [_atomic_registers(loop, divergence, definitions) for loop in loops]
    if not any(registers) and _ATOMIC_REGISTERS not in counting:
        return num_lanes
    registers = [max(pair) for pair in zip(registers, counting, strict=True)]
    if 0 in registers or max(registers) > _REGISTERS:
        return num_lanes
    return min(row, num_lanes * (1 << (_REGISTERS // max(registers)).bit_length() - 1))


def _is_gathering(every: tuple[ir.Stmt, ...], divergence: Divergence, definitions: dict[int, ir.Expr]) -> bool:
    """Whether the time of a kernel is that of gathers in loops with an unknown number of iterations in each lane."""
    loops = [s for s in every if isinstance(s, ir.ForRange) and not any(map(_is_loop, walk.statements(s.body)))]
    if not loops or any(isinstance(s, ir.Barrier | ir.Uniform) or _nodes(s) >= _EXPENSIVE for s in every):
        return False
    for loop in loops:
        if any(_step(bound, divergence, definitions) is not None for bound in (loop.start, loop.stop)):
            return False
        inner = tuple(walk.statements(loop.body))
        indices = [s.place.index for s in inner if isinstance(s, ir.Load | ir.Store)]
        gathers = sum(_step(index, divergence, definitions) is None for index in indices)
        if sum(map(_nodes, inner)) > gathers * _NODES_PER_GATHER:
            return False
    return True


def _is_loop(statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.ForRange)


def _nodes(statement: ir.Stmt) -> int:
    """The number of nodes of the expressions of a statement. An operation of several instructions counts as many."""
    every = (part for expr in walk.expressions(statement) for part in walk.subexpressions(expr))
    return sum(_EXPENSIVE if _is_slow(part) else 1 for part in every)


def _is_slow(part: ir.Expr) -> bool:
    if isinstance(part, ir.Call):
        return part.op not in _FREE
    return isinstance(part, ir.Binary) and part.op in SLOW


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
                if not any(part == statement.local for part in walk.subexpressions(statement.expr)):
                    return 0
                sums[statement.local.id] = scalar_of(statement.local.type).bits * ir.num_components(
                    statement.local.type
                )
            case ir.Let():
                pass
            case _:
                return 0
        nodes += _nodes(statement)
    if divergence.is_varying(loop.start) or not loads or not sums or nodes > _MAX_NODES:
        return 0
    return max(1, sum(sums.values()) // 32)


def _atomic_registers(loop: ir.ForRange, divergence: Divergence, definitions: dict[int, ir.Expr]) -> int:
    """What the loop of a histogram counts as; 1 for a loop over workgroup memory, 0 for others."""
    nodes, loads, atomics = 0, 0, 0
    for statement in walk.statements(loop.body):
        match statement:
            case ir.Load() | ir.Store():
                loads += isinstance(statement.place.memory, ir.Buffer)
                if _step(statement.place.index, divergence, definitions) not in (0, 1):
                    return 0
            case ir.Atomic():
                atomics += 1
            case ir.Let() | ir.If():
                pass
            case _:
                return 0
        nodes += _nodes(statement)
    if divergence.is_varying(loop.start) or nodes > _MAX_NODES or (loads and not atomics):
        return 0
    return _ATOMIC_REGISTERS if loads else 1


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
