"""The code of a workgroup: hoisted statements, and regions that each of its invocations executes.

`Workgroup._run` writes the only loops over invocations: along x, one invocation per iteration. LLVM vectorises them if
it can; metadata says that the iterations are independent (two invocations that access one element between barriers
would be a race).
"""

from __future__ import annotations

from gpucore import ir
from gpucore.ir.walk import statements
from gpucore_cpu.assembly import CountedLoop, FunctionText, ModuleText
from gpucore_cpu.guards import Guard, split_guard
from gpucore_cpu.hoisted import HoistedCode
from gpucore_cpu.invocation import Invocation
from gpucore_cpu.names import bound, names_in
from gpucore_cpu.regions import Plan, Region
from gpucore_cpu.rows import Rows, plan_rows, whole_rows
from gpucore_cpu.scope import Expressions, Scope, SpillSlot
from gpucore_cpu.scratch import Scratch

_ACCESS = ", !llvm.access.group !0"


class Workgroup:
    """Writes the body of a workgroup from a kernel's plan."""

    def __init__(
        self, code: FunctionText, module: ModuleText, expressions: Expressions, plan: Plan, size: tuple[int, int, int],
        memories: dict[str, str], scratch: Scratch,
    ) -> None:  # fmt: skip
        self.code, self.module, self.expressions, self.plan = code, module, expressions, plan
        expressions.recomputed = dict(plan.recomputed)
        self._size = size
        self._scratch = scratch
        self._invocation = Invocation(code, expressions, memories)
        self._hoisted_scope = Scope(spilled=self._spill_slots("0"))  # hoisted statements use the slots of invocation 0
        self._hoisted_code = HoistedCode(code, expressions, self._invocation, self._region)

    def write(self) -> None:
        """Write the whole kernel for one workgroup."""
        self.expressions.scope = self._hoisted_scope
        self._hoisted_code.items(self.plan.items)

    def _spill_slots(self, invocation: str) -> dict[int, SpillSlot]:
        """The spill slot of every spilled name, for one invocation."""
        count = self._size[0] * self._size[1] * self._size[2]
        return {
            key: SpillSlot(self._scratch.invocation_array(f"spilled {key}", name, count), invocation, count)
            for key, name in self.plan.spilled.items()
        }

    def _region(self, region: Region) -> None:
        """Run a region over all invocations: loops along z and y around its rows."""
        spilled = frozenset(self.plan.spilled)
        guard, body = split_guard(region.statements, self.expressions.ranges, self.plan.hoisted, spilled)
        rows = plan_rows(body, self.plan, self._size[0])
        self.expressions.recomputed |= rows.recomputed
        loops: list[CountedLoop] = []
        ids = ["0", "0", "0"]
        for axis in (2, 1):
            if self._size[axis] > 1:
                loops.append(self.code.open_loop("i64", "0", str(self._size[axis]), hint=f"local_{'xyz'[axis]}"))
                ids[axis] = loops[-1].counter
        outer = self._hoisted_scope
        row = Scope(("0", ids[1], ids[2]), dict(outer.values), dict(outer.locals), self._spill_slots("0"))
        self._row(row, guard, rows, body)
        for loop in reversed(loops):
            self.code.close_loop(loop)
        self.expressions.scope = outer

    def _row(self, row: Scope, guard: Guard | None, rows: Rows, body: ir.Block) -> None:
        """Run the rows of a region. Loops are interchanged only in full rows: LLVM needs the constant length of the row
        for short vector loops, so rows that a guard ends early have a second version of the code."""
        code, width = self.code, str(self._size[0])
        self.expressions.scope = row
        if guard is None:
            self._row_items(row, rows, width)
            return
        count = self._clamped(guard)
        if not rows.is_interchanged:
            self._row_items(row, rows, count)
            return
        full, short, end = code.fresh_label("full_row"), code.fresh_label("short_row"), code.fresh_label("row_end")
        code.branch(code.define(f"icmp eq i64 {count}, {width}"), full, short)
        code.start(full)
        self._row_items(row, rows, width)
        code.jump(end)
        code.start(short)
        self._row_items(row, whole_rows(body), count)
        code.start(end)

    def _row_items(self, row: Scope, rows: Rows, count: str) -> None:
        """Execute the hoisted statements, and run the others over the first `count` invocations of the row."""
        inner = Scope(row.local_ids, dict(row.values), dict(row.locals), row.spilled, row.access)
        self.expressions.scope = inner

        def run(region: Region) -> None:
            self._run(region.statements, inner, rows, count)

        HoistedCode(self.code, self.expressions, self._invocation, run).items(rows.items)
        self.expressions.scope = row

    def _run(self, body: ir.Block, row: Scope, rows: Rows, count: str) -> None:
        """Run statements over the first `count` invocations of a row."""
        is_parallel = not any(isinstance(inner, ir.Atomic) for inner in statements(body))
        loop = None if count == "1" else self.code.open_loop("i64", "0", count, hint="local_x")
        x = loop.counter if loop is not None else "0"
        scope = Scope((x, row.local_ids[1], row.local_ids[2]), dict(row.values), dict(row.locals))
        scope.access = _ACCESS if is_parallel and loop is not None else ""
        scope.spilled = self._spill_slots(self._linear(scope.local_ids))
        for key, name in rows.spilled.items():
            base = self._scratch.invocation_array(f"row {key}", name, self._size[0])
            scope.spilled[key] = SpillSlot(base, x, self._size[0])
        self.expressions.scope = scope
        self._execute(body)
        if loop is not None:
            self.code.close_loop(loop, self.module.parallel_loop_metadata() if is_parallel else "")
        self.expressions.scope = row

    def _execute(self, body: ir.Block) -> None:
        """Statements of one invocation: load the spilled names they use, execute, store spilled locals that changed."""
        every = tuple(statements(body))
        opened = {name.id for s in every if (name := bound(s)) is not None}
        used = {name.id: name for s in every for name in names_in(s)}
        assigned = {s.local.id for s in every if isinstance(s, ir.Assign)}
        assigned |= {s.local.id for s in every if isinstance(s, ir.Declare) and s.init is not None}
        scope = self.expressions.scope
        for key, name in sorted(used.items()):
            if (
                isinstance(name, ir.Value)
                and key in self.expressions.recomputed
                and key not in opened | scope.values.keys()
            ):
                scope.values[key] = self.expressions.operand(name)
            if key not in scope.spilled or isinstance(name, ir.PrivateArray):
                continue
            if isinstance(name, ir.Local):
                self._invocation.open_local(name)
                if key not in opened:
                    self._invocation.assign(name, self.expressions.load_spilled(name))
            elif key not in opened:
                scope.values[key] = self.expressions.load_spilled(name)
        self._invocation.block(body)
        for key in sorted(assigned & scope.spilled.keys()):
            local = used[key]
            assert isinstance(local, ir.Local)
            self.expressions.store_spilled(local, self.expressions.operand(local))

    def _clamped(self, guard: Guard) -> str:
        """How many invocations along x satisfy the guard, computed at the start of the row."""
        code = self.code
        start = code.define(f"sext {self.expressions.typed(guard.start)} to i64")
        stop = code.define(f"sext {self.expressions.typed(guard.stop)} to i64")
        room = code.define(f"sub nsw i64 {stop}, {start}", "room")
        self.module.declare("llvm.smin.i64", "i64", ("i64", "i64"))
        return code.define(f"call i64 @llvm.smin.i64(i64 {room}, i64 {self._size[0]})", "count")

    def _linear(self, ids: tuple[str, ...]) -> str:
        """The number of the invocation in its workgroup, x fastest."""
        total, (width, height, _) = "0", self._size
        for axis, stride in ((2, width * height), (1, width), (0, 1)):
            if ids[axis] == "0":
                continue
            step = ids[axis] if stride == 1 else self.code.define(f"mul nuw nsw i64 {ids[axis]}, {stride}")
            total = step if total == "0" else self.code.define(f"add nuw nsw i64 {total}, {step}")
        return total
