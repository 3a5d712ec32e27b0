"""Defects of naga and DXC that gpucore or these tests avoid. Where one of these tests fails, the defect is gone: what
avoids it, and its line in docs/limitations.md, can go as well."""

from __future__ import annotations

import dxc_library
import hlsl_route
import naga_translation
import numpy as np
import vulkan_runner

HEAD = "@group(0) @binding(0) var<storage, read_write> out: array<{type}>;\n@compute @workgroup_size(1) fn run() {{\n"


def _hlsl(type: str, body: str) -> str:
    enable = "enable f16;\n" if type == "f16" else ""
    text = f"{enable}{HEAD.format(type=type)}{body}\n}}\n"
    translation = naga_translation.translate({"text": text}, ["hlsl"])["text", "hlsl"]
    assert translation.text is not None, translation.error
    return translation.text


def _run(hlsl: str, data: bytes) -> bytes:
    binary = hlsl_route.to_spirv(hlsl)
    assert binary.code is not None, binary.log
    return vulkan_runner.run(binary.code, "run", [(0, "storage", data)], (1, 1, 1))[0]


def test_naga_writes_constants_of_64_bits_that_are_cut_to_32(dxc: None) -> None:
    """`L` is not 64 bits in HLSL, `LL` is. Why Direct3D 12 has no int64."""
    hlsl = _hlsl("u64", "out[0] = out[0] + 5000000000lu;")
    assert "5000000000uL" in hlsl
    for text, value in ((hlsl, 5000000000 % 2**32), (hlsl.replace("uL", "uLL"), 5000000000)):
        found = np.frombuffer(_run(text, np.array([1], np.uint64).tobytes()), np.uint64)
        assert found[0] == value + 1


def test_naga_writes_no_bitcast_of_f64(dxc: None) -> None:
    """Why Direct3D 12 has no f64: a compile error where the integer is used as one, else another number."""
    hlsl = _hlsl("f64", "out[0] = bitcast<f64>(bitcast<u64>(out[0]) & 9223372036854775807lu);")
    assert "int or unsigned int type required" in hlsl_route.to_dxil(hlsl).log
    hlsl = _hlsl("f64", "out[0] = bitcast<f64>(u64(u32(out[0]))) * 2.0lf;")
    found = np.frombuffer(_run(hlsl, np.array([7.0]).tobytes()), np.float64)
    assert found[0] == 14.0


def test_hlsl_rounds_f64_as_f32(dxc: None) -> None:
    """HLSL has `ceil` of float alone."""
    log = hlsl_route.to_dxil(_hlsl("f64", "out[0] = ceil(out[0]);")).log
    assert "conversion from larger type 'double' to smaller type 'float'" in log


def test_dxc_stores_16_bits_as_32_in_spirv(dxc: None) -> None:
    """Why kernels with f16 in buffers are not run by way of HLSL."""
    hlsl = _hlsl("f16", "out[1] = 1.0h;")
    found = np.frombuffer(_run(hlsl, np.array([2.0, 2.0], np.float16).tobytes()), np.float16)
    assert found.tolist() != [2.0, 1.0]


def test_dxc_takes_signed_atomics_of_buffers_for_unsigned_ones_in_spirv(dxc: None) -> None:
    """Why kernels with them are not run by way of HLSL."""
    hlsl = _hlsl("atomic<i32>", "atomicMin(&out[0], -5);")
    assert hlsl_route.to_dxil(hlsl).code is not None
    assert "generated SPIR-V is invalid" in hlsl_route.to_spirv(hlsl).log


def test_dxc_rounds_constants_of_a_conditional_toward_zero_in_spirv(dxc: None) -> None:
    """Why constants get a suffix before they are compiled to SPIR-V: 7.888609e-31 is 2**-100."""
    text = (
        "RWByteAddressBuffer y : register(u0);\n[numthreads(1, 1, 1)]\nvoid run()\n{{\n"
        "    float a = asfloat(y.Load(0));\n"
        "    y.Store(0, asuint(a > 3.0 ? 1.1805916e21{0} : (a < 2.0 ? 7.888609e-31{0} : 1.0{0})));\n}}\n"
    )
    for suffix, is_right in (("", False), ("f", True)):
        binary = dxc_library.compile_hlsl(text.format(suffix), "run", dxc_library.SPIRV)
        assert binary.code is not None, binary.log
        data = np.array([1.0], np.float32).tobytes()
        found = np.frombuffer(vulkan_runner.run(binary.code, "run", [(0, "storage", data)], (1, 1, 1))[0], np.float32)
        assert (found[0] == np.float32(2.0**-100)) is np.bool_(is_right)
