"""Generated CUDA C is compiled to machine code for every architecture; no GPU and no driver is needed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from broken_texts import KERNEL, PLACES, at, spoiled, spread
from ir_build import KernelBuilder, binary, builtin, call, constant, saxpy, splat, unary, workgroup_sum

from gpucore.errors import BackendUnavailableError, DriverCompileError, EmitError
from gpucore.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    VECTORS,
    AtomicOp,
    Bitcast,
    Buffer,
    BuiltinKind,
    Construct,
    Convert,
    Debug,
    DebugKind,
    Expr,
    Extract,
    Load,
    MathOp,
    Place,
    ScalarType,
    Select,
    Store,
    Type,
    UnaryOp,
    ValidModule,
    VectorType,
    num_components,
    scalar_of,
)
from gpucore.ir.module import make_valid_module
from gpucore.runtime.protocol import Source
from gpucore.span import Span
from gpucore_cuda.nvrtc import Nvrtc
from gpucore_cuda.plugin import CUDABackend

emit = CUDABackend().emit

ARCHITECTURES = [75, 80, 90, 100, 120]
NUMBERS = (I32, U32, I64, U64, F16, F32, F64)
UNARY_FLOAT = [
    MathOp.ABS, MathOp.FLOOR, MathOp.CEIL, MathOp.ROUND, MathOp.TRUNC, MathOp.FRACT, MathOp.SQRT, MathOp.RSQRT,
    MathOp.EXP, MathOp.EXP2, MathOp.LOG, MathOp.LOG2, MathOp.SIN, MathOp.COS, MathOp.TAN, MathOp.ASIN, MathOp.ACOS,
    MathOp.ATAN, MathOp.SINH, MathOp.COSH, MathOp.TANH, MathOp.SIGN,
    MathOp.ERF,
]  # fmt: skip
UNARY_INTEGER = [MathOp.ABS, MathOp.SIGN, MathOp.POPCOUNT, MathOp.CLZ, MathOp.CTZ, MathOp.REVERSE_BITS]
INTEGER_OPERATORS = ["+", "-", "*", "//", "%", "div_trunc", "rem", "&", "|", "^", "<<", ">>"]


class Sink(KernelBuilder):
    """Stores every result at a place of its own, so that the compiler can drop none of them."""

    results = 0

    def keep(self, memory: Buffer, index: Expr, expr: Expr) -> None:
        self.results += 1
        self.store(memory, binary(index, "+", 64 * self.results), expr)


def operators_of(type: Type) -> ValidModule:
    """A kernel with every operator and function of a type."""
    kernel = Sink(f"all_of_{type}")
    x, y, out = (kernel.buffer(name, type, "inout" if name == "out" else "in") for name in ("x", "y", "out"))
    flags = kernel.buffer("flags", I32)
    i = kernel.global_id()
    a, b = kernel.load(x, i, "a"), kernel.load(y, i, "b")
    scalar, width = scalar_of(type), num_components(type)
    for symbol in ["+", "-", "*", "/"] if scalar.is_float else INTEGER_OPERATORS:
        kernel.keep(out, i, binary(a, symbol, b))
    kernel.keep(out, i, unary(UnaryOp.NEG, a))
    for op in UNARY_FLOAT if scalar.is_float else UNARY_INTEGER:
        kernel.keep(out, i, call(op, a))
    two = [MathOp.MIN, MathOp.MAX] + ([MathOp.POW, MathOp.ATAN2, MathOp.STEP] if scalar.is_float else [])
    for op in two:
        kernel.keep(out, i, call(op, a, b))
    for op in [MathOp.CLAMP] + ([MathOp.MIX, MathOp.FMA] if scalar.is_float else []):
        kernel.keep(out, i, call(op, a, b, binary(a, "+", b)))
    array = kernel.private_array("array", type, 4)
    kernel.store(array, binary(i, "&", 3), a)
    kernel.keep(out, i, kernel.load(array, constant(1)))
    for symbol in ("==", "!=", "<", "<=", ">", ">="):
        truth = binary(a, symbol, b)
        if isinstance(type, VectorType):
            both = binary(truth, "and", unary(UnaryOp.NOT, truth))
            truth = binary(Extract(truth, width - 1, BOOL), "or", Extract(both, 0, BOOL))
        kernel.keep(out, i, Select(truth, a, b, type))
        kernel.keep(flags, i, Convert(truth, I32))
    if isinstance(type, VectorType):
        kernel.keep(out, i, splat(call(MathOp.DOT, a, b, type=scalar), width))
        kernel.keep(out, i, Construct(tuple(Extract(a, i, scalar) for i in reversed(range(width))), type))
    elif scalar.is_float:
        for op in (MathOp.ISNAN, MathOp.ISINF):
            kernel.keep(flags, i, Convert(call(op, a, type=BOOL), I32))
        for value in (math.inf, -math.inf, math.nan, -0.0, 0.1, 6e-8):
            kernel.keep(out, i, constant(value, scalar))
    else:
        for value in (scalar.min_value, scalar.max_value, 0, 7):
            kernel.keep(out, i, constant(value, scalar))
    return kernel.valid()


def conversions() -> ValidModule:
    """Every number type to every other, and to bool and back."""
    kernel = Sink("conversions")
    sources = {type: kernel.buffer(f"from_{type}", type, "in") for type in NUMBERS}
    targets = {type: kernel.buffer(f"to_{type}", type, "out") for type in NUMBERS}
    i = kernel.global_id()
    for buffer in sources.values():
        value = kernel.load(buffer, i)
        for target, out in targets.items():
            kernel.keep(out, i, Convert(value, target))
            kernel.keep(out, i, Convert(Convert(value, BOOL), target))
    return kernel.valid()


def vector_conversions() -> ValidModule:
    """Every vector type to every other of its width, and bits to every other of its size."""
    kernel = Sink("vector_conversions")
    sources = {type: kernel.buffer(f"from_{type}", type, "in") for type in VECTORS}
    targets = {type: kernel.buffer(f"to_{type}", type, "out") for type in VECTORS}
    i = kernel.global_id()
    for source, buffer in sources.items():
        value = kernel.load(buffer, i)
        for target, out in targets.items():
            if source.width == target.width:
                kernel.keep(out, i, Convert(value, target))
            if source.nbytes == target.nbytes:
                kernel.keep(out, i, Bitcast(value, target))
    return kernel.valid()


def bitcasts() -> ValidModule:
    kernel = Sink("bitcasts")
    f32, f64, f16x2 = kernel.buffer("a", F32), kernel.buffer("b", F64), kernel.buffer("c", VectorType(F16, 2))
    i = kernel.global_id()
    single, double, pair = kernel.load(f32, i), kernel.load(f64, i), kernel.load(f16x2, i)
    for type in (I32, U32):
        kernel.keep(f32, i, Bitcast(binary(Bitcast(single, type), "+", 1), F32))
        kernel.keep(f16x2, i, Bitcast(binary(Bitcast(pair, type), "+", 1), VectorType(F16, 2)))
    for type in (I64, U64):
        kernel.keep(f64, i, Bitcast(binary(Bitcast(double, type), "+", 1), F64))
    return kernel.valid()


def atomics(element: ScalarType) -> ValidModule:
    kernel = KernelBuilder("atomics")
    cells = kernel.buffer("cells", element)
    tile = kernel.workgroup_array("tile", element, 64)
    i, lane = kernel.global_id(), builtin(BuiltinKind.LOCAL_ID)
    kernel.store(tile, lane, kernel.load(cells, i))
    kernel.barrier()
    for memory in (cells, tile):
        for op in AtomicOp:
            comparand = constant(3, element) if op is AtomicOp.COMPARE_EXCHANGE else None
            operand = None if op is AtomicOp.LOAD else constant(5, element)
            if op is AtomicOp.STORE:
                continue
            old = kernel.atomic(op, memory, constant(0), operand, comparand)
            kernel.store(cells, i, old)
    return kernel.valid()


def scalars() -> ValidModule:
    kernel = KernelBuilder("scalars")
    out = kernel.buffer("out", F64)
    params = [kernel.param(f"p_{type}", type) for type in (BOOL, *NUMBERS)]
    for index, param in enumerate(params):
        kernel.store(out, constant(index), Convert(param, F64))
    return kernel.valid()


def large_workgroup_memory() -> ValidModule:
    kernel = KernelBuilder("large")
    out = kernel.buffer("out", F32)
    first, second = (
        kernel.workgroup_array("first", F32, 10_001),
        kernel.workgroup_array("second", VectorType(F32, 4), 900),
    )
    lane = builtin(BuiltinKind.LOCAL_ID)
    kernel.store(first, lane, constant(1.0, F32))
    kernel.store(second, lane, splat(constant(2.0, F32), 4))
    kernel.barrier()
    total = binary(kernel.load(first, constant(3)), "+", Extract(kernel.load(second, constant(4)), 1, F32))
    kernel.store(out, lane, total)
    return kernel.valid()


KERNELS = [
    *(saxpy(), workgroup_sum(), conversions(), vector_conversions(), bitcasts(), scalars()),
    *(large_workgroup_memory(), atomics(I32), atomics(U32)),
    *(operators_of(type) for type in (*NUMBERS, *VECTORS)),
]


@pytest.mark.parametrize("valid", KERNELS, ids=lambda valid: valid.module.name)
def test_every_kernel_compiles(nvrtc: Nvrtc, valid: ValidModule) -> None:
    source = emit(valid)
    for architecture in (75, 120):
        cubin, log = nvrtc.compile(source, architecture)
        assert cubin[:4] == b"\x7fELF"
        assert "error" not in log


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_compiles(nvrtc: Nvrtc, architecture: int) -> None:
    for valid in (saxpy(), workgroup_sum(), large_workgroup_memory()):
        cubin, _ = nvrtc.compile(emit(valid), architecture)
        assert cubin[:4] == b"\x7fELF" and valid.module.name.encode() in cubin


@pytest.mark.parametrize(
    "name", ["main", "norm3d", "rcbrt", "fmodf", "acoshf", "va_list", "cyl_bessel_i0f", "cudaError_t"]
)
def test_a_kernel_may_have_a_name_that_the_compiler_knows(nvrtc: Nvrtc, name: str) -> None:
    kernel = KernelBuilder(name)
    kernel.store(kernel.buffer("out", I32, "out"), constant(0), constant(7))
    cubin, _ = nvrtc.compile(emit(kernel.valid()), 75)
    assert cubin[:4] == b"\x7fELF"


def test_an_architecture_too_old_is_incompatible_and_no_compile_error(nvrtc: Nvrtc) -> None:
    with pytest.raises(BackendUnavailableError, match=r"incompatible: NVRTC \S+ compiles for sm_75.*not for sm_30"):
        nvrtc.compile(emit(saxpy()), 30)


def test_a_compile_error_names_the_users_line(nvrtc: Nvrtc) -> None:
    kernel = KernelBuilder("broken")
    out = kernel.buffer("out", F32, "out")
    kernel.span = Span("kernels.py", 12, 4, 12, 20)
    kernel.store(out, constant(0), constant(1.0, F32))
    source = emit(kernel.valid())
    with pytest.raises(DriverCompileError) as caught:
        nvrtc.compile(replace(source, text=source.text.replace("1.0f", "1.0f + unknown")), 90)
    assert caught.value.span == kernel.span
    assert 'identifier "unknown" is undefined' in caught.value.log


@pytest.mark.parametrize("beginning", PLACES)
def test_every_line_of_the_kernel_is_found_from_the_log(nvrtc: Nvrtc, beginning: str) -> None:
    with pytest.raises(DriverCompileError) as caught:
        nvrtc.compile(spoiled(emit(spread()), beginning), 90)
    assert caught.value.span == at(PLACES[beginning])
    assert f"[{caught.value.span}]" in caught.value.log


def test_what_the_assembler_refuses_is_laid_to_the_kernel(nvrtc: Nvrtc) -> None:
    source = emit(spread())
    with pytest.raises(DriverCompileError, match="refused the generated code of spread") as caught:
        nvrtc.compile(replace(source, text=source.text.replace("out[i] =", 'asm("bogus;"); out[i] =')), 90)
    assert caught.value.span == KERNEL and "bogus" in caught.value.log


def test_a_users_own_text_needs_only_its_entry(nvrtc: Nvrtc) -> None:
    text = 'extern "C" __global__ void twice(float* x)\n{\n    x[threadIdx.x] *= 2.0f;\n}\n'
    source = Source("cuda", text, "twice", workgroup_size=(64, 1, 1), writes=(True,), scalars_nbytes=0)
    binary, log = nvrtc.compile(source, 90)
    assert binary[:4] == b"\x7fELF" and not log.strip()
    with pytest.raises(DriverCompileError, match=r"no kernel named 'thrice'\s.*extern \"C\""):
        nvrtc.compile(replace(source, entry="thrice"), 90)
    with pytest.raises(DriverCompileError, match="refused the text of twice") as caught:
        nvrtc.compile(replace(source, text=text.replace("2.0f", "bogus_word")), 90)
    assert caught.value.span is None and "bogus_word" in caught.value.log


def test_text_of_saxpy() -> None:
    assert emit(saxpy()).text == SAXPY


SAXPY = """\
struct gpucore_scalars {
    float a;
    int n;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(256) saxpy(
    const float* x,
    float* __restrict__ y,
    const struct gpucore_scalars scalars)
{
    const float a = scalars.a;
    const int n = scalars.n;
    const int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
    if (i < n) {
        const float x_value = x[i];
        const float y_value = y[i];
        y[i] = a * x_value + y_value;
    }
}
"""


def test_neighbours_of_every_type_are_one_access(nvrtc: Nvrtc) -> None:
    """Of halves, too. A workgroup array is left to the compiler."""
    kernel = KernelBuilder("neighbours")
    first, wanted = binary(kernel.global_id(), "*", 4), []
    for vector in (vector for vector in VECTORS if vector.width in (2, 4)):
        x, y = kernel.buffer(f"x_{vector}", vector.element, "in"), kernel.buffer(f"y_{vector}", vector.element)
        values = [kernel.value("v", vector.element) for _ in range(vector.width)]
        indices = [binary(first, "+", k) for k in range(vector.width)]
        for value, index in zip(values, indices, strict=True):
            kernel.add(Load(value, Place(x, index), None, vector.width))
        for value, index in zip(values, indices, strict=True):
            kernel.add(Store(Place(y, index), value, None, vector.width))
        wanted += [f"gpucore_load_{vector}(&", f"gpucore_store_{vector}(&"]
    source = emit(kernel.valid())
    assert all(source.text.count(name) == 1 for name in wanted)
    for architecture in (75, 120):
        cubin, log = nvrtc.compile(source, architecture)
        assert cubin[:4] == b"\x7fELF" and "warning" not in log


def test_fewer_registers_are_used_for_more_workgroups_of_a_multiprocessor(nvrtc: Nvrtc) -> None:
    """Of 65536 registers, 1024 invocations have 64 each, and twice as many 32."""
    kernel = KernelBuilder("many_values", (1024, 1, 1))
    x = kernel.buffer("x", I32)
    i = kernel.global_id()
    values = [kernel.load(x, binary(i, "+", 1024 * k)) for k in range(48)]
    for k, value in enumerate(values):  # no store can come before a load
        kernel.store(x, value, values[-1 - k])
    valid = kernel.valid()
    module = replace(valid.module, min_workgroups=2)
    facts = valid.slots, valid.scalars_nbytes, valid.needs, valid.atomic_memories, valid.written_buffers
    hinted = make_valid_module(module, *facts, valid.barrier_orders_buffers)
    used = [_registers(nvrtc.compile(emit(made), 90)[0]) for made in (valid, hinted)]
    assert used[1] == 32 < used[0] <= 64


def _registers(cubin: bytes) -> int:
    """The attribute EIATTR_REGCOUNT of the only function: format, attribute, size, symbol, count."""
    at = cubin.index(b"\x04\x2f\x08\x00")
    return int.from_bytes(cubin[at + 8 : at + 12], "little")


def test_workgroup_memory_beyond_the_static_limit_is_one_block() -> None:
    source = emit(large_workgroup_memory())
    assert source.workgroup_memory == 40_016 + 14_400
    assert "extern __shared__ __align__(16) unsigned char gpucore_workgroup_memory[];" in source.text
    assert "float4* const second = (float4*)(gpucore_workgroup_memory + 40016);" in source.text
    assert "float tile[64];" in emit(workgroup_sum()).text


def test_vector_arithmetic_reads_like_scalar_arithmetic() -> None:
    text = emit(operators_of(VectorType(F32, 4))).text
    assert "] = a * b;" in text
    assert "float4 operator*(float4 a, float4 b)" in text


def test_debug_statements_are_refused() -> None:
    kernel = KernelBuilder("noisy")
    place = Span("kernels.py", 3, 4, 3, 9)
    kernel.add(Debug(DebugKind.PRINT, ("hello",), place))
    with pytest.raises(EmitError) as caught:
        emit(kernel.valid())
    assert caught.value.span == place
