"""Statements of a kernel's body as text."""

from __future__ import annotations

from functools import cached_property

from gpucore.back.c_family import vectors
from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.expressions import Expressions
from gpucore.back.c_family.functions import Helpers
from gpucore.back.c_family.parts import PartView, matrix_of, view_of
from gpucore.back.c_family.structs import Structs
from gpucore.back.names import Names
from gpucore.back.writer import Writer
from gpucore.errors import EmitError
from gpucore.ir import (
    I32,
    U32,
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Block,
    Bounds,
    Break,
    Buffer,
    Capability,
    Constant,
    Construct,
    Continue,
    CopyAsync,
    CopyGroup,
    CopyPart,
    CopyWait,
    Debug,
    Declare,
    DeclareArray,
    DeviceFence,
    Expr,
    ForRange,
    GroupMultiply,
    GroupWait,
    If,
    Let,
    Load,
    Loop,
    MatrixAccumulate,
    MatrixLoad,
    MatrixMultiply,
    Memory,
    Param,
    PipelineStep,
    Place,
    ScalarType,
    Stmt,
    Store,
    StructType,
    Subgroup,
    Uniform,
    ValidModule,
    Value,
)
from gpucore.ir.multiples import power_of_two, powers_of_two

_UNCHANGING = (Constant, Value, Param)


class Statements:
    """Writes the statements of one kernel, each with its source location."""

    def __init__(
        self,
        valid: ValidModule,
        dialect: CDialect,
        names: Names,
        expressions: Expressions,
        structs: Structs,
        helpers: Helpers,
        writer: Writer,
    ) -> None:
        self._valid = valid
        self._dialect = dialect
        self._names = names
        self._expressions = expressions
        self._structs = structs
        self._helpers = helpers
        self._writer = writer

    def memory_name(self, memory: Memory) -> str:
        key = ("buffer", memory.index) if isinstance(memory, Buffer) else memory.id
        return self._names.name(key, memory.name)

    def block(self, block: Block) -> None:
        """Write the statements in order. Afterwards the source location is again that of the enclosing statement."""
        outer, done = self._writer.span, 0
        for at, statement in enumerate(block):
            if at < done:
                continue
            self._writer.span = self._expressions.span = statement.span
            done = at + self._vector(block, at)
            if done == at:
                self._statement(statement)
        self._writer.span = self._expressions.span = outer

    def _statement(self, statement: Stmt) -> None:
        line, text = self._writer.line, self._expressions.text
        match statement:
            case Let() | Uniform():
                line(f"{self._define(statement.value)} = {text(statement.expr)};")
            case Load():
                line(f"{self._define(statement.value)} = {self._access(statement.place)};")
            case Store():
                line(f"{self._access(statement.place)} = {text(statement.expr)};")
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
            case Subgroup():
                self._subgroup(statement)
            case MatrixLoad() | MatrixMultiply() | MatrixAccumulate():
                self._matrix(statement)
            case GroupMultiply():
                self._multiply_group(statement)
            case GroupWait():
                template, sums = self._matrix_template("group_wait"), statement.sums
                line(f"{template.format(length=sums.length, sums=self.memory_name(sums))};")
            case CopyAsync() | CopyGroup() | CopyWait():
                self._copy(statement)
            case CopyPart():
                self._copy_part(statement)
            case PipelineStep():
                template = self._matrix_template(statement.op.value)
                line(f"{template.format(depth=self._depth, pending=statement.pending)};")
            case Barrier() | DeviceFence():
                self._order(statement)
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
            case Debug() | Bounds():
                what = statement.kind.value if isinstance(statement, Debug) else "a check of bounds"
                raise EmitError(
                    "GP601",
                    f"this backend cannot express {what}",
                    statement.span,
                    fix='run the kernel on the simulator (device="simulator")',
                )

    @property
    def _depth(self) -> int:
        return 0 if self._valid.roles is None else self._valid.roles.depth

    @cached_property
    def _powers_of_two(self) -> dict[int, int]:
        return powers_of_two(self._valid.module.body)

    def _vector(self, block: Block, at: int) -> int:
        """Write loads or stores of neighbouring elements as one; returns how many, 0 if they cannot be."""
        statements = vectors.together(block, at, self._valid.atomic_memories)
        if not statements:
            return 0
        first, type = statements[0], vectors.vector_of(statements)
        function = f"gpucore_{'load' if isinstance(first, Load) else 'store'}_{type}"
        if function not in self._dialect.prologue:
            return 0
        pointer, line = f"&{self._place(first.place)}", self._writer.line
        is_aligned = power_of_two(first.place.index, self._powers_of_two) >= type.width
        pointers = f"{pointer}, {self.memory_name(first.place.memory) if is_aligned else pointer}"
        if isinstance(first, Store):
            whole = Construct(tuple(each.expr for each in statements if isinstance(each, Store)), type)
            line(f"{function}({pointers}, {self._expressions.text(whole)});")
            return len(statements)
        name = self._names.name(("vector", first.value.id), first.value.name)
        line(f"const {self._expressions.type_name(type)} {name} = {function}({pointers});")
        for each, component in zip(statements, "xyzw", strict=False):
            assert isinstance(each, Load)
            line(f"{self._define(each.value)} = {name}.{component};")
        return len(statements)

    def _define(self, value: Value) -> str:
        return f"const {self._expressions.type_name(value.type)} {self._expressions.value_name(value)}"

    def _place(self, place: Place) -> str:
        element = f"{self._array(place)}[{self._expressions.text(place.index)}]"
        if place.view is not None:
            return element
        if isinstance(place.memory.element, StructType):
            return element + self._structs.members(place.memory.element, place.path)
        return element

    def _place_and_offset(self, place: Place) -> tuple[str, int]:
        """A place as another one and the bytes from there on, which are constant."""
        index, offset = place.index, 0
        match index:
            case Binary(BinaryOp.ADD, left, Constant(value)):
                index, offset = left, int(value) * place.type.nbytes
        return self._place(Place(place.memory, index)), offset

    def _array(self, place: Place) -> str:
        """The memory, or its view."""
        name = self.memory_name(place.memory)
        if place.view is None:
            return name
        is_written = isinstance(place.memory, Buffer) and place.memory.index in self._valid.written_buffers
        return self._dialect.view.format(
            const="" if is_written else self._dialect.const, type=self._expressions.type_name(place.view), name=name
        )

    def _access(self, place: Place) -> str:
        """What a plain load or store accesses: a volatile lvalue if the memory is also accessed by atomics."""
        template, text = self._dialect.volatile_access, self._place(place)
        if not (template and place.path and place.memory in self._valid.atomic_memories):
            return text
        if not (isinstance(place.type, ScalarType) and place.type.bits >= U32.bits):
            return text  # atomics cannot access it
        return template.format(type=self._expressions.type_name(place.type), place=text)

    def _subgroup(self, statement: Subgroup) -> None:
        template = self._dialect.subgroup.get(statement.op)
        if template is None:
            raise self._expressions.missing(f"{statement.op.value} of subgroups")
        self._helpers.used_capabilities.add(Capability.SUBGROUP)
        x, y, z = self._valid.module.workgroup_size
        result = template.format(
            scalar="" if statement.value is None else statement.value.type,
            operand=self._operand(statement.operand),
            argument=self._operand(statement.argument),
            bits=statement.bits,
            x=x,
            y=y,
            z=z,
        )
        if statement.value is not None:
            result = f"{self._define(statement.value)} = {result}"
        self._writer.line(f"{result};")

    def _matrix_template(self, name: str) -> str:
        template = self._dialect.matrices.get(name)
        if template is None:
            raise self._expressions.missing(f"the operation {name} of matrices")
        return template

    def _matrix(self, statement: MatrixLoad | MatrixMultiply | MatrixAccumulate) -> None:
        if isinstance(statement, MatrixAccumulate):
            self._accumulate(statement)
            return
        text = self._expressions.text
        if isinstance(statement, MatrixLoad):
            template = self._matrix_template("load_transposed" if statement.is_transposed else "load")
            place, offset = self._place_and_offset(statement.place)
            result = template.format(place=place, offset=offset)
        else:
            result = self._matrix_template(statement.inputs.value).format(
                left=text(statement.left), right=text(statement.right), sums=text(statement.sums)
            )
        self._writer.line(f"{self._define(statement.value)} = {result};")

    def _accumulate(self, statement: MatrixAccumulate) -> None:
        sums, left, right = (f"{self.memory_name(part.array)} + {part.first}" for part, _ in statement.parts)
        template = self._matrix_template(statement.inputs.value)
        self._writer.line(f"{template.format(inner=statement.inner, sums=sums, left=left, right=right)};")

    def _multiply_group(self, statement: GroupMultiply) -> None:
        text = self._matrix_template("group").format(
            inputs=statement.inputs.value,
            columns=statement.columns,
            inner=statement.inner,
            sums=f"{self.memory_name(statement.sums)} + {statement.first}",
            left=self._place(statement.left),
            right=self._place(statement.right),
            left_panel=statement.left_panel,
            right_panel=statement.right_panel,
            is_left_transposed=int(statement.is_left_transposed),
            is_right_transposed=int(statement.is_right_transposed),
        )
        self._writer.line(f"{text};")

    def _copy(self, statement: CopyAsync | CopyGroup | CopyWait) -> None:
        if isinstance(statement, CopyAsync):
            is_certain = statement.is_aligned and statement.valid == Constant(statement.count, I32)
            name = "copy_whole" if is_certain else "copy"
            place, offset = self._place_and_offset(statement.place)
            text = self._matrix_template(name).format(
                nbytes=statement.count * statement.place.type.nbytes,
                place=place,
                offset=offset,
                source=self._place(statement.source),
                valid=self._expressions.text(statement.valid),
            )
        elif isinstance(statement, CopyGroup):
            text = self._matrix_template("copy_group")
        else:
            text = self._matrix_template("copy_wait").format(pending=statement.pending)
        self._writer.line(f"{text};")

    def _copy_part(self, statement: CopyPart) -> None:
        """By the invocation that copies, of a view that the driver is given; otherwise by all of the workgroup."""
        place, offset = self._place_and_offset(statement.place)
        given = {"rows": statement.rows, "columns": statement.columns, "place": place, "offset": offset}
        if self._depth:
            view = view_of(self._valid, statement)
            self._writer.line(
                self._matrix_template("copy_part_in_role").format(
                    depth=self._depth,
                    rank=len(statement.indices),
                    view=self.view_name(view),
                    indices=", ".join(map(self._expressions.text, statement.indices)),
                    panel=view.shape[1],
                    **given,
                )
                + ";"
            )
            return
        start, rows = matrix_of(statement)
        lengths, indices = (rows, statement.lengths[-1]), statement.indices[-2:]
        self._writer.line(
            self._matrix_template("copy_part").format(
                count=self._valid.module.num_invocations,
                source=self._place(Place(statement.source.memory, start)),
                lengths=", ".join(map(self._expressions.text, lengths)),
                indices=", ".join(map(self._expressions.text, indices)),
                **given,
            )
            + ";"
        )

    def view_name(self, view: PartView) -> str:
        """The parameter of a view."""
        return self._names.name(view, f"{self._valid.module.buffers[view.buffer].name}_view")

    def end_copies(self) -> None:
        """At the end of a kernel: no copy outlives the memory that it writes."""
        self._copy(CopyGroup())
        self._copy(CopyWait(0))

    def _atomic(self, statement: Atomic) -> None:
        op, type = statement.op, statement.place.type
        assert isinstance(type, ScalarType)
        if type.is_integer and type.bits > U32.bits:
            self._helpers.used_capabilities.add(Capability.ATOMIC_INT64)
        template = self._dialect.typed_atomics.get((op, type)) or self._dialect.atomics.get(op)
        if template is not None:
            result = template.format(
                type=self._expressions.type_name(type),
                pointer=f"&{self._place(statement.place)}",
                operand=self._operand(statement.operand),
                comparand=self._operand(statement.comparand),
            )
        elif op is AtomicOp.LOAD:  # memory with atomics is volatile, and aligned words do not tear
            result = self._access(statement.place)
        elif op is AtomicOp.STORE:
            result = f"{self._access(statement.place)} = {self._operand(statement.operand)}"
        else:
            raise self._expressions.missing(f"the atomic {op.value} of {type}")
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
            with writer.block("else {"):
                self.block(statement.orelse)

    def _order(self, statement: Barrier | DeviceFence) -> None:
        if isinstance(statement, Barrier):
            self._barrier(statement)
        else:
            self._fence()

    def _barrier(self, statement: Barrier) -> None:
        """A barrier, unless the previous statement is one that orders as much: two in a row are equivalent to one."""
        text = self._dialect.barrier_with_buffers if statement.buffers else self._dialect.barrier
        if self._depth:
            text = f"{self._matrix_template('barrier_in_role').format(count=self._valid.module.num_invocations)};"
        if self._writer.last not in (text, self._dialect.barrier_with_buffers):
            if Capability.MATRIX_GROUPS in self._valid.needs:
                self._writer.line(self._matrix_template("group_fence"))
            self._writer.line(text)

    def _fence(self) -> None:
        if not self._dialect.fence:
            raise self._expressions.missing("a fence of the device")
        self._helpers.used_capabilities.add(Capability.DEVICE_FENCE)
        self._writer.line(self._dialect.fence)

    def _for_range(self, statement: ForRange) -> None:
        counter = self._expressions.value_name(statement.counter)
        type_name = self._expressions.type_name(statement.counter.type)
        start = self._expressions.text(statement.start)
        stop = self._expressions.text(statement.stop)
        if not isinstance(statement.stop, _UNCHANGING):
            name = self._names.name(("stop", statement.counter.id), f"{statement.counter.name}_stop")
            self._writer.line(f"const {type_name} {name} = {stop};")
            stop = name
        opening = f"for ({type_name} {counter} = {start}; {counter} < {stop}; ++{counter}) {{"
        with self._writer.block(opening):
            self.block(statement.body)
