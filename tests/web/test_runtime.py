"""The runtime in a browser: whole outputs of kernels against NumPy, at odd sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import page_kernels as kernels
import pytest
from web_page import PageError, WebPage, describe_kernel, make_manifest

import gpucore as gp

RANDOM = np.random.default_rng(7)


@pytest.mark.parametrize("n", [1, 3, 255, 257, 100_003])
def test_arrays_and_the_default_grid(web_page: WebPage, n: int) -> None:
    x, y = RANDOM.random(n, np.float32), RANDOM.random(n, np.float32)
    code = """
        const [dx, dy] = [device.array(x), device.array(y)];
        module.kernels.saxpy({ a: 2, x: dx, y: dy });
        return await dy.read();
    """
    result = web_page.run(code, make_manifest(kernels.saxpy), x=x, y=y)
    np.testing.assert_allclose(result, np.float32(2) * x + y, rtol=1e-6)


@pytest.mark.parametrize(
    ("f", "i", "u", "b", "small"), [(0.5, -7, 255, True, -128), (-2.25, 2**31 - 1, 2**32 - 1, False, 127)]
)
def test_scalars_of_all_kinds(web_page: WebPage, f: float, i: int, u: int, b: bool, small: int) -> None:
    code = """
        const out = device.empty("f32", 5);
        module.kernels.scalars({ f, i, u, b, v: [1, 2, 3], w: new Int32Array([9, 4]), small, out });
        return await out.read();
    """
    result = web_page.run(code, make_manifest(kernels.scalars), f=f, i=i, u=u, b=b, small=small)
    total = np.float32(f) + np.float32(i) + np.float32(u & 255) + np.float32(321 + 5) + np.float32(small)
    np.testing.assert_allclose(result, (1 if b else -1) * total + np.arange(5, dtype=np.float32), rtol=1e-6)


def test_structs_by_value_and_in_arrays(web_page: WebPage) -> None:
    bodies = np.zeros(7, kernels.Body.dtype)
    bodies["centre"], bodies["mass"] = RANDOM.random((7, 3)), np.arange(7)
    bodies["kind"], bodies["velocity"] = np.arange(7) - 3, RANDOM.random((7, 2))
    code = """
        const { Body } = module.structs;
        const bodies = device.array(data, { element: Body });
        const body = { centre: [1, 2, 3], mass: 0.5, kind: -2, velocity: [4, 8] };
        module.kernels.move({ body, bodies, dt: 0.5 });
        const bytes = await bodies.read();
        const [first] = gpucore.unpack(Body, bytes);
        return [bytes, first, gpucore.pack(Body, gpucore.unpack(Body, bytes))];
    """
    raw, first, again = web_page.run(code, make_manifest(kernels.move), data=bodies.view(np.uint8))
    result = raw.view(kernels.Body.dtype)
    np.testing.assert_allclose(result["centre"], bodies["centre"] + np.float32([0.5, 1, 1.5]), rtol=1e-6)
    np.testing.assert_array_equal(result["mass"], bodies["mass"] + np.float32(0.5))
    np.testing.assert_array_equal(result["kind"], bodies["kind"] * -2)
    np.testing.assert_allclose(result["velocity"], bodies["velocity"] + np.float32([4, 8]), rtol=1e-6)
    np.testing.assert_array_equal(again.view(kernels.Body.dtype), result)
    assert first["mass"] == 0.5 and first["kind"] == 6 and len(first["centre"]) == 3


def test_structs_of_plain_objects(web_page: WebPage) -> None:
    code = """
        const { Body } = module.structs;
        const one = { centre: [1, 2, 3], mass: 0.5, kind: -2, velocity: [4, 8] };
        return gpucore.unpack(Body, await device.array([one, { ...one, kind: 7 }], { element: Body }).read());
    """
    one = {"centre": [1, 2, 3], "mass": 0.5, "kind": -2, "velocity": [4, 8]}
    assert web_page.run(code, make_manifest(kernels.move)) == [one, {**one, "kind": 7}]


def test_structs_of_one_name(web_page: WebPage) -> None:
    """They are numbered as in a package of Python, and messages name them so."""
    code = """
        const { Params, Params_2 } = module.structs;
        const first = device.array([{ scale: 3 }], { element: Params });
        const other = device.array([{ scale: 3, shift: 4 }], { element: Params_2 });
        module.kernels.scale_all({ params: first });
        module.kernels.shift_all({ params: other });
        let message = "";
        try { module.kernels.shift_all({ params: first }); } catch (error) { message = error.message; }
        const results = [gpucore.unpack(Params, await first.read()), gpucore.unpack(Params_2, await other.read())];
        return [Object.keys(module.structs), results, message];
    """
    names, results, message = web_page.run(code, make_manifest(kernels.scale_all, kernels.shift_all, kernels.scale_all))
    assert names == ["Params", "Params_2"]
    assert results == [[{"scale": 6}], [{"scale": 3, "shift": 5}]]
    assert message == (
        "shift_all: the argument 'params' holds Params, and the kernel takes Params_2; "
        "make it with {element: module.structs.Params_2}, or of another typed array"
    )


@pytest.mark.parametrize("options", ["{ element: 'f32x4' }", "{ shape: [n, 4] }", "{}"])
def test_vectors_and_scalars_viewed_as_vectors(web_page: WebPage, options: str) -> None:
    n = 133
    x = RANDOM.random((n, 4), np.float32)
    code = f"""
        const v = device.array(x, {options});
        const out = device.empty("f32", n);
        module.kernels.lengths({{ v, out }});
        return await out.read();
    """
    manifest = make_manifest(kernels.lengths)
    if "shape" in options:
        with pytest.raises(PageError, match=r"'v' has the shape \[133, 4\], of rank 2, and the kernel takes rank 1"):
            web_page.run(code, manifest, x=x.ravel(), n=n)
        return
    np.testing.assert_allclose(web_page.run(code, manifest, x=x.ravel(), n=n), (x * x).sum(axis=1), rtol=1e-5)


def test_two_axes(web_page: WebPage) -> None:
    x, y = RANDOM.random(61, np.float32), RANDOM.random(131, np.float32)
    code = """
        const out = device.empty("f32", [x.length, y.length]);
        module.kernels.outer({ x: device.array(x), y: device.array(y), out });
        return await out.read();
    """
    result = web_page.run(code, make_manifest(kernels.outer), x=x, y=y)
    np.testing.assert_allclose(result.reshape(61, 131), np.outer(x, y), rtol=1e-6)


def test_atomics_need_a_grid(web_page: WebPage) -> None:
    x = RANDOM.integers(0, 2**32, 10_007, np.uint32)
    code = """
        const bins = device.empty("u32", 13);
        const data = device.array(x);
        module.kernels.histogram({ x: data, bins }, { invocations: data });
        return await bins.read();
    """
    manifest = make_manifest(kernels.histogram)
    np.testing.assert_array_equal(web_page.run(code, manifest, x=x), np.bincount(x % 13, minlength=13))
    with pytest.raises(PageError, match=r"histogram: give \{invocations: x\}.*by atomics alone"):
        web_page.run(code.replace("{ invocations: data }", "{}"), manifest, x=x)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 12_345])
def test_workgroup_arrays_and_barriers(web_page: WebPage, n: int) -> None:
    x = RANDOM.integers(-1000, 1000, n, np.int32)
    groups = -(-n // 64)
    code = """
        const out = device.empty("i32", groups);
        module.kernels.sums({ x: device.array(x), out }, { workgroups: groups });
        return await out.read();
    """
    padded = np.zeros(groups * 64, np.int32)
    padded[:n] = x
    result = web_page.run(code, make_manifest(kernels.sums), x=x, groups=groups)
    np.testing.assert_array_equal(result, padded.reshape(groups, 64).sum(axis=1))


def test_constant_arrays(web_page: WebPage) -> None:
    turns = RANDOM.integers(0, 4, 77, np.int32)
    code = """
        const [y, weights] = [device.empty("i32", [77, 2]), device.empty("f32", 77)];
        module.kernels.walk({ turns: device.array(turns), y, weights }, { invocations: y.shape[0] });
        return [await y.read(), await weights.read()];
    """
    manifest = make_manifest(kernels.walk)
    assert manifest["kernels"]["walk"]["forms"][0]["payload"]["tuple"][2]["bytes"]
    y, weights = web_page.run(code, manifest, turns=turns)
    np.testing.assert_array_equal(y.reshape(77, 2), kernels.MOVES[turns])
    np.testing.assert_array_equal(weights, np.float32(kernels.WEIGHTS)[turns % 3])


def test_folded_grids(web_page: WebPage) -> None:
    n = 4 * 65535 * 3 + 5
    code = 'const out = device.empty("i32", n); module.kernels.numbered({ out }); return await out.read();'
    np.testing.assert_array_equal(web_page.run(code, make_manifest(kernels.numbered), n=n), 3 * np.arange(n) + 1)


def test_elements_of_one_byte(web_page: WebPage) -> None:
    x = RANDOM.integers(0, 256, 1001, np.uint8)
    code = """
        const y = device.empty("i32", x.length);
        module.kernels.bytes_of({ x: device.array(x), y });
        return await y.read();
    """
    np.testing.assert_array_equal(web_page.run(code, make_manifest(kernels.bytes_of), x=x), x.astype(np.int32) - 100)


def test_subgroups(web_page: WebPage) -> None:
    name, description = describe_kernel(kernels.subgroup_sums)
    if "subgroups" not in web_page.features:
        pytest.skip("the browser's device has no subgroups")
    for form in description["forms"]:
        if "enable subgroups;" not in form["text"]:  # of a text for naga, which refuses it
            form["text"] = f"enable subgroups;\n{form['text']}"
    x = RANDOM.integers(0, 1000, 192, np.uint32)
    code = """
        const [out, sizes] = [device.empty("u32", 192), device.empty("u32", 192)];
        module.kernels.subgroup_sums({ x: device.array(x), out, sizes }, { workgroups: 3 });
        return [await out.read(), await sizes.read()];
    """
    manifest = make_manifest((name, {**description, "needs": ["subgroup"]}))
    out, sizes = web_page.run(code, manifest, x=x)
    size = int(sizes[0])
    assert (sizes == size).all() and 4 <= size <= 64
    np.testing.assert_array_equal(out, np.repeat(x.reshape(-1, size).sum(axis=1), size))


def test_specialisations(web_page: WebPage) -> None:
    x = np.arange(9, dtype=np.int32)
    described = [describe_kernel(kernels.scale, n=4, T=gp.f32), describe_kernel(kernels.scale, n=4, T=gp.i32)]
    code = """
        const y = device.empty("i32", 9);
        module.kernels["scale[n=4,T=i32]"]({ x: device.array(x), y, n: 4 });
        return await y.read();
    """
    np.testing.assert_array_equal(web_page.run(code, make_manifest(*described), x=x), 4 * x)
    with pytest.raises(PageError, match=r'no kernel \'scale\'; choose one of kernels\["scale\[n=4,T=f32\]"\]'):
        web_page.run("module.kernels.scale({})", make_manifest(*described))
    alone = code.replace('["scale[n=4,T=i32]"]', ".scale")
    np.testing.assert_array_equal(web_page.run(alone, make_manifest(described[1]), x=x), 4 * x)


@pytest.mark.parametrize("n", [100, 50])
def test_fallback_forms(web_page: WebPage, n: int) -> None:
    """Too few elements to read: the form that reads within the bounds gives 0 beyond them, on every device."""
    name, description = describe_kernel(kernels.doubled)
    plain = description["forms"][0]
    # `2 * x[i]` of an x that is as long as y, else a fallback that writes 7
    fallback = {**plain, "fallback": True, "text": plain["text"].replace("y[", "y[0 * ", 1)}
    terms = [[1, [["shape", "x", 0]]], [-1, [["shape", "y", 0]]]]
    for form in (plain, fallback):
        form["layout"] = {**form["layout"], "assumptions": [[1, terms]]}
    fallback["text"] = plain["text"].replace("2.0 *", "7.0 *").replace("* 2.0", "* 7.0")
    assert fallback["text"] != plain["text"]
    x = RANDOM.random(100, np.float32)
    code = """
        const y = device.empty("f32", 100);
        module.kernels.doubled({ x: device.array(x.subarray(0, n)), y }, { invocations: n });
        return await y.read();
    """
    forms = [plain, fallback]
    result = web_page.run(code, make_manifest((name, {**description, "forms": forms})), x=x, n=n)
    np.testing.assert_allclose(result[:n], np.float32(2 if n == 100 else 7) * x[:n], rtol=1e-6)


def test_every_kind_of_element_comes_back(web_page: WebPage) -> None:
    names = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
    for name in names:
        x = RANDOM.integers(0, 100, 11).astype(name)
        result = web_page.run("return await device.array(x).read();", x=x)
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, x)
    half = RANDOM.random(5).astype(np.float16)
    code = "const y = device.array(x, { element: 'f16' }); const z = await y.read(); return new Uint16Array(z.buffer);"
    np.testing.assert_array_equal(web_page.run(code, x=half).view(np.float16), half)


def test_writes_are_in_order_with_launches(web_page: WebPage) -> None:
    code = """
        const [x, y] = [device.array(new Float32Array([1, 2, 3])), device.array(new Float32Array(3))];
        module.kernels.saxpy({ a: 1, x, y });
        x.write(new Float32Array([10, 20, 30]));
        module.kernels.saxpy({ a: 1, x, y });
        const first = y.read();
        module.kernels.saxpy({ a: 1, x, y });
        return [await first, await y.read()];
    """
    first, second = web_page.run(code, make_manifest(kernels.saxpy))
    assert first.tolist() == [11, 22, 33] and second.tolist() == [21, 42, 63]


def test_many_launches_and_released_arrays(web_page: WebPage) -> None:
    code = """
        const y = device.array(new Float32Array(1000));
        for (let n = 0; n < 1000; n++) {
          const x = device.array(new Float32Array(1000).fill(n));
          module.kernels.saxpy({ a: 1, x, y });
          x.destroy();
        }
        await device.finish();
        return await y.read();
    """
    result = web_page.run(code, make_manifest(kernels.saxpy))
    np.testing.assert_array_equal(result, np.full(1000, 999 * 500, np.float32))


def test_recordings(web_page: WebPage) -> None:
    code = """
        const [x, y] = [device.array(new Float32Array([1, 2, 3])), device.empty("f32", 3)];
        const recording = device.record(() => {
          module.kernels.saxpy({ a: 1, x, y });
          module.kernels.saxpy({ a: 10, x, y });
        });
        const before = await y.read();
        for (let n = 0; n < 7; n++) recording.replay();
        x.write(new Float32Array([0, 0, 1]));
        recording.replay();
        return [recording.length, before, await y.read()];
    """
    length, before, after = web_page.run(code, make_manifest(kernels.saxpy))
    assert length == 2 and before.tolist() == [0, 0, 0] and after.tolist() == [77, 154, 242]


def test_time(web_page: WebPage) -> None:
    n = 1 << 22
    code = """
        const [x, y] = [device.empty("f32", n), device.empty("f32", n)];
        return await device.time(() => { for (let k = 0; k < 20; k++) module.kernels.saxpy({ a: 1, x, y }); });
    """
    result = web_page.run(code, make_manifest(kernels.saxpy), n=n)
    assert result["clock"] == ("device" if "timestamp-query" in web_page.features else "host")
    assert 0.1 < result["ms"] < 60_000


def test_what_is_queued_before_timed_work_throws(web_page: WebPage) -> None:
    """The launches run, the error is that of the work, and the next wait has none."""
    code = """
        const [x, y] = [device.array(new Float32Array([1, 2, 3])), device.empty("f32", 3)];
        const messages = [];
        for (const isAsync of [false, true]) {
          const work = () => { module.kernels.saxpy({ a: 1, x, y }); throw new Error("the work fails"); };
          const timed = device.time(isAsync ? async () => work() : work);
          messages.push(await timed.catch((error) => error.message));
        }
        return [messages, await y.read()];
    """
    messages, y = web_page.run(code, make_manifest(kernels.saxpy))
    assert messages == ["the work fails"] * 2
    assert y.tolist() == [2, 4, 6]


def test_compiling_all(web_page: WebPage) -> None:
    code = "await module.compile(); return Object.keys(module.kernels);"
    names = ["saxpy", "outer", "sums"]
    assert web_page.run(code, make_manifest(kernels.saxpy, kernels.outer, kernels.sums)) == names


@pytest.mark.parametrize("how", ["await module.compile();", "module.kernels.saxpy({ a: 1, x, y }); await y.read();"])
def test_a_kernel_that_the_browser_refuses(web_page: WebPage, how: str) -> None:
    name, description = describe_kernel(kernels.saxpy)
    for form in description["forms"]:
        form["text"] = form["text"].replace("let a = ", "let a: i32 = ")
    line = description["forms"][0]["text"].splitlines().index("    let a: i32 = gpucore_scalars.a;") + 1
    code = f"const [x, y] = [device.empty('f32', 3), device.empty('f32', 3)]; {how}"
    with pytest.raises(PageError) as caught:
        web_page.run(code, make_manifest((name, description)))
    assert caught.value.name == "DeviceError"
    first, second, third, carets = caught.value.message.splitlines()
    assert first == "saxpy: the browser does not compile the WGSL of this kernel"
    place = f"page_kernels.py:{kernels.saxpy.function.__code__.co_firstlineno}"
    assert second.startswith(f"  line {line} of the WGSL, from {place[:-1]}") and third.startswith(
        f"   {line} |     let a: i32 = "
    )
    assert carets.strip(" |^") == ""
    assert web_page.run("await device.finish(); return 1;") == 1


def test_what_the_device_lacks(web_page: WebPage) -> None:
    name, description = describe_kernel(kernels.saxpy)
    form = description["forms"][0]
    lacking = {**form, "text": f"enable f16;\n{form['text']}"}
    manifest: Any = make_manifest((name, {**description, "forms": [lacking]}))
    with pytest.raises(PageError, match=r'saxpy: the kernel needs f16, .* has no "shader-f16"'):
        web_page.run("await module.compile();", manifest)
    with pytest.raises(PageError, match=r"this browser's GPU has no bogus; it has .*"):
        web_page.run("await gpucore.openDevice({ features: ['bogus'] });")


def test_another_device(web_page: WebPage) -> None:
    code = """
        const other = await gpucore.openDevice();
        const x = other.array(new Float32Array(3));
        other.destroy();
        await other.lost;
        try { await x.read(); } catch (error) { return `${error.name}: ${error.message}`; }
    """
    message = web_page.run(code)
    assert message.startswith("DeviceError: the device ") and "open" in message
