"""ValidModule to LLVM IR: an entry that runs a range of workgroups, one after the other.

The entry is `void gpucore_entry(ptr buffers, ptr scalars, ptr scratch, i32 gx, i32 gy, i32 gz, i64 first, i64 last)`.
It runs the workgroups first .. last (x fastest; first < last) of a dispatch of gx * gy * gz. `buffers` is an array of
addresses in order of binding, each aligned to 64; `scalars` the packed block; `scratch` is memory of this call alone,
as many bytes as the constant `gpucore_scratch_nbytes` says, aligned to 64.

The entry hands each buffer on to `gpucore_workgroups` as an argument of its own, marked `noalias`. The text names no
machine: the driver adds that.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpucore import ir
from gpucore.runtime import Source
from gpucore.span import Span
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.assembly import FunctionText, Line, ModuleText
from gpucore_cpu.layout import llvm_type, memory_nbytes
from gpucore_cpu.ranges import Ranges
from gpucore_cpu.regions import Plan, plan
from gpucore_cpu.scope import Expressions
from gpucore_cpu.walk import statements
from gpucore_cpu.workgroup import Workgroup

ENTRY = "gpucore_entry"
SCRATCH_NBYTES = "gpucore_scratch_nbytes"
_ALIGN = 64
_FRAME_NBYTES = 2048  # private arrays up to this size, all together, live in the frame; greater ones in the scratch


@dataclass(frozen=True, slots=True)
class _Slot:
    """A piece of the scratch memory."""

    key: str  # as in the emitters' table of memories
    name: str
    offset: int


def emit(valid: ir.ValidModule) -> Source:
    """The LLVM IR of a kernel. Raises EmitError for print and breakpoint."""
    module = valid.module
    cut = plan(valid)
    slots, scratch_nbytes = _scratch(module, cut)
    text = ModuleText()
    code = FunctionText()
    code.span = module.span
    arguments = _arguments(valid, slots)
    _workgroups(valid, cut, slots, code, text)
    lines: list[Line] = [(f"; kernel {module.name.splitlines()[0]}", module.span)]
    lines += [(f"@{SCRATCH_NBYTES} = constant i64 {scratch_nbytes}", None), ("", None)]
    lines += _entry(valid, slots)
    lines += [("", None), (f"define internal void @gpucore_workgroups({', '.join(arguments)}) noinline nounwind {{", None)]
    lines += [*code.lines(), ("}", None), ("", None)]
    lines += [(line, None) for line in text.lines()]
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
    )


# ---------------------------------------------------------------- memory of a call


def _scratch(module: ir.Module, cut: Plan) -> tuple[list[_Slot], int]:
    """Where workgroup arrays, what crosses regions, and great private arrays lie; and the size of it all."""
    wanted = [
        (f"workgroup {array.id}", array.length * memory_nbytes(array.element)) for array in module.workgroup_arrays
    ]
    for key, crossing in cut.crossing.items():
        element = crossing.element if isinstance(crossing, ir.PrivateArray) else crossing.type
        length = crossing.length if isinstance(crossing, ir.PrivateArray) else 1
        wanted.append((f"crossing {key}", module.num_invocations * length * memory_nbytes(element)))
    arrays = {s.array.id: s.array for s in statements(module.body) if isinstance(s, ir.DeclareArray)}
    private = [array for key, array in sorted(arrays.items()) if key not in cut.crossing]
    if sum(array.length * memory_nbytes(array.element) for array in private) > _FRAME_NBYTES:
        wanted += [(f"private {a.id}", a.length * memory_nbytes(a.element)) for a in private]
    slots, offset = [], 0
    for number, (key, nbytes) in enumerate(wanted):
        slots.append(_Slot(key, f"%scratch{number}", offset))
        offset += -(-nbytes // _ALIGN) * _ALIGN
    return slots, offset


# ---------------------------------------------------------------- entry


def _arguments(valid: ir.ValidModule, slots: list[_Slot]) -> list[str]:
    """Parameters of gpucore_workgroups. `%buffer` in the text of a pointer marks those of the dispatch."""
    arguments = [f"ptr noalias nonnull align {_ALIGN} %buffer{b.index}" for b in valid.module.buffers]
    arguments += [f"{llvm_type(slot.param.type)} %param{slot.param.index}" for slot in valid.slots]
    arguments += [f"ptr noalias nonnull align {_ALIGN} {slot.name}" for slot in slots]
    return [*arguments, "i32 %gx", "i32 %gy", "i32 %gz", "i64 %first", "i64 %last"]


def _entry(valid: ir.ValidModule, slots: list[_Slot]) -> list[Line]:
    """The function that the driver calls: unpacks buffers, scalars and scratch memory."""
    code = FunctionText()
    passed = []
    for buffer in valid.module.buffers:
        place = code.define(f"getelementptr ptr, ptr %buffers, i64 {buffer.index}")
        passed.append(f"ptr {code.define(f'load ptr, ptr {place}', buffer.name)}")
    for slot in valid.slots:
        is_bool = slot.param.type == ir.BOOL
        place = code.define(f"getelementptr i8, ptr %scalars, i64 {slot.offset}")
        kind = llvm_type(slot.param.type)
        loaded = code.define(f"load {'i32' if is_bool else kind}, ptr {place}", slot.param.name)
        passed.append(f"{kind} {code.define(f'icmp ne i32 {loaded}, 0') if is_bool else loaded}")
    for piece in slots:
        passed.append(f"ptr {code.define(f'getelementptr i8, ptr %scratch, i64 {piece.offset}')}")
    passed += ["i32 %gx", "i32 %gy", "i32 %gz", "i64 %first", "i64 %last"]
    code.write(f"call void @gpucore_workgroups({', '.join(passed)})")
    code.give_back()
    head = "ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last"
    return [(f"define void @{ENTRY}({head}) nounwind {{", None), *code.lines(), ("}", None)]


# ---------------------------------------------------------------- workgroups


def _workgroups(
    valid: ir.ValidModule, cut: Plan, slots: list[_Slot], code: FunctionText, text: ModuleText
) -> None:
    """The loop over the workgroups of a call, with a workgroup's work inside."""
    module, ranges = valid.module, Ranges(valid.module)
    memories = {slot.key: slot.name for slot in slots}
    memories |= {f"buffer {buffer.index}": f"%buffer{buffer.index}" for buffer in module.buffers}
    loop = code.open_loop("i64", "%first", "%last", hint="workgroup")
    given = {f"param {param.index}": f"%param{param.index}" for param in module.params}
    given |= {f"num_workgroups {axis}": f"%g{letter}" for axis, letter in enumerate("xyz")}
    given |= _workgroup_ids(code, loop.counter)
    expressions = Expressions(code, Arithmetic(code, text), ranges, given)
    Workgroup(code, text, expressions, ranges, cut, module.workgroup_size, memories).write()
    code.close_loop(loop)
    code.give_back()


def _workgroup_ids(code: FunctionText, linear: str) -> dict[str, str]:
    """The three ids of a workgroup from its number in the dispatch."""
    columns, rows = code.define("zext i32 %gx to i64"), code.define("zext i32 %gy to i64")
    ids = {}
    x = code.define(f"urem i64 {linear}, {columns}")
    row = code.define(f"udiv i64 {linear}, {columns}")
    for axis, wide in enumerate((x, code.define(f"urem i64 {row}, {rows}"), code.define(f"udiv i64 {row}, {rows}"))):
        ids[f"workgroup_id {axis}"] = code.define(f"trunc i64 {wide} to i32", "workgroup_id")
    return ids
