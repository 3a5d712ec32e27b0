"""Debug with the rest of the language: structs, small integers, subgroups, atomics on floats, barriers, 3-D grids."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp


@gp.struct
class Particle:
    place: gp.f32x4
    mass: gp.f32
    tag: gp.i32


@gp.kernel(workgroup_size=4, debug="ordered")
def show_particles(particles: gp.InOut[Particle], offset: gp.i32):
    i = gp.global_id(0)
    p = particles[i]
    print(p)
    particles[i + offset].mass = p.mass + 1.0


@gp.kernel(workgroup_size=4, debug="ordered")
def show_small(x: gp.In[gp.i8], y: gp.InOut[gp.u16], offset: gp.i32):
    i = gp.global_id(0)
    print(x[i], y[i])
    y[i] = gp.u16(x[i + offset])


@gp.kernel(workgroup_size=4, debug=True)
def assert_values(x: gp.In[gp.f32], out: gp.Out[gp.f32]):
    i = gp.global_id(0)
    out[i] = x[i]
    assert x[i] < 3.0, ("element", i, "is", x[i])


@gp.kernel(workgroup_size=(2, 2, 2), debug="ordered")
def show_ids(out: gp.Out[gp.i32]):
    out[0] = 1
    print(gp.global_id(0), gp.global_id(1), gp.global_id(2))


@gp.kernel(workgroup_size=32, debug=True)
def totals(x: gp.In[gp.f32], sums: gp.InOut[gp.f32], at: gp.i32):
    i = gp.global_id(0)
    total = gp.subgroup_add(x[i])
    if gp.subgroup_invocation_id() == 0:
        gp.atomic_add(sums, at, total)


def wait_for(device: gp.Device, kernel: gp.Kernel, *arguments: object, **grid: object) -> None:
    kernel(*arguments, **grid)
    device.synchronize()


def test_structs(device: gp.Device, capsys: pytest.CaptureFixture[str]) -> None:
    host = np.zeros(4, Particle.dtype)
    host["place"], host["mass"], host["tag"] = np.arange(16).reshape(4, 4), [1, 2, 3, 4], [9, 8, 7, 6]
    particles = gp.asarray(host, Particle, device=device)
    wait_for(device, show_particles, particles, 0, workgroups=1)
    assert capsys.readouterr().out.splitlines() == [
        "Particle(place=(0.0, 1.0, 2.0, 3.0), mass=1.0, tag=9)",
        "Particle(place=(4.0, 5.0, 6.0, 7.0), mass=2.0, tag=8)",
        "Particle(place=(8.0, 9.0, 10.0, 11.0), mass=3.0, tag=7)",
        "Particle(place=(12.0, 13.0, 14.0, 15.0), mass=4.0, tag=6)",
    ]
    with pytest.raises(gp.OutOfRangeError, match=r"index 4 is out of range for 'particles' of length 4, .*\(2, 0, 0\)"):
        wait_for(device, show_particles, particles, 2, workgroups=1)
    found = particles.numpy()
    np.testing.assert_array_equal(found["mass"], [2, 3, 3, 4])
    np.testing.assert_array_equal(found["tag"], [9, 8, 7, 6])


def test_small_integers(device: gp.Device, capsys: pytest.CaptureFixture[str]) -> None:
    x = gp.asarray(np.array([-128, -1, 0, 127], "i1"), device=device)
    y = gp.asarray(np.array([0, 1, 32768, 65535], "u2"), device=device)
    wait_for(device, show_small, x, y, 0, workgroups=1)
    assert capsys.readouterr().out.splitlines() == ["-128 0", "-1 1", "0 32768", "127 65535"]
    np.testing.assert_array_equal(y.numpy(), [65408, 65535, 0, 127])
    with pytest.raises(gp.OutOfRangeError, match="index 4 is out of range for 'x' of length 4"):
        wait_for(device, show_small, x, y, 1, workgroups=1)
    if device.backend.name != "simulator":
        np.testing.assert_array_equal(y.numpy(), [65535, 0, 127, 0])


def test_an_assert_tells_values(device: gp.Device) -> None:
    x, out = gp.asarray(np.arange(8, dtype="f4") / 2, device=device), gp.zeros(8, device=device)
    with pytest.raises(
        gp.KernelAssertionError, match=r"assertion failed: element 6 is 3\.0, in invocation \(6, 0, 0\)"
    ):
        wait_for(device, assert_values, x, out, workgroups=2)


def test_ordered_lines_over_workgroups_and_axes(device: gp.Device, capsys: pytest.CaptureFixture[str]) -> None:
    wait_for(device, show_ids, gp.zeros(1, gp.i32, device=device), workgroups=(2, 1, 2))
    expected = [
        f"{2 * a + x} {y} {2 * c + z}"
        for c in range(2) for a in range(2) for z in range(2) for y in range(2) for x in range(2)
    ]  # fmt: skip
    assert capsys.readouterr().out.splitlines() == expected


def test_what_a_device_lacks_is_emulated_under_debug_too(device: gp.Device) -> None:
    x, sums = gp.ones(128, device=device), gp.zeros(2, device=device)
    wait_for(device, totals, x, sums, 1, invocations=128)
    np.testing.assert_array_equal(sums.numpy(), [0, 128])
    with pytest.raises(gp.OutOfRangeError, match="index 2 is out of range for 'sums' of length 2, in invocation"):
        wait_for(device, totals, x, sums, 2, invocations=128)
    np.testing.assert_array_equal(sums.numpy(), [0, 128])


def test_a_barrier_that_not_all_reach_is_refused_in_the_same_words(device: gp.Device) -> None:
    def diverging(x: gp.In[gp.i32], out: gp.Out[gp.i32]):
        i = gp.global_id(0)
        v = x[i]
        if v > 0:
            gp.barrier()
        out[i] = v

    texts = []
    for debug in (False, True):
        made = gp.kernel(workgroup_size=8, debug=debug)(diverging)
        with pytest.raises(gp.UniformityError) as caught:
            made(gp.ones(8, gp.i32, device=device), gp.zeros(8, gp.i32, device=device), invocations=8)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert "`v`" in texts[0]
