"""naga, and DXC after it, accept what gpucore emits for devices of Metal and Direct3D 12; what naga does not translate
gpucore refuses first."""

from __future__ import annotations

import functools

import algorithm_kernels
import golden_kernels
import hlsl_route
import metal_host_route
import naga_translation
import pytest
from dispatches import Kernel
from naga_translation import Translation
from targets import TARGETS, kernel_for

import gpucore as gp

CASES = {"golden": golden_kernels.CASES, "algorithms": algorithm_kernels.CASES}
TOOLS = {"msl": "metal_host", "hlsl": "dxc"}
GOLDEN = [pytest.param("golden", name, id=name) for name in golden_kernels.CASES]
ALGORITHMS = [pytest.param("algorithms", name, marks=pytest.mark.large, id=name) for name in algorithm_kernels.CASES]


@functools.cache
def _emitted(language: str, group: str) -> dict[str, Kernel | gp.GpucoreError]:
    """Each kernel of a group for the target of a language, or why gpucore refuses it."""
    made: dict[str, Kernel | gp.GpucoreError] = {}
    for name, (kernel, bindings) in CASES[group].items():
        try:
            made[name] = kernel_for(language, kernel, bindings)
        except (gp.CapabilityError, gp.LimitError) as error:
            made[name] = error
    return made


@functools.cache
def _translated(language: str, group: str) -> dict[str, Translation]:
    kernels = {name: made for name, made in _emitted(language, group).items() if isinstance(made, Kernel)}
    found = naga_translation.translate({name: kernel.text for name, kernel in kernels.items()}, [language])
    return {name: found[name, language] for name in kernels}


@functools.cache
def _on_the_host(group: str) -> dict[Kernel, metal_host_route.Function | str]:
    translated = _translated("msl", group)
    kernels = {name: made for name, made in _emitted("msl", group).items() if isinstance(made, Kernel)}
    return metal_host_route.compile_all({kernels[name]: one.text for name, one in translated.items() if one.text})


@pytest.mark.parametrize("language", TARGETS)
@pytest.mark.parametrize(("group", "name"), [*GOLDEN, *ALGORITHMS])
def test_a_kernel_is_translated_and_compiled(
    language: str, group: str, name: str, request: pytest.FixtureRequest
) -> None:
    """To MSL, and by g++; to HLSL, and by DXC to DXIL. Or gpucore refuses it for such a device."""
    request.getfixturevalue(TOOLS[language])
    made = _emitted(language, group)[name]
    if isinstance(made, gp.GpucoreError):
        pytest.skip(made.message)
    translation = _translated(language, group)[name]
    assert translation.text is not None, translation.error
    if language == "hlsl":
        binary = hlsl_route.to_dxil(translation.text)
        assert binary.code is not None, binary.log
    else:
        function = _on_the_host(group)[made]
        assert isinstance(function, metal_host_route.Function), function


@pytest.mark.parametrize("group", ["golden", pytest.param("algorithms", marks=pytest.mark.large)])
@pytest.mark.parametrize(("language", "lacking"), [("msl", ("f64",)), ("hlsl", ("f64", "i64", "u64"))])
def test_what_is_refused_needs_what_the_device_lacks(language: str, lacking: tuple[str, ...], group: str) -> None:
    """No other kernel is skipped above."""
    for made in _emitted(language, group).values():
        if isinstance(made, gp.GpucoreError):
            assert any(f"of type {type}" in made.message for type in lacking), made.message


def test_naga_has_no_f64_in_msl_and_gpucore_refuses_it_first(naga: None) -> None:
    kernel, bindings = golden_kernels.CASES["convert_f32"]
    text = kernel.source("wgsl", **bindings)
    assert naga_translation.translate({"f64": text}, ["msl"])["f64", "msl"].error.startswith("panic")
    assert isinstance(_emitted("msl", "golden")["convert_f32"], gp.CapabilityError)


def test_naga_has_no_cooperative_matrices_in_hlsl_and_no_target_of_it_has_them(naga: None) -> None:
    found = naga_translation.translate({"matrices": golden_kernels.text_with_matrices()})
    assert "CooperativeMatrix" in found["matrices", "hlsl"].error
    assert "simdgroup_multiply_accumulate" in (found["matrices", "msl"].text or "")
    assert gp.Capability.COOPERATIVE_MATRICES not in TARGETS["hlsl"].capabilities
