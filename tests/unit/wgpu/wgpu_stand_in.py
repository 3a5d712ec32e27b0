"""Plain WGSL in place of naga's cooperative matrices, so that what is emitted for them runs on any device.

A subgroup is 32 invocations in a row, whatever the device has; of a matrix of sums each has eight elements, as a small
matrix of WGSL, which has its own `+`, `-` and `*`. The inputs of a product are read from memory where it is computed.
The text around the matrices stays as it is, and naga checks it.
"""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple

from gpucore.ir import Capability, ValidModule
from gpucore.runtime import Device, DeviceInfo, DeviceKind, Source
from gpucore_wgpu.plugin import WgpuBackend
from gpucore_wgpu.wgsl_matrices import ENABLE

_INPUT = re.compile(r"let (\w+) = (coopLoadT?)<coop_mat16x16<f16, [AB]>>\(&(\w+)\[(\w+)\], (\d+)u\);")
_SUMS = "coop_mat16x16<f32, C>"
_LOAD = re.compile(rf"coopLoadT<{_SUMS}>\(&(\w+)\[(\w+)\], (\d+)u\)")
_STORE = re.compile(r"coopStoreT\((\w+), &(\w+)\[(\w+)\], (\d+)u\)")
_MULTIPLY = re.compile(r"coopMultiplyAdd\((\w+), (\w+), (\w+)\)")
_LANE = "stand_in_index % 32u"


class StandIn(WgpuBackend):
    """The backend of wgpu, with cooperative matrices of 16 x 16."""

    texts: list[str]  # those before the replacement

    def __init__(self) -> None:
        super().__init__()
        self.texts = []

    def opened(self) -> Device | None:
        """Its first device, as one of a GPU; None if there is none with f16."""
        infos = self.probe().devices
        if not infos or Capability.F16 not in infos[0].capabilities:
            return None
        device = self.open(0)
        device.info = dataclasses.replace(
            infos[0],
            id="stand-in:0",
            kind=DeviceKind.GPU,
            kernels_share_memory=False,
            capabilities=infos[0].capabilities | {Capability.COOPERATIVE_MATRICES, Capability.SUBGROUP},
            limits=dataclasses.replace(infos[0].limits, min_subgroup_size=32, max_subgroup_size=32),
        )
        return device

    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        source = super().emit(module, device)
        self.texts.append(source.text)
        return dataclasses.replace(source, text=plain(source.text))


class _Input(NamedTuple):
    """Where an input of a product is in memory."""

    memory: str
    at: str
    pitch: int
    has_rows: bool  # in memory; otherwise columns

    def element(self, at: str, row: str, column: str) -> str:
        """An element of it, in WGSL."""
        outer, inner = (row, column) if self.has_rows else (column, row)
        return f"f32({self.memory}[u32({at}) + {outer} * {self.pitch}u + {inner}])"


def plain(text: str) -> str:
    """The text without the extension; the text itself if it has none of it."""
    if ENABLE not in text:
        return text
    head, entry, body = text.replace(ENABLE, "").rpartition("@compute")
    body = _without_subgroups(body)
    functions: dict[str, None] = {}
    inputs: dict[str, _Input] = {}

    def note(found: re.Match[str]) -> str:
        name, call, memory, at, pitch = found.groups()
        inputs[name] = _Input(memory, at, int(pitch), call == "coopLoadT")
        return ""

    def load(found: re.Match[str]) -> str:
        functions[_load(found[1], found[3])] = None
        return f"load_{found[1]}({found[2]}, {_LANE})"

    def store(found: re.Match[str]) -> str:
        functions[_store(found[2], found[4])] = None
        return f"store_{found[2]}({found[1]}, {found[3]}, {_LANE})"

    def multiply(found: re.Match[str]) -> str:
        left, right = inputs[found[1]], inputs[found[2]]
        name = f"multiply_{left.memory}_{right.memory}"
        functions[_multiply(name, left, right)] = None
        return f"{name}({left.at}, {right.at}, {found[3]}, {_LANE})"

    for pattern, change in ((_INPUT, note), (_LOAD, load), (_STORE, store), (_MULTIPLY, multiply)):
        body = pattern.sub(change, body)
    whole = "\n".join([head, *functions, entry + body]).replace(_SUMS, "mat2x4<f32>")
    assert "coop" not in whole, whole
    return whole


def _without_subgroups(body: str) -> str:
    inputs = r"@builtin\(subgroup_\w+\) gpucore_subgroup_\w+: u32"
    body = re.sub(inputs, "@builtin(local_invocation_index) stand_in_index: u32", body, count=1)
    body = re.sub(f", {inputs}", "", body)
    body = body.replace("i32(gpucore_subgroup_id)", "i32(stand_in_index / 32u)")
    return body.replace("i32(gpucore_subgroup_invocation_id)", f"i32({_LANE})")


_EACH = "for (var q = 0u; q < 8u; q += 1u)"
_PLACE = "let row = (lane + 32u * q) / 16u; let column = lane % 16u;"
"""The invocation has the elements lane, lane + 32, ..., counted by rows."""


def _load(memory: str, pitch: str) -> str:
    return f"""
fn load_{memory}(at: i32, lane: u32) -> mat2x4<f32> {{
    var m: mat2x4<f32>;
    {_EACH} {{
        {_PLACE}
        m[q / 4u][q % 4u] = {memory}[u32(at) + row * {pitch}u + column];
    }}
    return m;
}}"""


def _store(memory: str, pitch: str) -> str:
    return f"""
fn store_{memory}(matrix: mat2x4<f32>, at: i32, lane: u32) {{
    var m = matrix;
    {_EACH} {{
        {_PLACE}
        {memory}[u32(at) + row * {pitch}u + column] = m[q / 4u][q % 4u];
    }}
}}"""


def _multiply(name: str, left: _Input, right: _Input) -> str:
    return f"""
fn {name}(at_left: i32, at_right: i32, sums: mat2x4<f32>, lane: u32) -> mat2x4<f32> {{
    var m = sums;
    {_EACH} {{
        {_PLACE}
        for (var k = 0u; k < 16u; k += 1u) {{
            m[q / 4u][q % 4u] += {left.element("at_left", "row", "k")} * {right.element("at_right", "k", "column")};
        }}
    }}
    return m;
}}"""
