"""Statements of the IR as WGSL."""

from __future__ import annotations

from collections.abc import Mapping, Set

from gpucore.plugin import Names, Writer, ir
from gpucore.plugin.ir import F32, AtomicOp, build, walk
from gpucore_wgpu import tables
from gpucore_wgpu.wgsl_expressions import Expressions
from gpucore_wgpu.wgsl_matrices import Matrices
from gpucore_wgpu.wgsl_structs import Structs
from gpucore_wgpu.wgsl_subgroups import subgroup_operation
from gpucore_wgpu.wgsl_types import literal, type_name

_ATOMICS = {
    AtomicOp.ADD: "atomicAdd", AtomicOp.SUB: "atomicSub", AtomicOp.MIN: "atomicMin", AtomicOp.MAX: "atomicMax",
    AtomicOp.AND: "atomicAnd", AtomicOp.OR: "atomicOr", AtomicOp.XOR: "atomicXor",
    AtomicOp.EXCHANGE: "atomicExchange", AtomicOp.STORE: "atomicStore", AtomicOp.LOAD: "atomicLoad",
}  # fmt: skip

VIEW_WIDTH = 4
"""Elements in a vector of a view."""


class Statements:
    """Writes the body of one kernel.

    `atomic_memories` are arrays of atomics, of f32 as words, where plain loads and stores are atomic too. `first_words`
    has the first word of each constant array. `viewed` are the buffers, by index, that are declared as arrays of
    vectors: of each the elements of one are neighbours.
    """

    def __init__(
        self,
        writer: Writer,
        names: Names,
        expressions: Expressions,
        structs: Structs,
        atomic_memories: Set[ir.Memory],
        first_words: Mapping[int, int],
        viewed: Set[int],
    ) -> None:
        self._writer = writer
        self._names = names
        self._expressions = expressions
        self._structs = structs
        self._atomic_memories = atomic_memories
        self._first_words = first_words
        self._viewed = viewed
        self._matrices = Matrices(names, expressions, self.memory)
        self._exchanges = 0  # number of compare-exchanges written so far, for unique names

    def write_block(self, block: ir.Block) -> None:
        """Write the statements of a block at the writer's depth."""
        for statement in block:
            self._write(statement)
            if isinstance(statement, ir.Break | ir.Continue):
                return  # naga rejects unreachable statements

    def memory(self, memory: ir.Memory) -> str:
        """The name of a buffer or array."""
        key = ("buffer", memory.index) if isinstance(memory, ir.Buffer) else memory.id
        return self._names.name(key, memory.name)

    def _name(self, named: ir.Value | ir.Local) -> str:
        return self._names.name(named.id, named.name)

    def _write(self, statement: ir.Stmt) -> None:
        self._writer.span = self._expressions.span = statement.span
        match statement:
            case ir.If():
                self._if(statement)
            case ir.ForRange():
                self._for(statement)
            case ir.Loop():
                self._nested("loop {", statement.body)
            case ir.Atomic(op=AtomicOp.COMPARE_EXCHANGE):
                self._compare_exchange(statement)
            case ir.Load(place=ir.Place(memory=ir.ConstantArray())):
                self._load_constant(statement)
            case ir.CooperativeLoad() | ir.CooperativeStore() | ir.CooperativeOperation():
                for line in self._matrices.lines(statement):
                    self._writer.line(line)
            case ir.Barrier():
                if statement.buffers:
                    self._writer.line("storageBarrier();")
                self._writer.line("workgroupBarrier();")
            case _:
                self._writer.line(self._simple(statement))

    def _simple(self, statement: ir.Stmt) -> str:
        text = self._expressions.text
        match statement:
            case ir.Let() | ir.Uniform():
                # naga does not check that barriers are in uniform control flow, so nothing needs to be emitted
                keyword = "var" if _is_constant_vector(statement.expr) else "let"
                return f"{keyword} {self._name(statement.value)} = {text(statement.expr)};"
            case ir.Load():
                return f"let {self._name(statement.value)} = {self._load(statement.place)};"
            case ir.Store():
                return self._store(statement)
            case ir.Declare():
                init = "" if statement.init is None else f" = {text(statement.init)}"
                return f"var {self._name(statement.local)}: {type_name(statement.local.type)}{init};"
            case ir.Assign():
                return f"{self._name(statement.local)} = {text(statement.expr)};"
            case ir.DeclareArray():
                array = statement.array
                kind = f"array<{type_name(array.element)}, {array.length}>"
                return f"var {self.memory(array)} = {kind}();"  # naga zeroes a bare `var` in a loop only once
            case ir.Atomic():
                return self._atomic(statement)
            case ir.Subgroup():
                if statement.value is None:
                    return "subgroupBarrier();"
                return f"let {self._name(statement.value)} = {subgroup_operation(self._expressions, statement)};"
            case ir.Break():
                return "break;"
            case ir.Continue():
                return "continue;"
            case ir.Debug():
                raise self._expressions.error(
                    f"WGSL has no {statement.kind.value}", "run the kernel on the simulator to debug it"
                )
            case _:
                raise self._expressions.error(f"WGSL has no form for {type(statement).__name__}")

    def _nested(self, opening: str, block: ir.Block) -> None:
        """A block in braces; the closing one belongs to the statement that opened it."""
        span = self._writer.span
        with self._writer.block(opening):
            self.write_block(block)
            self._writer.span = self._expressions.span = span

    def _if(self, statement: ir.If) -> None:
        """An If that is the whole else-branch becomes `else if`, which keeps chains flat."""
        opening = f"if {self._expressions.text(statement.condition)} {{"
        while True:
            self._nested(opening, statement.then)
            rest = statement.orelse
            if not rest:
                return
            if len(rest) > 1 or not isinstance(rest[0], ir.If):
                self._nested("else {", rest)
                return
            statement = rest[0]
            self._writer.span = self._expressions.span = statement.span
            opening = f"else if {self._expressions.text(statement.condition)} {{"

    def _for(self, statement: ir.ForRange) -> None:
        counter, stop = self._name(statement.counter), self._stop(statement)
        start = self._expressions.text(statement.start)
        one = literal(1, ir.scalar_of(statement.counter.type))
        kind = type_name(statement.counter.type)
        head = f"for (var {counter}: {kind} = {start}; {counter} < {stop}; {counter} += {one}) {{"
        self._nested(head, statement.body)

    def _stop(self, statement: ir.ForRange) -> str:
        """The bound of a loop, which is evaluated once: bound to a name unless it cannot change."""
        stop = statement.stop
        text = self._expressions.text(stop)
        if isinstance(stop, ir.Constant | ir.Value | ir.Param | ir.Builtin):
            return text
        name = self._names.name(("stop", statement.counter.id), f"{statement.counter.name}_stop")
        self._writer.line(f"let {name} = {text};")
        return name

    def _place(self, place: ir.Place) -> str:
        if place.view is None and isinstance(place.memory, ir.Buffer) and place.memory.index in self._viewed:
            return self._component(place)
        path = self._structs.path(place.memory.element, place.path)
        return f"{self.memory(place.memory)}[{self._expressions.text(place.index)}]{path}"

    def _component(self, place: ir.Place) -> str:
        """An element of a buffer that is declared as vectors."""
        index, text = build.convert(place.index, ir.U32), self._expressions.text
        vector, component = build.shr(index, VIEW_WIDTH.bit_length() - 1), build.bit_and(index, VIEW_WIDTH - 1)
        return f"{self.memory(place.memory)}[{text(vector)}][{text(component)}]"

    def _load(self, place: ir.Place) -> str:
        if place.memory not in self._atomic_memories:
            return self._place(place)
        word = f"atomicLoad(&{self._place(place)})"
        return f"bitcast<f32>({word})" if place.type == F32 else word

    def _load_constant(self, statement: ir.Load) -> None:
        """A word of a constant array."""
        index, number = statement.place.index, statement.value.id
        assert isinstance(statement.place.memory, ir.ConstantArray)
        word, first = build.convert(index, ir.U32), self._first_words[statement.place.memory.id]
        word = build.add(word, first) if first else word
        at = self._names.name(("word", number), f"{statement.value.name}_word")
        self._writer.line(f"let {at} = {self._expressions.text(word)};")
        self._writer.line(f"let {self._name(statement.value)} = {tables.NAME}[{at} >> 2u][{at} & 3u];")

    def _store(self, statement: ir.Store) -> str:
        place, expressions = self._place(statement.place), self._expressions
        if statement.place.memory in self._atomic_memories:
            word = expressions.argument(statement.expr)
            if statement.place.type == F32:  # of an array of words, see `ordering`
                word = f"bitcast<u32>({word})"
            return f"atomicStore(&{place}, {word});"
        return f"{place} = {expressions.text(statement.expr)};"

    def _atomic(self, statement: ir.Atomic) -> str:
        operand = "" if statement.operand is None else f", {self._expressions.argument(statement.operand)}"
        call = f"{self._expressions.entry(_ATOMICS, statement.op)}(&{self._place(statement.place)}{operand});"
        if statement.value is not None:
            return f"let {self._name(statement.value)} = {call}"
        return f"_ = {call}" if statement.op is AtomicOp.LOAD else call

    def _compare_exchange(self, statement: ir.Atomic) -> None:
        """WGSL has only the weak form, which may fail even if the values are equal: then it is repeated."""
        if statement.operand is None or statement.comparand is None:
            raise self._expressions.error("a compare_exchange needs an operand and a comparand")
        line, hint = self._writer.line, statement.value.name if statement.value else "exchange"
        self._exchanges += 1
        comparand, operand, place, attempt, old = (
            self._names.name(("exchange", self._exchanges, part), f"{hint}_{part}")
            for part in ("comparand", "operand", "place", "attempt", "old")
        )
        line(f"let {comparand} = {self._expressions.text(statement.comparand)};")
        line(f"let {operand} = {self._expressions.text(statement.operand)};")
        line(f"let {place} = &{self._place(statement.place)};")
        line(f"var {old}: {type_name(statement.place.type)};")
        with self._writer.block("loop {"):
            line(f"let {attempt} = atomicCompareExchangeWeak({place}, {comparand}, {operand});")
            line(f"{old} = {attempt}.old_value;")
            line(f"if {attempt}.exchanged | ({old} != {comparand}) {{ break; }}")
        if statement.value is not None:
            line(f"let {self._name(statement.value)} = {old};")


def _is_constant_vector(expr: ir.Expr) -> bool:
    """Whether a vector is made of constants only: naga computes with such a `let`, and its writer of SPIR-V panics
    where it has folded an expression of the components."""
    return isinstance(expr.type, ir.VectorType) and not walk.leaves(expr)
