"""Buffers of structs on a device of the C family: the layout is NumPy's with `align=True`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from device_run import BACKENDS, require, run
from ir_build import KernelBuilder, binary, call, constant

from gpucore.errors import DriverCompileError
from gpucore.ir import (
    F16,
    F32,
    F64,
    I8,
    I32,
    I64,
    U8,
    U16,
    U32,
    AtomicOp,
    Capability,
    Constant,
    Construct,
    Convert,
    Extract,
    MathOp,
    StructType,
    VectorType,
    lay_out,
)

F32X4, F32X2, I32X2 = VectorType(F32, 4), VectorType(F32, 2), VectorType(I32, 2)
INNER = lay_out("Inner", (("kind", U8), ("weight", F64), ("flags", U16)))
PARTICLE = lay_out(
    "Particle",
    (("alive", I8), ("position", F32X4), ("inner", INNER), ("cell", I32X2), ("age", U16), ("uv", F32X2), ("id", I64)),
)
INNER_DTYPE = np.dtype(
    {"names": ["kind", "weight", "flags"], "formats": ["u1", "f8", "u2"], "offsets": [0, 8, 16], "itemsize": 24}
)
PARTICLE_DTYPE = np.dtype(
    {
        "names": ["alive", "position", "inner", "cell", "age", "uv", "id"],
        "formats": ["i1", ("f4", 4), INNER_DTYPE, ("i4", 2), "u2", ("f4", 2), "i8"],
        "offsets": [0, 16, 32, 56, 64, 72, 80],
        "itemsize": 96,
    }
)


def particles(count: int) -> np.ndarray:
    rng = np.random.default_rng(11)
    raw = rng.integers(0, 256, count * PARTICLE_DTYPE.itemsize, dtype=np.uint8)
    made = raw.view(PARTICLE_DTYPE)
    made["position"] = rng.standard_normal((count, 4))
    made["uv"] = rng.standard_normal((count, 2))
    made["inner"]["weight"] = rng.standard_normal(count)
    return made


def test_the_layout_is_the_hosts() -> None:
    assert [field.offset for field in PARTICLE.fields] == [0, 16, 32, 56, 64, 72, 80]
    assert (PARTICLE.nbytes, INNER.nbytes) == (96, 24)


def test_every_field_is_read_and_written_in_its_place(device: Any) -> None:
    kernel = KernelBuilder("step")
    x, out = kernel.buffer("x", PARTICLE, "in"), kernel.buffer("out", PARTICLE)
    i = kernel.global_id()
    for number, field in enumerate(PARTICLE.fields):
        if not isinstance(field.type, StructType):
            kernel.store(out, i, kernel.load(x, i, field.name, (number,)), (number,))
    for number in range(len(INNER.fields)):
        kernel.store(out, i, kernel.load(x, i, path=(2, number)), (2, number))
    position = kernel.load(x, i, "position", (1,))
    kernel.store(out, i, binary(position, "+", position), (1,))
    kind = Convert(kernel.load(x, i, "kind", (2, 0)), I32)
    kernel.store(out, i, Convert(binary(kind, "+", 1), U8), (2, 0))
    data = particles(128)
    result, expected = (np.full(data.nbytes, 0xAB, np.uint8).view(PARTICLE_DTYPE) for _ in range(2))
    for name in ("alive", "cell", "age", "uv", "id"):
        expected[name] = data[name]
    expected["position"] = data["position"] * 2
    for name in INNER_DTYPE.names or ():
        expected["inner"][name] = data["inner"][name]
    expected["inner"]["kind"] += 1
    run(device, kernel.valid(), [data, result], workgroups=2)
    assert result.tobytes() == expected.tobytes()  # the padding too is as it was


def test_atomics_on_a_field_beside_vectors(device: Any) -> None:
    cell = lay_out("Cell", (("count", U32), ("colour", F32X4), ("first", I32)))
    kernel = KernelBuilder("count")
    cells = kernel.buffer("cells", cell)
    i = kernel.global_id()
    bin_ = binary(i, "%", 4)
    kernel.atomic(AtomicOp.ADD, cells, bin_, Constant(1, U32), path=(0,))
    kernel.atomic(AtomicOp.MAX, cells, bin_, i, path=(2,))
    colour = kernel.load(cells, binary(bin_, "+", 4), "colour", (1,))
    count = kernel.load(cells, binary(bin_, "+", 4), "count", (0,))
    with kernel.when(binary(i, "<", 4)):
        components = tuple(binary(Extract(colour, k, F32), "+", Convert(count, F32)) for k in range(4))
        kernel.store(cells, i, Construct(components, F32X4), (1,))
    dtype = np.dtype(
        {"names": ["count", "colour", "first"], "formats": ["u4", ("f4", 4), "i4"], "offsets": [0, 16, 32],
         "itemsize": 48}
    )  # fmt: skip
    memory = np.zeros(8, dtype)
    memory["colour"] = np.arange(32).reshape(8, 4)
    memory["count"][4:] = [10, 20, 30, 40]
    run(device, kernel.valid(), [memory], workgroups=4)
    assert memory["count"].tolist() == [64] * 4 + [10, 20, 30, 40]
    assert memory["first"][:4].tolist() == [252, 253, 254, 255]
    assert memory["colour"][:4].tolist() == [[16 + 4 * k + c + 10 * (k + 1) for c in range(4)] for k in range(4)]


def test_half_and_its_vectors_in_a_struct(device: Any) -> None:
    packed = lay_out("Packed", (("a", F16), ("b", VectorType(F16, 4)), ("c", VectorType(F16, 2)), ("d", F16)))
    assert [field.offset for field in packed.fields] == [0, 8, 16, 20] and packed.nbytes == 24
    kernel = KernelBuilder("halves", (1, 1, 1))
    x, out = kernel.buffer("x", packed, "in"), kernel.buffer("out", packed)
    i = kernel.global_id()
    for number in range(4):
        kernel.store(out, i, kernel.load(x, i, path=(number,)), (number,))
    valid = kernel.valid()
    assert all("struct Packed" in backend.emit(valid).text for backend in BACKENDS.values())
    require(device, Capability.F16)
    data = np.arange(5 * 12, dtype=np.float16)
    result = np.full(5 * 12, 99, np.float16)
    run(device, valid, [data, result], workgroups=5)
    expected = data.reshape(5, 12).copy()
    expected[:, [1, 2, 3, 11]] = 99
    assert result.reshape(5, 12).tolist() == expected.tolist()


def test_names_of_structs_and_fields_may_be_words_of_the_language(device: Any) -> None:
    words = ("int", "float4", "class", "volatile", "x", "gpucore_x", "größe", "__a", "linux", "global")
    inner = lay_out("double", tuple((word, I32) for word in words))
    outer = lay_out("dot", (("struct", inner), ("out", F32)))
    again = lay_out("dot", (("out", F32),))
    kernel = KernelBuilder("dot")
    x, out, third = kernel.buffer("dot", outer, "in"), kernel.buffer("double", outer), kernel.buffer("out", again)
    i = kernel.global_id()
    for number in range(len(words)):
        value = kernel.load(x, i, "dot", (0, number))
        kernel.store(out, i, binary(value, "*", number + 1), (0, number))
    value = kernel.load(x, i, "dot", (1,))
    kernel.store(out, i, call(MathOp.ABS, value), (1,))
    kernel.store(third, i, binary(value, "+", 1.0), (0,))
    data = np.arange(64 * 11, dtype=np.int32).reshape(64, 11)
    data[:, 10] = np.float32(-2.5).view(np.int32)
    result, other = np.zeros_like(data), np.zeros(64, np.float32)
    run(device, kernel.valid(), [data, result, other])
    assert result[:, :10].tolist() == (data[:, :10] * np.arange(1, 11)).tolist()
    assert result[:, 10].view(np.float32).tolist() == [2.5] * 64
    assert other.tolist() == [-1.5] * 64


def test_a_layout_that_the_compiler_would_not_choose_is_refused_by_it(device: Any) -> None:
    good = lay_out("Odd", (("a", F32), ("b", F32)))
    odd = replace(good, fields=(good.fields[0], replace(good.fields[1], offset=8)), nbytes=16)
    kernel = KernelBuilder("odd")
    out = kernel.buffer("out", odd, "out")
    kernel.store(out, constant(0), constant(1.0, F32), (1,))
    with pytest.raises(DriverCompileError):
        device.compile(BACKENDS[device.info.backend].emit(kernel.valid()))
