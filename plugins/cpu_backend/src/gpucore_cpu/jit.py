"""LLVM on this machine: from the text of a Source to machine code in memory. The only module that imports llvmlite."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm

from gpucore.errors import DriverCompileError, OutOfMemoryError
from gpucore.runtime import Source, cached_binary
from gpucore_cpu.emit import ENTRY, SCRATCH_NBYTES
from gpucore_cpu.optimisation import choose_effort, optimise
from gpucore_cpu.processor import Processor, llvm_lock
from gpucore_cpu.streaming import MARK, stream

_ENTRY_TYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
    ctypes.c_int64, ctypes.c_int64,
)  # fmt: skip

# External functions that generated code may call: what LLVM's intrinsics are lowered to, and what emit names.
_MATH_NAMES = (
    "exp", "exp2", "log", "log2", "pow", "sin", "cos", "sincos", "tan", "asin", "acos", "atan", "atan2", "sinh",
    "cosh", "tanh", "fma", "floor", "ceil", "trunc", "rint", "roundeven", "nearbyint", "ldexp", "fmin", "fmax",
    "fmod", "sqrt", "cbrt", "exp10", "erf",
)  # fmt: skip
_C_NAMES = ("memset", "memcpy", "memmove", "bzero", "__sincosf_stret", "__sincos_stret")
_PLACE = re.compile(r"<string>:(\d+):\d+: error")


class Version(NamedTuple):
    """For which buffers of a dispatch a kernel is compiled."""

    is_aliased: bool = False  # two of them are the same memory
    is_shifted: bool = False  # the address of one of them is not aligned
    streams: bool = False  # together they are larger than the caches


PLAIN = Version()


@dataclass(frozen=True)
class Executable:
    """Machine code of one kernel. It is freed with the last reference to this object."""

    entry: int  # its address
    run: Any  # called like the entry that `emit` describes; it releases the GIL
    scratch_nbytes: int
    code: object  # keeps the machine code in memory


class Compiler:
    """Compiles Sources for a processor. Safe to use from several threads."""

    def __init__(self, processor: Processor) -> None:
        with llvm_lock:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            target = llvm.Target.from_default_triple()
            features = processor.describe_features()
            self._machine = target.create_target_machine(cpu=processor.name, features=features, opt=3, jit=True)
            versions = llvm.llvm_version_info, llvmlite.__version__
            self._facts = repr((self._machine.triple, processor.name, features, versions))
        self._imports = _addresses()

    def compile(self, source: Source, version: Version = PLAIN) -> Executable:
        """Machine code for a Source of `emit`. Raises DriverCompileError with LLVM's message as the log."""
        text = source.text
        if version.is_aliased:
            text = re.sub(r"ptr noalias (nonnull align \d+ %buffer)", r"ptr \1", text)
        if version.is_shifted:
            text = re.sub(r"(ptr (?:noalias )?nonnull) align \d+ (%buffer)", r"\1 \2", text)
            text = re.sub(rf", align \d+{MARK}", ", align 1", text)  # they were whole aligned vectors
        if version.streams:
            text = stream(text)
        try:
            with llvm_lock:
                code = self._load(text, source.payload, (ENTRY, SCRATCH_NBYTES))
        except MemoryError as error:
            raise OutOfMemoryError("no memory left to compile a kernel") from error
        except RuntimeError as error:
            raise _compile_error(source, str(error)) from error
        scratch = ctypes.c_int64.from_address(code[SCRATCH_NBYTES]).value
        return Executable(code[ENTRY], _ENTRY_TYPE(code[ENTRY]), scratch, code)

    def object_code(self, text: str, num_lanes: object = None) -> bytes:
        """A relocatable object from LLVM IR; `num_lanes` is the payload of its Source."""
        code: bytes = self._translate(text, num_lanes, self._machine.emit_object)
        return code

    def assembly(self, source: Source) -> str:
        """The assembly language of this machine, for display."""
        with llvm_lock:
            return str(self._translate(source.text, source.payload, self._machine.emit_assembly))

    def _translate(self, text: str, num_lanes: object, finish: Callable[[Any], Any]) -> Any:
        """`finish` applied to the optimised module. Its types and constants are freed with its own context.

        LLVM's own vectorisers run only where there are no gangs: they find nothing in vectors, and take time.
        """
        context = llvm.create_context()
        module = llvm.parse_assembly(text, context)
        try:
            module.triple, module.data_layout = self._machine.triple, str(self._machine.target_data)
            module.verify()
            optimise(module, self._machine, choose_effort(text), vectorises=num_lanes == 1)
            self._check_symbols(module)
            return finish(module)
        finally:
            module.close()

    def _check_symbols(self, module: Any) -> None:
        """Raise RuntimeError with the names of unresolved functions; the linker would not report them."""
        called = [str(function.name) for function in module.functions if function.is_declaration]
        missing = [name for name in called if not name.startswith("llvm.") and name not in self._imports]
        if missing:
            raise RuntimeError(f"functions that this machine does not have: {', '.join(missing)}")

    def load(self, text: str, exports: Sequence[str], imports: Mapping[str, int]) -> Any:
        """The addresses of a text's exported functions, given the addresses of functions that it may import."""
        with llvm_lock:
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


def _compile_error(source: Source, log: str) -> DriverCompileError:
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


def _addresses() -> dict[str, int]:
    """Addresses of the C library's functions that this machine has."""
    libraries = [library for name in _library_names() if (library := _open(name)) is not None]
    found: dict[str, int] = {}
    for name in (*_MATH_NAMES, *(f"{name}f" for name in _MATH_NAMES), *_C_NAMES):
        for library in libraries:
            function = getattr(library, name, None)
            if function is not None:
                found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
                break
    return found


def _library_names() -> tuple[str | None, ...]:
    """Possible paths of the C library; None stands for the libraries already loaded."""
    if os.name == "nt":
        return ("ucrtbase.dll", "msvcrt.dll")
    if sys.platform == "darwin":
        return ("/usr/lib/libSystem.B.dylib",)
    return ("libm.so.6", None)


def _open(name: str | None) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
