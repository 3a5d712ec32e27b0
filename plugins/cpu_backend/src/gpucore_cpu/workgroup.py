"""A workgroup: statements that it executes once, and regions that each of its invocations executes.

`Workgroup._region` is the one place where a region is run over the invocations. It is a nest of loops, x innermost,
one invocation an iteration; LLVM makes vectors of the innermost loop where it can, and is told that the iterations
are independent (two invocations that touch one element between barriers would be a race).
"""

from __future__ import annotations

from gpucore import ir
from gpucore.ir import scalar_of
from gpucore_cpu.assembly import CountedLoop, FunctionText, ModuleText
from gpucore_cpu.guards import Guard, split_guard
from gpucore_cpu.invocation import Invocation
from gpucore_cpu.layout import llvm_type
from gpucore_cpu.ranges import Ranges
from gpucore_cpu.regions import Item, Once, Plan, Region, names_in
from gpucore_cpu.scope import Expressions, Scope
from gpucore_cpu.walk import bound, statements

_ACCESS = ", !llvm.access.group !0"


class Workgroup:
    """Writes the body of a workgroup from a kernel's plan."""

    def __init__(
        self, code: FunctionText, module: ModuleText, expressions: Expressions, ranges: Ranges, plan: Plan,
        size: tuple[int, int, int], memories: dict[str, str],
    ) -> None:  # fmt: skip
        self.code, self.module, self.expressions, self.ranges, self.plan = code, module, expressions, ranges, plan
        self._size = size
        self._slots = {key: memories[f"crossing {key}"] for key in plan.crossing}
        self._invocation = Invocation(
            code, expressions, memories, size[0] * size[1] * size[2], frozenset(plan.crossing)
        )  # fmt: skip
        self._level = Scope(crossing=self._slots)  # the scope of what is executed once: invocation 0's
        self._loops: list[tuple[str, str]] = []  # labels for (continue, break) of the workgroup's loops

    def write(self) -> None:
        """Write the whole kernel for one workgroup."""
        self.expressions.scope = self._level
        self._items(self.plan.items)

    def _items(self, items: tuple[Item, ...]) -> None:
        for item in items:
            if self.code.terminated:
                return
            if isinstance(item, Region):
                self._region(item)
            else:
                self._once(item)

    # ------------------------------------------------------------ once for the workgroup

    def _once(self, item: Once) -> None:
        statement = item.statement
        self.code.span = getattr(statement, "span", None) or self.code.span
        match statement:
            case ir.Let() | ir.Declare() | ir.Assign():
                self._invocation.block((statement,))
            case ir.Barrier():
                self.code.write("; barrier: every invocation has run the region above")
            case ir.If():
                self._if(statement, item.blocks)
            case ir.ForRange():
                self._for(statement, item.blocks[0])
            case ir.Loop():
                self._loop(item.blocks[0])
            case ir.Break():
                self.code.jump(self._loops[-1][1])
            case ir.Continue():
                self.code.jump(self._loops[-1][0])
            case _:
                raise AssertionError(f"{type(statement).__name__} is always part of a region")

    def _if(self, statement: ir.If, blocks: tuple[tuple[Item, ...], ...]) -> None:
        code = self.code
        condition = self.expressions.operand(statement.condition)
        then, orelse, end = code.fresh_label("then"), code.fresh_label("else"), code.fresh_label("endif")
        code.branch(condition, then, orelse)
        for label, items in zip((then, orelse), blocks, strict=True):
            code.start(label)
            self._items(items)
            code.jump(end)
        code.start(end)

    def _for(self, statement: ir.ForRange, body: tuple[Item, ...]) -> None:
        start, stop = self.expressions.operand(statement.start), self.expressions.operand(statement.stop)
        counter = statement.counter
        signed = scalar_of(counter.type).is_signed
        loop = self.code.open_loop(llvm_type(counter.type), start, stop, signed=signed, hint=counter.name)
        self._level.values[counter.id] = loop.counter
        self._loops.append((loop.next_label, loop.end_label))
        self._items(body)
        self._loops.pop()
        self.code.close_loop(loop)

    def _loop(self, body: tuple[Item, ...]) -> None:
        code = self.code
        head, end = code.fresh_label("loop"), code.fresh_label("loop_end")
        code.start(head)
        self._loops.append((head, end))
        self._items(body)
        self._loops.pop()
        code.jump(head)
        code.start(end)

    # ------------------------------------------------------------ for each invocation

    def _region(self, region: Region) -> None:
        guard, body = split_guard(region.statements, self.ranges, self.plan.once, frozenset(self.plan.crossing))
        is_parallel = not any(isinstance(inner, ir.Atomic) for inner in statements(body))
        loops: dict[int, CountedLoop] = {}
        ids = ["0", "0", "0"]
        for axis in (2, 1, 0):
            self.expressions.scope = self._scope(ids, "")
            stop = str(self._size[axis])
            if axis == 0 and guard is not None:
                stop = self._clamped(guard)
            elif self._size[axis] == 1:
                continue
            loops[axis] = self.code.open_loop("i64", "0", stop, hint=f"local_{'xyz'[axis]}")
            ids[axis] = loops[axis].counter
        scope = self._scope(ids, _ACCESS if is_parallel and loops else "")
        scope.invocation = self._linear(ids)
        self.expressions.scope = scope
        self._run(region, body)
        for axis, loop in sorted(loops.items()):
            is_innermost = axis == min(loops)
            self.code.close_loop(loop, self.module.loop_of_invocations() if is_innermost and is_parallel else "")
        self.expressions.scope = self._level

    def _scope(self, ids: list[str], access: str) -> Scope:
        """A fresh scope that knows what the workgroup has once."""
        x, y, z = ids
        level = self._level
        return Scope((x, y, z), "0", dict(level.values), dict(level.locals), self._slots, access)

    def _clamped(self, guard: Guard) -> str:
        """How many invocations along x satisfy the guard, written where the loop over x begins."""
        code = self.code
        start = code.define(f"sext {self.expressions.typed(guard.start)} to i64")
        stop = code.define(f"sext {self.expressions.typed(guard.stop)} to i64")
        room = code.define(f"sub nsw i64 {stop}, {start}", "room")
        self.module.declare("llvm.smin.i64", "i64", ("i64", "i64"))
        return code.define(f"call i64 @llvm.smin.i64(i64 {room}, i64 {self._size[0]})", "count")

    def _linear(self, ids: list[str]) -> str:
        """The number of the invocation in its workgroup, x fastest."""
        total, (width, height, _) = "0", self._size
        for axis, stride in ((2, width * height), (1, width), (0, 1)):
            if ids[axis] == "0":
                continue
            step = ids[axis] if stride == 1 else self.code.define(f"mul nuw nsw i64 {ids[axis]}, {stride}")
            total = step if total == "0" else self.code.define(f"add nuw nsw i64 {total}, {step}")
        return total

    def _run(self, region: Region, body: ir.Block) -> None:
        """One invocation of a region: fetch what crosses into it, execute, put back the locals that changed."""
        opened = {name.id for s in statements(region.statements) if (name := bound(s)) is not None}
        used = {name.id: name for s in statements(region.statements) for name in names_in(s)}
        assigned = {s.local.id for s in statements(region.statements) if isinstance(s, ir.Assign)}
        assigned |= {s.local.id for s in statements(region.statements) if isinstance(s, ir.Declare) and s.init is not None}
        scope = self.expressions.scope
        for key, name in sorted(used.items()):
            if key not in self.plan.crossing or isinstance(name, ir.PrivateArray):
                continue
            if isinstance(name, ir.Local):
                self._invocation.open_local(name)
                if key not in opened:
                    self._invocation.assign(name, self.expressions.load_crossing(name))
            elif key not in opened:
                scope.values[key] = self.expressions.load_crossing(name)
        self._invocation.block(body)
        for key in sorted(assigned & self.plan.crossing.keys()):
            local = used[key]
            assert isinstance(local, ir.Local)
            self.expressions.store_crossing(local, self.expressions.operand(local))
