"""What is exported for pages: the kernels that a program calls, and sequences of launches, which give right results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import packaged_kernels
import pytest
from played import Player

import gpucore as gp
from gpucore.testing import require_device

T = TypeVar("T", gp.f32, gp.i32)


@gp.kernel
def scale(x: gp.InOut[T], n: gp.Const[int]):
    """Multiply by a constant."""
    i = gp.global_id(0)
    if i < x.size:
        x[i] *= T(n)


@gp.kernel
def add(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] += a * x[i]


@gp.struct
class Body:
    """A struct in memory and by value."""

    place: gp.f32x2
    mass: gp.f32


@gp.kernel
def move(bodies: gp.InOut[Body], by: Body):
    i = gp.global_id(0)
    if i < bodies.size:
        bodies[i] = Body(bodies[i].place + by.place, by.mass)


@pytest.fixture
def machine() -> gp.Device:
    return require_device("wgpu")


def played(bundle: Any, device: gp.Device) -> Player:
    return Player(json.loads(json.dumps(bundle.manifest())), device)


def test_the_kernels_that_a_program_calls() -> None:
    with gp.export.record("web") as bundle:
        x, y = gp.ones(100), gp.arange(100, dtype=gp.i32)
        scale(x, 3)
        scale(y, 4)
        add(2.0, x, x.copy())
        assert gp.default_device() is bundle.device and x.device is bundle.device
        assert bundle.add(move) == "move"
    manifest = bundle.manifest()
    assert set(manifest["kernels"]) == {"scale[T=f32,n=3]", "scale[T=i32,n=4]", "add", "move"}
    found = manifest["kernels"]["scale[T=i32,n=4]"]
    assert found["doc"] == "Multiply by a constant." and found["python"].startswith("@gp.kernel")
    assert found["parameters"] == [
        {"name": "x", "kind": "array", "mode": "inout", "element": "i32", "rank": 1},
        {"name": "n", "kind": "const", "value": 4},
    ]
    assert [form["folded"] for form in found["forms"]] == [False, True]
    assert "array<i32>" in found["forms"][0]["text"] or "array<vec4<i32>>" in found["forms"][0]["text"]
    fields = manifest["kernels"]["move"]["parameters"][1]["element"]["fields"]
    assert [(each["name"], each["element"], each["offset"]) for each in fields] == [
        ("place", "f32x2", 0),
        ("mass", "f32", 8),
    ]


@pytest.mark.parametrize("n", [1, 1000, 70_001])
def test_sorts_and_sums(machine: gp.Device, n: int) -> None:
    def work(keys: gp.Array) -> dict[str, gp.Array]:
        in_order = gp.sort(keys)
        return {"in_order": in_order, "before": gp.cumsum(in_order), "total": gp.sum(keys)}

    with gp.export.record("web") as bundle:
        bundle.sequence("work", work, gp.empty(n, gp.u32))
    player, random = played(bundle, machine), np.random.default_rng(n)
    for _ in range(2):
        keys = random.integers(0, 1 << 32, n, np.uint32)
        found = player.run("work", keys=keys)
        assert np.array_equal(found["in_order"], np.sort(keys))
        assert np.array_equal(found["before"], np.cumsum(np.sort(keys), dtype=np.uint32))
        assert found["total"] == np.sum(keys, dtype=np.uint32)


def test_products_and_an_array_that_is_written(machine: gp.Device) -> None:
    def work(a: gp.Array, b: gp.Array, out: gp.Array) -> None:
        gp.matmul(a, b, out=out, beta=1.0)

    with gp.export.record("web") as bundle:
        bundle.sequence("work", work, gp.empty((37, 65)), b=gp.empty((65, 41)), out=gp.empty((37, 41)))
    random = np.random.default_rng(0)
    a, b, out = (random.integers(-9, 9, shape).astype(np.float32) for shape in ((37, 65), (65, 41), (37, 41)))
    found = played(bundle, machine).run("work", a=a, b=b, out=out)
    assert np.array_equal(found["out"], out + a @ b)


def test_arrays_of_the_program_have_what_was_stored_in_them(machine: gp.Device) -> None:
    """By stores, kernels and copies before a sequence; what it does not need is left out."""
    table = np.arange(33, dtype=np.float32)
    with gp.export.record("web") as bundle:
        stored = gp.asarray(table)
        doubled = stored + stored
        unused = gp.asarray(np.ones(1 << 16, np.float32))
        add(1.0, unused, unused.copy())

        def work(x: gp.Array) -> gp.Array:
            y = x.copy()
            add(3.0, doubled[1:], y[1:])
            return y

        bundle.sequence("first", work, gp.empty(33))
        bundle.sequence("second", lambda x: {"y": x + stored}, gp.empty(33))
    manifest = bundle.manifest()
    assert len(json.dumps(manifest["setup"])) < 2000 and manifest["setup"]
    player, x = Player(manifest, machine), np.linspace(1, 2, 33, dtype=np.float32)
    wanted = x.copy()
    wanted[1:] += np.float32(3) * 2 * table[1:]
    for _ in range(2):
        assert np.array_equal(player.run("first", x=x)["result"], wanted)
        assert np.array_equal(player.run("second", x=x)["y"], x + table)


def test_what_is_refused() -> None:
    with pytest.raises(gp.ArgumentError, match="no installed backend has the target 'webb'; did you mean 'web'"):
        gp.export.record("webb").__enter__()
    with pytest.raises(gp.ArgumentError, match=r"'wgsl' is one of packages, which gp\.build writes"):
        gp.export.record("wgsl").__enter__()
    with gp.export.record("web") as bundle:
        x = gp.ones(10)
        with pytest.raises(gp.ArgumentError, match="'a' and 'b' of the sequence 'squared' share memory"):
            bundle.sequence("squared", gp.matmul, *[gp.empty((4, 4))] * 2)
        with pytest.raises(gp.ArgumentError, match="inputs of a sequence are arrays, not 3"):
            bundle.sequence("scaled", lambda x, n: x * n, x, 3)
        with pytest.raises(gp.ArgumentError, match="'result' of the sequence 'bytes' begins within a word"):
            bundle.sequence("bytes", lambda x: x[1:4], gp.empty(9, gp.u8))
        with pytest.raises(gp.ArgumentError, match=r"'n' is a compile-time int, not 1\.5"):
            bundle.add(scale, n=1.5)
        with pytest.raises(gp.DeviceError, match="nothing runs on"):
            x.numpy()
        bundle.sequence("once", gp.sort, x)
        with pytest.raises(gp.ArgumentError, match="has a sequence 'once' already"):
            bundle.sequence("once", gp.sort, x)
        for name in (None, 3, "", "two words", "__proto__"):
            with pytest.raises(gp.ArgumentError, match="a sequence has a name of letters, digits and _, as in "):
                bundle.sequence(name, gp.sort, x)  # type: ignore[arg-type]
        with pytest.raises(gp.ArgumentError, match=r"bundle\.sequence takes a function, and its arrays, not 3"):
            bundle.sequence("number", 3, x)  # type: ignore[arg-type]
        with pytest.raises(gp.ArgumentError, match=r"bundle\.add takes a kernel, .*, not <func"):
            bundle.add(gp.sort)  # type: ignore[arg-type]
        with pytest.raises(gp.ArgumentError, match="returned 3; it returns None, an array"):
            bundle.sequence("three", lambda x: 3, x)
        with pytest.raises(gp.ArgumentError, match="complete at the end of its `with` block"):
            bundle.manifest()
        with pytest.raises(gp.CapabilityError, match="f64"):
            gp.empty(3, gp.f64) * 2.0
    assert not gp.default_device().id.startswith("recorded")


def test_the_files(tmp_path: Path) -> None:
    with gp.export.record("web") as bundle:
        bundle.add(add)
    (tmp_path / "file").write_text("")
    with pytest.raises(gp.ArgumentError, match="file cannot be written: "):
        bundle.write(tmp_path / "file")
    paths = bundle.write(tmp_path / "new" / "folder")
    manifest = json.loads(paths[0].read_text())
    assert paths[0].name == "kernels.json" and all(path.stat().st_size for path in paths)
    assert (manifest["format"], manifest["version"], list(manifest["kernels"])) == ("gpucore-page", 1, ["add"])


def test_subgroups_are_enabled_where_the_target_has_them() -> None:
    """naga refuses the line, and browsers want it."""

    @gp.kernel(workgroup_size=64)
    def summed(x: gp.InOut[gp.f32]):
        x[gp.global_id(0)] = gp.subgroup_add(x[gp.global_id(0)])

    texts = {}
    for target in ("web", "web+subgroups"):
        with gp.export.record(target) as bundle:
            bundle.add(summed)
        texts[target] = bundle.manifest()["kernels"]["summed"]["forms"][0]["text"].splitlines()
    assert texts["web+subgroups"][:2] == ["enable subgroups;", "diagnostic(off, subgroup_uniformity);"]
    assert not any("subgroups;" in line for line in (*texts["web"], *summed.source("wgsl").splitlines()))


def test_memory_of_a_sequence_is_its_own(machine: gp.Device) -> None:
    """Its temporary arrays, those that only the function has, and inputs that are tables of another sequence."""
    with gp.export.record("web") as bundle:
        x = gp.empty(1000)
        bundle.sequence("sum", lambda x: gp.sum((x + 1.0) * 2.0), x)
        sevens, nines = gp.asarray(np.full(1000, 7, np.float32)), gp.asarray(np.full(1000, 9, np.float32))
        bundle.sequence("both", lambda x: x + sevens + nines, x)
        bundle.sequence("own", lambda x, w=gp.asarray(np.full(1000, 3, np.float32)): x + w, x)  # noqa: B008
        bundle.sequence("temporary", lambda x: gp.cumsum((x + 1.0) * 2.0), x)
        bundle.sequence("of_table", lambda x: x + 1.0, sevens)
    player, x = played(bundle, machine), np.arange(1000, dtype=np.float32)
    wanted = {
        "sum": np.sum((x + 1) * 2), "both": x + 16, "own": x + 3, "temporary": np.cumsum((x + 1) * 2),
        "of_table": x + 1,
    }  # fmt: skip
    for name in [*wanted, *reversed(wanted)]:
        np.testing.assert_allclose(player.run(name, x=x)["result"], wanted[name], rtol=1e-6)


def test_inputs_of_functions_that_take_many(machine: gp.Device) -> None:
    def work(first: gp.Array, *others: gp.Array, **named: gp.Array) -> gp.Array:
        return first + others[0] * named["p"]

    with gp.export.record("web") as bundle:
        bundle.sequence("work", work, gp.empty(5), gp.empty(5), p=gp.empty(5))
    x = np.arange(5, dtype=np.float32)
    found = played(bundle, machine).run("work", first=x, others_0=x + 1, p=x + 2)
    assert np.array_equal(found["result"], x + (x + 1) * (x + 2))


def test_blocks_may_be_nested() -> None:
    with gp.export.record("web") as outer, gp.export.record("web") as inner:
        inner.sequence("sort", gp.sort, gp.empty(10))
        outer.sequence("sum", gp.sum, gp.empty(10, device=outer.device))
    assert list(inner.manifest()["sequences"]) == ["sort"] and list(outer.manifest()["sequences"]) == ["sum"]


def named_twice(factor: float) -> gp.Kernel:
    @gp.kernel
    def same(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if i < x.size:
            x[i] *= factor

    return same


def test_native_source_is_refused() -> None:
    kernel = named_twice(2.0)
    kernel.native("wgpu", "no text")
    refused = pytest.raises(gp.ArgumentError, match="same has native source for wgpu, which a page cannot have")
    with gp.export.record("web") as bundle, refused:
        bundle.add(kernel)


def test_two_kernels_of_one_name_are_refused() -> None:
    with gp.export.record("web") as bundle:
        bundle.add(named_twice(2.0))
        with pytest.raises(gp.ArgumentError, match="the bundle has another kernel 'same' already"):
            bundle.add(named_twice(3.0))


@gp.kernel
def filled(x: gp.Out[gp.f32], value: gp.Const[float], kernel: gp.Const[int] = 3):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = gp.f32(value) + gp.f32(kernel)


def test_constants_by_name() -> None:
    """Defaults are filled in; a parameter may have any name; what JSON has no number for is refused, or left out."""
    with gp.export.record("web") as bundle:
        assert bundle.add(filled, value=1.5) == "filled[value=1.5,kernel=3]"
        with pytest.raises(gp.ArgumentError, match="filled: value=inf cannot be in a manifest, which is JSON"):
            bundle.add(filled, value=float("inf"))
        x = gp.empty(4)
        filled(x, 2.5, 4)
        filled(x, float("nan"))
    assert set(bundle.kernels) == {"filled[value=1.5,kernel=3]", "filled[value=2.5,kernel=4]"}
    json.dumps(bundle.manifest(), allow_nan=False)


def test_kernels_of_packages_are_left_out(tmp_path: Path) -> None:
    """They are called in the block, and have no Python."""
    gp.build(tmp_path / "k.gpu", [packaged_kernels.saxpy], ["x86-64-v3"])
    package = gp.load(tmp_path / "k.gpu", compile=True)
    with gp.export.record("web") as bundle:
        package.saxpy(2.0, gp.ones(4), gp.ones(4))
    assert list(bundle.kernels) == []


def test_names_and_memory_of_inputs() -> None:
    def work(x: gp.Array) -> dict[str, gp.Array]:
        scale(x, 2)
        return {"x": x * 2.0}

    with gp.export.record("web") as bundle:
        x = gp.ones(16)
        with pytest.raises(gp.ArgumentError, match="returns an array as 'x', which is the name of an input that it wr"):
            bundle.sequence("work", work, gp.ones(4))
        with pytest.raises(gp.ArgumentError, match="two inputs of a sequence are named 'x_0'; rename the parameter"):
            bundle.sequence("many", lambda x_0, *x: x_0 + x[0], x, gp.ones(16))
        with pytest.raises(gp.ArgumentError, match="the input 'part' of the sequence 'sum' is a part of an array"):
            bundle.sequence("sum", lambda part: gp.sum(x), x[:4])
    assert bundle.manifest()["sequences"] == {}
