"""Statements of a kernel's body as text."""

from __future__ import annotations

from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.expressions import Expressions
from gpucore.back.names import Names
from gpucore.back.writer import Writer
from gpucore.errors import EmitError
from gpucore.ir import (
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Block,
    Break,
    Buffer,
    Constant,
    Continue,
    Debug,
    Declare,
    DeclareArray,
    Expr,
    ForRange,
    If,
    Let,
    Load,
    Loop,
    Memory,
    Param,
    Place,
    Stmt,
    Store,
    ValidModule,
    Value,
)

_UNCHANGING = (Constant, Value, Param)


class Statements:
    """Writes the statements of one kernel, each with the user's place of it."""

    def __init__(
        self, valid: ValidModule, dialect: CDialect, names: Names, expressions: Expressions, writer: Writer
    ) -> None:
        self._valid = valid
        self._dialect = dialect
        self._names = names
        self._expressions = expressions
        self._writer = writer

    def memory_name(self, memory: Memory) -> str:
        key = ("buffer", memory.index) if isinstance(memory, Buffer) else memory.id
        return self._names.of(key, memory.name)

    def block(self, block: Block) -> None:
        for statement in block:
            self._place_at(statement)
            self._statement(statement)

    def _place_at(self, statement: Stmt) -> None:
        self._writer.span = self._expressions.span = statement.span

    def _statement(self, statement: Stmt) -> None:
        line, text = self._writer.line, self._expressions.text
        match statement:
            case Let():
                line(f"{self._define(statement.value)} = {text(statement.expr)};")
            case Load():
                line(f"{self._define(statement.value)} = {self._place(statement.place)};")
            case Store():
                line(f"{self._place(statement.place)} = {text(statement.expr)};")
            case Declare():
                local = self._expressions.type_name(statement.local.type)
                local += f" {self._expressions.value_name(statement.local)}"
                line(f"{local} = {text(statement.init)};" if statement.init is not None else f"{local};")
            case Assign():
                line(f"{self._expressions.value_name(statement.local)} = {text(statement.expr)};")
            case DeclareArray():
                array = statement.array
                element, name = self._expressions.type_name(array.element), self.memory_name(array)
                line(f"{element} {name}[{array.length}] = {self._dialect.zero_initialiser};")
            case Atomic():
                self._atomic(statement)
            case Barrier():
                orders_buffers = self._valid.barrier_orders_buffers
                line(self._dialect.barrier_with_buffers if orders_buffers else self._dialect.barrier)
            case If():
                self._if(statement)
            case ForRange():
                self._for_range(statement)
            case Loop():
                with self._writer.block("for (;;) {"):
                    self.block(statement.body)
            case Break():
                line("break;")
            case Continue():
                line("continue;")
            case Debug():
                raise EmitError(
                    "GP601",
                    f"{statement.kind.value} in a kernel works only on devices with the capability debug",
                    statement.span,
                    fix='run the kernel on the simulator (device="simulator")',
                )

    def _define(self, value: Value) -> str:
        return f"const {self._expressions.type_name(value.type)} {self._expressions.value_name(value)}"

    def _place(self, place: Place) -> str:
        return f"{self.memory_name(place.memory)}[{self._expressions.text(place.index)}]"

    def _atomic(self, statement: Atomic) -> None:
        place, op = self._place(statement.place), statement.op
        template = self._dialect.atomics.get(op)
        if template is not None:
            result = template.format(
                type=self._expressions.type_name(statement.place.type),
                pointer=f"&{place}",
                operand=self._operand(statement.operand),
                comparand=self._operand(statement.comparand),
            )
        elif op is AtomicOp.LOAD:  # atomic memories are volatile, and an aligned word is never torn
            result = place
        elif op is AtomicOp.STORE:
            result = f"{place} = {self._operand(statement.operand)}"
        else:
            raise EmitError("GP601", f"this backend cannot express the atomic {op.value}", statement.span)
        if statement.value is not None:
            result = f"{self._define(statement.value)} = {result}"
        self._writer.line(f"{result};")

    def _operand(self, expr: Expr | None) -> str:
        return self._expressions.text(expr) if expr is not None else ""

    def _if(self, statement: If) -> None:
        writer = self._writer
        with writer.block(f"if ({self._expressions.text(statement.condition)}) {{"):
            self.block(statement.then)
        if statement.orelse:
            self._place_at(statement)
            with writer.block("else {"):
                self.block(statement.orelse)

    def _for_range(self, statement: ForRange) -> None:
        counter = self._expressions.value_name(statement.counter)
        type_name = self._expressions.type_name(statement.counter.type)
        start = self._expressions.text(statement.start)
        stop = self._expressions.text(statement.stop)
        if not isinstance(statement.stop, _UNCHANGING):
            name = self._names.of(("stop", statement.counter.id), f"{statement.counter.name}_stop")
            self._writer.line(f"const {type_name} {name} = {stop};")
            stop = name
        opening = f"for ({type_name} {counter} = {start}; {counter} < {stop}; ++{counter}) {{"
        with self._writer.block(opening):
            self.block(statement.body)
