"""The whole text of a kernel in a dialect of C."""

from __future__ import annotations

import dataclasses

from gpucore.back.aliasing import reads_what_it_writes
from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.expressions import Expressions
from gpucore.back.c_family.functions import Helpers
from gpucore.back.c_family.parts import params_of, views_of
from gpucore.back.c_family.statements import Statements
from gpucore.back.c_family.structs import Structs
from gpucore.back.names import Names
from gpucore.back.writer import Writer
from gpucore.immutable import Immutable
from gpucore.ir import (
    MATRIX_LANES,
    U32,
    Buffer,
    Capability,
    Constant,
    CopyAsync,
    CopyPart,
    Roles,
    ScalarType,
    StructType,
    ValidModule,
    walk,
)
from gpucore.ir.ranges import Ranges
from gpucore.ir.source import Source
from gpucore.ir.workgroup_memory import WorkgroupMemory

_SCALARS = "gpucore_scalars"


class Parameter(Immutable):
    """A parameter of an entry: a buffer, the scalars as one struct, or a view (`PartView`) of an array."""

    name: str
    declaration: str  # its text in the entry
    type: str  # of a buffer's elements, or of the struct of the scalars; "" of a view
    buffer: int | None = None  # the number of its binding
    is_written: bool = False  # by the kernel


class EmittedKernel(Immutable):
    """A kernel's text, and what code that calls its entry has to know."""

    source: Source
    parameters: tuple[Parameter, ...]  # in order: the buffers, the scalars if there are any, the views

    @property
    def scalars(self) -> Parameter | None:
        """The struct of `Source.scalars_nbytes` bytes, laid out as ValidModule.slots says."""
        return next((one for one in self.parameters if one.type and one.buffer is None), None)

    def followed_by(self, text: str) -> Source:
        """The source with more text after the kernel, such as a function that calls the entry for each invocation.
        Its lines are of no statement."""
        lines = (*self.source.lines, *[None] * len(text.splitlines()))
        return dataclasses.replace(self.source, text=f"{self.source.text}{text}", lines=lines)


def emit(valid: ValidModule, dialect: CDialect) -> Source:
    """A kernel in a dialect of C. Its parameters are the buffers in order of binding and the packed scalars, if any.

    Raises EmitError for what the dialect does not have.
    """
    return emit_kernel(valid, dialect).source


def emit_kernel(valid: ValidModule, dialect: CDialect) -> EmittedKernel:
    """What `emit` gives, with the parameters of the entry."""
    return _Kernel(valid, dialect).write()


class _Kernel:
    def __init__(self, valid: ValidModule, dialect: CDialect) -> None:
        self._valid, self._module, self._dialect = valid, valid.module, dialect
        self._names = Names(dialect.names_in_use)
        self._helpers = Helpers(dialect)
        self._body = Writer()
        self._outer_names = Names(dialect.names_in_use | dialect.functions)
        module = valid.module
        self._expressions = Expressions(
            dialect, self._names, self._helpers, Ranges(module), module.name, module.workgroup_size
        )
        self._structs = Structs(dialect, self._outer_names, self._names, self._expressions)
        self._statements = Statements(
            valid, dialect, self._names, self._expressions, self._structs, self._helpers, self._body
        )
        self._body.span = self._expressions.span = self._module.span
        # Compilers may move accesses to restrict buffers over a fence.
        self._restricts_written = Capability.DEVICE_FENCE not in valid.needs
        self._restricts_read_only = dialect.restrict_beside_written or not reads_what_it_writes(valid)

        self._roles = valid.roles if "roles" in dialect.matrices else None

    def write(self) -> EmittedKernel:
        module = self._module
        entry = self._names.name("entry", self._outer_names.name("entry", module.name))
        parameters = [self._buffer(buffer) for buffer in module.buffers]
        members = self._scalar_members()
        if members:
            name, type = self._names.name("scalars", "scalars"), f"struct {_SCALARS}"
            text = self._dialect.scalars_parameter.format(type=type, name=name)
            parameters.append(Parameter(name, text, type))
        views = () if self._roles is None else views_of(self._valid)
        for view in views:
            name = self._statements.view_name(view)
            parameters.append(Parameter(name, self._dialect.matrices["view_parameter"].format(name=name), ""))
        tables = self._constant_arrays()
        x, y, z = size = self._block()
        opening = self._dialect.entry.format(
            name=entry,
            parameters=",".join(f"\n    {parameter.declaration}" for parameter in parameters),
            x=x,
            y=y,
            z=z,
            invocations=x * y * z,
            min_workgroups="" if module.min_workgroups is None else f", {module.min_workgroups}",
        )
        for line in opening.splitlines():
            self._body.line(line)
        with self._body.block("{"):
            self._unpack_scalars()
            workgroup_memory = self._workgroup_arrays()
            if self._roles is not None:
                self._in_roles(self._roles)
            else:
                self._statements.block(module.body)
                if any(isinstance(each, (CopyAsync, CopyPart)) for each in walk.statements(module.body)):
                    self._statements.end_copies()
        whole = self._assemble(members, tables)
        source = Source(
            language=self._dialect.name,
            text=whole.text(),
            entry=entry,
            workgroup_size=size,
            writes=tuple(buffer.index in self._valid.written_buffers for buffer in module.buffers),
            scalars_nbytes=self._valid.scalars_nbytes,
            workgroup_memory=workgroup_memory,
            lines=whole.spans(),
            payload=tuple(view.plain for view in views) or None,
        )
        return EmittedKernel(source, tuple(parameters))

    def _block(self) -> tuple[int, int, int]:
        """The invocations that the driver starts: with roles another subgroup, of which the first one copies."""
        x, y, z = self._module.workgroup_size
        return (x, y, z) if self._roles is None else (x + MATRIX_LANES, y, z)

    def _in_roles(self, roles: Roles) -> None:
        """The blocks of a kernel in which another invocation copies."""
        templates, count = self._dialect.matrices, self._module.num_invocations
        for view in views_of(self._valid):
            self._body.line(f"{templates['prefetch_view'].format(count=count, name=self._statements.view_name(view))};")
        for line in templates["roles"].format(depth=roles.depth, barriers=2 * roles.depth, count=count).splitlines():
            self._body.line(line)
        with self._body.block(templates["beyond"].format(count=count) + " {"):
            with self._body.block(templates["copying"].format(count=count) + " {"):
                self._statements.block(roles.copying)
                self._body.line(f"{templates['drain'].format(depth=roles.depth)};")  # no copy outlives its target
            self._body.line("return;")
        self._statements.block(roles.computing)

    def _constant_arrays(self) -> list[str]:
        """The constant arrays, one line each. Their names are global, so they differ from all others."""
        lines = []
        for array in walk.constant_arrays(self._module.body):
            name = self._names.name(array.id, self._outer_names.name(array.id, array.name))
            values = ", ".join(self._expressions.text(Constant(value, array.element)) for value in array.values)
            kind = self._expressions.type_name(array.element)
            lines.append(self._dialect.constant_array.format(type=kind, name=name, length=array.length, values=values))
        return lines

    def _assemble(self, members: list[str], tables: list[str]) -> Writer:
        body, structs = self._body.text().splitlines(), self._structs.lines
        whole = Writer()
        for line in self._helpers.prologue([*structs, *members, *tables, *body]).splitlines():
            whole.line(line)
        if structs:
            if whole.spans():
                whole.line()
            whole.span = self._module.span
            for line in structs:
                whole.line(line)
            whole.span = None
        if members:
            if whole.spans():
                whole.line()
            with whole.block(f"struct {_SCALARS} {{", "};"):
                for member in members:
                    whole.line(member)
        for line in tables:
            whole.line(line)
        if whole.spans():
            whole.line()
        for line, span in zip(body, self._body.spans(), strict=True):
            whole.span = span
            whole.line(line)
        return whole

    def _buffer(self, buffer: Buffer) -> Parameter:
        by_access = isinstance(buffer.element, StructType) and self._dialect.volatile_access != ""
        is_written = buffer.index in self._valid.written_buffers
        is_restrict = self._restricts_written if is_written else self._restricts_read_only
        type, name = self._structs.type_name(buffer.element), self._statements.memory_name(buffer)
        text = self._dialect.buffer.format(
            const="" if is_written else self._dialect.const,
            restrict=self._dialect.restrict if is_restrict else "",
            volatile=self._volatile(buffer in self._valid.atomic_memories and not by_access),
            type=type,
            name=name,
        )
        return Parameter(name, text, type, buffer.index, is_written)

    def _volatile(self, is_atomic: bool) -> str:
        """Memories with atomics are volatile, so that plain loads and stores of them are not optimised away."""
        return self._dialect.volatile if is_atomic else ""

    # ------------------------------------------------------------ scalars

    def _scalar_members(self) -> list[str]:
        """The members of the packed scalars, with explicit padding: the layout is `slots` and nothing else."""
        members: list[str] = []
        end = 0
        for slot in self._valid.slots:
            end = self._pad(members, end, slot.offset)
            member_type, _ = self._member(slot.param.type)
            members.append(f"{self._expressions.type_name(member_type)} {self._param_name(slot.param.index)};")
            end += member_type.nbytes
        self._pad(members, end, self._valid.scalars_nbytes)
        return members

    def _pad(self, members: list[str], end: int, offset: int) -> int:
        words = (offset - end) // U32.nbytes
        for _ in range(words):
            members.append(f"{self._expressions.type_name(U32)} padding_{len(members)}_;")
        return offset

    def _member(self, type: ScalarType) -> tuple[ScalarType, str]:
        return self._dialect.scalar_members.get(type, (type, "{0}"))

    def _param_name(self, index: int) -> str:
        return self._names.name(("param", index), self._module.params[index].name)

    def _unpack_scalars(self) -> None:
        for slot in self._valid.slots:
            if self._roles is not None and slot.param not in params_of(self._roles):
                continue  # the length of a view
            name, type = self._param_name(slot.param.index), slot.param.type
            _, template = self._member(type)
            value = template.format(f"{self._names.name('scalars', 'scalars')}.{name}")
            self._body.line(f"const {self._expressions.type_name(type)} {name} = {value};")

    # ------------------------------------------------------------ workgroup memory

    def _workgroup_arrays(self) -> int:
        """Declares the workgroup arrays; returns their size in bytes."""
        arrays, dialect, memory = self._module.workgroup_arrays, self._dialect, WorkgroupMemory(self._module)
        limit = dialect.max_static_workgroup_memory
        in_block = limit is not None and memory.nbytes > limit
        if in_block:
            self._body.line(dialect.workgroup_block.format(alignment=max(memory.alignments)))
        template = dialect.workgroup_array_in_block if in_block else dialect.workgroup_array
        for array, offset, alignment in zip(arrays, memory.offsets, memory.alignments, strict=True):
            text = template.format(
                volatile=self._volatile(array in self._valid.atomic_memories),
                type=self._expressions.type_name(array.element),
                name=self._statements.memory_name(array),
                length=array.length,
                offset=offset,
                alignment=alignment,
            )
            self._body.line(text)
        return memory.nbytes
