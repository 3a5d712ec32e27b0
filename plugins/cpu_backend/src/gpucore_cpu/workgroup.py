"""The code of a workgroup: hoisted statements, and regions that each of its invocations executes.

`Workgroup._gangs` writes the only loops over invocations: along x, one gang per iteration.
"""

from __future__ import annotations

from dataclasses import replace

from gpucore.plugin import ir
from gpucore.plugin.ir import walk
from gpucore_cpu.assembly import CountedLoop, FunctionText, ModuleText
from gpucore_cpu.guards import Guard, split_guard
from gpucore_cpu.hoisted import HoistedCode
from gpucore_cpu.invocation import Invocation
from gpucore_cpu.lanes import Lanes
from gpucore_cpu.names import bound, names_in
from gpucore_cpu.regions import Plan, Region
from gpucore_cpu.scope import Expressions, Scope, SpillSlot
from gpucore_cpu.scratch import Scratch

_MAX_STATEMENTS = 500  # in a region that has a second version, for the last gang of a row


class Workgroup:
    """Writes the body of a workgroup from a kernel's plan."""

    def __init__(
        self, code: FunctionText, module: ModuleText, expressions: Expressions, plan: Plan, size: tuple[int, int, int],
        memories: dict[str, str], scratch: Scratch, lanes: Lanes, streamed: frozenset[int],
    ) -> None:  # fmt: skip
        self.code, self.module, self.expressions, self.plan = code, module, expressions, plan
        expressions.recomputed = plan.recomputed
        self._size = size
        self._scratch, self._lanes = scratch, lanes
        self._invocation = Invocation(code, expressions, lanes, memories, streamed)
        self._hoisted_scope = Scope(spilled=self._spill_slots("0"))  # hoisted statements use the slots of invocation 0
        self._hoisted_code = HoistedCode(code, expressions, self._invocation, self._region)

    def write(self) -> None:
        """Write the whole kernel for one workgroup."""
        self.expressions.scope = self._hoisted_scope
        self._hoisted_code.items(self.plan.items)

    def _spill_slots(self, invocation: str) -> dict[int, SpillSlot]:
        """The spill slot of every spilled name, for one invocation."""
        count = max(self._size[0] * self._size[1] * self._size[2], self._lanes.count)
        return {
            key: SpillSlot(self._scratch.invocation_array(f"spilled {key}", name, count), invocation, count)
            for key, name in self.plan.spilled.items()
        }

    def _region(self, region: Region) -> None:
        """Run a region over all invocations: loops along z and y around its rows."""
        spilled = frozenset(self.plan.spilled)
        guard, body = split_guard(region.statements, self.expressions.ranges, self.plan.hoisted, spilled)
        loops: list[CountedLoop] = []
        ids = ["0", "0", "0"]
        for axis in (2, 1):
            if self._size[axis] > 1:
                loops.append(self.code.open_loop("i64", "0", str(self._size[axis]), hint=f"local_{'xyz'[axis]}"))
                ids[axis] = loops[-1].counter
        outer = self._hoisted_scope
        row = replace(outer.inner(), local_ids=("0", ids[1], ids[2]), spilled=self._spill_slots("0"))
        self.expressions.scope = row
        self._row(row, body, str(self._size[0]) if guard is None else self._clamped(guard))
        for loop in reversed(loops):
            self.code.close_loop(loop)
        self.expressions.scope = outer

    def _row(self, row: Scope, body: ir.Block, count: str) -> None:
        """Run statements over the first `count` invocations of a row: full gangs, then the rest with lanes off."""
        lanes = self._lanes.count
        if lanes == 1:
            self._gangs(row, body, count, None)
            return
        if not count.startswith("%"):
            whole, rest = str(int(count) // lanes * lanes), str(int(count) % lanes)
        elif sum(1 for _ in walk.statements(body)) > _MAX_STATEMENTS:
            self._gangs(row, body, count, count)
            return
        else:
            whole = self.code.define(f"and i64 {count}, {-lanes}")
            rest = self.code.define(f"sub nsw i64 {count}, {whole}")
        if whole != "0":
            self._gangs(row, body, whole, None)
        if rest == "0":
            return
        end = self.code.fresh_label("row_end")
        if rest.startswith("%"):
            last = self.code.fresh_label("last_gang")
            self.code.branch(self.code.define(f"icmp sgt i64 {rest}, 0"), last, end)
            self.code.start(last)
        self._gang(row, body, whole, self._lanes_below(rest))
        self.code.start(end)

    def _gangs(self, row: Scope, body: ir.Block, stop: str, count: str | None) -> None:
        """The gangs that begin below `stop`. Lanes from `count` on are off."""
        if stop == str(self._lanes.count):
            self._gang(row, body, "0", None)
            return
        loop = self.code.open_loop("i64", "0", stop, hint="local_x", step=self._lanes.count)
        mask = None
        if count is not None:
            mask = self._lanes_below(self.code.define(f"sub nsw i64 {count}, {loop.counter}"))
        self._gang(row, body, loop.counter, mask)
        self.code.close_loop(loop, is_short=self._lanes.is_narrow)

    def _lanes_below(self, count: str) -> str:
        """The mask of the first `count` lanes."""
        lanes = self._lanes
        limits = lanes.splat("i64", count)
        return self.code.define(f"icmp slt {lanes.vector('i64')} {lanes.numbers(ir.I64)}, {limits}", "mask")

    def _gang(self, row: Scope, body: ir.Block, x: str, mask: str | None) -> None:
        """Run statements for the gang that begins at x."""
        ids = (x, row.local_ids[1], row.local_ids[2])
        number = self._linear(ids)
        scope = replace(row.inner(), local_ids=ids, number=number, spilled=self._spill_slots(number))
        self.expressions.scope, self._lanes.mask = scope, mask
        self._execute(body)
        self.expressions.scope, self._lanes.mask = row, None

    def _execute(self, body: ir.Block) -> None:
        """Statements of one gang: load the spilled names they use, execute, store spilled locals that changed."""
        every = tuple(walk.statements(body))
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
                self.expressions.bind_linear(name, self.expressions.recomputed[key])
            if key not in scope.spilled or isinstance(name, ir.PrivateArray):
                continue
            if isinstance(name, ir.Local):
                self._invocation.open_local(name)
                if key not in opened:
                    self._invocation.set_local(name, self.expressions.load_spilled(name))
            elif key not in opened:
                scope.values[key] = self.expressions.load_spilled(name)
        self._invocation.block(body)
        for key in sorted(assigned & scope.spilled.keys()):
            local = used[key]
            assert isinstance(local, ir.Local)
            self._invocation.store_spilled(local, self.expressions.operand(local))

    def _clamped(self, guard: Guard) -> str:
        """How many invocations along x satisfy the guard, computed at the start of the row."""
        code = self.code
        start = code.define(f"sext i32 {self.expressions.uniform(guard.start)} to i64")
        stop = code.define(f"sext i32 {self.expressions.uniform(guard.stop)} to i64")
        room = code.define(f"sub nsw i64 {stop}, {start}", "room")
        for name in ("llvm.smin.i64", "llvm.smax.i64"):
            self.module.declare(name, "i64", ("i64", "i64"))
        least = code.define(f"call i64 @llvm.smin.i64(i64 {room}, i64 {self._size[0]})")
        return code.define(f"call i64 @llvm.smax.i64(i64 {least}, i64 0)", "count")

    def _linear(self, ids: tuple[str, ...]) -> str:
        """The number of the invocation in its workgroup, x fastest."""
        total, (width, height, _) = "0", self._size
        for axis, stride in ((2, width * height), (1, width), (0, 1)):
            if ids[axis] == "0":
                continue
            step = ids[axis] if stride == 1 else self.code.define(f"mul nuw nsw i64 {ids[axis]}, {stride}")
            total = step if total == "0" else self.code.define(f"add nuw nsw i64 {total}, {step}")
        return total
