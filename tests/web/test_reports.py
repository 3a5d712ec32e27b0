"""Kernels in debug mode in a browser: the errors and the lines are those of Python on a device."""

from __future__ import annotations

import re

import numpy as np
import page_kernels as kernels
import pytest
from web_page import OWN_DEVICE, PageError, WebPage, make_manifest

import gpucore as gp
from gpucore.testing import require_device


def expected(error: gp.KernelError) -> str:
    """The message of Python, without what pages do not know: the folder, the column and the carets."""
    place = re.sub(r"^\S*/(\w+\.py):(\d+):\d+: ", r"\1:\2: ", str(error))
    return re.sub(r"\n +\| +\^+(?=\n|$)", "", place)


def fails(web_page: WebPage, code: str, *used: gp.Kernel, **values: object) -> PageError:
    with pytest.raises(PageError) as caught:
        web_page.run(code, make_manifest(*used), **values)
    assert caught.value.name == "KernelError", str(caught.value)
    return caught.value


def raised(array: gp.Array) -> str:
    with pytest.raises(gp.KernelError) as caught:
        array.numpy()
    return expected(caught.value)


@pytest.fixture(scope="module")
def device() -> gp.Device:
    return require_device("wgpu")


@pytest.mark.parametrize("n", [64, 1000])
def test_indices(web_page: WebPage, device: gp.Device, n: int) -> None:
    x = np.arange(n, dtype=np.float32)
    out = gp.zeros(n, device=device)
    kernels.differences(gp.asarray(x, device=device), out, invocations=n)
    code = """
        const out = device.empty("f32", x.length);
        module.kernels.differences({ x: device.array(x), out });
        await WAIT;
    """
    for wait in ("out.read()", "device.finish()"):
        error = fails(web_page, code.replace("WAIT", wait), kernels.differences, x=x)
        assert error.kind == "bounds"
    assert error.message == raised(out)
    line = kernels.differences.function.__code__.co_firstlineno + 4
    assert error.place == ["page_kernels.py", line, [n - 1, 0, 0], "x", [n]]


def test_indices_of_two_axes_and_further_failures(web_page: WebPage, device: gp.Device) -> None:
    out = gp.empty((5, 9), gp.i32, device=device)
    kernels.transposed(gp.zeros((7, 5), gp.i32, device=device), out, invocations=(9, 5))
    code = """
        const out = device.empty("i32", [5, 9]);
        module.kernels.transposed({ x: device.empty("i32", [7, 5]), out });
        await out.read();
    """
    error = fails(web_page, code, kernels.transposed)
    assert error.message == raised(out)
    assert "(7, 0) is out of range for 'x' of shape (7, 5)" in error.message
    assert error.message.endswith("  and 9 more, in 10 invocations")


def test_the_first_failure_is_that_of_the_first_invocation(web_page: WebPage, device: gp.Device) -> None:
    """In the order of the simulator: x varies fastest, workgroup by workgroup."""
    y = gp.zeros((8, 8), gp.i32, device=device)
    kernels.triangle(y)
    code = 'const y = device.empty("i32", [8, 8]); module.kernels.triangle({ y }); await y.read();'
    error = fails(web_page, code, kernels.triangle)
    assert error.message == raised(y)
    assert "assertion failed: 7 and 0, in invocation (7, 0, 0)" in error.message


def test_prints_and_asserts(web_page: WebPage, device: gp.Device, capsys: pytest.CaptureFixture[str]) -> None:
    v = np.array([[3, 0, 4, 0], [0.1, 1e-6, 1e20, -3e-5], [0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]], np.float32)
    array = gp.asarray(v, gp.f32x4, device=device)
    kernels.normalise(array, 7, invocations=5)
    code = """
        const v = device.array(data, { element: "f32x4" });
        module.kernels.normalise({ v, u: 7 });
        await v.read();
    """
    error = fails(web_page, code, kernels.normalise, data=v.ravel())
    assert error.kind == "assert" and error.message == raised(array)
    lines = capsys.readouterr().out.splitlines()
    assert error.printed == lines and len(lines) == 5
    assert lines[0] == "vector 0 (3.0, 0.0, 4.0, 0.0) has length 5.0 True 7"


def test_lines_that_are_not_kept(web_page: WebPage) -> None:
    code = """
        const lines = [];
        const own = await gpucore.openDevice({ print: (line) => lines.push(line), debugRecords: 3 });
        const { kernels } = await own.load(content);
        const v = own.array(new Float32Array(40).fill(1), { element: "f32x4" });
        kernels.normalise({ v, u: 0 });
        await own.finish();
        own.destroy();
        return lines;
    """
    lines = web_page.run(code, content=make_manifest(kernels.normalise))
    assert len(lines) == 4 and lines[3].startswith("[normalise: 7 more lines were not kept; the option debugRecords of")


@pytest.mark.parametrize("n", [0, 13, 32, 77])
def test_unwritten_elements(web_page: WebPage, device: gp.Device, n: int) -> None:
    y = gp.zeros(80, gp.i32, device=device)
    kernels.ramp(y, n, invocations=80)
    error = fails(
        web_page, "const y = device.empty('i32', 80); module.kernels.ramp({ y, n }); await y.read();", kernels.ramp, n=n
    )
    assert error.kind == "unwritten" and error.message == raised(y)
    assert f"y[{n}:80]" in error.message


def test_unwritten_elements_in_several_blocks_and_of_fields(web_page: WebPage, device: gp.Device) -> None:
    y = gp.zeros((4, 11), gp.i32, device=device)
    kernels.striped(y, invocations=(11, 4))
    code = "const y = device.empty('i32', [4, 11]); module.kernels.striped({ y }); await y.read();"
    assert fails(web_page, code, kernels.striped).message == raised(y)
    bodies = gp.empty(5, kernels.Body, device=device)
    kernels.half_bodies(bodies, invocations=5)
    code = """
        const bodies = device.empty(module.structs.Body, 5);
        module.kernels.half_bodies({ bodies });
        await bodies.read();
    """
    assert fails(web_page, code, kernels.half_bodies).message == raised(bodies)


def test_several_dispatches_and_what_comes_after(web_page: WebPage) -> None:
    code = """
        const { ramp, differences } = module.kernels;
        const [y, z] = [device.empty("i32", 20), device.empty("f32", 9)];
        ramp({ y, n: 20 });
        ramp({ y, n: 19 });
        ramp({ y, n: 18 });
        differences({ x: z, out: device.empty("f32", 9) });
        const messages = [];
        for (let n = 0; n < 2; n++) {
          try { await y.read(); messages.push("none"); } catch (error) { messages.push(error.message); }
        }
        return [messages, await y.read()];
    """
    (first, second), y = web_page.run(code, make_manifest(kernels.ramp, kernels.differences))
    assert "1 of 20 elements of 'y' were not written: y[19]" in first
    assert first.endswith("and 2 more in later dispatches of ramp, differences") and second == "none"
    np.testing.assert_array_equal(y, np.arange(20))


def test_reports_of_many_dispatches_are_read_before_anyone_waits(web_page: WebPage) -> None:
    code = """
        const y = device.empty("i32", 20);
        for (let n = 0; n < 150; n++) module.kernels.ramp({ y, n: n === 30 ? 3 : 20 });
        await new Promise((resolve) => setTimeout(resolve, 200));
        await y.read();
    """
    assert "17 of 20 elements" in fails(web_page, code, kernels.ramp).message


@pytest.mark.parametrize("calls", [3, 64, 150])
@pytest.mark.parametrize(
    "between", ["", "await own.queue.finish().catch((error) => messages.push(error.name));"], ids=["together", "before"]
)
def test_a_refused_command_hides_no_reports(web_page: WebPage, calls: int, between: str) -> None:
    """Its error comes first, then that of the kernels, which counts all of them. No report keeps its memory."""
    code = f"""
        {OWN_DEVICE}
        const {{ kernels }} = await own.load(content);
        const {{ queue }} = own;
        const y = own.empty("i32", 20);
        kernels.ramp({{ y, n: 20 }});
        await own.finish();
        const [memory, small] = [queue.allocate(64), queue.allocate(32)];
        const messages = [];
        const before = alive();
        queue.copy([memory, 32, 32], small, 64);
        {between}
        for (let n = 0; n < calls; n++) kernels.ramp({{ y, n: 12 }});
        await new Promise((resolve) => setTimeout(resolve, 300));
        for (let n = 0; n < 3; n++) {{
          await own.finish().catch((error) => messages.push(`${{error.name}}: ${{error.message}}`));
        }}
        await own.finish();
        const left = alive() - before;
        own.destroy();
        return [messages, left];
    """
    (first, second), left = web_page.run(code, content=make_manifest(kernels.ramp), calls=calls)
    assert first.startswith("DeviceError") and second.startswith("KernelError: page_kernels.py:")
    assert "of 20 elements of 'y' were not written" in second
    assert second.endswith(f"  and {calls - 1} more in later dispatches of ramp")
    assert left <= 2  # what results are read from


def test_printing_that_throws_hides_no_reports(web_page: WebPage) -> None:
    """Printing throws: every other report is read, and the error is that of printing."""
    code = """
        const lines = [];
        const print = (line) => { lines.push(line); if (lines.length === 2) throw new RangeError("no room"); };
        const own = await gpucore.openDevice({ print });
        const { kernels } = await own.load(content);
        const [v, bad] = [1, 0].map((x) => own.array(new Float32Array(4).fill(x), { element: "f32x4" }));
        const messages = [];
        for (const array of [v, v, v, bad]) kernels.normalise({ v: array, u: 0 });
        for (let n = 0; n < 3; n++) {
          await own.finish().catch((error) => messages.push(`${error.name}: ${error.message.split("\\n")[0]}`));
        }
        own.destroy();
        return [lines.length, messages];
    """
    count, (first, second) = web_page.run(code, content=make_manifest(kernels.normalise))
    assert count == 4 and first == "RangeError: no room"
    assert second.startswith("KernelError: ") and "a vector without a direction" in second


def test_a_dispatch_that_throws_keeps_no_memory(web_page: WebPage) -> None:
    code = f"""
        {OWN_DEVICE}
        const {{ kernels }} = await own.load(content);
        const y = own.empty("i32", 20);
        const before = alive();
        const [form] = kernels.ramp.forms;
        const launch = (pipeline) =>
          own.reports.dispatch("ramp", form, pipeline, [y.memory], new Uint8Array(0), [3, 1, 1], [[20]]);
        const messages = [];
        for (let n = 0; n < 3; n++) {{
          try {{ launch(0); }} catch (error) {{ messages.push(error.message); }}
        }}
        await own.finish();
        const left = alive() - before;
        own.destroy();
        return [messages, left];
    """
    messages, left = web_page.run(code, content=make_manifest(kernels.ramp))
    assert messages == ["there is no pipeline 0"] * 3 and left == 0


def test_recordings_of_kernels_in_debug_mode(web_page: WebPage) -> None:
    code = """
        const y = device.empty("i32", 20);
        const recording = device.record(() => module.kernels.ramp({ y, n: 12 }));
        await device.finish();
        recording.replay();
        await device.finish();
    """
    assert "8 of 20 elements" in fails(web_page, code, kernels.ramp).message
