"""Wrong calls of the runtime: what the errors say."""

from __future__ import annotations

import page_kernels as kernels
import pytest
from web_page import PageError, WebPage, describe_kernel, make_manifest

import gpucore as gp

SETUP = """
    const [x, y] = [device.array(new Float32Array([1, 2, 3])), device.empty("f32", 3)];
    const { saxpy, move, lengths, outer, scalars, differences } = module.kernels;
"""
USED = (kernels.saxpy, kernels.move, kernels.lengths, kernels.outer, kernels.scalars, kernels.walk, kernels.differences)
SCALARS = "f: 1, i: 1, u: 1, b: true, v: [1, 2, 3], w: [1, 2], small: 0, out: y"
WRONG = {
    "saxpy({ a: 2, x })": "saxpy: 'y' is missing; the kernel takes {a, x, y}",
    "saxpy(2, x, y)": "saxpy: give the arguments by name in one object, not 2; the kernel takes {a, x, y}",
    "saxpy({ a: 2, x, y, z: y })": "saxpy: there is no parameter 'z'; the kernel takes {a, x, y}",
    "move({ body: 1, bodys: x, dt: 1 })": "move: there is no parameter 'bodys'; the kernel takes {body, bodies, dt}; "
    "did you mean 'body'?",
    "saxpy({ a: 2, x, y, invocations: 3 })": "saxpy: there is no parameter 'invocations'; the kernel takes {a, x, y}; "
    "give it in a second object, as in saxpy({...}, {invocations: n})",
    "saxpy({ a: 2, x, y }, { threads: 3 })": "saxpy: a grid is {invocations: n} or {workgroups: n}, and has no "
    "'threads'",
    "saxpy({ a: 2, x, y }, { invocations: 3, workgroups: 1 })": "saxpy: give either {invocations: n} (or an array) or "
    "{workgroups: n} (or an array)",
    "saxpy({ a: 2, x, y }, { invocations: -1 })": "saxpy: invocations must be one to three whole numbers from 0, not "
    "-1",
    "saxpy({ a: 2, x, y }, { invocations: 2 ** 32 })": "saxpy: 4294967296 invocations along axis 0 are more than "
    "2**31 - 1; split the work into several calls",
    "saxpy({ a: 2, x: new Float32Array(3), y })": "saxpy: the argument 'x' is a Float32Array, which is not on a "
    "device; copy it once with device.array(x) and keep the result",
    "saxpy({ a: 2, x: [1, 2], y })": "saxpy: the argument 'x' must be an array of the device, not [1, 2]; make one "
    "with device.array or device.empty",
    "saxpy({ a: 2, x: y, y })": "saxpy: the argument 'y' is the same array as 'x', and the kernel writes to it; pass a "
    "copy, or annotate one InOut parameter in Python",
    "saxpy({ a: 2, x: device.empty('i32', 3), y })": "saxpy: the argument 'x' holds i32, and the kernel takes f32; "
    'make it with {element: "f32"}, or of another typed array',
    "saxpy({ a: 2, x: device.empty('f32', [3, 1]), y })": "saxpy: the argument 'x' has the shape [3, 1], of rank 2, "
    "and the kernel takes rank 1",
    "x.destroy(); saxpy({ a: 2, x, y })": "saxpy: the argument 'x' was destroyed; create a new array",
    "saxpy({ a: true, x, y })": "saxpy: the argument 'a' must be a number (f32), not true",
    "saxpy({ a: 1e39, x, y })": "saxpy: the argument 'a' is 1e+39, which is beyond the range of f32",
    f"scalars({{ {SCALARS}, i: 1.5 }})": "scalars: the argument 'i' must be a whole number (i32), not 1.5",
    f"scalars({{ {SCALARS}, u: -1 }})": "scalars: the argument 'u' is -1, and u32 holds 0 to 4294967295",
    f"scalars({{ {SCALARS}, small: 128 }})": "scalars: the argument 'small' is 128, and i8 holds -128 to 127",
    f"scalars({{ {SCALARS}, b: 1 }})": "scalars: the argument 'b' must be true or false, not 1",
    f"scalars({{ {SCALARS}, v: [1, 2] }})": "scalars: the argument 'v' must have 3 components (f32x3), as in an "
    "array, not [1, 2]",
    f"scalars({{ {SCALARS}, w: [1, 0.5] }})": "scalars: the argument 'w.y' must be a whole number (i32), not 0.5",
    "move({ body: { centre: [1, 2, 3], mass: 1 }, bodies: x, dt: 1 })": "move: the argument 'body' has no 'kind', and "
    "a Body has one",
    "move({ body: [1], bodies: x, dt: 1 })": "move: the argument 'body' must be an object with the fields of Body "
    "(centre, mass, kind, velocity), not [1]",
    "lengths({ v: x, out: y })": "lengths: the argument 'v' has a last axis of 3, and an array of f32x4 needs a "
    "multiple of 4; pad it",
    "outer({ x, y: x, out: y })": "outer: the argument 'out' has the shape [3], of rank 1, and the kernel takes rank 2",
    "module.kernels.walk({ turns: device.empty('i32', 3), y: device.empty('i32', [3, 2]), weights: y })": "walk: give "
    "either {invocations: n} (or numbers along x, y and z, or an array) or {workgroups: n}; they may be left out only "
    "for a kernel that writes one array, and this one writes y, weights",
    "device.array([1, 2])": "array: [1, 2] does not tell the type of its elements; give a typed array such as new "
    'Float32Array([1, 2]), or the type, as in {element: "f32"}',
    "device.array(new Float32Array(5), { shape: [2, 2] })": "array: the data has 5 elements, which do not fill the "
    "shape [2, 2]",
    "device.array(new Float32Array(5), { element: 'i32' })": "array: the data is a Float32Array (f32), and the "
    "elements are i32; make a Int32Array of it",
    "device.array(new Float32Array(5), { element: 'f32x4' })": "array: 20 bytes are no whole number of f32x4, of 16 "
    "bytes",
    "device.empty('f3', 5)": '"f3" is no type of elements; did you mean "f32"?',
    "device.empty('f32', 1.5)": "empty: a shape is a whole number from 0 or an array of them, such as [2, 3], not 1.5",
    "x.write(new Float32Array(2))": "write: the data has 8 bytes, and the array (f32 [3]) has 12; give all its "
    "elements",
    "module.kernels.saxpi({})": "the kernels.json has no kernel 'saxpi'; did you mean 'saxpy'?",
    "device.record(async () => {})": "record: the function is async; queue the work in one that does not wait",
    "x.destroy(); await x.read()": "this array (f32 [3]) was destroyed; create a new one",
    **{
        f"await gpucore.openDevice({{ debugRecords: {value} }})": "openDevice: debugRecords must be a whole number "
        f"from 1, not {shown}; it is how many lines and failures of a dispatch in debug mode are kept: leave it out to "
        "keep 1 MiB of them"
        for value, shown in {"0": "0", "-1": "-1", "1.5": "1.5", "NaN": "NaN", "'3'": '"3"', "null": "null"}.items()
    },
    "await device.load('missing.json')": "missing.json cannot be loaded: the server answers 404 File not found",
    "await device.load('harness.js')": "harness.js is no JSON; give the kernels.json that gpucore wrote for the page",
    "await device.load({})": 'the object has no kernels of gpucore: its "format" is undefined, not "gpucore-page"; '
    "give the kernels.json that gpucore wrote for the page",
    "await device.load({ format: 'gpucore-page', version: 2 })": "the object has version 2 of the format, and this "
    "gpucore.js reads version 1; export the kernels and gpucore.js with the same version of gpucore",
}


@pytest.fixture(scope="module")
def manifest() -> dict[str, object]:
    return make_manifest(*USED)


@pytest.mark.parametrize("code", WRONG)
def test_wrong_calls(web_page: WebPage, manifest: dict[str, object], code: str) -> None:
    with pytest.raises(PageError) as caught:
        web_page.run(f"{SETUP} {code};", manifest)
    message = caught.value.message
    if " has no kernel " in message:
        message = "the kernels.json has no kernel " + message.partition(" has no kernel ")[2]
    assert (caught.value.name, message) == ("ArgumentError", WRONG[code])


def test_nothing_was_queued(web_page: WebPage, manifest: dict[str, object]) -> None:
    """After wrong calls the device works, and reports nothing."""
    code = f"{SETUP} try {{ saxpy({{ a: 2 }}); }} catch {{}} saxpy({{ a: 2, x, y }}); return await y.read();"
    assert web_page.run(code, manifest).tolist() == [2, 4, 6]


def test_constants(web_page: WebPage) -> None:
    described = describe_kernel(kernels.scale, n=4, T=gp.f32)
    code = 'const x = device.empty("f32", 3); module.kernels.scale({ x, y: device.empty("f32", 3), n: 5 });'
    with pytest.raises(PageError, match=r"'n' is compiled as 4, not 5; leave it out, or export .* with n=5"):
        web_page.run(code, make_manifest(described))


def test_a_page_without_webgpu(web_page: WebPage) -> None:
    """What a page on an insecure origin or in an older browser is told."""
    code = """
        const own = Object.getOwnPropertyDescriptor(Navigator.prototype, "gpu");
        Object.defineProperty(navigator, "gpu", { value: undefined, configurable: true });
        try { await gpucore.openDevice(); } finally { delete navigator.gpu; }
    """
    with pytest.raises(PageError, match=r"^DeviceError: this browser has no WebGPU: use Chrome .*chrome://flags"):
        web_page.run(code)


def test_commands_that_the_browser_refuses(web_page: WebPage) -> None:
    """They fail at the next wait, and only there."""
    code = """
        const { queue } = device;
        const memory = queue.allocate(64);
        queue.write(memory, 0, new Uint8Array(64));
        queue.copy([memory, 32, 32], queue.allocate(32), 64);
        const messages = [];
        for (let n = 0; n < 2; n++) {
          try { await device.finish(); } catch (error) { messages.push(`${error.name}: ${error.message}`); }
        }
        return messages;
    """
    (message,) = web_page.run(code)
    assert message.startswith("DeviceError: the browser refuses a command: ")
    with pytest.raises(PageError, match=r"bytes are more than the .* of the largest buffer"):
        web_page.run("device.empty('u32', [2 ** 30, 2 ** 10]);")
