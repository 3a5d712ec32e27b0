"""Runs what a device of wgpu ran once more, as naga's HLSL and as its MSL, and says where the bytes differ and why one
was not run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import hlsl_route
import metal_host_route
import naga_translation
import numpy as np
from dispatches import Dispatch, Kernel
from targets import refusal

CUT_SHORT = {"long_loop", "long_while"}
"""Kernels whose loops lavapipe ends early, which is reported; the others run them to their end."""

SKIPS = {
    "capability": "gpucore refuses the kernel for such a device",
    "16 bits": "DXC's SPIR-V of 16-bit accesses to byte-address buffers is wrong",
    "signed atomics": "DXC's SPIR-V of signed atomics on byte-address buffers is invalid",
    "cut short": "lavapipe ends the loops early",
}
"""Why a kernel is not run: what docs/limitations.md says, by a short name."""

_HALF_IN_BUFFER = re.compile(r"\bLoad<half\d?>|\.Store\([^;]*,\s*half\d?\(|var<storage[^>]*> \w+: array<(vec\d<)?f16>")
_FLOATS = re.compile(r"@binding\((\d+)\) var<storage[^>]*> \w+: array<(?:vec\d<)?f32\b")
_INVALID = "generated SPIR-V is invalid"


@dataclass
class Outcome:
    """What became of the kernels and dispatches of one route."""

    agreed: int = 0  # dispatches whose results are the same, bit for bit
    skipped: Counter[str] = field(default_factory=Counter)  # kernels, by the short name of the reason
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        skips = ", ".join(f"{count} {reason}" for reason, count in sorted(self.skipped.items()))
        return f"{self.agreed} dispatches agree; kernels not run: {skips or 'none'}"


Runner = Callable[[Dispatch], Sequence[bytes]]


def by_hlsl(kernels: Sequence[Kernel], dispatches: Sequence[Dispatch]) -> Outcome:
    """HLSL to DXIL, which is only compiled, and to SPIR-V, which Vulkan runs."""
    outcome = Outcome()
    texts = _translated("hlsl", kernels, outcome)
    runners: dict[Kernel, Runner] = {}
    for kernel, text in texts.items():
        dxil = hlsl_route.to_dxil(text)
        if dxil.code is None:
            outcome.failures.append(f"{kernel.name}: DXC refuses the DXIL: {dxil.log[:400]}")
        elif kernel.name in CUT_SHORT:
            outcome.skipped["cut short"] += 1
        elif _HALF_IN_BUFFER.search(text) or _HALF_IN_BUFFER.search(kernel.text):
            outcome.skipped["16 bits"] += 1
        else:
            _add_spirv(kernel, text, runners, outcome)
    _compare(dispatches, runners, outcome)
    return outcome


def _add_spirv(kernel: Kernel, text: str, runners: dict[Kernel, Runner], outcome: Outcome) -> None:
    spirv = hlsl_route.to_spirv(text)
    if spirv.code is not None:
        code = spirv.code
        runners[kernel] = lambda dispatch: hlsl_route.run(text, code, dispatch)
    elif _INVALID in spirv.log and "Interlocked" in text:
        outcome.skipped["signed atomics"] += 1
    else:
        outcome.failures.append(f"{kernel.name}: DXC refuses the SPIR-V: {spirv.log[:400]}")


def by_msl(kernels: Sequence[Kernel], dispatches: Sequence[Dispatch]) -> Outcome:
    """MSL compiled by g++, and run on the host."""
    outcome = Outcome()
    texts = _translated("msl", kernels, outcome)
    runners: dict[Kernel, Runner] = {}
    for kernel, function in metal_host_route.compile_all(texts).items():
        if isinstance(function, str):
            outcome.failures.append(f"{kernel.name}: g++ refuses the MSL: {function}")
        elif kernel.name in CUT_SHORT:
            outcome.skipped["cut short"] += 1
        else:
            runners[kernel] = lambda dispatch, made=function: metal_host_route.run(made, dispatch)  # type: ignore[misc]
    _compare(dispatches, runners, outcome)
    return outcome


def _translated(language: str, kernels: Sequence[Kernel], outcome: Outcome) -> dict[Kernel, str]:
    """The texts of the kernels that gpucore accepts for the language's target. naga must accept them, too."""
    accepted = []
    for kernel in kernels:
        if refusal(language, kernel):
            outcome.skipped["capability"] += 1
        else:
            accepted.append(kernel)
    translations = naga_translation.translate({kernel.text: kernel.text for kernel in accepted}, [language])
    texts = {}
    for kernel in accepted:
        translation = translations[kernel.text, language]
        if translation.text is None:
            outcome.failures.append(f"{kernel.name}: naga refuses it as {language}: {translation.error}")
        else:
            texts[kernel] = translation.text
    return texts


def _compare(dispatches: Sequence[Dispatch], runners: dict[Kernel, Runner], outcome: Outcome) -> None:
    for dispatch in dispatches:
        run = runners.get(dispatch.kernel)
        if run is None:
            continue
        floats = {int(place) for place in _FLOATS.findall(dispatch.kernel.text)}
        differences = [
            _difference(at, found, wanted, at in floats)
            for at, (found, wanted) in enumerate(zip(run(dispatch), dispatch.after, strict=True))
        ]
        if any(differences):
            found = "; ".join(filter(None, differences))
            outcome.failures.append(f"{dispatch.kernel.name}, {dispatch.workgroups} workgroups: {found}")
        else:
            outcome.agreed += 1


def _difference(binding: int, found: bytes, wanted: bytes, has_floats: bool) -> str:
    """Where the bits differ; empty if nowhere. In a buffer of f32 all NaNs are one: IEEE 754 leaves their sign open."""
    if found == wanted:
        return ""
    left, right = np.frombuffer(found, np.uint32), np.frombuffer(wanted, np.uint32)
    differ = left != right
    if has_floats:
        differ &= ~(np.isnan(left.view(np.float32)) & np.isnan(right.view(np.float32)))
    if not differ.any():
        return ""
    at = int(np.argmax(differ))
    return f"buffer {binding}: {differ.sum()} words, first at {at}: {left[at]:#010x}, not {right[at]:#010x}"
