"""Which names and branches of a kernel differ between neighbouring invocations along x.

What does not differ is computed once for a gang. The analysis covers the whole kernel: a name is varying everywhere or
nowhere. It only grows, and is repeated until nothing changes: a variable that a loop makes varying is read above.

A gang begins at a multiple of its size. So `local_id // 32`, or another quotient of an index that is linear in the
lanes and a multiple of the size, is the same in all lanes: the number of a row, a tile or a subgroup, say.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpucore.plugin import ir
from gpucore.plugin.ir import LANE_OPERATIONS, BinaryOp, BuiltinKind, SubgroupOp, walk
from gpucore_cpu.indices import MAX_MULTIPLE, factor


@dataclass(frozen=True, slots=True)
class Progression:
    """An integer that is `first + step * lane` in the lanes of a gang; `first` is a multiple of a power of two."""

    step: int
    multiple: int


_SHUFFLES = LANE_OPERATIONS - {SubgroupOp.BROADCAST}
_OF_LANES = frozenset({SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD, SubgroupOp.ELECT, SubgroupOp.MATCH})


class Divergence:
    """The varying names of a kernel, by id, and its loops that some lanes leave before others."""

    def __init__(self, body: ir.Block, uniform: frozenset[int], num_lanes: int) -> None:
        """`uniform` has the names that are known to be the same in a whole workgroup."""
        self.names: set[int] = set()
        self.partial: set[int] = set()  # id() of Assigns that some lanes may skip where the variable is in scope
        self.loops: set[int] = set()  # id() of divergent ForRange and Loop
        self._depth = 0  # the number of divergent regions around a statement
        self._scopes: dict[int, int] = {}  # of a local: the number of divergent regions around its declaration
        self._num_lanes = num_lanes
        self._progressions: dict[int, Progression] = {}  # values
        self._is_trivial = num_lanes == 1
        self._uniform = uniform
        size = -1
        while size != self._size() and not self._is_trivial:
            size = self._size()
            self._block(body)

    def is_varying(self, expr: ir.Expr) -> bool:
        """Whether an expression may have different values in the lanes of a gang."""
        match expr:
            case ir.Value() | ir.Local():
                return expr.id in self.names
            case ir.Builtin() if expr.kind is BuiltinKind.LOCAL_ID:
                return not self._is_trivial and expr.axis == 0
            case ir.Builtin():
                return not self._is_trivial and expr.kind is BuiltinKind.SUBGROUP_INVOCATION_ID
            case ir.Binary() if self.is_block_number(expr):
                return False
            case _:
                return any(map(self.is_varying, walk.children(expr)))

    def is_block_number(self, expr: ir.Binary) -> bool:
        """Whether an expression is the quotient of a varying index, and the same in all lanes."""
        size = block_size(expr)
        if not size or size % self._num_lanes or expr.op not in _FLOOR_QUOTIENTS:
            return False
        index = self._progression(expr.left)
        return index is not None and index.step == 1 and index.multiple % self._num_lanes == 0

    def _progression(self, expr: ir.Expr) -> Progression | None:
        """What is known of an integer; None if it is not linear in the lanes. It may wrap: 2**32 is a multiple too."""
        match expr:
            case ir.Constant() if expr.type.is_integer:
                return Progression(0, factor(int(expr.value)))
            case ir.Builtin() if expr.kind is BuiltinKind.LOCAL_ID and expr.axis == 0:
                return Progression(1, self._num_lanes)
            case ir.Value() if expr.id in self._progressions:
                return self._progressions[expr.id]
            case ir.Binary() if isinstance(expr.type, ir.ScalarType) and expr.type.is_integer:
                found = self._progression_of_binary(expr)
                if found is not None:
                    return found
        return None if self.is_varying(expr) else Progression(0, 1)

    def _progression_of_binary(self, expr: ir.Binary) -> Progression | None:
        left, right = self._progression(expr.left), self._progression(expr.right)
        if left is None or right is None:
            return None
        match expr.op:
            case BinaryOp.ADD:
                return Progression(left.step + right.step, min(left.multiple, right.multiple))
            case BinaryOp.MUL if left.step == right.step == 0:
                return Progression(0, min(MAX_MULTIPLE, left.multiple * right.multiple))
            case BinaryOp.FLOOR_MOD | BinaryOp.BIT_AND if left.step == 1 and left.multiple % self._num_lanes == 0:
                size = block_size(expr)
                is_whole = size > 0 and size % self._num_lanes == 0
                return Progression(1, min(left.multiple, factor(size))) if is_whole else None
            case _:
                return None

    def _size(self) -> int:
        return len(self.names) + len(self.loops) + len(self.partial)

    def _block(self, block: ir.Block) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, statement: ir.Stmt) -> None:
        match statement:
            case ir.Let():
                self._bind(statement.value, self.is_varying(statement.expr))
                self._progressions.pop(statement.value.id, None)
                if (found := self._progression(statement.expr)) is not None:
                    self._progressions[statement.value.id] = found
            case ir.Load():
                is_private = isinstance(statement.place.memory, ir.PrivateArray)
                self._bind(statement.value, is_private or self.is_varying(statement.place.index))
            case ir.Atomic() if statement.value is not None:
                self._bind(statement.value, True)
            case ir.Subgroup() if statement.value is not None:
                self._bind(statement.value, self._differs(statement))
            case ir.Declare():
                self._scopes[statement.local.id] = self._depth
                self._bind(statement.local, statement.init is not None and self.is_varying(statement.init))
            case ir.Assign():
                is_partial = self._scopes[statement.local.id] < self._depth
                if is_partial:
                    self.partial.add(id(statement))
                self._bind(statement.local, is_partial or self.is_varying(statement.expr))
            case ir.If():
                self._inside(statement, self.is_varying(statement.condition))
            case ir.ForRange():
                self._bind(statement.counter, self.is_varying(statement.start))
                is_divergent = self.is_varying(statement.start) or self.is_varying(statement.stop)
                self._loop(statement, is_divergent or self._has_divergent_exit(statement.body))
            case ir.Loop():
                self._loop(statement, self._has_divergent_exit(statement.body))
            case _:
                pass

    def _differs(self, statement: ir.Subgroup) -> bool:
        """Whether the result of a subgroup operation differs in the subgroup, which is a gang."""
        if statement.op in _SHUFFLES:
            return statement.operand is not None and self.is_varying(statement.operand)
        return statement.op in _OF_LANES

    def _bind(self, name: ir.Value | ir.Local, is_varying: bool) -> None:
        if is_varying and name.id not in self._uniform:
            self.names.add(name.id)

    def _inside(self, statement: ir.Stmt, is_divergent: bool) -> None:
        self._depth += is_divergent
        for block in walk.blocks(statement):
            self._block(block)
        self._depth -= is_divergent

    def _loop(self, statement: ir.ForRange | ir.Loop, is_divergent: bool) -> None:
        if is_divergent:
            self.loops.add(id(statement))
        self._inside(statement, is_divergent)

    def _has_divergent_exit(self, block: ir.Block, is_inside: bool = False) -> bool:
        """Whether a Break or Continue of the loop with this body is in a branch that only some lanes take."""
        for statement in block:
            if isinstance(statement, ir.Break | ir.Continue) and is_inside:
                return True
            if isinstance(statement, ir.If):
                inner = is_inside or self.is_varying(statement.condition)
                if any(self._has_divergent_exit(each, inner) for each in walk.blocks(statement)):
                    return True
        return False


_FLOOR_QUOTIENTS = frozenset({BinaryOp.FLOOR_DIV, BinaryOp.SHR})


def block_size(expr: ir.Binary) -> int:
    """The size of the blocks whose number, or in which the place, an operation with a constant gives; or 0."""
    if not isinstance(expr.right, ir.Constant) or not isinstance(expr.type, ir.ScalarType) or not expr.type.is_integer:
        return 0
    number = int(expr.right.value)
    match expr.op:
        case BinaryOp.FLOOR_DIV | BinaryOp.TRUNC_DIV | BinaryOp.FLOOR_MOD | BinaryOp.TRUNC_REM:
            return max(number, 0)
        case BinaryOp.SHR:
            return 1 << (number & (expr.type.bits - 1))
        case BinaryOp.BIT_AND if number > 0 and number & (number + 1) == 0:
            return number + 1
        case _:
            return 0
