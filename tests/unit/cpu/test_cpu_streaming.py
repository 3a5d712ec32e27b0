"""Streaming stores: which stores may stream, and that the version of a kernel for large arrays is right."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from cpu_kernels import Draft, const, op, run

from gpucore.ir import I32
from gpucore.runtime import Device
from gpucore_cpu import device as device_module
from gpucore_cpu.emit import emit
from gpucore_cpu.jit import Compiler
from gpucore_cpu.streaming import MARK, NEVER, can_stream, stream
from gpucore_cpu.versions import PLAIN, Version


def doubled(*, reads: bool = False, in_loop: bool = False, offset: int = 0) -> Draft:
    """out[i + offset] = 2 * x[i]"""
    draft = Draft(64)
    x, out = draft.buffer("x", I32), draft.buffer("out", I32)
    if not reads:
        out = draft.buffers[1] = dataclasses.replace(out, readable=False)
    size = draft.param("size", I32, is_size=True)
    i = draft.global_id()
    with draft.when(op(i, "<", size)):
        result = op(draft.load(x, i), "*", 2)
        if in_loop:
            with draft.loop_over(const(0), size):
                draft.store(out, i, result)
        else:
            draft.store(out, op(i, "+", offset), result)
    return draft


def marks(draft: Draft) -> int:
    return emit(draft.valid(), num_lanes=8).text.count(MARK)


def test_whole_vectors_of_arrays_that_are_only_written_may_stream() -> None:
    assert marks(doubled()) == 1  # of whole gangs; not of the last one, which is masked
    assert marks(doubled(reads=True)) == marks(doubled(in_loop=True)) == 0
    text = stream(emit(doubled().valid(), num_lanes=8).text)
    assert "align 32, !nontemporal !0" in text and "fence" in text and MARK not in text


def test_unknown_alignment_is_tested() -> None:
    text = emit(doubled(offset=1).valid(), num_lanes=8).text
    aligned, _, shifted = text.partition("\naligned")[2].partition("\nstored")[0].partition("\nshifted")
    assert MARK in aligned and "align 32" in aligned
    assert MARK not in shifted and "align 4" in shifted
    assert NEVER in text and NEVER not in stream(text)
    assert "ptrtoint" not in emit(doubled().valid(), num_lanes=8).text


@pytest.mark.skipif(not can_stream(), reason="this processor's streaming stores are not whole vectors")
@pytest.mark.parametrize("size", [1, 64, 1000])
@pytest.mark.parametrize("offset", [0, 1, 16])
def test_large_arrays_are_streamed_and_right(
    device: Device, monkeypatch: pytest.MonkeyPatch, size: int, offset: int
) -> None:
    compiled: list[bool] = []
    compile = Compiler.compile

    def record(self: Compiler, source: object, version: Version = PLAIN) -> object:
        compiled.append(version.streams)
        return compile(self, source, version)  # type: ignore[arg-type]

    monkeypatch.setattr(Compiler, "compile", record)
    x = np.arange(size, dtype=np.int32)
    for nbytes, is_streaming in ((0, True), (2**40, False)):
        monkeypatch.setattr(device_module, "CACHE_NBYTES", nbytes)
        compiled.clear()
        arrays = [x, np.zeros(size + offset, np.int32)]
        result = run(device, doubled(offset=offset), arrays, (-(-size // 64),), size=size)[1]
        np.testing.assert_array_equal(result[offset:], 2 * x)
        assert not result[:offset].any()
        assert any(compiled) == is_streaming
