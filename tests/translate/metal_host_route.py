"""MSL by naga, compiled by g++ against the stand-in for Metal's library in `metal_host`, and run on the host."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import device_functions
import numpy as np
from dispatches import Dispatch, Kernel

HOST = Path(__file__).parent / "metal_host"
FLAGS = (
    "-std=c++20", "-O1", "-w", "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off",
    "-fsingle-precision-constant", f"-I{HOST}",
)  # fmt: skip
TOGETHER = 12  # kernels in one file for g++
PAD = 64  # bytes after each buffer

_ENTRY = re.compile(r"kernel void (\w+)\(\n(.*?)\n\) \{", re.DOTALL)
_PARAMETER = re.compile(r"(\w+)(?: \[\[(\w+)(?:\(\w+\))?\]\])?$")
_RUNTIME_ARRAY = re.compile(r"^(typedef .* \w+)\[1\];", re.MULTILINE)
_SHARED_VERSION = re.compile(r"^template <typename A>\n[^{]*\n    threadgroup A \*.*?^\}\n", re.MULTILINE | re.DOTALL)
_ONE_MINUS_SUM = re.compile(
    r"\+ ((?:metal::float\d\()?)([\d.e-]+)(\)?;\n +[\w:]+ (_e\d+) = \w+;\n) +return (?:metal::float\d\()?1\.0\)? - \4;"
)
_GLOBAL = re.compile(r"^@group\(0\) @binding\((\d+)\) var<[^>]*> (\w+):", re.MULTILINE)
_INPUTS = {
    "threadgroup_position_in_grid": "it.group",
    "thread_position_in_threadgroup": "it.local",
    "threadgroups_per_grid": "it.groups",
    "thread_index_in_threadgroup": "it.index",
    "thread_position_in_grid": "it.group * size + it.local",
    "thread_index_in_simdgroup": "it.index % subgroup_size",
    "simdgroup_index_in_threadgroup": "it.index / subgroup_size",
    "threads_per_simdgroup": "subgroup_size",
    "simdgroups_per_threadgroup": "(size.x * size.y * size.z + subgroup_size - 1) / subgroup_size",
}


@dataclass(frozen=True)
class Function:
    """A kernel that the host can run, with the library that holds it."""

    library: ctypes.CDLL
    name: str


def missing() -> str:
    """What is missing to run kernels this way; empty if nothing is."""
    return "" if shutil.which("g++") else "g++ is not installed"


def compile_all(kernels: Mapping[Kernel, str]) -> dict[Kernel, Function | str]:
    """The kernels with their MSL: functions, or the messages of g++."""
    items = list(kernels.items())
    parts = [items[at : at + TOGETHER] for at in range(0, len(items), TOGETHER)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        made = list(pool.map(_compile, parts))
    return {kernel: function for part in made for kernel, function in part}


def _compile(part: Sequence[tuple[Kernel, str]]) -> list[tuple[Kernel, Function | str]]:
    """Several kernels as one library; one by one if g++ refuses it, so that each has its own messages."""
    text = '#include "metal_stdlib"\n'
    for at, (kernel, msl) in enumerate(part):
        text += _with_wrapper(kernel, msl, f"kernel_{at}")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "kernels.cpp", Path(folder) / "kernels.so"
        source.write_text(text)
        run = subprocess.run(["g++", *FLAGS, "-o", str(library), str(source)], capture_output=True, text=True)
        if run.returncode == 0:
            loaded = ctypes.CDLL(str(library))
            return [(kernel, Function(loaded, f"run_kernel_{at}")) for at, (kernel, _) in enumerate(part)]
    if len(part) == 1:
        errors = [line for line in run.stderr.splitlines() if "error" in line]
        return [(part[0][0], "\n".join(errors[:3]) or run.stderr[:300])]
    return [made for one in part for made in _compile([one])]


def run(function: Function, dispatch: Dispatch) -> list[bytes]:
    """The buffers after a dispatch, with the device's results of functions that have an error bound.

    A run that meets arguments whose results are not known yet is made once more with them.
    """
    while True:
        results = _run_once(function, dispatch)
        if not _give_wanted(function.library):
            return results


def _run_once(function: Function, dispatch: Dispatch) -> list[bytes]:
    memory = [ctypes.create_string_buffer(data, len(data) + PAD) for _, data in dispatch.bindings]
    addresses = (ctypes.c_void_p * max(1, len(memory)))(*map(ctypes.addressof, memory))
    groups = (ctypes.c_uint32 * 3)(*dispatch.workgroups)
    sizes = (ctypes.c_uint32 * max(1, len(memory)))(*(len(data) for _, data in dispatch.bindings))
    getattr(function.library, function.name)(addresses, groups, sizes)
    return [held.raw[: len(data)] for held, data in zip(memory, dispatch.before, strict=False)]


def _give_wanted(library: ctypes.CDLL) -> bool:
    """Give the results of the functions that a run wanted; whether there were any."""
    calls = np.zeros(library.count_wanted(), device_functions.CALL)
    if calls.size == 0:
        return False
    library.take_wanted(calls.ctypes.data_as(ctypes.c_void_p))
    results = device_functions.evaluate(calls)
    library.give_results(calls.ctypes.data_as(ctypes.c_void_p), results.ctypes.data_as(ctypes.c_void_p), calls.size)
    return True


def _with_wrapper(kernel: Kernel, msl: str, name: str) -> str:
    """The text in a namespace of its own, and a function that runs a grid of it."""
    entry = _ENTRY.search(msl)
    assert entry is not None, "no kernel in this text"
    arguments, setup = _arguments(kernel, entry[2].split("\n"))
    sizes = ", ".join(map(str, kernel.workgroup_size))
    waits = "true" if re.search(r"\b(threadgroup_barrier|simd_|simdgroup_barrier)", msl) else "false"
    msl = _SHARED_VERSION.sub("", msl)  # of a function for each of two address spaces, which are one in C++
    msl = _ONE_MINUS_SUM.sub(_as_one_sum, msl)
    body = _RUNTIME_ARRAY.sub(r"\1[1 << 24];", msl)  # with one element g++ would take an index to be 0
    return f"""
namespace {name} {{
{body}
}}
extern "C" void run_{name}(void** buffers, const unsigned* groups, const unsigned* sizes) {{
    const unsigned lengths[3] = {{{sizes}}};
    const uint3 size({sizes});
    {setup}
    run_grid(lengths, groups, {waits}, [&](const Invocation& it) {{ {name}::{entry[1]}({", ".join(arguments)}); }});
}}
"""


def _as_one_sum(found: re.Match[str]) -> str:
    """`1 - (x + c)` as `-(x + (c - 1))`: Mesa adds the two constants first, as SPIR-V allows it to."""
    constant = np.float32(found[2]) - np.float32(1)
    return f"+ {found[1]}{constant}{found[3]} return -{found[4]};"


def _arguments(kernel: Kernel, lines: Sequence[str]) -> tuple[list[str], str]:
    """An expression for each parameter of the kernel, and the memory of the workgroup that they need."""
    places = _places(kernel.text)
    arguments, setup = [], ""
    for line in lines:
        found = _PARAMETER.search(line.strip())
        assert found is not None, line
        name, kind = found[1], found[2]
        if kind in _INPUTS:
            arguments.append(_INPUTS[kind])
        elif kind is None:
            setup += f"std::vector<unsigned long> shared_{len(arguments)}; "
            arguments.append(f"SharedArgument{{shared_{len(arguments)}}}")
        elif name == "_buffer_sizes":
            arguments.append("BufferArgument{(void*)sizes}")
        else:
            arguments.append(f"BufferArgument{{buffers[{_place_of(name, places)}]}}")
    return arguments, setup


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Names and bindings of WGSL, in the order of the text, which naga keeps."""
    return ((name, int(place)) for place, name in _GLOBAL.findall(text))


def _place_of(name: str, places: Iterator[tuple[str, int]]) -> int:
    """The binding of a parameter. naga appends underscores and numbers to names, and leaves out what is not used."""
    for wanted, place in places:
        if re.fullmatch(re.escape(wanted) + r"_?(\d+_?)?", name):
            return place
    raise AssertionError(f"no binding for {name}")
