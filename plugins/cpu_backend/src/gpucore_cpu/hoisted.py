"""Hoisted statements: executed once for a workgroup, around the loops over invocations."""

from __future__ import annotations

from collections.abc import Callable

from gpucore.plugin import ir
from gpucore.plugin.ir import scalar_of
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.invocation import Invocation
from gpucore_cpu.lanes import Operand
from gpucore_cpu.layout import llvm_type
from gpucore_cpu.regions import Hoisted, Item, Region
from gpucore_cpu.scope import Expressions


class HoistedCode:
    """Writes a block that was split. `run` writes a region in it and leaves the scope unchanged."""

    def __init__(
        self, code: FunctionText, expressions: Expressions, invocation: Invocation, run: Callable[[Region], None]
    ) -> None:
        self.code, self.expressions = code, expressions
        self._invocation, self._run = invocation, run
        self._loops: list[tuple[str, str]] = []  # labels for (continue, break)

    def items(self, items: tuple[Item, ...]) -> None:
        """Write statements and regions in order, up to the first that exits the block."""
        for item in items:
            if self.code.terminated:
                return
            if isinstance(item, Region):
                self._run(item)
            else:
                self._statement(item)

    def _statement(self, item: Hoisted) -> None:
        statement = item.statement
        self.code.span = statement.span or self.code.span
        match statement:
            case ir.Let() | ir.Declare() | ir.Assign():
                self._invocation.block((statement,))
            case ir.Uniform():
                lanes = self.expressions.lanes
                lanes.mask = lanes.first_only()  # its value is that of the first invocation; the others may not exist
                operand, lanes.mask = self.expressions.operand(statement.expr), None
                first = self._invocation.accesses.lane(operand, statement.value.type, "0")
                self._invocation.bind(statement.value, Operand((first,)))
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
        condition = self.expressions.uniform(statement.condition)
        then, orelse, end = code.fresh_label("then"), code.fresh_label("else"), code.fresh_label("endif")
        code.branch(condition, then, orelse)
        for label, items in zip((then, orelse), blocks, strict=True):
            code.start(label)
            self.items(items)
            code.jump(end)
        code.start(end)

    def _for(self, statement: ir.ForRange, body: tuple[Item, ...]) -> None:
        start, stop = self.expressions.uniform(statement.start), self.expressions.uniform(statement.stop)
        counter = statement.counter
        signed = scalar_of(counter.type).is_signed
        loop = self.code.open_loop(llvm_type(counter.type), start, stop, signed=signed, hint=counter.name)
        self.expressions.scope.values[counter.id] = Operand((loop.counter,))
        self._loops.append((loop.next_label, loop.end_label))
        self.items(body)
        self._loops.pop()
        self.code.close_loop(loop)

    def _loop(self, body: tuple[Item, ...]) -> None:
        code = self.code
        head, end = code.fresh_label("loop"), code.fresh_label("loop_end")
        code.start(head)
        self._loops.append((head, end))
        self.items(body)
        self._loops.pop()
        code.jump(head)
        code.start(end)
