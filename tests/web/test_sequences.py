"""Sequences of a manifest that is written by hand, and the low-level queue: parts, copies, conflicts."""

from __future__ import annotations

import base64
import struct
from typing import Any

import numpy as np
import page_kernels as kernels
import pytest
from web_page import OWN_DEVICE, PageError, WebPage, describe_kernel, make_manifest

N = 130
RANDOM = np.random.default_rng(11)
PARTS_CODE = """
    const memory = queue.allocate(2048);
    queue.write(memory, 0, new Uint8Array(data.buffer.slice(0, 2048)));
"""


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def pipeline_of(kernel: Any) -> dict[str, Any]:
    """The pipeline of a kernel as sequences have it."""
    _, description = describe_kernel(kernel)
    form = description["forms"][0]
    return {name: form[name] for name in ("text", "entry", "writes", "scalars_nbytes", "payload")}


def saxpy_scalars(a: float, n: int) -> bytes:
    """The packed scalars of saxpy; its layout is that of the manifest."""
    _, description = describe_kernel(kernels.saxpy)
    layout = description["forms"][0]["layout"]
    packed = bytearray(layout["nbytes"])
    for origin, type_name, offset in layout["slots"]:
        value: float = a if origin[0] == "argument" else {"columns": 1, "called": 1}.get(origin[1], n)
        struct.pack_into("<f" if type_name == "f32" else "<i", packed, offset, value)
    return bytes(packed)


def sequences_manifest() -> dict[str, Any]:
    """y = 2 (2 x + ones) + x, by two launches of saxpy and a copy: memory 0 is x, 1 the sum, 2 of constants."""
    nbytes = 4 * N
    step = {"dispatch": 0, "scalars": encoded(saxpy_scalars(2.0, N)), "workgroups": [1, 1, 1]}
    ones = np.ones(N, np.float32).tobytes()
    steps = [
        {"copy": [[2, 512, nbytes], 1], "nbytes": nbytes},
        {**step, "buffers": [0, 1]},
        {"copy": [0, [3, 256, nbytes]], "nbytes": nbytes},
        {**step, "buffers": [1, [3, 256, nbytes]]},
    ]
    array = {"element": "f32", "shape": [N]}
    sequence = {
        "inputs": {"x": {"memory": 0, **array}},
        "outputs": {"y": {"memory": 3, "offset": 256, **array}, "middle": {"memory": 1, **array}},
        "steps": steps,
    }
    # the first step writes x itself, so that its array must be copied
    changes = {"write": 0, "offset": 4, "data": encoded(struct.pack("<f", 100.0))}
    return make_manifest(
        pipelines=[pipeline_of(kernels.saxpy)],
        memories=[nbytes, nbytes, 4096, 2048],
        setup=[{"write": [2, 512, nbytes], "offset": 0, "data": encoded(ones)}],
        sequences={"twice": sequence, "changed": {**sequence, "steps": [changes, *steps]}},
    )


@pytest.mark.parametrize("compiles", ["", "await module.compile();"])
def test_a_sequence(web_page: WebPage, compiles: str) -> None:
    x = RANDOM.random(N, np.float32)
    code = f"""
        {compiles}
        const results = [];
        for (const values of [x, x.map((each) => each + 1)]) {{
          const {{ y, middle }} = module.sequences.twice({{ x: device.array(values) }});
          results.push(await y.read(), await middle.read());
        }}
        return results;
    """
    y, middle, later, _ = web_page.run(code, sequences_manifest(), x=x)
    np.testing.assert_allclose(middle, 2 * x + 1, rtol=1e-6)
    np.testing.assert_allclose(y, 2 * (2 * x + 1) + x, rtol=1e-6)
    np.testing.assert_allclose(later, 2 * (2 * (x + 1) + 1) + x + 1, rtol=1e-6)


def test_outputs_that_there_are_and_inputs_that_steps_write(web_page: WebPage) -> None:
    x = RANDOM.random(N, np.float32)
    code = """
        const input = device.array(x);
        const y = device.empty("f32", x.length);
        const results = module.sequences.changed({ x: input }, { y });
        return [results.y === y, await y.read(), await input.read()];
    """
    is_same, y, unchanged = web_page.run(code, sequences_manifest(), x=x)
    changed = x.copy()
    changed[1] = 100
    assert is_same is True
    np.testing.assert_allclose(y, 2 * (2 * changed + 1) + changed, rtol=1e-6)
    np.testing.assert_array_equal(unchanged, x)


def test_sequences_in_recordings(web_page: WebPage) -> None:
    x = RANDOM.random(N, np.float32)
    code = """
        const input = device.array(x);
        let outputs;
        const recording = device.record(() => { outputs = module.sequences.twice({ x: input }); });
        const before = await outputs.y.read();
        recording.replay();
        return [before, await outputs.y.read()];
    """
    # setup is not recorded: it runs once, whenever the sequence is called first
    before, y = web_page.run(code, {**sequences_manifest(), "gpucore": "another"}, x=x)
    assert not before.any()
    np.testing.assert_allclose(y, 2 * (2 * x + 1) + x, rtol=1e-6)


def test_a_setup_that_fails_is_repeated(web_page: WebPage) -> None:
    """Each call gives the error, and none leaves memory behind."""
    manifest = sequences_manifest()
    launch = {"dispatch": 1, "buffers": [0, 1], "scalars": encoded(saxpy_scalars(2.0, N)), "workgroups": [1, 1, 1]}
    plain = pipeline_of(kernels.saxpy)
    refused = {**plain, "text": f"enable nosuch;\n{plain['text']}"}
    manifest.update(pipelines=[plain, refused], setup=[*manifest["setup"], launch])
    code = f"""
        {OWN_DEVICE}
        const {{ sequences }} = await own.load(content);
        const [input, y, middle] = [x, x, x].map((each) => own.array(each));
        const [before, messages] = [alive(), []];
        for (let n = 0; n < 3; n++) {{
          try {{ sequences.twice({{ x: input }}, {{ y, middle }}); }} catch (error) {{ messages.push(error.message); }}
        }}
        await own.finish();
        const left = alive() - before;
        own.destroy();
        return [messages, left];
    """
    messages, left = web_page.run(code, content=manifest, x=RANDOM.random(N, np.float32))
    assert len(messages) == 3 and len(set(messages)) == 1 and "the kernel needs nosuch" in messages[0]
    assert left == 0


def test_a_setup_that_the_browser_refuses_is_repeated(web_page: WebPage) -> None:
    """It does so after the call: the wait after each call gives the error."""
    manifest = sequences_manifest()
    launch = {"dispatch": 1, "buffers": [0, 1], "scalars": encoded(saxpy_scalars(2.0, N)), "workgroups": [1, 1, 1]}
    plain = pipeline_of(kernels.saxpy)
    refused = {**plain, "text": plain["text"].replace("let a = ", "let a: i32 = ")}
    manifest.update(pipelines=[plain, refused], setup=[launch, *manifest["setup"]])
    code = f"""
        {OWN_DEVICE}
        const {{ sequences }} = await own.load(content);
        const [input, y, middle] = [x, x, x].map((each) => own.array(each));
        const [before, messages] = [alive(), []];
        const recording = own.record(() => sequences.twice({{ x: input }}, {{ y, middle }}));
        await own.finish().catch((error) => messages.push(error.message));
        for (let n = 0; n < 4; n++) {{
          if (n % 2) sequences.twice({{ x: input }}, {{ y, middle }});
          else recording.replay();
          await own.finish().catch((error) => messages.push(error.message));
        }}
        await own.finish();
        const left = alive() - before;
        own.destroy();
        return [messages, left];
    """
    messages, left = web_page.run(code, content=manifest, x=RANDOM.random(N, np.float32))
    assert len(messages) == 5 and len(set(messages)) == 1
    assert messages[0].startswith("saxpy: the browser does not compile the WGSL")
    assert left == 0


def test_calls_share_one_setup(web_page: WebPage) -> None:
    code = f"""
        {OWN_DEVICE}
        const {{ sequences }} = await own.load(content);
        const [input, y, middle] = [x, x, x].map((each) => own.array(each));
        const before = alive();
        const results = [0, 1].map(() => sequences.twice({{ x: input }}, {{ y, middle }}).y.read());
        const made = alive() - before;
        const read = await Promise.all(results);
        own.destroy();
        return [made, ...read];
    """
    x = RANDOM.random(N, np.float32)
    made, *results = web_page.run(code, content=sequences_manifest(), x=x)
    assert made <= 4 + 2  # the memories, and what the results are read from
    for y in results:
        np.testing.assert_allclose(y, 2 * (2 * x + 1) + x, rtol=1e-6)


WRONG = {
    "twice({ y: x })": "twice: there is no input 'y'; the sequence takes x",
    "twice({})": "twice: 'x' is missing; the sequence takes {x}",
    "twice({ x: device.empty('f32', 7) })": "twice: the argument 'x' is f32 [7], and the sequence was recorded for f32 "
    "[130]; export one for this shape, too",
    "twice({ x: new Float32Array(130) })": "twice: the argument 'x' must be an array of the device, not a "
    "Float32Array; make one with device.array",
    "twice({ x }, { z: x })": "twice: there is no output 'z'; the sequence returns y, middle",
    "sorted({ x })": "has no sequence 'sorted'; its sequences are twice, changed",
}


@pytest.mark.parametrize("code", WRONG)
def test_wrong_calls_of_sequences(web_page: WebPage, code: str) -> None:
    with pytest.raises(PageError) as caught:
        web_page.run(f"const x = device.empty('f32', 130); module.sequences.{code};", sequences_manifest())
    assert caught.value.name == "ArgumentError" and caught.value.message.endswith(WRONG[code])


# ---------------------------------------------------------------- the queue


def run_queue(web_page: WebPage, code: str, **values: Any) -> Any:
    setup = """
        const { queue } = device;
        const { text, entry, writes, scalars_nbytes: scalarsNbytes } = source;
        const pipeline = queue.compile({ text, entry, writes, scalarsNbytes });
        const scalars = new Uint8Array(scalarBytes.buffer);
    """
    scalars = np.frombuffer(saxpy_scalars(2.0, 64), np.uint8)
    return web_page.run(setup + code, source=pipeline_of(kernels.saxpy), scalarBytes=scalars, **values)


def test_parts_of_memory(web_page: WebPage) -> None:
    data = RANDOM.random(512).astype(np.float32)
    code = f"""
        {PARTS_CODE}
        queue.dispatch(pipeline, [[memory, 256, 256], [memory, 1024, 256]], scalars, [1, 1, 1]);
        const other = queue.allocate(256);
        queue.copy([memory, 1028, 40], [other, 8, 40], 38);
        return [await queue.read(memory, 0, 2048), await queue.read(other, 5, 99)];
    """
    whole, part = run_queue(web_page, code, data=data)
    expected = data.copy()
    expected[256:320] += 2 * data[64:128]
    np.testing.assert_allclose(whole.view(np.float32), expected, rtol=1e-6)
    copied = np.zeros(256, np.uint8)
    copied[8:48] = expected[257:267].view(np.uint8)
    assert part.dtype == np.uint8
    np.testing.assert_array_equal(np.concatenate([np.zeros(5, np.uint8), part])[8:48], copied[8:48])
    np.testing.assert_array_equal(part[43:], np.zeros(56, np.uint8))


def test_copies_within_memory(web_page: WebPage) -> None:
    data = RANDOM.integers(0, 256, 2048, np.uint8)
    code = f"""
        {PARTS_CODE}
        queue.copy([memory, 0, 1000], [memory, 100, 1000], 1000);
        return await queue.read(memory, 0, 2048);
    """
    expected = data.copy()
    expected[100:1100] = data[:1000]
    np.testing.assert_array_equal(run_queue(web_page, code, data=data), expected)


def test_parts_begin_at_multiples(web_page: WebPage) -> None:
    code = f"{PARTS_CODE} queue.dispatch(pipeline, [[memory, 2, 256], queue.allocate(256)], scalars, [1, 1, 1]);"
    data = np.zeros(512, np.float32)
    with pytest.raises(PageError, match=r"saxpy: a part begins at byte 2 .* binds parts at multiples of \d+"):
        run_queue(web_page, code, data=data)
    with pytest.raises(PageError, match=r"saxpy: a dispatch takes 2 buffers and \d+ bytes of scalars, not 1 and \d+"):
        run_queue(web_page, "queue.dispatch(pipeline, [1], scalars, [1, 1, 1]);")


def test_parts_with_the_same_digits_are_different(web_page: WebPage) -> None:
    """Bind groups are kept by the memories and parts that they bind. On a new device memories count from 1."""
    code = """
        const own = await gpucore.openDevice();
        const first = own.queue.compile({ text, entry, writes, scalarsNbytes });
        const memories = Array.from({ length: 800 }, () => own.queue.allocate(2048));
        const ones = new Uint8Array(new Float32Array(512).fill(1).buffer);
        const a = memories[0];
        for (const memory of [a, 256, 768]) own.queue.write(memory, 0, ones);
        own.queue.dispatch(first, [[a, 256, 512], 768], scalars, [1, 1, 1]);
        own.queue.dispatch(first, [a, [256, 512, 768]], scalars, [1, 1, 1]);
        const results = [await own.queue.read(768, 0, 2048), await own.queue.read(256, 0, 2048)];
        own.destroy();
        return results;
    """
    one, other = (result.view(np.float32) for result in run_queue(web_page, code))
    expected = np.ones(512, np.float32)
    expected[:64] = 3
    np.testing.assert_array_equal(one, expected)
    np.testing.assert_array_equal(other, np.roll(expected, 128))


def test_scalars_of_many_dispatches(web_page: WebPage) -> None:
    """They are more than the uniform buffer holds at once."""
    code = """
        const [x, y] = [queue.allocate(256), queue.allocate(256)];
        queue.write(x, 0, new Uint8Array(new Float32Array(64).fill(1).buffer));
        const floats = new Float32Array(scalars.buffer);
        const at = floats.indexOf(2);
        for (let n = 1; n <= 700; n++) {
          floats[at] = n;
          queue.dispatch(pipeline, [x, y], scalars, [1, 1, 1]);
        }
        return await queue.read(y, 0, 256);
    """
    total = np.full(64, 700 * 701 // 2, np.float32)
    np.testing.assert_array_equal(run_queue(web_page, code).view(np.float32), total)


def test_released_memory_cannot_be_used(web_page: WebPage) -> None:
    code = """
        const memory = queue.allocate(256);
        queue.dispatch(pipeline, [memory, queue.allocate(256)], scalars, [1, 1, 1]);
        queue.release(memory);
        await queue.finish();
        queue.dispatch(pipeline, [memory, queue.allocate(256)], scalars, [1, 1, 1]);
    """
    with pytest.raises(PageError, match=r"ArgumentError: the memory \d+ was released"):
        run_queue(web_page, code)
