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

INEXACT = re.compile(r"metal::(exp2?|log2?|sin|cos|tan|sinh|cosh|tanh|pow)\(|\bgpucore_erf_")
"""Functions with an error bound instead of one result: Mesa's are not the host's, or it rewrites a sum in them."""

RELATIVE, ABSOLUTE = 2e-3, 1e-4
"""How far results of such functions may be from Mesa's. Both may be off by what docs/numbers.md allows."""

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
_INVALID = "generated SPIR-V is invalid"


@dataclass
class Outcome:
    """What became of the kernels and dispatches of one route."""

    agreed: int = 0  # dispatches whose bytes are all the same
    close: int = 0  # dispatches of functions with an error bound, within it
    skipped: Counter[str] = field(default_factory=Counter)  # kernels, by the short name of the reason
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        skips = ", ".join(f"{count} {reason}" for reason, count in sorted(self.skipped.items()))
        return f"{self.agreed} dispatches agree, {self.close} within bounds; kernels not run: {skips or 'none'}"


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
    _compare(dispatches, runners, outcome, lambda kernel: False)
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
    _compare(dispatches, runners, outcome, lambda kernel: bool(INEXACT.search(texts[kernel])))
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


def _compare(
    dispatches: Sequence[Dispatch],
    runners: dict[Kernel, Runner],
    outcome: Outcome,
    is_inexact: Callable[[Kernel], bool],
) -> None:
    for dispatch in dispatches:
        run = runners.get(dispatch.kernel)
        if run is None:
            continue
        results = zip(run(dispatch), dispatch.after, strict=True)
        pairs = [(found, wanted) for found, wanted in results if found != wanted]
        if not pairs:
            outcome.agreed += 1
        elif is_inexact(dispatch.kernel) and all(_is_close(*pair) for pair in pairs):
            outcome.close += 1
        else:
            found = "; ".join(_difference(*pair) for pair in pairs)
            outcome.failures.append(f"{dispatch.kernel.name}, {dispatch.workgroups} workgroups: {found}")


def _is_close(found: bytes, wanted: bytes) -> bool:
    """Whether bytes are close as numbers of 32 or of 16 bits: which they are is not known here."""
    return any(_is_close_as(type, found, wanted) for type in (np.float32, np.float16))


def _is_close_as(type: type[np.floating], found: bytes, wanted: bytes) -> bool:
    left, right = np.frombuffer(found, type), np.frombuffer(wanted, type)
    words = np.dtype(f"u{left.itemsize}")
    relative = RELATIVE if type is np.float32 else 0.02
    with np.errstate(all="ignore"):
        close = np.isclose(left.astype(np.float64), right.astype(np.float64), relative, ABSOLUTE, equal_nan=True)
    return bool(np.all(close | (left.view(words) == right.view(words))))


def _difference(found: bytes, wanted: bytes) -> str:
    left, right = np.frombuffer(found, np.uint32), np.frombuffer(wanted, np.uint32)
    places = np.nonzero(left != right)[0]
    at = int(places[0])
    return f"{places.size} of {left.size} words, first at {at}: {left[at]:#010x}, not {right[at]:#010x}"
