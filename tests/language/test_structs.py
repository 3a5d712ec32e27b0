"""Structs by value, in buffers, in workgroup and private arrays; methods, operators, properties; layout as NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lacking import is_refused

import gpucore as gp


@gp.struct
class Vec2:
    x: gp.f32
    y: gp.f32

    def __add__(self, other):  # type: ignore[no-untyped-def]
        return Vec2(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):  # type: ignore[no-untyped-def]
        return Vec2(self.x * factor, self.y * factor)

    def __rmul__(self, factor):  # type: ignore[no-untyped-def]
        return self * factor

    def __neg__(self):  # type: ignore[no-untyped-def]
        return Vec2(-self.x, -self.y)

    @property
    def squared(self):  # type: ignore[no-untyped-def]
        return self.x * self.x + self.y * self.y

    @staticmethod
    def filled(value):  # type: ignore[no-untyped-def]
        return Vec2(value, value)


@gp.struct
class Particle:
    kind: gp.u32
    place: Vec2
    colour: gp.f32x4
    speed: Vec2
    tags: gp.i32x2

    def moved(self, seconds, by=2):  # type: ignore[no-untyped-def]
        return Particle(self.kind + by, self.place + self.speed * seconds, self.colour, -self.speed, self.tags)


def particles(size: int) -> Any:
    """Small whole numbers in every field: arithmetic on them is exact."""
    made, random = np.zeros(size, Particle.dtype), np.random.default_rng(3)  # type: ignore[attr-defined]
    made["kind"], made["tags"] = random.integers(0, 9, size), random.integers(-9, 9, (size, 2))
    made["colour"] = random.integers(0, 9, (size, 4))
    for field in ("place", "speed"):
        made[field]["x"], made[field]["y"] = random.integers(-9, 9, (2, size))
    return made


@gp.kernel(workgroup_size=32)
def move(before: gp.In[Particle], after: gp.Out[Particle], seconds: gp.f32, squares: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < before.size:
        after[i] = before[i].moved(seconds)
        squares[i] = (2.0 * before[i].place).squared


@pytest.mark.parametrize("size", [1, 77])
def test_methods_operators_and_properties(device: gp.Device, size: int) -> None:
    host = particles(size)
    after = gp.zeros(size, Particle, device=device)
    squares = gp.zeros(size, device=device)
    move(gp.asarray(host, Particle, device=device), after, 3.0, squares, invocations=size)
    expected = host.copy()
    expected["kind"] += 2
    for axis in "xy":
        expected["place"][axis] += 3 * host["speed"][axis]
        expected["speed"][axis] = -host["speed"][axis]
    np.testing.assert_array_equal(after.numpy(), expected)
    np.testing.assert_array_equal(squares.numpy(), 4 * (host["place"]["x"] ** 2 + host["place"]["y"] ** 2))


def test_layout_is_that_of_numpy() -> None:
    """Each field at the next multiple of its alignment, a vector's being its size; so that a C struct fits too."""
    dtype = Particle.dtype  # type: ignore[attr-defined]
    offsets = {name: dtype.fields[name][1] for name in dtype.names}
    assert offsets == {"kind": 0, "place": 4, "colour": 16, "speed": 32, "tags": 40}
    assert dtype.itemsize == 48


@gp.kernel(workgroup_size=16)
def turn(all: gp.InOut[Particle], centre: Vec2):
    """Structs in workgroup and private arrays, stores to fields in place, a struct by value."""
    tile = gp.workgroup_array(Particle, 16)
    mine = gp.private_array(Vec2, 2)
    i, l = gp.global_id(0), gp.local_id(0)
    tile[l] = all[min(i, all.size - 1)]
    gp.barrier()
    if i < all.size:
        other = tile[15 - l]
        mine[i % 2] = centre + Vec2.filled(1.0)
        all[i].place = mine[i % 2]
        all[i].speed.y = other.speed.x
        all[i].colour = other.colour.wzyx


def test_fields_in_place_and_in_other_memories(device: gp.Device) -> None:
    size = 45
    host = particles(size)
    array = gp.asarray(host, Particle, device=device)
    turn(array, Vec2(2.5, -4.0), invocations=size)
    padded = np.concatenate([host, host[-1:].repeat(-size % 16)])
    other = padded.reshape(-1, 16)[:, ::-1].reshape(-1)[:size]
    expected = host.copy()
    expected["place"]["x"], expected["place"]["y"] = 3.5, -3.0
    expected["speed"]["y"] = other["speed"]["x"]
    expected["colour"] = other["colour"][:, ::-1]
    np.testing.assert_array_equal(array.numpy(), expected)


@gp.struct
class Packed:
    small: gp.u8
    wide: gp.f64
    half: gp.i16


@gp.kernel(workgroup_size=16)
def repack(x: gp.In[Packed], y: gp.Out[Packed]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = Packed(gp.u8(x[i].half), x[i].wide + 1.0, gp.i16(x[i].small))


def test_fields_by_capability(device: gp.Device) -> None:
    host = np.zeros(19, Packed.dtype)  # type: ignore[attr-defined]
    host["small"], host["wide"], host["half"] = np.arange(19), np.arange(19) / 3, -np.arange(19)
    x, y = gp.asarray(host, Packed, device=device), gp.zeros(19, Packed, device=device)

    def call() -> None:
        repack(x, y, invocations=19)

    if is_refused(device, "f64", call):
        return
    call()
    expected = host.copy()
    expected["small"], expected["wide"], expected["half"] = host["half"].astype("u1"), host["wide"] + 1, host["small"]
    np.testing.assert_array_equal(y.numpy(), expected)


@gp.kernel(workgroup_size=16)
def compare_packed(x: gp.In[Packed], like: Packed, y: gp.Out[gp.u32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = gp.u32(x[i] == like) + gp.u32(x[i] != Packed(200, 0.5, -3)) * 2


def test_small_fields_are_compared(device: gp.Device) -> None:
    host = np.array([(200, 0.5, -3), (200, 0.5, 3), (56, 0.5, -3), (200, 1.5, -3)], Packed.dtype)  # type: ignore[attr-defined]
    x, y = gp.asarray(host, Packed, device=device), gp.zeros(4, gp.u32, device=device)

    def call() -> None:
        compare_packed(x, Packed(56, 0.5, -3), y, invocations=4)

    if is_refused(device, "f64", call):
        return
    call()
    np.testing.assert_array_equal(y.numpy(), [0, 2, 3, 2])
