"""Functions of gp.random in kernels: known answers, the same bits on every backend, and the errors that they state."""

from __future__ import annotations

import itertools
import zlib

import numpy as np
import pytest
import random_reference as reference
from sort_order import bits_of

import gpucore as gp


@gp.kernel
def words(key: gp.In[gp.u32x2], counter: gp.In[gp.u32x4], out: gp.Out[gp.u32x4]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.random.philox(key[i], counter[i])


@gp.kernel
def uniforms(bits: gp.In[gp.u32], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.random.uniform(bits[i])


@gp.kernel
def normals(a: gp.In[gp.u32], b: gp.In[gp.u32], out: gp.Out[gp.f32x2]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.random.normal(a[i], b[i])


@gp.kernel
def whole(bits: gp.In[gp.u32], low: gp.i32, high: gp.i32, out: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < out.size:
        out[i] = gp.random.integers(bits[i], low, high)


EDGES = np.unique(
    [x for k in range(33) for x in range(2**k - 3, 2**k + 4) if 0 <= x < 2**32] + [3 * 2**k for k in range(31)]
).astype(np.uint32)


def some_words(count: int) -> reference.Words:
    return reference.words_of(seed=7, count=count)


def made_normals(a: reference.Words, b: reference.Words, device: gp.Device) -> np.ndarray:
    out = gp.empty(a.size, gp.f32x2, device=device)
    normals(gp.asarray(a, device=device), gp.asarray(b, device=device), out, invocations=a.size)
    return out.numpy()


def pairs_for(device: gp.Device) -> tuple[reference.Words, reference.Words]:
    """Edges with edges, and random words; also with many zeros in front, and with many ones."""
    is_slow = device.backend.name == "simulator"
    edges = EDGES[:: 40 if is_slow else 1]
    a, b = (np.array(side, np.uint32) for side in zip(*itertools.product(edges, edges), strict=True))
    count = 50 if is_slow else 20_000
    more, shifts = some_words(4 * count), np.arange(count, dtype=np.uint32) % 32
    firsts = [a, more[:count], more[:count] >> shifts, ~(more[:count] >> shifts)]
    return np.concatenate(firsts), np.concatenate([b, more[count:]])


def test_the_known_answers_of_random123(device: gp.Device) -> None:
    key, counter, result = (np.array(side, np.uint32) for side in zip(*reference.KNOWN, strict=True))
    out = gp.zeros(3, gp.u32x4, device=device)
    words(gp.asarray(key, gp.u32x2, device=device), gp.asarray(counter, gp.u32x4, device=device), out, invocations=3)
    assert np.array_equal(out.numpy(), result)
    assert np.array_equal(reference.philox(key, counter), result)


def test_philox_of_other_keys_and_counters(device: gp.Device) -> None:
    keys, counters = some_words(2 * 333).reshape(-1, 2), some_words(6 * 333)[2 * 333 :].reshape(-1, 4)
    out = gp.zeros(333, gp.u32x4, device=device)
    key, counter = gp.asarray(keys, gp.u32x2, device=device), gp.asarray(counters, gp.u32x4, device=device)
    words(key, counter, out, invocations=333)
    assert np.array_equal(out.numpy(), reference.philox(keys, counters))


def test_uniform_has_24_bits_and_is_below_1(device: gp.Device) -> None:
    bits = np.concatenate([EDGES, some_words(301)])
    out = gp.empty(bits.size, device=device)
    uniforms(gp.asarray(bits, device=device), out, invocations=bits.size)
    got = out.numpy().astype(np.float64)
    assert np.array_equal(got, (bits >> 8) / 2.0**24)
    assert got.min() == 0 and got.max() == 1 - 2.0**-24


def test_integers_of_a_word(device: gp.Device) -> None:
    bits = np.concatenate([EDGES, some_words(301)])
    for low, high in ((0, 1), (-3, 4), (0, 2**31 - 1), (-(2**31), 2**31 - 1), (2**31 - 3, 2**31 - 1)):
        out = gp.empty(bits.size, gp.i32, device=device)
        whole(gp.asarray(bits, device=device), low, high, out, invocations=bits.size)
        assert np.array_equal(out.numpy(), [low + ((high - low) * int(word) >> 32) for word in bits])


def test_normal_is_near_the_exact_numbers(device: gp.Device) -> None:
    """The bound is that of the docstring of gpucore.random.fixed_point, and the rounding to f32."""
    a, b = pairs_for(device)
    got, exact = made_normals(a, b, device), reference.normal(a, b)
    error = np.abs(got - exact) - np.spacing(np.abs(got)) / 2
    assert error.max() <= 2.0**-24
    assert not np.any(np.signbit(got) & (got == 0))


def test_normal_has_the_same_bits_everywhere(device: gp.Device) -> None:
    simulator = gp.device("simulator")
    a, b = pairs_for(simulator)
    assert np.array_equal(bits_of(made_normals(a, b, device)), bits_of(made_normals(a, b, simulator)))


def test_the_bits_of_normal_stay_as_they_are(device: gp.Device) -> None:
    """From one version of gpucore to the next, too."""
    a = np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xDEADBEEF], np.uint32)
    got = made_normals(a, a[::-1].copy(), device)
    assert bits_of(got).tolist() == NORMALS
    more = some_words(514)
    assert zlib.crc32(made_normals(more[::2].copy(), more[1::2].copy(), device).tobytes()) == CHECKSUM


def test_the_tails_are_reached(device: gp.Device) -> None:
    """The first word decides how far a pair is from 0, the second in which direction."""
    b = np.array([0, 2**30, 2**31, 3 * 2**30, 2**29], np.uint32)
    x, y = made_normals(np.zeros(5, np.uint32), b, device).T
    assert np.all(np.abs([x[0], y[1], x[2], y[3]]) > 6.76)
    assert np.all(np.abs([x[4], y[4]]) < 4.79)


@gp.kernel
def seeded(out: gp.Out[gp.f32, 2], seed: gp.u32, sample: gp.Const[object]):
    """A helper that takes a function of gp.random, and words used by component."""
    i = gp.global_id(0)
    if i < out.shape[1]:
        word = gp.random.philox(gp.u32x2(seed, 1), gp.u32x4(gp.u32(i), 2, 3, 4))
        for k in gp.unroll(range(4)):
            out[k, i] = apply(sample, word[k])


def apply(sample, bits):
    return sample(bits)


def test_a_function_of_gp_random_as_an_argument_in_a_kernel() -> None:
    device = gp.device("simulator")
    out = gp.empty((4, 9), device=device)
    seeded(out, 5, gp.random.uniform, invocations=9)
    keys, counters = np.tile(np.uint32([5, 1]), (9, 1)), np.tile(np.uint32([0, 2, 3, 4]), (9, 1))
    counters[:, 0] = np.arange(9)
    assert np.array_equal(out.numpy(), (reference.philox(keys, counters).T >> 8) / np.float32(2**24))


@gp.kernel
def of_vectors(out: gp.Out[gp.f32x4], two: gp.Out[gp.f32x2], seed: gp.u32):
    i = gp.global_id(0)
    if i < out.size:
        words = gp.random.philox((seed, 1), counter=(gp.u32(i), 2, 3, 4))
        out[i] = gp.random.uniform(words)
        two[i] = gp.random.uniform(gp.u32x2(words.y, 5))


def test_tuples_for_vectors_and_uniform_of_vectors(device: gp.Device) -> None:
    out, two = gp.zeros(37, gp.f32x4, device=device), gp.zeros(37, gp.f32x2, device=device)
    of_vectors(out, two, 9, invocations=37)
    keys, counters = np.tile(np.uint32([9, 1]), (37, 1)), np.tile(np.uint32([0, 2, 3, 4]), (37, 1))
    counters[:, 0] = np.arange(37)
    expected = (reference.philox(keys, counters) >> 8) / np.float32(2**24)
    np.testing.assert_array_equal(out.numpy(), expected)
    np.testing.assert_array_equal(two.numpy(), np.stack([expected[:, 1], np.zeros(37)], 1))


def test_another_type_of_words_is_refused() -> None:
    @gp.kernel
    def wrong(out: gp.Out[gp.f32]):
        out[0] = gp.random.uniform(gp.i32(5))

    with pytest.raises(gp.KernelTypeError, match="'bits' of uniform is u32, and i32 is passed"):
        wrong(gp.empty(1, device="simulator"), invocations=1)


def test_the_arguments_of_the_host_are_refused_in_a_kernel() -> None:
    @gp.kernel
    def wrong(out: gp.Out[gp.f32]):
        out[0] = gp.random.uniform(4, 5)

    with pytest.raises(gp.KernelTypeError, match="it is defined as uniform\\(bits\\)"):
        wrong(gp.empty(1, device="simulator"), invocations=1)


def test_philox_outside_a_kernel() -> None:
    with pytest.raises(gp.KernelOnlyError, match="inside a kernel"):
        gp.random.philox(np.zeros(2, np.uint32), np.zeros(4, np.uint32))


def test_check_finds_nothing() -> None:
    bits = some_words(70)
    assert gp.check(uniforms, bits, np.empty(70, np.float32), invocations=70).ok
    pairs = np.empty((70, 2), np.float32)
    assert gp.check(normals, bits, bits[::-1].copy(), pairs, invocations=70).ok


NORMALS = [
    [0x4094009C, 0xC09DED54], [0x40BE723C, 0x40367E3B], [0x3F96B55F, 0x00000000], [0xBF96B55F, 0x00000000],
    [0xB7800000, 0x00000000], [0x40132899, 0x31800000], [0x3F0731E7, 0x00000000],
]  # fmt: skip
CHECKSUM = 0x44D6B071
"""Of 257 pairs."""
