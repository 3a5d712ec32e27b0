"""ValidModule to WGSL. Imports no driver.

**Bindings**, the same for generated text and a user's own WGSL, all in group 0:

- array i of the dispatch at `@group(0) @binding(i)`: `var<storage, read>` if `Source.writes` says that the kernel
  does not write it, else `var<storage, read_write>`;
- the packed scalars, if any, at the next binding: `var<uniform>` of a struct with one member for each, in
  order, each at the next multiple of its size (a bool is a u32 of 0 or 1, an f16 is in the low half of a u32);
- the buffer of truncation flags at the one after, for drivers with a loop limit: in generated text only;
- the words of constant arrays, `var<uniform>`, at the last one: in generated text only, see `tables`.

The entry point is named `Source.entry` and declares the workgroup size itself. naga accepts f64, i64 and u64 and
subgroup operations as extensions of WGSL that need no `enable`; browsers want `enable subgroups`, which naga refuses. A
generated module is trusted, so naga adds no index checks to it; a user's own is checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gpucore.plugin import DeviceInfo, Names, Source, Writer, ir
from gpucore.plugin.ir import F16, F32, Capability, Ranges, ScalarKind, ValidModule, scalar_of, walk
from gpucore_wgpu import tables, wgsl_matrices
from gpucore_wgpu.driver_defects import defects_of
from gpucore_wgpu.functions.library import Functions
from gpucore_wgpu.functions.table import create_functions
from gpucore_wgpu.loops import most_iterations
from gpucore_wgpu.ordering import exchanged_memories
from gpucore_wgpu.pages import is_page
from gpucore_wgpu.reserved import RESERVED
from gpucore_wgpu.wgsl_builtins import DispatchValues
from gpucore_wgpu.wgsl_expressions import Expressions
from gpucore_wgpu.wgsl_statements import Statements
from gpucore_wgpu.wgsl_structs import Structs
from gpucore_wgpu.wgsl_types import type_name

_SLACK = 4  # kernels that may come this close to the limit are checked too

SLOT = "gpucore_slot"  # a pipeline constant: the index of the kernel's truncation flag


class Generated(NamedTuple):
    """The payload of generated text, as a plain tuple; a user's text has none."""

    kernel: str  # its name in the user's code
    checks_loops: bool
    tables: bytes  # the contents of the uniform buffer of constant arrays, if there are any

    @classmethod
    def of(cls, source: Source) -> Generated | None:
        """The payload of a Source."""
        return cls(*source.payload) if isinstance(source.payload, tuple) else None


def emit(valid: ValidModule, device: DeviceInfo | None = None) -> Source:
    """The WGSL of a kernel, for the driver of `device`, or without one by the rules of WGSL.

    Workarounds that need WGSL are written here, see `driver_defects`; `steps` has made the others before validation.
    """
    limit = None if device is None else device.limits.max_loop_iterations
    checks_loops = limit is not None and _may_reach(valid.module.body, limit)
    kernel = _Kernel(valid, checks_loops, create_functions(defects_of(device)), is_page(device))
    head, body = kernel.write()
    module = valid.module
    return Source(
        language="wgsl",
        text=head.text() + body.text(),
        entry=kernel.entry,
        workgroup_size=module.workgroup_size,
        writes=tuple(_is_written(valid, buffer) for buffer in module.buffers),
        scalars_nbytes=valid.scalars_nbytes,
        workgroup_memory=sum(array.element.nbytes * array.length for array in module.workgroup_arrays),
        lines=head.spans() + body.spans(),
        payload=(*Generated(module.name, checks_loops, tables.packed(module)),),
    )


def _may_reach(block: ir.Block, limit: int) -> bool:
    """Whether the loops of a kernel may reach the driver's limit on iterations."""
    most = most_iterations(block)
    return most is None or most >= limit - _SLACK


def _is_written(valid: ValidModule, buffer: ir.Buffer) -> bool:
    """Whether a buffer needs write access: atomics do, even if the kernel only loads with them."""
    return buffer.index in valid.written_buffers or buffer in valid.atomic_memories


class _Kernel:
    """One kernel being written."""

    def __init__(self, valid: ValidModule, checks_loops: bool, functions: Functions, is_for_page: bool) -> None:
        self._valid, self._module, self._checks_loops = valid, valid.module, checks_loops
        self._is_for_page = is_for_page
        self._has_matrices = Capability.COOPERATIVE_MATRICES in valid.needs
        self._names = Names(RESERVED | wgsl_matrices.RESERVED if self._has_matrices else RESERVED)
        self.entry = self._names.name("entry", valid.module.name)
        self._functions = functions
        self._ranges: Ranges | None = None
        self._expressions = Expressions(self._names, self._functions, self._is_nonnegative)
        self._body = Writer()
        self._structs = Structs(self._names)
        self._atomic_memories = valid.atomic_memories | exchanged_memories(self._module)
        self._views = _viewed(self._module)
        self._statements = Statements(
            self._body, self._names, self._expressions, self._structs, self._atomic_memories,
            tables.offsets(self._module), self._views.keys(),
        )  # fmt: skip
        leaves = {e for e in _all_expressions(self._module.body) if isinstance(e, ir.Param | ir.Builtin)}
        self._params = [slot for slot in valid.slots if slot.param in leaves]
        self._values = DispatchValues(self._module, leaves)

    def write(self) -> tuple[Writer, Writer]:
        """The text before the entry point, and the entry point."""
        for buffer in self._module.buffers:
            self._statements.memory(buffer)  # a name that the user sees stays as it is: it is reserved first
        self._write_entry_point()
        head = Writer()
        head.span = self._module.span
        if any(scalar == F16 for scalar in self._scalars()):
            head.line("enable f16;")
            if self._has_matrices:
                head.line(wgsl_matrices.ENABLE)
            head.line()
        if self._is_for_page and self._values.uses_subgroups:
            head.line("enable subgroups;")
            head.line("diagnostic(off, subgroup_uniformity);")  # core has proven it, by rules that see more
            head.line()
        self._write_structs(head)
        self._write_bindings(head)
        for array in self._module.workgroup_arrays:
            kind = self._element(array)
            head.line(f"var<workgroup> {self._statements.memory(array)}: array<{kind}, {array.length}>;")
        for text in self._functions.texts():
            head.line()
            for line in text:
                head.line(line)
        head.line()
        return head, self._body

    def _is_nonnegative(self, expr: ir.Expr) -> bool:
        """The result of Ranges; computed only for kernels with a signed division."""
        if self._ranges is None:
            self._ranges = Ranges(self._module)
        return self._ranges.interval(expr).lo >= 0

    def _scalars(self) -> set[ir.ScalarType]:
        """The scalar types that occur anywhere in the kernel."""
        types: set[ir.Type] = {expr.type for expr in _all_expressions(self._module.body)}
        memories: tuple[ir.Memory, ...] = (*self._module.buffers, *self._module.workgroup_arrays)
        types.update(leaf for memory in memories for leaf in ir.leaf_types(memory.element))
        for statement in walk.statements(self._module.body):
            match statement:
                case ir.Declare():
                    types.add(statement.local.type)
                case ir.DeclareArray():
                    types.add(statement.array.element)
        return {scalar_of(type) for type in types}

    def _element(self, memory: ir.Memory) -> str:
        view = self._views.get(memory.index) if isinstance(memory, ir.Buffer) else None
        name = self._structs.element(memory.element if view is None else view)
        if memory not in self._atomic_memories:
            return name
        return f"atomic<{'u32' if memory.element == F32 else name}>"

    def _write_structs(self, head: Writer) -> None:
        for buffer in self._module.buffers:
            self._element(buffer)
        for text in self._structs.texts():
            for line in text:
                head.line(line)

    def _write_bindings(self, head: Writer) -> None:
        for buffer in self._module.buffers:
            access = "read_write" if _is_written(self._valid, buffer) else "read"
            name = self._statements.memory(buffer)
            head.line(
                f"@group(0) @binding({buffer.index}) var<storage, {access}> {name}: array<{self._element(buffer)}>;"
            )
        binding = len(self._module.buffers)
        if self._valid.scalars_nbytes:
            self._write_scalars(head, binding)
            binding += 1
        if self._checks_loops:
            head.line(f"@group(0) @binding({binding}) var<storage, read_write> gpucore_flags: array<atomic<u32>>;")
            head.line(f"override {SLOT}: u32;")
            binding += 1
        if words := len(tables.packed(self._module)) // 4:
            head.line(f"@group(0) @binding({binding}) var<uniform> {tables.NAME}: array<vec4<u32>, {words // 4}>;")

    def _write_scalars(self, head: Writer, binding: int) -> None:
        """The packed scalars as a struct with its members at the offsets in ValidModule.slots."""
        slots = sorted(self._valid.slots, key=lambda slot: slot.offset)
        ends = [slot.offset for slot in slots[1:]] + [self._valid.scalars_nbytes]
        with head.block("struct gpucore_Scalars {"):
            for slot, end in zip(slots, ends, strict=True):
                # @size extends to the next member, including padding
                head.line(f"@size({end - slot.offset}) {self._member(slot.param)}: {_stored_type(slot.param.type)},")
        head.line(f"@group(0) @binding({binding}) var<uniform> gpucore_scalars: gpucore_Scalars;")

    def _member(self, param: ir.Param) -> str:
        return self._names.name(("param", param.index), param.name)

    def _write_entry_point(self) -> None:
        inputs = ", ".join(self._values.inputs())
        size = ", ".join(map(str, self._values.workgroup_size))
        body = self._body
        body.span = self._module.span
        body.line(f"@compute @workgroup_size({size})")
        with body.block(f"fn {self.entry}({inputs}) {{"):
            for slot in self._params:
                value = _read_param(f"gpucore_scalars.{self._member(slot.param)}", slot.param.type)
                body.line(f"let {self._member(slot.param)} = {value};")
            for builtin in self._values.builtins:
                body.line(f"let {self._expressions.builtin(builtin)} = {self._values.text(builtin)};")
            self._statements.write_block(self._module.body)
            if self._checks_loops:
                self._write_loop_check()
            body.span = self._module.span

    def _write_loop_check(self) -> None:
        """Make the kernel report that its driver has cut a loop short.

        Drivers with a limit count the iterations of all loops of an invocation (and of those in lockstep with it), and
        exit every loop once it is reached. So at its end the kernel runs a loop with the number of iterations in word 0
        of the flag buffer. If fewer were run, the limit was reached, and the kernel sets its flag, word SLOT, to 1.
        """
        body, span = self._body, self._module.span
        body.span = span
        body.line("let gpucore_iterations = atomicLoad(&gpucore_flags[0]);")
        body.line("var gpucore_count = 0u;")
        body.line("for (var gpucore_i = 0u; gpucore_i < gpucore_iterations; gpucore_i += 1u) { gpucore_count += 1u; }")
        body.line(f"if gpucore_count != gpucore_iterations {{ atomicStore(&gpucore_flags[{SLOT}], 1u); }}")


def _viewed(module: ir.Module) -> dict[int, ir.Type]:
    """The views of buffers, by index."""
    places = filter(None, map(walk.place_of, walk.statements(module.body)))
    return {
        place.memory.index: place.view
        for place in places
        if place.view is not None and isinstance(place.memory, ir.Buffer)
    }


def _all_expressions(block: ir.Block) -> Iterator[ir.Expr]:
    """Every expression in a block, nested ones too."""
    for statement in walk.statements(block):
        for expr in walk.expressions(statement):
            yield from walk.subexpressions(expr)


def _stored_type(type: ir.ScalarType) -> str:
    """The type of a scalar in the packed block: a bool and an f16 take four bytes."""
    return "u32" if type.kind is ScalarKind.BOOL or type == F16 else type_name(type)


def _read_param(member: str, type: ir.ScalarType) -> str:
    if type.kind is ScalarKind.BOOL:
        return f"{member} != 0u"
    return f"f16(unpack2x16float({member}).x)" if type == F16 else member


__all__ = ["SLOT", "Generated", "emit"]
