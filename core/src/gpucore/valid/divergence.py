"""Divergence analysis: which values differ between the invocations of a workgroup, or of a subgroup, as a graph of
dependences.

Nodes are the ids of values, locals and private arrays (non-negative), versions of locals (see versions) and control
regions (negative). There are three kinds of region. A branch differs when its condition does. A loop differs when its
bounds do, or when a `break` is taken by some invocations only: they are missing for the rest of the loop. The region
after a `break` or `continue` in the same iteration differs when only some invocations took it. A write
makes a variable differ only if a region between its declaration and the write differs: a local that is declared and
assigned inside one branch does not differ because of that branch, since it is not visible outside. A read of a local
depends on the assignments that may have been the last before it, not on later ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gpucore.ir import (
    OF_SUBGROUPS,
    Assign,
    Atomic,
    Barrier,
    Binary,
    BinaryOp,
    Block,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    ConstantArray,
    Continue,
    CooperativeLoad,
    CooperativeOperation,
    CooperativeStore,
    Declare,
    DeclareArray,
    Expr,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Load,
    Local,
    Loop,
    MatrixAccumulate,
    MatrixLoad,
    MatrixMultiply,
    Module,
    PrivateArray,
    Stmt,
    Store,
    Subgroup,
    SubgroupOp,
    Together,
    Uniform,
    Value,
    walk,
)
from gpucore.span import Span
from gpucore.valid.versions import Node, Versions

Cooperative = CooperativeLoad | CooperativeStore | CooperativeOperation
OfMatrices = MatrixLoad | MatrixMultiply | MatrixAccumulate | Cooperative | GroupMultiply | GroupWait
Collective = Barrier | Together | Subgroup | OfMatrices | Uniform


@dataclass(slots=True)
class Graph:
    """`edges[a]` are the nodes that differ if `a` does; `roots` differ for the given reason, not because of a node."""

    nodes: dict[int, Node] = field(default_factory=dict)
    edges: dict[int, list[int]] = field(default_factory=dict)
    roots: dict[int, tuple[str, Span | None]] = field(default_factory=dict)
    # each with the regions around it, outermost first
    barriers: list[tuple[Collective, tuple[int, ...]]] = field(default_factory=list)
    uniform: dict[int, tuple[Together, str]] = field(default_factory=dict)  # what is meant not to differ, and its name

    def causes(self) -> dict[int, int | None]:
        """Every node that differs, with the node that causes it (None for a root), along a shortest path."""
        found: dict[int, int | None] = dict.fromkeys(self.roots)
        queue = list(self.roots)
        for node in queue:  # grows during the loop
            for dependent in self.edges.get(node, ()):
                if dependent not in found:
                    found[dependent] = node
                    queue.append(dependent)
        return found


@dataclass(slots=True)
class _Exits:
    """Regions that differ when only some invocations leave a block early: by any exit, and by `break` alone."""

    any: int | None = None
    breaks: int | None = None
    always: bool = False  # the end of the block is unreachable


_SAME_IN_SUBGROUP = frozenset(
    {
        SubgroupOp.BROADCAST, SubgroupOp.ADD, SubgroupOp.MIN, SubgroupOp.MAX, SubgroupOp.BALLOT, SubgroupOp.ANY,
        SubgroupOp.ALL,
    }
)  # fmt: skip
"""The operations that give all invocations of a subgroup the same."""


def build_graph(module: Module, written_buffers: frozenset[int], *, of_subgroups: bool = False) -> Graph:
    """The graph of a module; `written_buffers` are those that the kernel writes. `of_subgroups`: of what differs in a
    subgroup, instead of in a workgroup."""
    builder = _Builder(module, written_buffers, _writes(module), of_subgroups)
    builder.block(module.body)
    return builder.graph


def _writes(module: Module) -> dict[int, Span | None]:
    """Where each buffer is first written, by its number."""
    found: dict[int, Span | None] = {}
    for statement in walk.statements(module.body):
        if isinstance(statement, (Store, Atomic)) and isinstance(statement.place.memory, Buffer):
            found.setdefault(statement.place.memory.index, statement.span)
    return found


def at(span: Span | None) -> str:
    """A location in the user's code as a suffix of a message; empty if there is none."""
    place = span.in_kernel() if span else None
    return f" at {place.file}:{place.line}" if place else ""


def _global_axes(expr: Expr) -> set[int]:
    """Axes for which the expression contains the global id: workgroup_id * size + local_id."""
    return {
        part.right.axis
        for part in walk.subexpressions(expr)
        if isinstance(part, Binary)
        and part.op is BinaryOp.ADD
        and isinstance(part.right, Builtin)
        and part.right.kind is BuiltinKind.LOCAL_ID
        and Builtin(BuiltinKind.WORKGROUP_ID, part.right.axis) in set(walk.leaves(part.left))
    }


class _Builder:
    def __init__(
        self, module: Module, written_buffers: frozenset[int], writes: dict[int, Span | None], of_subgroups: bool
    ) -> None:
        self._writes, self._of_subgroups = writes, of_subgroups
        self.graph = Graph()
        self._size = module.workgroup_size
        self._written = written_buffers
        self._path: list[int | None] = []  # regions around; each block has an entry for the region after an exit
        self._declared: dict[int, tuple[int, int | None]] = {}  # local or array: depth of its block, exit region there
        self._regions = 0
        self._versions = Versions(self.graph.nodes, self._edge)

    # ------------------------------------------------------------ nodes and edges

    def _region(self, kind: str, span: Span | None) -> int:
        self._regions += 1
        self.graph.nodes[-self._regions] = Node(kind, "", span)
        return -self._regions

    def _edge(self, source: int | None, target: int) -> None:
        if source is not None:
            self.graph.edges.setdefault(source, []).append(target)

    def _depends(self, target: int, expr: Expr, span: Span | None) -> None:
        for leaf in walk.leaves(expr):
            if isinstance(leaf, Value):
                self._edge(leaf.id, target)
            elif isinstance(leaf, Local):
                self._edge(self._versions.current(leaf.id), target)
            elif isinstance(leaf, Builtin) and self._differs(leaf):
                self._root(target, self._name_of(leaf, expr, span), span)

    def _name_of(self, builtin: Builtin, expr: Expr, span: Span | None) -> str:
        """The name in the user's code for a builtin in an expression."""
        if builtin.kind is not BuiltinKind.LOCAL_ID:
            return f"gp.{builtin.kind.value}()"
        is_global = builtin.axis in _global_axes(expr) and not (span and "local_id" in span.source_line())
        return f"gp.{'global_id' if is_global else 'local_id'}({builtin.axis})"

    def _differs(self, builtin: Builtin) -> bool:
        """Whether a builtin differs between the invocations of a workgroup or subgroup."""
        if builtin.kind is BuiltinKind.LOCAL_ID:
            return self._size[builtin.axis] > 1
        if builtin.kind is BuiltinKind.SUBGROUP_ID and self._of_subgroups:
            return False
        return builtin.kind in (BuiltinKind.SUBGROUP_ID, BuiltinKind.SUBGROUP_INVOCATION_ID) and max(self._size) > 1

    def _root(self, target: int, reason: str, span: Span | None) -> None:
        self.graph.roots.setdefault(target, (reason, span))

    def _bind(self, value: Value, span: Span | None) -> None:
        self.graph.nodes[value.id] = Node("value", value.name, span)

    def _declare(self, id_: int, name: str, span: Span | None) -> None:
        self.graph.nodes[id_] = Node("value", name, span)
        self._declared[id_] = (len(self._path) - 1, self._path[-1])

    def _written_here(self, id_: int, node: int) -> None:
        """A write, as this node, makes a variable differ if a region between its declaration and the write differs."""
        depth, exit_then = self._declared[id_]
        if self._path[depth] != exit_then:
            self._edge(self._path[depth], node)
        for region in self._path[depth + 1 :]:
            self._edge(region, node)

    # ------------------------------------------------------------ statements

    def block(self, block: Block) -> _Exits:
        self._path.append(None)
        exits = _Exits()
        for statement in block:
            if isinstance(statement, (Break, Continue)):
                left = self._region("exit", statement.span)
                self._edge(self._path[-1], left)
                self._leave(exits, _Exits(left, left if isinstance(statement, Break) else None), statement)
                self._versions.to_loop()
                exits.always = True
                break  # the rest is unreachable
            if isinstance(statement, If):
                found = self._if(statement)
                self._leave(exits, found, statement)
                exits.always = exits.always or found.always
            elif isinstance(statement, (ForRange, Loop)):
                self._loop(statement)
            elif isinstance(statement, (Barrier, Together, *OF_SUBGROUPS, GroupMultiply, GroupWait, Uniform)):
                around = tuple(region for region in self._path if region is not None)
                self.graph.barriers.append((statement, around))
                self._collective(statement)
            else:
                self._simple(statement)
        self._path.pop()
        return exits

    def _leave(self, exits: _Exits, found: _Exits, statement: Stmt) -> None:
        """Record that invocations may leave the block at this statement: the code after it is a region of its own."""
        if found.any is None:
            return
        after = self._region("exit", statement.span)
        self._edge(found.any, after)
        self._edge(self._path[-1], after)
        self._path[-1] = exits.any = after
        if found.breaks is not None:
            if exits.breaks is None:
                exits.breaks = found.breaks
            else:
                both = self._region("exit", statement.span)
                self._edge(exits.breaks, both)
                self._edge(found.breaks, both)
                exits.breaks = both

    def _if(self, statement: If) -> _Exits:
        region = self._region("if", statement.span)
        self._depends(region, statement.condition, statement.span)
        self._path.append(region)
        branches, ways = [], []
        for block in (statement.then, statement.orelse):
            self._versions.enter()
            branches.append(self.block(block))
            ways.append(self._versions.leave())
        self._versions.join([way for way, branch in zip(ways, branches, strict=True) if not branch.always])
        self._path.pop()
        return _Exits(
            self._either(region, [branch.any for branch in branches], statement),
            self._either(region, [branch.breaks for branch in branches], statement),
            all(branch.always for branch in branches),
        )

    def _either(self, condition: int, inner: list[int | None], statement: If) -> int | None:
        present = [region for region in inner if region is not None]
        if not present:
            return None
        region = self._region("exit", statement.span)
        for source in (condition, *present, self._path[-1]):
            self._edge(source, region)
        return region

    def _loop(self, statement: ForRange | Loop) -> None:
        region = self._region("for" if isinstance(statement, ForRange) else "loop", statement.span)
        if isinstance(statement, ForRange):
            for bound in (statement.start, statement.stop):
                self._depends(region, bound, statement.span)
            self._bind(statement.counter, statement.span)
            self._edge(region, statement.counter.id)
        self._path.append(region)
        self._versions.enter_loop({one.local.id for one in walk.statements(statement.body) if isinstance(one, Assign)})
        exits = self.block(statement.body)
        self._versions.leave_loop(is_end_reachable=not exits.always)
        self._path.pop()
        self._edge(exits.breaks, region)

    def _collective(self, statement: Collective) -> None:
        """The result of a collective operation may differ between invocations or between subgroups."""
        if isinstance(statement, Together):
            for expr, name in zip(statement.uniform, statement.names, strict=True):
                node = self._region("uniform", statement.span)
                self._depends(node, expr, statement.span)
                self.graph.uniform[node] = statement, name
            return
        if isinstance(statement, (GroupMultiply, GroupWait, MatrixAccumulate)):
            sums = statement.sums.array if isinstance(statement, MatrixAccumulate) else statement.sums
            self._root(sums.id, "an element of a matrix", statement.span)
            self._written_here(sums.id, sums.id)
            return
        if isinstance(statement, (Barrier, CooperativeStore)) or statement.value is None:
            return
        self._bind(statement.value, statement.span)
        if isinstance(statement, (MatrixLoad, MatrixMultiply, CooperativeLoad, CooperativeOperation)):
            self._root(statement.value.id, "an element of a matrix", statement.span)
        elif isinstance(statement, Subgroup) and max(self._size) > 1:
            is_same = statement.op in _SAME_IN_SUBGROUP
            if is_same and self._of_subgroups:
                return
            where = "between subgroups" if is_same else "between invocations"
            reason = f"gp.subgroup_{statement.op.value}, which differs {where}"
            self._root(statement.value.id, reason, statement.span)

    def _simple(self, statement: Stmt) -> None:
        span = statement.span
        match statement:
            case Let():
                self._bind(statement.value, span)
                self._depends(statement.value.id, statement.expr, span)
            case Load():
                self._bind(statement.value, span)
                self._load(statement)
            case Atomic() if statement.value is not None:
                self._bind(statement.value, span)
                if max(self._size) > 1:
                    self._root(statement.value.id, "the old value of an atomic operation", span)
            case Declare():
                self._declare(statement.local.id, statement.local.name, span)
                first = self._versions.new(statement.local.id, span)
                if statement.init is not None:
                    self._depends(first, statement.init, span)
                self._versions.write(statement.local.id, first)
            case Assign():
                node = self.graph.nodes[statement.local.id]
                if node.span is None:
                    self.graph.nodes[statement.local.id] = replace(node, span=span)
                version = self._versions.new(statement.local.id, span)
                self._depends(version, statement.expr, span)
                self._written_here(statement.local.id, version)
                self._versions.write(statement.local.id, version)
            case DeclareArray():
                self._declare(statement.array.id, statement.array.name, span)
            case Store() if isinstance(statement.place.memory, PrivateArray):
                self._depends(statement.place.memory.id, statement.place.index, span)
                self._depends(statement.place.memory.id, statement.expr, span)
                self._written_here(statement.place.memory.id, statement.place.memory.id)

    def _load(self, statement: Load) -> None:
        value, memory, span = statement.value.id, statement.place.memory, statement.span
        self._depends(value, statement.place.index, span)
        if isinstance(memory, PrivateArray):
            self._edge(memory.id, value)
        elif max(self._size) > 1 and not isinstance(memory, ConstantArray):
            if not isinstance(memory, Buffer):
                self._root(value, f"an element of the workgroup array `{memory.name}`", span)
            elif memory.index in self._written:
                written = f"which the kernel also writes{at(self._writes.get(memory.index))}"
                self._root(value, f"an element of `{memory.name}`, read{at(span)}, {written}", None)
