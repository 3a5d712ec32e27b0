"""HLSL by naga, compiled by DXC to DXIL, and to SPIR-V that Vulkan runs."""

from __future__ import annotations

import re

import dxc_library
import vulkan_runner
from dispatches import Dispatch

GRID = 100  # the register of the number of workgroups
_COUNT = re.compile(r"uint3 (\w*num_workgroups\w*) : SV_GroupID")
_ZEROS = re.compile(
    r"^    if \(\w+ == 0\) \{\n(?:        \w+ = \(.*\)0;\n)+    \}\n    GroupMemoryBarrierWithGroupSync\(\);\n",
    re.MULTILINE,
)
_FLOAT = re.compile(r"(?<![\w.])(\d+\.\d+(?:e-?\d+)?)(?![\w.])")
_ENTRY = re.compile(r"^void (\w+)\(([^)]*)\)", re.MULTILINE)


def missing() -> str:
    """What is missing to run kernels this way; empty if nothing is."""
    return dxc_library.missing() or vulkan_runner.missing()


def entry_of(text: str) -> str:
    """The name of the kernel in HLSL: the last function."""
    return list(_ENTRY.finditer(text))[-1].group(1)


def with_grid(text: str) -> str:
    """The text with the number of workgroups in a constant buffer.

    Direct3D 12 has no such input. wgpu makes naga write it so, by an option that naga-wasm does not have; without it
    naga writes the index of the workgroup in its place.
    """
    entry = list(_ENTRY.finditer(text))[-1]
    found = _COUNT.search(entry[2])
    if found is None:
        return text
    name = found[1]
    inputs = ", ".join(one.strip() for one in entry[2].split(",") if found[0] not in one)
    head = f"cbuffer gpucore_grid : register(b{GRID}) {{ uint3 {name}; }}\n"
    return f"{head}{text[: entry.start(2)]}{inputs}{text[entry.end(2) :]}"


def to_dxil(text: str) -> dxc_library.Binary:
    """The kernel as DXIL, which DXC validates."""
    return dxc_library.compile_hlsl(with_grid(text), entry_of(text), dxc_library.DXIL)


def to_spirv(text: str) -> dxc_library.Binary:
    """The kernel as SPIR-V. Register n of any kind is binding n.

    Without naga's zeros in the memory of the workgroup, which no kernel needs: lavapipe compiles a store of a few
    thousand of them for minutes. And with a suffix to constants of f32: without it DXC's SPIR-V, not its DXIL, has some
    of them rounded toward zero.
    """
    prepared = _FLOAT.sub(r"\1f", _ZEROS.sub("", with_grid(text)))
    return dxc_library.compile_hlsl(prepared, entry_of(text), dxc_library.SPIRV)


def run(text: str, code: bytes, dispatch: Dispatch) -> list[bytes]:
    """The buffers after a dispatch of the compiled HLSL."""
    bindings = [(place, kind, data) for place, (kind, data) in enumerate(dispatch.bindings)]
    if with_grid(text) != text:
        grid = b"".join(count.to_bytes(4, "little") for count in (*dispatch.workgroups, 0))
        bindings.append((GRID, "uniform", grid))
    return vulkan_runner.run(code, entry_of(text), bindings, dispatch.workgroups)[: len(dispatch.before)]
