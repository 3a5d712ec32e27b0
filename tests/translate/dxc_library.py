"""Microsoft's DXC as a library: HLSL to DXIL and to SPIR-V. The Python package compushady carries the library.

It is loaded by a child process for each kernel, which ends without finalizers: that of DXC locks a mutex that it has
freed, so that some of the processes that loaded it never exit.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import platform
import subprocess
import sys
import tarfile
import traceback
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / ".translate" / "libdxcompiler.so"
IN_SOURCES = f"compushady/backends/libdxcompiler_{platform.machine()}.so.3.7"

_COMPILER, _COMPILER3 = "73e22d93-e6ce-47f3-b5bf-f0664f39c1b0", "228b4687-5a6a-4730-900c-9702b2203f54"
_RESULT, _VERSION = "58346cda-dde7-4497-9461-6f87af5e0659", "b04f5b50-2059-4f12-a8ff-a1e0cde1cc7e"
_FIRST = 5  # of an interface: two destructors follow the three methods of IUnknown where there is no Windows
_UTF8 = 65001

DXIL = ("-Wno-parentheses-equality",)
SPIRV = (*DXIL, "-spirv", "-fspv-target-env=vulkan1.1")
"""Arguments for the two outputs."""


@dataclass(frozen=True)
class Binary:
    """A compiled kernel, or None with DXC's messages."""

    code: bytes | None
    log: str


class _Buffer(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("size", ctypes.c_size_t), ("encoding", ctypes.c_uint32)]


def missing() -> str:
    """What is missing for `compile_hlsl`; empty if nothing is."""
    if sys.platform != "linux":
        return "the library of DXC in compushady is used on Linux alone"
    return "" if LIBRARY.is_file() else "DXC is not installed: make translate"


def unpack(sources: Path) -> None:
    """Take the library from the source distribution of compushady, without building that."""
    LIBRARY.parent.mkdir(exist_ok=True)
    with tarfile.open(sources) as archive:
        member = next(member for member in archive if member.name.endswith(IN_SOURCES))
        content = archive.extractfile(member)
        assert content is not None
        LIBRARY.write_bytes(content.read())


def version() -> str:
    """DXC's version, as its interface has it."""
    answered: str = _ask({})["version"]
    return answered


def compile_hlsl(text: str, entry: str, arguments: tuple[str, ...], model: str = "6_2") -> Binary:
    """The kernel `entry` of an HLSL text, with 16-bit types."""
    words = ["-E", entry, "-T", f"cs_{model}", "-HV", "2018", "-enable-16bit-types", *arguments]
    answer = _ask({"text": text, "words": words})
    return Binary(base64.b64decode(answer["code"]) if answer["compiled"] else None, answer["log"])


def _ask(request: dict[str, Any]) -> dict[str, Any]:
    """The answer of `_answer` in a child process."""
    run = subprocess.run([sys.executable, "-I", __file__], input=json.dumps(request), capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"the process that loads DXC ended with {run.returncode}:\n{run.stderr}")
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    library = ctypes.CDLL(str(LIBRARY))
    compiler = ctypes.c_void_p()
    status = library.DxcCreateInstance(_guid(_COMPILER), _guid(_COMPILER3), ctypes.byref(compiler))
    if status:
        raise RuntimeError(f"DxcCreateInstance returned {status & 0xFFFFFFFF:#x}")
    return _compile(compiler, request["text"], request["words"]) if request else {"version": _version_of(compiler)}


def _version_of(compiler: ctypes.c_void_p) -> str:
    found = ctypes.c_void_p()
    _call(compiler, 0, _guid(_VERSION), ctypes.byref(found))
    major, minor = ctypes.c_uint32(), ctypes.c_uint32()
    _call(found, _FIRST, ctypes.byref(major), ctypes.byref(minor))
    return f"{major.value}.{minor.value}"


def _compile(compiler: ctypes.c_void_p, text: str, words: list[str]) -> dict[str, Any]:
    encoded = text.encode()
    kept = ctypes.create_string_buffer(encoded, len(encoded))
    source = _Buffer(ctypes.cast(kept, ctypes.c_void_p), len(encoded), _UTF8)
    passed, result = (ctypes.c_wchar_p * len(words))(*words), ctypes.c_void_p()
    count = ctypes.c_uint32(len(words))
    status = _call(compiler, _FIRST, ctypes.byref(source), passed, count, None, _guid(_RESULT), ctypes.byref(result))
    if status:
        raise RuntimeError(f"DXC returned {status & 0xFFFFFFFF:#x}")
    failed = ctypes.c_int32()
    _call(result, _FIRST, ctypes.byref(failed))
    log = _blob(result, _FIRST + 2).rstrip(b"\0").decode(errors="replace")
    code = base64.b64encode(_blob(result, _FIRST + 1)).decode()
    return {"compiled": not failed.value, "code": code, "log": log}


def _guid(text: str) -> Any:
    return ctypes.create_string_buffer(uuid.UUID(text).bytes_le, 16)


def _call(object: ctypes.c_void_p, slot: int, *arguments: Any, returns: Any = ctypes.c_int32) -> Any:
    """Call a method of a COM object by its place in the table."""
    table = ctypes.cast(object, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
    types = [ctypes.c_uint32 if isinstance(one, ctypes.c_uint32) else ctypes.c_void_p for one in arguments]
    method = ctypes.CFUNCTYPE(returns, ctypes.c_void_p, *types)(table[slot] or 0)
    return method(object, *arguments)


def _blob(result: ctypes.c_void_p, slot: int) -> bytes:
    blob = ctypes.c_void_p()
    _call(result, slot, ctypes.byref(blob))
    if not blob:
        return b""
    address = _call(blob, _FIRST, returns=ctypes.c_void_p)
    size = _call(blob, _FIRST + 1, returns=ctypes.c_size_t)
    return ctypes.string_at(address, size) if size else b""


if __name__ == "__main__":
    if sys.argv[1:]:
        unpack(Path(sys.argv[1]))
    else:
        try:
            print(json.dumps(_answer(json.load(sys.stdin))), flush=True)
            os._exit(0)
        finally:
            traceback.print_exc()
            os._exit(1)
