"""LLVM for another processor: archives of objects for packages. Imports llvmlite.

An archive has the versions of a kernel that launches may need, and the code of the pool of threads, so that nothing is
compiled where it is loaded. `general` is for all buffers; the others are faster where they can be used.
"""

from __future__ import annotations

import functools
from typing import Any

import llvmlite.binding as llvm

from gpucore.plugin import Source
from gpucore_cpu.archive import write_archive
from gpucore_cpu.jit import compile_error, text_of, translate
from gpucore_cpu.levels import Level
from gpucore_cpu.native_functions import NAMES
from gpucore_cpu.objects import POOL, VERSIONS
from gpucore_cpu.pool import IMPORTS
from gpucore_cpu.pool_code import pool_text
from gpucore_cpu.processor import use_llvm
from gpucore_cpu.streaming import MARK, can_stream


def build(source: Source, level: Level) -> bytes:
    """The archive of a kernel. Raises DriverCompileError with LLVM's message as the log."""
    with use_llvm():
        members = {}
        for name, version in VERSIONS.items():
            if version.streams and not (can_stream(level.machine) and MARK in source.text):
                continue
            try:
                members[name] = _object(level, text_of(source, version), source.payload)
            except RuntimeError as error:
                raise compile_error(source, str(error)) from error
        return write_archive({**members, POOL: _pool(level)})


@functools.cache
def _machine(level: Level) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(level.triple)
    # Code that does not depend on its place, with calls that reach 2 GiB: `elf` puts stubs for others beside it.
    return target.create_target_machine(
        cpu=level.processor, features=level.features, opt=3, reloc="pic", codemodel="small"
    )


def _object(level: Level, text: str, num_lanes: object) -> bytes:
    machine = _machine(level)
    code: bytes = translate(machine, text, num_lanes, {*NAMES, *IMPORTS}, machine.emit_object)
    return code


@functools.cache
def _pool(level: Level) -> bytes:
    return _object(level, pool_text(level.machine), None)
