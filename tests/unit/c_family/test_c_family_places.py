"""Each line of a text has its place in the user's code, and what a driver's compiler says is told in places."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from broken_texts import KERNEL, PLACES, at, spoiled, spread
from device_run import BACKENDS, wait

import gpucore as gp
from gpucore.back.c_family import map_log
from gpucore.errors import DriverCompileError
from gpucore.runtime.protocol import Source

CLANG = re.compile(r"(?P<kind>)[^:]+:(?P<line>\d+):\d+: (?P<severity>error|warning):")
NATIVE = {
    "opencl": "__kernel void twice(__global float* x)\n{\n    x[get_global_id(0)] *= 2.0f;\n}\n",
    "cuda": 'extern "C" __global__ void twice(float* x)\n{\n    x[threadIdx.x] *= 2.0f;\n}\n',
}

SCALARS = {
    "opencl": """\
struct __attribute__((aligned(16))) scalars { float scale; uint flag; long n; int last; };
__kernel void fill(__global float* x, const struct scalars s)
{
    const long i = get_global_id(0);
    x[i] = i < s.n && s.flag == 1 ? s.scale * i : s.last;
}
""",
    "cuda": """\
struct scalars { float scale; unsigned int flag; long long n; int last, rest[3]; };
extern "C" __global__ void fill(float* x, const struct scalars s)
{
    const long long i = threadIdx.x;
    x[i] = i < s.n && s.flag == 1 ? s.scale * i : s.last;
}
""",
}


@gp.kernel(workgroup_size=64)
def scaled(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] * 0.25


def native(backend: str, text: str, entry: str = "twice") -> Source:
    """What core makes of a text that a user wrote: nothing but what compiling and dispatching need."""
    return Source(backend, text, entry, workgroup_size=(64, 1, 1), writes=(True,), scalars_nbytes=0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_line_of_the_text_has_its_place(backend: str) -> None:
    source = BACKENDS[backend].emit(spread())
    lines = source.text.splitlines()
    assert len(lines) == len(source.lines)
    for beginning, line in PLACES.items():
        found = [place for text, place in zip(lines, source.lines, strict=True) if text.strip().startswith(beginning)]
        assert found == [at(line)], beginning
    depths: list[Any] = []  # a closing brace has the place of what it closes
    for text, place in zip(lines, source.lines, strict=True):
        if text.strip() == "}":
            assert place == depths.pop()
        if text.endswith("{"):
            depths.append(place)
    assert depths == []
    assert source.lines[lines.index(next(text for text in lines if "spread" in text))] == KERNEL


@pytest.mark.parametrize("beginning", PLACES)
def test_a_compile_error_is_at_the_kernels_line(device: Any, beginning: str) -> None:
    source = BACKENDS[device.info.backend].emit(spread())
    with pytest.raises(DriverCompileError) as caught:
        device.compile(spoiled(source, beginning))
    error = caught.value
    assert error.span == at(PLACES[beginning])
    assert "bogus_word" in error.log and f"[{error.span}]" in error.log and "generated code" in error.message


def test_the_error_shows_the_kernels_own_text(device: Any) -> None:
    source = scaled.emit(device.info.backend)
    with pytest.raises(DriverCompileError) as caught:
        device.compile(replace(source, text=source.text.replace("* 0.25f", "* bogus_word")))
    shown = str(caught.value).splitlines()
    assert shown[0].startswith(f"{__file__}:") and "error[GP611]" in shown[0]
    line = next(index for index, text in enumerate(shown) if text.endswith("|         y[i] = x[i] * 0.25"))
    assert shown[line + 1].strip(" |").strip("^") == ""


def test_an_error_before_the_kernel_is_laid_to_the_kernel(device: Any) -> None:
    source = BACKENDS[device.info.backend].emit(spread())
    with pytest.raises(DriverCompileError) as caught:
        device.compile(replace(source, text="int bogus(;\n" + source.text))
    assert caught.value.span is not None and caught.value.span.file == KERNEL.file


def test_a_users_own_text_runs(device: Any) -> None:
    pipeline = device.compile(native(device.info.backend, NATIVE[device.info.backend]))
    buffer = device.allocate(256)
    data, result = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    buffer.write(memoryview(data).cast("B"))
    device.dispatch(pipeline, [buffer], b"", (1, 1, 1))
    wait(device.mark())
    buffer.read(memoryview(result).cast("B"))
    assert result.tolist() == (2 * data).tolist()
    pipeline.release()
    buffer.release()


def test_a_users_own_text_takes_its_scalars_as_one_struct(device: Any) -> None:
    backend = device.info.backend
    pipeline = device.compile(Source(backend, SCALARS[backend], "fill", (64, 1, 1), (True,), scalars_nbytes=32))
    buffer, result = device.allocate(256), np.zeros(64, np.float32)
    device.dispatch(pipeline, [buffer], struct.pack("<fIqi12x", 1.5, 1, 40, -7), (1, 1, 1))
    wait(device.mark())
    buffer.read(memoryview(result).cast("B"))
    assert result.tolist() == [1.5 * i if i < 40 else -7.0 for i in range(64)]
    pipeline.release()
    buffer.release()


def test_a_users_own_text_has_no_place_in_a_kernel(device: Any) -> None:
    text = NATIVE[device.info.backend]
    with pytest.raises(DriverCompileError) as caught:
        device.compile(native(device.info.backend, text.replace("2.0f", "2.0f + bogus_word")))
    assert caught.value.span is None
    assert "bogus_word" in caught.value.log and "generated" not in caught.value.message


def test_an_entry_that_the_text_lacks_is_named(device: Any) -> None:
    with pytest.raises(DriverCompileError, match=r"no .*'thrice'"):
        device.compile(native(device.info.backend, NATIVE[device.info.backend], "thrice"))


def test_the_first_error_wins_over_warnings() -> None:
    log = "k:1:5: warning: unused\nk:3:1: error: bad\n  here\nk:2:9: error: also bad\nk:99:9: error: beyond"
    span, mapped = map_log(log, CLANG, [at(10), at(20), at(30)])
    assert span == at(30)
    assert mapped.splitlines() == [
        "k:1:5: warning: unused  [kernels.py:10:5]",
        "k:3:1: error: bad  [kernels.py:30:5]",
        "  here",
        "k:2:9: error: also bad  [kernels.py:20:5]",
        "k:99:9: error: beyond",
    ]


@pytest.mark.parametrize("log", ["", "internal error", "k:0:1: error: x", "k:1:1: error: x", "k:2:1: warning: x"])
def test_an_error_of_no_place_is_laid_to_the_kernel(log: str) -> None:
    assert map_log(log, CLANG, [None, KERNEL, at(3)])[0] == KERNEL
    assert map_log(log, CLANG, []) == (None, log)
