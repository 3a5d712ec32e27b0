"""Every producer of a 64-bit integer against every comparison with a constant, on every device.

Compilers narrow such comparisons by what they know of the producer, and drivers have been wrong about it.
The simulator says what is right; `wide_producers` lists the producers.
"""

from __future__ import annotations

import functools
import itertools
import operator
import random

import numpy as np
import pytest
from wide_producers import GROUP, INPUTS, ROW, Kernel, producers

import gpucore as gp
from gpucore import ir
from gpucore.compiler import UNLIMITED, compile_for
from gpucore.ir import COMPARISONS, I64, U32, U64, Capability, build
from gpucore.runtime.packing import packer
from gpucore.testing.checks import skip_without
from gpucore.valid import validate

BATCH = 10  # producers in one kernel
ORDERS = sorted(COMPARISONS, key=lambda op: op.value)
OPERATORS = {op: getattr(operator, op.value) for op in ORDERS}
MAGNITUDES = (0, 1, 2, 31, 32, 64, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1)


def constants(wide):
    if wide == U64:
        return (*MAGNITUDES, 2**63, 2**64 - 1)
    return (*MAGNITUDES, -1, -2, -(2**31), -(2**31) - 1, -(2**63))


def comparisons(wide):
    """Pairs of a comparison and a constant: all of them, 32 to a word."""
    pairs = list(itertools.product(ORDERS, constants(wide)))
    return [pairs[start : start + 32] for start in range(0, len(pairs), 32)]


def column(scalar, number):
    """A value for each invocation: edges and numbers of all lengths."""
    source = random.Random(f"{scalar} {number}")
    if scalar.is_float:
        values = [0.0, -0.0, 0.5, -1.5, 1e10, -1e10, 2.0**31, 2.0**32, 2.0**63, -(2.0**63), 1e30, float("nan")]
        values += [source.uniform(-1, 1) * 2.0 ** source.randrange(66) for _ in range(GROUP - len(values))]
        source.shuffle(values)
        return np.array(values, f"f{scalar.nbytes}")
    edges = [value for value in (*constants(I64), 2**63, 3, 10) if scalar.min_value <= value <= scalar.max_value]
    source.shuffle(edges)
    values = [source.getrandbits(source.randrange(1, scalar.bits + 1)) + scalar.min_value for _ in range(GROUP)]
    return np.array((edges + values)[:GROUP], f"{'i' if scalar.is_signed else 'u'}{scalar.nbytes}")


def capabilities_of(producer, wide):
    """What a device needs for a kernel with one producer."""
    kernel = Kernel()
    kernel.store(kernel.buffer("out", wide, writable=True), ROW, producer(kernel))
    return set(validate(kernel.module(), frozenset(Capability), UNLIMITED, "any device").needs)


def module_of_values(batch, wide):
    """out[row, producer]: the integers."""
    kernel = Kernel()
    out = kernel.buffer("out", wide, writable=True)
    for number, producer in enumerate(batch):
        kernel.store(out, build.add(build.mul(ROW, len(batch)), number), producer(kernel))
    return kernel.module()


def module_of_tests(batch, wide):
    """out[row, producer, word]: a bit for each comparison; the integers themselves are not stored."""
    kernel = Kernel()
    out, words = kernel.buffer("out", U32, writable=True), comparisons(wide)
    for number, producer in enumerate(batch):
        value = kernel.value(wide)
        kernel.body.append(ir.Let(value, producer(kernel)))
        for word, pairs in enumerate(words):
            bits = build.constant(0, U32)
            for bit, (op, constant) in enumerate(pairs):
                test = ir.Convert(build.binary(op, value, constant), U32)
                bits = build.bit_or(bits, build.shl(test, bit))
            place = build.add(build.mul(ROW, len(batch) * len(words)), number * len(words) + word)
            kernel.store(out, place, bits)
    return kernel.module()


def run(device, module, nbytes):
    """What the first buffer holds after one workgroup, as bytes."""
    compiled = compile_for(device, module)
    driver, buffers = device.driver_device, []
    names = {f"{scalar}_{number}": (scalar, number) for scalar in INPUTS for number in (0, 1)}
    result, lengths = np.zeros(nbytes, np.uint8), {}
    for buffer in module.buffers:
        data = column(*names[buffer.name]) if buffer.name in names else result
        buffers.append(driver.allocate(data.nbytes))
        buffers[-1].write(memoryview(data).cast("B"))
        lengths[buffer.name] = data.nbytes // buffer.element.nbytes
    layout = compiled.layout
    last = [lengths[slot.origin.name] - 1 for slot in layout.slots]  # where core clamps indices
    scalars = packer(layout.slots, layout.nbytes).pack(*last) if last else b""
    driver.dispatch(compiled.pipeline, buffers, scalars, (1, 1, 1))
    buffers[0].read(memoryview(result))
    for buffer in buffers:
        buffer.release()
    compiled.pipeline.release()
    return result


@functools.cache
def expected(wide, names):
    """The bits that the simulator's integers give, by [row, producer, word]."""
    batch = [producers(wide)[name] for name in names]
    nbytes = GROUP * len(batch) * 8
    values = run(gp.device("simulator"), module_of_values(batch, wide), nbytes).view(f"{str(wide)[0]}8")
    words = [
        [
            sum(OPERATORS[op](int(value), constant) << bit for bit, (op, constant) in enumerate(pairs))
            for pairs in comparisons(wide)
        ]
        for value in values
    ]
    return np.array(words, np.uint32).reshape(GROUP, len(batch), -1)


@pytest.mark.parametrize("wide", [I64, U64], ids=str)
def test_comparisons_with_constants(device: gp.Device, wide) -> None:
    skip_without(device, Capability.INT64)
    able, words, wrong = device.capabilities, comparisons(wide), []
    found = [(name, make) for name, make in producers(wide).items() if capabilities_of(make, wide) <= able]
    for start in range(0, len(found), BATCH):
        names, batch = zip(*found[start : start + BATCH], strict=True)
        result = run(device, module_of_tests(batch, wide), GROUP * len(batch) * len(words) * 4)
        differing = result.view(np.uint32).reshape(GROUP, len(batch), len(words)) ^ expected(wide, names)
        for row, number, word in np.argwhere(differing):
            bits = [pair for bit, pair in enumerate(words[word]) if differing[row, number, word] >> bit & 1]
            wrong += [f"{names[number]}, row {row}: {op.value} {constant}" for op, constant in bits]
    assert not wrong, f"{len(wrong)} wrong: {wrong[:20]}"
