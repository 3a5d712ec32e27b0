"""A field of all elements of an array of structs: copied, stored to, and shared where it can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing.checks import skip_without


@gp.struct
class Body:
    mass: gp.f32
    at: gp.i32x2


@gp.struct
class Particle:
    kind: gp.u8
    tag: gp.i16
    body: Body
    speed: gp.f32x4
    age: gp.u32


@gp.struct
class Small:
    low: gp.u8
    high: gp.i8
    third: gp.u8


@gp.struct
class Half:
    value: gp.f16
    rest: gp.u8


@gp.struct
class Alone:
    body: Body


NAMES = ("kind", "tag", "body", "body.mass", "body.at", "speed", "age")


def make(device: gp.Device, shape: tuple[int, ...] = (3, 5)) -> tuple[Any, gp.Array]:
    """Structs whose gaps hold bytes too, and their array."""
    size = int(np.prod(shape)) * Particle.itemsize
    host = np.random.default_rng(size).integers(0, 100, size).astype("u1").view(Particle.dtype).reshape(shape)
    for name in ("mass", "at"):
        host["body"][name] = np.arange(host["body"][name].size).reshape(host["body"][name].shape)
    host["speed"] = np.arange(host["speed"].size).reshape(host["speed"].shape)
    return host, gp.asarray(host, Particle, device=device)


def field(host: Any, name: str) -> Any:
    for part in name.split("."):
        host = host[part]
    return host


def put(host: Any, name: str, values: Any) -> None:
    """Store to a field, with the bytes in the gaps of a struct."""
    if name == "body":
        size, first = Body.itemsize, Particle.dtype.fields["body"][1]
        raw = host.view("u1").reshape(*host.shape, Particle.itemsize)
        raw[..., first : first + size] = values.view("u1").reshape(*values.shape, size)
    else:
        field(host, name)[...] = values


def same_bytes(array: gp.Array, host: Any) -> None:
    np.testing.assert_array_equal(array.numpy().view("u1"), host.view("u1"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (2, 3, 2, 1, 4)])
def test_a_copy_of_a_field(device: gp.Device, name: str, shape: tuple[int, ...]) -> None:
    host, x = make(device, shape)
    copied = x.copied[name]
    assert (copied.shape, copied.device) == (shape, device)
    np.testing.assert_array_equal(copied.numpy(), field(host, name))
    same_bytes(x, host)


def test_the_dtypes_of_fields(device: gp.Device) -> None:
    _, x = make(device)
    assert [x.copied[name].dtype for name in NAMES] == [gp.u8, gp.i16, Body, gp.f32, gp.i32x2, gp.f32x4, gp.u32]


@pytest.mark.parametrize("name", NAMES)
def test_a_store_to_a_field_changes_no_other_byte(device: gp.Device, name: str) -> None:
    host, x = make(device)
    wanted = np.ascontiguousarray(field(host, name)[::-1, ::-1])
    x[name] = wanted
    put(host, name, wanted)
    same_bytes(x, host)
    x[name] = x.copied[name][1]  # a device array of one row, repeated
    put(host, name, wanted[1])
    same_bytes(x, host)


def test_numbers_are_converted_and_repeated(device: gp.Device) -> None:
    host, x = make(device)
    x["body.mass"], x["speed"], x["tag"] = 2, 0.5, [[1], [-2], [3]]
    host["body"]["mass"], host["speed"], host["tag"] = 2, 0.5, [[1], [-2], [3]]
    x["body.at"] = (4, -5)
    host["body"]["at"] = (4, -5)
    same_bytes(x, host)


def test_fields_of_slices(device: gp.Device) -> None:
    host, x = make(device, (6, 5))
    x[2:4]["kind"], x[5, 1:4]["body.mass"] = 9, [1, 2, 3]
    host[2:4]["kind"], host[5, 1:4]["body"]["mass"] = 9, [1, 2, 3]
    same_bytes(x, host)
    np.testing.assert_array_equal(x[1:5].copied["speed"].numpy(), host[1:5]["speed"])
    np.testing.assert_array_equal(x.copied[::2, 1].copied["age"].numpy(), host[::2, 1]["age"])


@pytest.mark.parametrize("n", [1, 2, 5, 64, 101])
def test_fields_of_single_bytes(device: gp.Device, n: int) -> None:
    """Structs of three bytes, whose fields share words with those of others."""
    host = np.arange(3 * n, dtype="u1").view(Small.dtype)
    x = gp.asarray(host, Small, device=device)
    np.testing.assert_array_equal(x.copied["third"].numpy(), host["third"])
    x["high"] = np.arange(n) - 50
    host["high"] = np.arange(n) - 50
    same_bytes(x, host)


def test_fields_of_halves(device: gp.Device) -> None:
    skip_without(device, gp.Capability.F16)
    host = np.zeros(9, Half.dtype)
    host["value"], host["rest"] = np.arange(9), 200
    x = gp.asarray(host, Half, device=device)
    np.testing.assert_array_equal(x.copied["value"].numpy(), host["value"])
    x["value"] = 0.25
    host["value"] = 0.25
    np.testing.assert_array_equal(x.numpy()["value"], host["value"])
    np.testing.assert_array_equal(x.numpy()["rest"], host["rest"])


def test_a_field_that_is_all_of_an_element_is_shared(device: gp.Device) -> None:
    x = gp.zeros(4, Alone, device=device)
    body = x["body"]
    assert body.dtype is Body
    body["mass"] = [1, 2, 3, 4]
    np.testing.assert_array_equal(x.numpy()["body"]["mass"], [1, 2, 3, 4])
    empty = gp.empty((0, 3), Particle, device=device)["age"]
    assert (empty.shape, empty.dtype, empty.tolist()) == ((0, 3), gp.u32, [])


def test_an_element_that_was_read_cannot_be_changed(device: gp.Device) -> None:
    """It is a copy: what is stored to it would not reach the array."""
    host, x = make(device, (4,))
    for element, key in ((x[1], "age"), (x[1]["body"], "mass"), (x[1]["speed"], 0), (next(iter(x)), "age")):
        with pytest.raises(ValueError, match="read-only"):
            element[key] = 7
    x[1:2]["age"] = 7
    host["age"][1] = 7
    same_bytes(x, host)
    vectors = gp.ones(3, gp.f32x3, device=device)
    vectors[1] += 1  # changes the array that was read, and stores it
    np.testing.assert_array_equal(vectors.numpy(), [[1, 1, 1], [2, 2, 2], [1, 1, 1]])


def test_what_cannot_be_done_is_told(device: gp.Device) -> None:
    _, x = make(device)
    with pytest.raises(gp.ArgumentError, match=r"x\.copied\['age'\] is a copy of it, and x\['age'\] = values stores"):
        x["age"]
    for name, text in (("weight", "kind, tag, body, speed, age"), ("body.kind", "mass, at")):
        message = f"there is no field '{name}' in Particle: .* has fields {text}"
        with pytest.raises(gp.ArgumentError, match=message):
            x.copied[name]
        with pytest.raises(gp.ArgumentError, match=message):
            x[name] = 0
    with pytest.raises(gp.ArgumentError, match=r"no field 'age\.x' in Particle: gpucore\.u32 has no fields"):
        x["age.x"] = 0
    for use in (lambda x: x["age"], lambda x: x.copied["age"], lambda x: x.__setitem__("age", 1)):
        with pytest.raises(TypeError, match="a device array cannot be indexed with str"):
            use(gp.zeros(3, device=device))
    with pytest.raises(gp.ArgumentError, match=r"values of gpucore\.f32 cannot be stored in a field of gpucore\.u32"):
        x["age"] = gp.zeros((3, 5), device=device)
    with pytest.raises(gp.ArgumentError, match=r"-1"):
        x["age"] = -1
    with pytest.raises(gp.ArgumentError, match=r"values of shape \(4,\) cannot be broadcast to the shape \(3, 5\)"):
        x["age"] = [1, 2, 3, 4]
    x.close()
    for use in (lambda x: x["age"], lambda x: x.copied["age"], lambda x: x.__setitem__("age", 1)):
        with pytest.raises(gp.ClosedError):
            use(x)
