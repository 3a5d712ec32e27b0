"""Statements of a gang: memory, atomics, variables and control flow inside a region.

A branch that differs between lanes is taken if any lane takes it, with the others off. A loop that some lanes leave
before others runs until none is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from gpucore.plugin import EmitError, ir
from gpucore.plugin.ir import BinaryOp, MathOp, exits, num_components, scalar_of, walk
from gpucore_cpu.accesses import Accesses, Location
from gpucore_cpu.arithmetic import SLOW
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.atomics import Atomics
from gpucore_cpu.guards import join_conjuncts, split_conjuncts
from gpucore_cpu.indices import Index
from gpucore_cpu.lanes import Lanes, Operand, varying
from gpucore_cpu.layout import literal, llvm_type, memory_nbytes, memory_type, suffix
from gpucore_cpu.scope import Expressions, SpillSlot
from gpucore_cpu.subgroups import Subgroups

_CHEAP = 24  # nodes of the expressions in a block that is not worth a branch
_ACCESS_COST = 4
_MAX_TWICE = 30  # statements of a loop that is written twice


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """Where `continue` and `break` go. In a divergent loop they switch lanes off instead, in the two variables."""

    next_label: str
    end_label: str
    live: str = ""  # address of the lanes that have not left the loop
    running: str = ""  # of those that have not left the iteration either


class Invocation:
    """Writes the statements of a region for the gang that `expressions.scope` describes."""

    def __init__(
        self, code: FunctionText, expressions: Expressions, lanes: Lanes, memories: dict[str, str],
        streamed: frozenset[int],
    ) -> None:  # fmt: skip
        """`streamed` has the id() of the stores that may stream."""
        self._streamed = streamed
        self.code, self.expressions, self.lanes = code, expressions, lanes
        self.accesses = Accesses(expressions.arithmetic, lanes, expressions.indices)
        self._atomics = Atomics(expressions, self.accesses, lanes)
        self._subgroups = Subgroups(expressions, self.accesses, lanes)
        expressions.load_spilled = self.load_spilled
        self._memories = memories  # "buffer 0", "workgroup 7", "private 9": base addresses
        self._loops: list[OpenLoop] = []
        self._skip_label = ""  # in a divergent loop: where to go when the current block has no lane left

    def block(self, block: ir.Block) -> None:
        """Write statements up to the first that exits the block."""
        for statement in block:
            if self.code.terminated:
                return
            self.code.span = statement.span or self.code.span
            self._statement(statement)

    def _statement(self, statement: ir.Stmt) -> None:
        match statement:
            case ir.Let():
                self.bind(statement.value, self.expressions.operand(statement.expr))
                if self.expressions.is_varying(statement.value):
                    self.expressions.bind_linear(statement.value, statement.expr)
            case ir.Load():
                location = self._location(statement.place)
                self.bind(statement.value, self.accesses.load(location, self.lanes.mask, statement.value.name))
            case ir.Store():
                location = self._location(statement.place)
                self.accesses.may_stream = id(statement) in self._streamed
                self.accesses.store(self.expressions.operand(statement.expr), location, self.lanes.mask)
                self.accesses.may_stream = False
            case ir.Prefetch():
                element = statement.place.memory.element
                nbytes = element.nbytes if isinstance(element, ir.StructType) else memory_nbytes(element)
                self.accesses.prefetch(self._location(statement.place), nbytes)
            case ir.Declare():
                self.declare(statement)
            case ir.Assign():
                self.assign(statement)
            case ir.DeclareArray():
                self._declare_array(statement.array)
            case ir.Atomic():
                before = self._atomics.write(statement, self._location(statement.place), self.lanes.mask)
                if statement.value is not None:
                    self.bind(statement.value, before)
            case ir.Subgroup():
                if statement.value is not None:  # a barrier needs nothing: each statement is executed by a whole gang
                    self.bind(statement.value, self._subgroups.write(statement, self.lanes.mask))
            case ir.DeviceFence():
                self.code.write("fence seq_cst")
            case ir.If():
                self._if(statement)
            case ir.ForRange():
                self._for(statement)
            case ir.Loop():
                self._loop(statement)
            case ir.Break() | ir.Continue():
                self._exit(statement)
            case ir.Barrier() | ir.Uniform():
                raise AssertionError(f"{type(statement).__name__} is never part of a region")
            case ir.Debug():
                raise EmitError(
                    "GP601", "the cpu backend has no print or breakpoint", statement.span,
                    why="generated machine code cannot call Python", fix="run the kernel on the simulator",
                )  # fmt: skip
            case ir.Bounds():
                raise EmitError(
                    "GP601", "the cpu backend has no check of bounds", statement.span,
                    why="core expresses it in other operations before it emits a kernel",
                    fix="launch the kernel, or emit it with kernel.source",
                )  # fmt: skip
            case _:
                raise self.code.missing(f"statement {type(statement).__name__}")

    # ------------------------------------------------------------ names

    def bind(self, value: ir.Value, operand: Operand) -> None:
        """Bind a value to an operand, and store it if it is spilled."""
        if self.expressions.is_varying(value):
            operand = self.lanes.spread(operand, value.type)
        else:
            operand = self._uniform(operand, value.type)
        self.expressions.scope.values[value.id] = operand
        if value.id in self.expressions.scope.spilled:
            self.store_spilled(value, operand)

    def _uniform(self, operand: Operand, type: ir.Type) -> Operand:
        """The operand of a name that is known to be the same in all lanes that are on."""
        return Operand((self.accesses.any_lane(operand, type, self.lanes.mask),)) if operand.is_varying else operand

    def declare(self, statement: ir.Declare) -> None:
        """Open a local. Without an initial value it is undefined, so that no earlier value stays live."""
        local = statement.local
        if local.id not in self.expressions.scope.locals:
            self.open_local(local)
        if statement.init is not None:
            self.set_local(local, self.expressions.operand(statement.init))
            return
        kind = self.expressions.local_kind(local)
        for address in self.expressions.scope.locals[local.id]:
            self.code.write(f"store {kind} undef, ptr {address}")

    def open_local(self, local: ir.Local) -> None:
        """Allocate a local in the stack frame."""
        is_varying = self.expressions.is_varying(local)
        kind, align = self.expressions.local_kind(local), memory_nbytes(local.type)
        count = num_components(local.type) if is_varying else 1
        if is_varying:
            align = memory_nbytes(self.lanes.type(local.type))
        self.expressions.scope.locals[local.id] = tuple(self.code.alloca(kind, align, local.name) for _ in range(count))

    def set_local(self, local: ir.Local, operand: Operand) -> None:
        """Assign in all lanes."""
        if self.expressions.is_varying(local):
            operand = self.lanes.spread(operand, local.type)
        else:
            operand = self._uniform(operand, local.type)
        kind = self.expressions.local_kind(local)
        for part, address in zip(operand.parts, self.expressions.scope.locals[local.id], strict=True):
            self.code.write(f"store {kind} {part}, ptr {address}")

    def assign(self, statement: ir.Assign) -> None:
        """Assign in the lanes that are on. The others keep their value, if anything may read it."""
        local = statement.local
        operand = self.expressions.operand(statement.expr)
        is_partial = id(statement) in self.expressions.divergence.partial and self.expressions.is_varying(local)
        if self.lanes.mask is not None and is_partial:
            kind = self.expressions.local_kind(local)
            before = self.expressions.operand(local)
            after = self.lanes.spread(operand, local.type)
            flags = f"{self.lanes.mask_kind} {self.lanes.mask}"
            operand = varying(
                *(
                    self.code.define(f"select {flags}, {kind} {new}, {kind} {old}")
                    for new, old in zip(after.parts, before.parts, strict=True)
                )
            )
        self.set_local(local, operand)

    def load_spilled(self, name: ir.Value | ir.Local) -> Operand:
        """Read a spilled name."""
        return self.accesses.load(self._spilled_at(name), self.lanes.mask, name.name)

    def store_spilled(self, name: ir.Value | ir.Local, operand: Operand) -> None:
        """Write a spilled name."""
        self.accesses.store(operand, self._spilled_at(name), self.lanes.mask)

    def _spilled_at(self, name: ir.Value | ir.Local) -> Location:
        """A name that is uniform has the element of the first lane."""
        slot = self.expressions.scope.spilled[name.id]
        index = Index(slot.index, int(self.expressions.is_varying(name)))
        return Location(slot.base, memory_type(name.type), index, name.type)

    # ------------------------------------------------------------ memory

    def _location(self, place: ir.Place) -> Location:
        memory, expressions = place.memory, self.expressions
        index = expressions.index(place.index)
        match memory:
            case ir.Buffer():
                base = self._memories[f"buffer {memory.index}"]
            case ir.WorkgroupArray():
                base = self._memories[f"workgroup {memory.id}"]
            case ir.ConstantArray():
                base = self._memories[f"constant {memory.id}"]
            case ir.PrivateArray() if memory.id in expressions.scope.spilled:
                slot = expressions.scope.spilled[memory.id]
                base, index = slot.base, self._of_invocation(index, slot)
            case ir.PrivateArray():
                base = self._memories[f"private {memory.id}"]
                index = expressions.indices.in_array(index, self.lanes.count, self._own("0"))
        if isinstance(memory.element, ir.StructType):
            return Location(base, f"[{memory.element.nbytes} x i8]", index, place.type, place.offset)
        return Location(base, memory_type(memory.element), index, place.type)

    def _of_invocation(self, index: Index, slot: SpillSlot) -> Index:
        """The index of an element of a private array in the array that holds it for all invocations."""
        return self.expressions.indices.in_array(index, slot.stride, self._own(slot.index))

    def _own(self, first: str) -> Index:
        """Each lane its own element."""
        return Index(first, int(self.lanes.count > 1))

    def _declare_array(self, array: ir.PrivateArray) -> None:
        """Zero an array: the elements of each index are contiguous for all lanes, or for all invocations if spilled."""
        scope, code = self.expressions.scope, self.code
        nbytes = memory_nbytes(array.element)
        if array.id not in scope.spilled:
            key = f"private {array.id}"
            count = array.length * self.lanes.count
            if key not in self._memories:
                kind = f"[{count} x {memory_type(array.element)}]"
                self._memories[key] = code.alloca(kind, max(64, nbytes), array.name)
            self.expressions.arithmetic.module.declare("llvm.memset.p0.i64", "void", ("ptr", "i8", "i64", "i1"))
            size, base = count * nbytes, self._memories[key]
            code.write(f"call void @llvm.memset.p0.i64(ptr align {nbytes} {base}, i8 0, i64 {size}, i1 false)")
            return
        loop = code.open_loop("i64", "0", str(array.length), hint="element")
        slot = scope.spilled[array.id]
        index = self._of_invocation(Index(loop.counter), slot)
        location = Location(slot.base, memory_type(array.element), index, array.element)
        self.accesses.store(Operand((literal(0, array.element),)), location, self.lanes.mask)
        code.close_loop(loop)

    # ------------------------------------------------------------ control flow

    def _if(self, statement: ir.If) -> None:
        """A branch. Lanes that leave a divergent loop in it are off from here on."""
        statement = self._split_uniform(statement)
        code, condition = self.code, self.expressions.operand(statement.condition)
        outer = self.lanes.mask
        end = code.fresh_label("endif")
        if not condition.is_varying:
            then, orelse = code.fresh_label("then"), code.fresh_label("else") if statement.orelse else end
            code.branch(condition.text, then, orelse)
            self._branch(then, statement.then, outer, end)
            if statement.orelse:
                self._branch(orelse, statement.orelse, outer, end)
            code.start(end)
        else:
            self._masked_branch(statement.then, self.lanes.both(outer, condition.text))
            if statement.orelse:
                self._masked_branch(statement.orelse, self.lanes.without(outer, condition.text))
        self.lanes.mask = outer
        if self._loops and self._loops[-1].running and exits((statement,)):
            self._reload_mask()

    def _split_uniform(self, statement: ir.If) -> ir.If:
        """A branch on the part of the condition that all lanes have in common, then on the rest.

        A masked access without any lane on is slow where it is outside the array: AMD's processors run microcode then.
        """
        is_varying = self.expressions.divergence.is_varying
        condition = self.expressions.find_definition(statement.condition)
        if not is_varying(condition) or not self._is_cheap(statement.orelse):
            return statement
        parts = split_conjuncts(condition)
        common = [part for part in parts if not is_varying(part)]
        if not common:
            return statement
        rest = join_conjuncts([part for part in parts if is_varying(part)])
        inner = ir.If(rest, statement.then, statement.orelse, statement.span)
        return ir.If(join_conjuncts(common), (inner,), statement.orelse, statement.span)

    def _branch(self, label: str, block: ir.Block, mask: str | None, end: str) -> None:
        outer, self._skip_label, self.lanes.mask = self._skip_label, end, mask
        self.code.start(label)
        self.block(block)
        self.code.jump(end)
        self._skip_label = outer

    def _masked_branch(self, block: ir.Block, mask: str) -> None:
        """A block for some lanes, skipped if all are off and that pays."""
        if self._is_cheap(block):
            self.lanes.mask, self.accesses.may_be_off = mask, True
            self.block(block)
            self.accesses.may_be_off = False
            return
        then, end = self.code.fresh_label("lanes"), self.code.fresh_label("endlanes")
        self.code.branch(self.lanes.is_any(mask), then, end)
        self._branch(then, block, mask, end)
        self.code.start(end)

    def _is_cheap(self, block: ir.Block) -> bool:
        """Whether a block may be executed with all lanes off, and takes little more than a test for that."""
        nodes = 0
        for statement in block:
            if not isinstance(statement, (ir.Let, ir.Declare, ir.Assign, ir.Load, ir.Store)):
                return False
            if isinstance(statement, ir.Assign) and not self.expressions.divergence.is_varying(statement.local):
                return False  # one variable for all lanes: it is assigned if any is on
            if isinstance(statement, (ir.Load, ir.Store)):
                place = statement.place
                nodes += _ACCESS_COST
                if not isinstance(place.memory, ir.PrivateArray) and not self.expressions.divergence.is_varying(
                    place.index
                ):
                    return False
            for part in (part for expr in walk.expressions(statement) for part in walk.subexpressions(expr)):
                nodes += 1
                if isinstance(part, ir.Call) or (isinstance(part, ir.Binary) and part.op in SLOW):
                    nodes += 0 if isinstance(part, ir.Call) and part.op is MathOp.MIN else _CHEAP
        return nodes <= _CHEAP

    def _reload_mask(self) -> None:
        """After a statement that lanes may leave the iteration in: go on with the others of this block, if any."""
        loop, code = self._loops[-1], self.code
        kind = self.lanes.mask_kind
        running = code.define(f"load {kind}, ptr {loop.running}", "running")
        self.lanes.mask = self.lanes.both(self.lanes.mask, running)
        rest = code.fresh_label("rest")
        code.branch(self.lanes.is_any(self.lanes.mask), rest, self._skip_label)
        code.start(rest)

    def _exit(self, statement: ir.Break | ir.Continue) -> None:
        loop = self._loops[-1]
        if not loop.running:
            self.code.jump(loop.end_label if isinstance(statement, ir.Break) else loop.next_label)
            return
        assert self.lanes.mask is not None
        kind = self.lanes.mask_kind
        for address in (loop.live, loop.running) if isinstance(statement, ir.Break) else (loop.running,):
            before = self.code.define(f"load {kind}, ptr {address}")
            self.code.write(f"store {kind} {self.lanes.without(before, self.lanes.mask)}, ptr {address}")

    def _for(self, statement: ir.ForRange) -> None:
        start, stop = self.expressions.operand(statement.start), self.expressions.operand(statement.stop)
        if id(statement) in self.expressions.divergence.loops:
            self._divergent_for(statement, start, stop)
            return
        counter = statement.counter
        signed = scalar_of(counter.type).is_signed
        loop = self.code.open_loop(llvm_type(counter.type), start.text, stop.text, signed=signed, hint=counter.name)
        self.bind(counter, Operand((loop.counter,)))
        self._iterate(statement.body, OpenLoop(loop.next_label, loop.end_label))
        self.code.close_loop(loop, is_short=self.lanes.is_narrow)

    def _iterate(self, body: ir.Block, loop: OpenLoop) -> None:
        mask, outer = self.lanes.mask, self._skip_label
        self._skip_label = loop.next_label
        self._loops.append(loop)
        self.block(body)
        self._loops.pop()
        self.lanes.mask, self._skip_label = mask, outer

    def _divergent_for(self, statement: ir.ForRange, start: Operand, stop: Operand) -> None:
        """Each lane counts for itself if the starts differ."""
        code, counter, outer = self.code, statement.counter, self.lanes.mask
        is_varying = start.is_varying
        if outer is None and not is_varying and self._is_worth_splitting(statement):
            start = self._common_iterations(statement, start, stop)
        type = self.lanes.type(counter.type) if is_varying else counter.type
        kind = llvm_type(type)
        variable = code.alloca(kind, memory_nbytes(type), counter.name)
        code.write(f"store {kind} {start.text}, ptr {variable}")
        loop, head = self._open_divergent(counter.name)
        at = Operand((code.define(f"load {kind}, ptr {variable}", counter.name),), is_varying)
        self._check_stop(at, stop, counter.type, loop)
        self._start_iteration(loop, head)
        self.bind(counter, at)
        self._iterate(statement.body, loop)
        code.start(loop.next_label)
        one = self.lanes.splat(llvm_type(counter.type), "1") if is_varying else "1"
        code.write(f"store {kind} {code.define(f'add {kind} {at.text}, {one}')}, ptr {variable}")
        code.jump(head)
        code.start(loop.end_label)
        self.lanes.mask = outer

    def _is_worth_splitting(self, statement: ir.ForRange) -> bool:
        """Whether a loop whose lanes only differ in their stops is short enough to be written twice."""
        inner = tuple(islice(walk.statements(statement.body), _MAX_TWICE + 1))
        jumps = (ir.ForRange, ir.Loop, ir.Break, ir.Continue)
        return len(inner) <= _MAX_TWICE and not any(isinstance(each, jumps) for each in inner)

    def _common_iterations(self, statement: ir.ForRange, start: Operand, stop: Operand) -> Operand:
        """The iterations that all lanes have, without a mask; returns where the others begin."""
        counter, scope, arithmetic = statement.counter, self.expressions.scope, self.expressions.arithmetic
        type = scalar_of(counter.type)
        kind, letter = llvm_type(type), "s" if type.is_signed else "u"
        stops = self.lanes.type(type)
        least = arithmetic.call(f"llvm.vector.reduce.{letter}min.{suffix(stops)}", type, (llvm_type(stops), stop.text))
        loop = self.code.open_loop(kind, start.text, least, signed=type.is_signed, hint=counter.name)
        self.expressions.scope = scope.inner()
        self.bind(counter, Operand((loop.counter,)))
        self.accesses.in_order = self.lanes.is_wide
        self._iterate(statement.body, OpenLoop(loop.next_label, loop.end_label))
        self.accesses.in_order = False
        self.expressions.scope = scope
        self.code.close_loop(loop)
        both = (kind, start.text), (kind, least)
        return Operand((arithmetic.call(f"llvm.{letter}max.{suffix(type)}", type, *both),))

    def _check_stop(self, at: Operand, stop: Operand, type: ir.Type, loop: OpenLoop) -> None:
        """Lanes that have reached their stop leave the loop."""
        code, arithmetic = self.code, self.expressions.arithmetic
        if not at.is_varying and not stop.is_varying:
            going = arithmetic.binary(BinaryOp.LT, type, at.text, stop.text)
            body = code.fresh_label("going")
            code.branch(going, body, loop.end_label)
            code.start(body)
            return
        left, right = (self.lanes.spread(operand, type).text for operand in (at, stop))
        going = arithmetic.binary(BinaryOp.LT, self.lanes.type(type), left, right)
        kind = self.lanes.mask_kind
        live = code.define(f"load {kind}, ptr {loop.live}")
        code.write(f"store {kind} {self.lanes.both(live, going)}, ptr {loop.live}")

    def _open_divergent(self, name: str) -> tuple[OpenLoop, str]:
        """Open a loop that lanes leave one by one; returns it and its head. The code written next tests for the end."""
        code, kind = self.code, self.lanes.mask_kind
        head, following, end = (code.fresh_label(f"{name}_{part}") for part in ("head", "next", "end"))
        live, running = (code.alloca(kind, 8, part) for part in ("live", "running"))
        mask = self.lanes.mask or self.lanes.splat("i1", "true")
        code.write(f"store {kind} {mask}, ptr {live}")
        code.start(head)
        return OpenLoop(following, end, live, running), head

    def _start_iteration(self, loop: OpenLoop, head: str) -> None:
        code, kind = self.code, self.lanes.mask_kind
        self.lanes.mask = code.define(f"load {kind}, ptr {loop.live}", "live")
        code.write(f"store {kind} {self.lanes.mask}, ptr {loop.running}")
        body = code.fresh_label("iteration")
        code.branch(self.lanes.is_any(self.lanes.mask), body, loop.end_label)
        code.start(body)

    def _loop(self, statement: ir.Loop) -> None:
        code, outer = self.code, self.lanes.mask
        if id(statement) in self.expressions.divergence.loops:
            loop, head = self._open_divergent("loop")
            self._start_iteration(loop, head)
            self._iterate(statement.body, loop)
            code.start(loop.next_label)
            code.jump(head)
            code.start(loop.end_label)
            self.lanes.mask = outer
            return
        head, end = code.fresh_label("loop"), code.fresh_label("loop_end")
        code.start(head)
        self._iterate(statement.body, OpenLoop(head, end))
        code.jump(head)
        code.start(end)
