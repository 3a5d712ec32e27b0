"""Which names and branches of a kernel differ between neighbouring invocations along x.

What does not differ is computed once for a gang. The analysis covers the whole kernel: a name is varying everywhere or
nowhere. It only grows, and is repeated until nothing changes: a variable that a loop makes varying is read above.
"""

from __future__ import annotations

from gpucore import ir
from gpucore.ir import LANE_OPERATIONS, BuiltinKind, SubgroupOp
from gpucore.ir.walk import blocks, leaves

_SHUFFLES = LANE_OPERATIONS - {SubgroupOp.BROADCAST}
_OF_LANES = frozenset({SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD, SubgroupOp.ELECT})


class Divergence:
    """The varying names of a kernel, by id, and its loops that some lanes leave before others."""

    def __init__(self, body: ir.Block, uniform: frozenset[int], num_lanes: int) -> None:
        """`uniform` has the names that are known to be the same in a whole workgroup."""
        self.names: set[int] = set()
        self.partial: set[int] = set()  # id() of Assigns that some lanes may skip where the variable is in scope
        self.loops: set[int] = set()  # id() of divergent ForRange and Loop
        self._depth = 0  # the number of divergent regions around a statement
        self._scopes: dict[int, int] = {}  # of a local: the number of divergent regions around its declaration
        self._is_trivial = num_lanes == 1
        self._uniform = uniform
        size = -1
        while size != self._size() and not self._is_trivial:
            size = self._size()
            self._block(body)

    def is_varying(self, expr: ir.Expr) -> bool:
        """Whether an expression may have different values in the lanes of a gang."""
        return not self._is_trivial and any(self._leaf(leaf) for leaf in leaves(expr))

    def _size(self) -> int:
        return len(self.names) + len(self.loops) + len(self.partial)

    def _leaf(self, leaf: ir.Expr) -> bool:
        match leaf:
            case ir.Value() | ir.Local():
                return leaf.id in self.names
            case ir.Builtin():
                if leaf.kind is BuiltinKind.LOCAL_ID:
                    return leaf.axis == 0
                return leaf.kind is BuiltinKind.SUBGROUP_INVOCATION_ID
            case _:
                return False

    def _block(self, block: ir.Block) -> None:
        for statement in block:
            self._statement(statement)

    def _statement(self, statement: ir.Stmt) -> None:
        match statement:
            case ir.Let():
                self._bind(statement.value, self.is_varying(statement.expr))
            case ir.Load():
                is_private = isinstance(statement.place.memory, ir.PrivateArray)
                self._bind(statement.value, is_private or self.is_varying(statement.place.index))
            case ir.Atomic() if statement.value is not None:
                self._bind(statement.value, True)
            case ir.Subgroup():
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
        for block in blocks(statement):
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
                if any(self._has_divergent_exit(each, inner) for each in blocks(statement)):
                    return True
        return False
