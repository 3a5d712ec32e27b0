"""LLVM on this machine: from the text of a Source to machine code in memory. The only module that imports llvmlite."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from gpucore.plugin import DriverCompileError, OutOfMemoryError, Source, cached_binary
from gpucore_cpu.emit import ENTRY, SCRATCH_NBYTES
from gpucore_cpu.native_functions import ENTRY_TYPE, addresses
from gpucore_cpu.optimisation import choose_effort, optimise
from gpucore_cpu.processor import Processor, use_llvm
from gpucore_cpu.streaming import MARK, stream
from gpucore_cpu.versions import PLAIN, Executable, Version

_PLACE = re.compile(r"<string>:(\d+):\d+: error")


class Compiler:
    """Compiles Sources for a processor. Safe to use from several threads."""

    def __init__(self, processor: Processor) -> None:
        with use_llvm():
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            target = llvm.Target.from_default_triple()
            features = processor.describe_features()
            self._machine = target.create_target_machine(cpu=processor.name, features=features, opt=3, jit=True)
            versions = llvm.llvm_version_info, llvmlite.__version__
            self._facts = repr((self._machine.triple, processor.name, features, versions))
        self._imports = dict(addresses())

    def compile(self, source: Source, version: Version = PLAIN) -> Executable:
        """Machine code for a Source of `emit`. Raises DriverCompileError with LLVM's message as the log."""
        try:
            with use_llvm():
                code = self._load(text_of(source, version), source.payload, (ENTRY, SCRATCH_NBYTES))
        except MemoryError as error:
            raise OutOfMemoryError("no memory left to compile a kernel") from error
        except RuntimeError as error:
            raise compile_error(source, str(error)) from error
        scratch = ctypes.c_int64.from_address(code[SCRATCH_NBYTES]).value
        return Executable(code[ENTRY], ENTRY_TYPE(code[ENTRY]), scratch, code)

    def object_code(self, text: str, num_lanes: object = None) -> bytes:
        """A relocatable object from LLVM IR; `num_lanes` is the payload of its Source."""
        code: bytes = self._translate(text, num_lanes, self._machine.emit_object)
        return code

    def assembly(self, source: Source) -> str:
        """The assembly language of this machine, for display."""
        with use_llvm():
            return str(self._translate(source.text, source.payload, self._machine.emit_assembly))

    def _translate(self, text: str, num_lanes: object, finish: Callable[[Any], Any]) -> Any:
        return translate(self._machine, text, num_lanes, self._imports, finish)

    def load(self, text: str, exports: Sequence[str], imports: Mapping[str, int]) -> Any:
        """The addresses of a text's exported functions, given the addresses of functions that it may import."""
        with use_llvm():
            self._imports.update(imports)
            return self._load(text, None, exports)

    def _load(self, text: str, num_lanes: object, exports: Sequence[str]) -> Any:
        """As `load`; the object code is kept on disk for later processes."""
        return cached_binary(
            __name__,
            [text, repr(num_lanes), self._facts],
            lambda: self.object_code(text, num_lanes),
            lambda code: self._link(code, exports),
        )

    def _link(self, code: bytes, exports: Sequence[str]) -> Any:
        """Load object code: addresses by name, which keep it in memory. A linker frees its libraries only when the
        last of them is freed, so each text has its own linker."""
        linker = llvm.create_lljit_compiler(self._machine)
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name, address in self._imports.items():
            if name.encode() in code:  # in the symbol table or within a longer name: an extra symbol is harmless
                library.import_symbol(name, address)
        for name in exports:
            library.export_symbol(name)
        return library.link(linker, "kernel")


def text_of(source: Source, version: Version) -> str:
    """The text of a version."""
    text = source.text
    if version.is_aliased:
        text = re.sub(r"ptr noalias (nonnull align \d+ %buffer)", r"ptr \1", text)
    if version.is_shifted:
        text = re.sub(r"(ptr (?:noalias )?nonnull) align \d+ (%buffer)", r"\1 \2", text)
        text = re.sub(rf", align \d+{MARK}", ", align 1", text)  # they were whole aligned vectors
    return stream(text) if version.streams else text


def translate(machine: Any, text: str, num_lanes: object, known: Container[str], finish: Callable[[Any], Any]) -> Any:
    """`finish` applied to the optimised module. Its types and constants are freed with its own context. Raises
    RuntimeError with the names of functions that are not `known`, which a linker would not report.

    LLVM's own vectorisers run only where there are no gangs: they find nothing in vectors, and take time.
    """
    context = llvm.create_context()
    module = llvm.parse_assembly(text, context)
    try:
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        module.verify()
        optimise(module, machine, choose_effort(text), vectorises=num_lanes == 1)
        called = [str(function.name) for function in module.functions if function.is_declaration]
        missing = [name for name in called if not name.startswith("llvm.") and name not in known]
        if missing:
            raise RuntimeError(f"functions that this machine does not have: {', '.join(missing)}")
        return finish(module)
    finally:
        module.close()


def compile_error(source: Source, log: str) -> DriverCompileError:
    """The error for text that LLVM rejected, at the user's line for the line in the log, or else at the kernel."""
    found = _PLACE.search(log)
    line = int(found[1]) - 1 if found else -1
    named = source.lines[line] if 0 <= line < len(source.lines) else None
    span = named or next((span for span in source.lines if span is not None), None)
    return DriverCompileError(
        "GP611",
        "LLVM refused the generated code",
        span,
        why="this version of LLVM does not accept code that gpucore generated; this is a defect of gpucore or of LLVM",
        fix="please report it with the log and the kernel",
        log=log,
    )
