"""ValidModule to LLVM IR: an entry that runs a range of workgroups, one after the other.

The entry is `void gpucore_entry(ptr buffers, ptr scalars, ptr scratch, i32 gx, i32 gy, i32 gz, i64 first, i64 last)`.
It runs the workgroups first .. last (x fastest; first < last) of a dispatch of gx * gy * gz. `buffers` is an array of
addresses in order of binding, each aligned to 64; `scalars` is the packed block; `scratch` is memory private to this
call, of `gpucore_scratch_nbytes` bytes (a constant in the module), aligned to 64.

The entry passes each buffer to `gpucore_workgroups` as a separate argument, marked `noalias` unless it is written and
there are fences. The text does not name the target machine: the driver adds that.
"""

from __future__ import annotations

from collections.abc import Sequence

from gpucore.plugin import Source, Span, ir
from gpucore.plugin.ir import walk
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.assembly import SHORT_LOOPS, FunctionText, Line, ModuleText
from gpucore_cpu.divergence import Divergence
from gpucore_cpu.exits import replace_exits
from gpucore_cpu.lanes import Lanes
from gpucore_cpu.layout import literal, llvm_type, memory_nbytes, memory_type
from gpucore_cpu.nans import Numbers
from gpucore_cpu.ranges import KernelRanges
from gpucore_cpu.regions import plan
from gpucore_cpu.scope import Expressions
from gpucore_cpu.scratch import ALIGN, Scratch
from gpucore_cpu.streaming import streamed_stores
from gpucore_cpu.subgroups import Arrangement, arrange
from gpucore_cpu.width import choose_width
from gpucore_cpu.workgroup import Workgroup

ENTRY = "gpucore_entry"
SCRATCH_NBYTES = "gpucore_scratch_nbytes"
_FRAME_NBYTES = 2048  # private arrays up to this total size are in the stack frame; larger ones in the scratch memory


def emit(valid: ir.ValidModule, uniform: frozenset[int] | None = None, num_lanes: int = 8) -> Source:
    """The LLVM IR of a kernel, for vectors with `num_lanes` lanes of 32 bits, which is a power of two.

    The payload of the Source is the size of the gangs. Raises EmitError for print and breakpoint.
    """
    uniform = valid.uniform if uniform is None else uniform
    arrangement = arrange(replace_exits(valid.module, uniform), num_lanes)
    module = arrangement.module
    text, code, scratch = ModuleText(), FunctionText(), Scratch()
    code.span = module.span
    width = choose_width(valid.module, uniform, arrangement.num_lanes)
    given = arrangement.num_lanes
    lanes = Lanes(code, width, is_wide=width > given, is_narrow=width < given)
    _workgroups(arrangement, uniform, lanes, text, scratch)
    arguments = ", ".join(_arguments(module, valid, scratch))
    head = f"define internal void @gpucore_workgroups({arguments}) noinline nounwind {{"
    lines: list[Line] = [(f"; kernel {module.name.splitlines()[0]}", module.span)]
    lines += [(f"@{SCRATCH_NBYTES} = constant i64 {scratch.nbytes}", None), ("", None)]
    lines += [*_entry(module, valid.slots, scratch), ("", None), (head, None), *code.lines(), ("}", None), ("", None)]
    lines += [(line, None) for line in (*text.lines(), *(SHORT_LOOPS if lanes.is_narrow else ()))]
    spans: tuple[Span | None, ...] = tuple(span for _, span in lines)
    return Source(
        language="llvm",
        text="\n".join(line for line, _ in lines) + "\n",
        entry=ENTRY,
        workgroup_size=module.workgroup_size,
        writes=tuple(buffer.index in valid.written_buffers for buffer in module.buffers),
        scalars_nbytes=valid.scalars_nbytes,
        workgroup_memory=sum(array.length * memory_nbytes(array.element) for array in module.workgroup_arrays),
        lines=spans,
        payload=lanes.count,
    )


# ---------------------------------------------------------------- entry


def _arguments(module: ir.Module, valid: ir.ValidModule, scratch: Scratch) -> list[str]:
    """Parameters of gpucore_workgroups. `%buffer` in the text of a pointer marks the buffers of the dispatch. Accesses
    to `noalias` memory may move over a fence."""
    shared = valid.written_buffers if ir.Capability.DEVICE_FENCE in valid.needs else frozenset[int]()
    noalias = {buffer.index: "" if buffer.index in shared else "noalias " for buffer in module.buffers}
    arguments = [f"ptr {noalias[b.index]}nonnull align {ALIGN} %buffer{b.index}" for b in module.buffers]
    arguments += [f"{llvm_type(slot.param.type)} %param{slot.param.index}" for slot in valid.slots]
    arguments += [f"ptr noalias nonnull align {ALIGN} {name}" for name, _ in scratch.pieces]
    return [*arguments, "i32 %gx", "i32 %gy", "i32 %gz", "i64 %first", "i64 %last"]


def _entry(module: ir.Module, slots: Sequence[ir.ParamSlot], scratch: Scratch) -> list[Line]:
    """The function that the driver calls: unpacks buffers, scalars and scratch memory."""
    code = FunctionText()
    passed = []
    for buffer in module.buffers:
        place = code.define(f"getelementptr ptr, ptr %buffers, i64 {buffer.index}")
        passed.append(f"ptr {code.define(f'load ptr, ptr {place}', buffer.name)}")
    for slot in slots:
        is_bool = slot.param.type == ir.BOOL
        place = code.define(f"getelementptr i8, ptr %scalars, i64 {slot.offset}")
        kind = llvm_type(slot.param.type)
        loaded = code.define(f"load {'i32' if is_bool else kind}, ptr {place}", slot.param.name)
        passed.append(f"{kind} {code.define(f'icmp ne i32 {loaded}, 0') if is_bool else loaded}")
    for _, offset in scratch.pieces:
        passed.append(f"ptr {code.define(f'getelementptr i8, ptr %scratch, i64 {offset}')}")
    passed += ["i32 %gx", "i32 %gy", "i32 %gz", "i64 %first", "i64 %last"]
    code.write(f"call void @gpucore_workgroups({', '.join(passed)})")
    code.write_return()
    head = "ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last"
    return [(f"define void @{ENTRY}({head}) nounwind {{", None), *code.lines(), ("}", None)]


# ---------------------------------------------------------------- workgroups


def _workgroups(
    arrangement: Arrangement, uniform: frozenset[int], lanes: Lanes, text: ModuleText, scratch: Scratch
) -> None:
    """The loop over the workgroups of a call, with a workgroup's work inside."""
    code, module = lanes.code, arrangement.module
    cut = plan(module.body, uniform)
    memories = {f"buffer {buffer.index}": f"%buffer{buffer.index}" for buffer in module.buffers}
    for array in module.workgroup_arrays:
        memories[f"workgroup {array.id}"] = scratch.array(f"workgroup {array.id}", array.element, array.length)
    for table in walk.constant_arrays(module.body):
        kind = memory_type(table.element)
        text.hold(f"table.{table.id}", kind, [literal(value, table.element) for value in table.values])
        memories[f"constant {table.id}"] = f"@table.{table.id}"
    memories |= _large_private_arrays(module, scratch, lanes.count)
    places = _first_workgroup(code)
    loop = code.open_loop("i64", "%first", "%last", hint="workgroup")
    given = {f"param {param.index}": f"%param{param.index}" for param in module.params}
    given |= {f"num_workgroups {axis}": f"%g{letter}" for axis, letter in enumerate("xyz")}
    ids = [code.define(f"load i32, ptr {place}", "workgroup_id") for place in places]
    given |= {f"workgroup_id {axis}": id for axis, id in enumerate(ids)}
    divergence = Divergence(module.body, uniform, lanes.count)
    arithmetic, ranges, numbers = Arithmetic(code, text), KernelRanges(module), Numbers(module)
    expressions = Expressions(code, arithmetic, ranges, given, lanes, divergence, numbers)
    streamed = streamed_stores(module)
    Workgroup(code, text, expressions, cut, arrangement.size, memories, scratch, lanes, streamed).write()
    _next_workgroup(code, ids, places)
    code.close_loop(loop)
    code.write_return()


def _large_private_arrays(module: ir.Module, scratch: Scratch, num_lanes: int) -> dict[str, str]:
    """Private arrays too large for the stack frame, without spilled ones."""
    arrays = {s.array.id: s.array for s in walk.statements(module.body) if isinstance(s, ir.DeclareArray)}
    if sum(array.length * memory_nbytes(array.element) for array in arrays.values()) * num_lanes <= _FRAME_NBYTES:
        return {}
    return {
        f"private {a.id}": scratch.array(f"private {a.id}", a.element, a.length * num_lanes) for a in arrays.values()
    }


def _first_workgroup(code: FunctionText) -> list[str]:
    """Variables with the three ids of the first workgroup of a call, from its linear number in the dispatch."""
    columns, rows = code.define("zext i32 %gx to i64"), code.define("zext i32 %gy to i64")
    x, row = code.define(f"urem i64 %first, {columns}"), code.define(f"udiv i64 %first, {columns}")
    places = []
    for wide in (x, code.define(f"urem i64 {row}, {rows}"), code.define(f"udiv i64 {row}, {rows}")):
        places.append(code.alloca("i32", 4, "workgroup_id"))
        code.write(f"store i32 {code.define(f'trunc i64 {wide} to i32')}, ptr {places[-1]}")
    return places


def _next_workgroup(code: FunctionText, ids: list[str], places: list[str]) -> None:
    """Go on to the ids of the next workgroup, without divisions: they take as long as a short workgroup."""
    is_carried = "true"
    for id, place, count in zip(ids, places, ("%gx", "%gy", "%gz"), strict=True):
        following = code.define(f"add nuw i32 {id}, {code.define(f'zext i1 {is_carried} to i32')}")
        is_end = code.define(f"icmp eq i32 {following}, {count}")
        code.write(f"store i32 {code.define(f'select i1 {is_end}, i32 0, i32 {following}')}, ptr {place}")
        is_carried = is_end
