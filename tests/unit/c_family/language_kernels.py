"""Kernels of structs, small integers, atomics and subgroups: run where there is a device, compiled everywhere."""

from __future__ import annotations

from ir_build import KernelBuilder, binary, builtin, call, constant

from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    MASKS,
    U8,
    U16,
    U32,
    U64,
    VOTES,
    AtomicOp,
    Bitcast,
    BuiltinKind,
    Constant,
    Construct,
    Convert,
    Extract,
    MathOp,
    ScalarType,
    Select,
    Subgroup,
    SubgroupOp,
    ValidModule,
    VectorType,
    lay_out,
)

STORAGE = (I8, U8, I16, U16)
COUNTED = [AtomicOp.ADD, AtomicOp.SUB, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.AND, AtomicOp.OR, AtomicOp.XOR]
F32X4 = VectorType(F32, 4)
CELL = lay_out("Cell", (("count", U32), ("colour", F32X4), ("first", I32), ("half_size", F16)))


def storage_conversions() -> ValidModule:
    """Every type to and from each small integer, bits, choice, private and workgroup arrays of them."""
    kernel = KernelBuilder("storage_conversions")
    types = (*STORAGE, I32, U32, I64, U64, F16, F32, F64)
    buffers = {type: kernel.buffer(f"b_{type}", type) for type in types}
    i = kernel.global_id()
    values = {type: kernel.load(buffer, i) for type, buffer in buffers.items()}
    place = 0
    for small in STORAGE:
        tile, mine = kernel.workgroup_array("tile", small, 64), kernel.private_array("mine", small, 3)
        kernel.store(mine, binary(i, "%", 3), values[small])
        kernel.store(tile, binary(i, "%", 64), kernel.load(mine, constant(1)))
        kernel.store(buffers[small], binary(i, "+", 4096), kernel.load(tile, constant(2)))
        for type in types:
            place += 64
            kernel.store(buffers[type], binary(i, "+", place), Convert(values[small], type))
            kernel.store(buffers[small], binary(i, "+", place), Convert(values[type], small))
        chosen = Select(Convert(values[small], BOOL), values[small], Constant(small.min_value, small), small)
        kernel.store(buffers[small], i, chosen)
        kernel.store(buffers[small], binary(i, "+", 8192), Convert(Convert(values[F32], BOOL), small))
    for source, target in ((I8, U8), (U8, I8), (I16, U16), (U16, I16), (F16, U16), (I16, F16)):
        kernel.store(buffers[target], binary(i, "+", 9000), Bitcast(values[source], target))
    for type in (F16, F32, F64):
        kernel.store(buffers[type], binary(i, "+", 9000), call(MathOp.ERF, values[type]))
    return kernel.valid()


def storage_params() -> ValidModule:
    """The scalars of a dispatch."""
    kernel = KernelBuilder("storage_params", (1, 1, 1))
    out = kernel.buffer("out", I32, "out")
    params = [kernel.param(f"p_{type}", type) for type in STORAGE]
    for index, param in enumerate(params):
        kernel.store(out, constant(index), Convert(param, I32))
    return kernel.valid()


def struct_atomics() -> ValidModule:
    """Atomics on fields of a struct that has a vector and a half too, and plain accesses to all."""
    kernel = KernelBuilder("struct_atomics")
    cells = kernel.buffer("cells", CELL)
    i = kernel.global_id()
    kernel.atomic(AtomicOp.ADD, cells, binary(i, "%", 4), Constant(1, U32), path=(0,))
    kernel.atomic(AtomicOp.MAX, cells, binary(i, "%", 4), i, path=(2,))
    now = kernel.atomic(AtomicOp.LOAD, cells, i, path=(0,))
    kernel.atomic(AtomicOp.STORE, cells, i, now, path=(0,))
    colour, count = kernel.load(cells, i, "colour", (1,)), kernel.load(cells, i, "count", (0,))
    components = tuple(binary(Extract(colour, k, F32), "+", Convert(count, F32)) for k in range(4))
    kernel.store(cells, i, Construct(components, F32X4), (1,))
    half = kernel.load(cells, i, "half_size", (3,))
    kernel.store(cells, i, binary(half, "*", 2.0), (3,))
    return kernel.valid()


def counting(element: ScalarType) -> ValidModule:
    """Each invocation's id into a cell for each operation, in a buffer; the totals before additions are kept."""
    kernel = KernelBuilder(f"counting_{element}")
    cells, olds = kernel.buffer("cells", element), kernel.buffer("olds", element)
    i = kernel.global_id()
    value = kernel.let("operand", Convert(i, element))
    for index, op in enumerate(COUNTED if element.is_integer else COUNTED[:2]):
        old = kernel.atomic(op, cells, constant(index), value)
        if op is AtomicOp.ADD:
            kernel.store(olds, i, old)
    return kernel.valid()


def exchanging(element: ScalarType, memory: str) -> ValidModule:
    """One invocation, in a buffer or a workgroup array: exchange, compare_exchange of integers, load, store."""
    kernel = KernelBuilder(f"exchanging_{element}", (1, 1, 1))
    out = kernel.buffer("out", element)
    cells = kernel.workgroup_array("tile", element, 2) if memory == "workgroup" else kernel.buffer("cells", element)
    zero = constant(0)

    def number(value: int) -> Constant:
        return Constant(float(value) if element.is_float else value, element)

    kernel.atomic(AtomicOp.STORE, cells, zero, number(3))
    kernel.store(out, constant(0), kernel.atomic(AtomicOp.EXCHANGE, cells, zero, number(5)))
    if element.is_integer:
        first = kernel.atomic(AtomicOp.COMPARE_EXCHANGE, cells, zero, number(9), number(4))
        second = kernel.atomic(AtomicOp.COMPARE_EXCHANGE, cells, zero, number(9), number(5))
        kernel.store(out, constant(1), first)
        kernel.store(out, constant(2), second)
    kernel.atomic(AtomicOp.SUB, cells, zero, number(2))
    kernel.store(out, constant(3), kernel.atomic(AtomicOp.LOAD, cells, zero))
    kernel.store(out, constant(4), kernel.load(cells, zero))
    return kernel.valid()


SUBGROUP_OPERATIONS = [op for op in SubgroupOp if op not in VOTES | MASKS | {SubgroupOp.BARRIER}]
VOTE_COLUMNS = 12


def subgroup_values(element: ScalarType, size: tuple[int, int, int]) -> ValidModule:
    """Row k of `out` has what operation k of SUBGROUP_OPERATIONS gives each invocation; one workgroup."""
    kernel = KernelBuilder(f"subgroup_values_{element}", size)
    x, out = kernel.buffer("x", element, "in"), kernel.buffer("out", element, "out")
    count = size[0] * size[1] * size[2]
    row = binary(binary(builtin(BuiltinKind.LOCAL_ID, 2), "*", size[1]), "+", builtin(BuiltinKind.LOCAL_ID, 1))
    lane = kernel.let("lane", binary(binary(row, "*", size[0]), "+", builtin(BuiltinKind.LOCAL_ID, 0)))
    value = kernel.load(x, lane)
    arguments = {
        SubgroupOp.BROADCAST: Constant(2, U32),
        SubgroupOp.SHUFFLE: Convert(binary(builtin(BuiltinKind.SUBGROUP_INVOCATION_ID), "//", 2), U32),
        SubgroupOp.SHUFFLE_XOR: Constant(1, U32),
        SubgroupOp.SHUFFLE_UP: Constant(3, U32),
        SubgroupOp.SHUFFLE_DOWN: Constant(2, U32),
    }
    for index, op in enumerate(SUBGROUP_OPERATIONS):
        result = kernel.subgroup(op, None if op is SubgroupOp.ELECT else value, arguments.get(op))
        kernel.store(out, binary(lane, "+", index * count), Convert(result, element))
    return kernel.valid()


def subgroup_votes(size: tuple[int, int, int]) -> ValidModule:
    """Twelve numbers for each invocation: the four builtins, the ballot, any and all of a flag, any and all of none,
    the first word of a match of the lowest bit of a quarter of the place."""
    kernel = KernelBuilder("subgroup_votes", size)
    flags, out = kernel.buffer("flags", I32, "in"), kernel.buffer("out", I32, "out")
    row = binary(binary(builtin(BuiltinKind.LOCAL_ID, 2), "*", size[1]), "+", builtin(BuiltinKind.LOCAL_ID, 1))
    lane = kernel.let("lane", binary(binary(row, "*", size[0]), "+", builtin(BuiltinKind.LOCAL_ID, 0)))
    flag = kernel.let("flag", binary(kernel.load(flags, lane), "!=", 0))
    kernel.add(Subgroup(None, SubgroupOp.BARRIER))
    ballot = kernel.subgroup(SubgroupOp.BALLOT, flag)
    truths = [
        kernel.subgroup(op, operand)
        for operand in (flag, binary(lane, "<", 0))
        for op in (SubgroupOp.ANY, SubgroupOp.ALL)
    ]
    kinds = ("SUBGROUP_SIZE", "SUBGROUP_ID", "SUBGROUP_INVOCATION_ID", "NUM_SUBGROUPS")
    numbers = [builtin(BuiltinKind[kind]) for kind in kinds]
    words = [Bitcast(Extract(ballot, word, U32), I32) for word in range(4)]
    for index, number in enumerate([*numbers, *words, *(Convert(truth, I32) for truth in truths[:2])]):
        kernel.store(out, binary(binary(lane, "*", VOTE_COLUMNS), "+", index), number)
    none = binary(Convert(truths[2], I32), "+", Convert(truths[3], I32))
    kernel.store(out, binary(binary(lane, "*", VOTE_COLUMNS), "+", 10), none)
    match = kernel.subgroup(SubgroupOp.MATCH, binary(lane, "//", 4), bits=1)
    kernel.store(out, binary(binary(lane, "*", VOTE_COLUMNS), "+", 11), Bitcast(Extract(match, 0, U32), I32))
    return kernel.valid()
