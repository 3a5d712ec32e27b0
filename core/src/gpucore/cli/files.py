"""Arrays in .npy files: reading with clear errors, atomic writing. "-" is standard input or output."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpucore.cli.screen import is_terminal
from gpucore.errors import ArgumentError

_STANDARD_STREAM = "-"
_MAGIC = b"\x93NUMPY"


def read_array(path: str) -> npt.NDArray[Any]:
    """The array in a .npy file, read into memory; nothing is unpickled. Raises ArgumentError."""
    try:
        with io.BytesIO(sys.stdin.buffer.read()) if path == _STANDARD_STREAM else open(path, "rb") as file:
            start = file.read(len(_MAGIC))
            if start != _MAGIC:
                raise ArgumentError(f"{path} is not a .npy file: {_describe_start(start)}")
            file.seek(0)
            loaded: npt.NDArray[Any] = np.load(file, mmap_mode=None, allow_pickle=False)
            return loaded
    except OSError as error:
        raise ArgumentError(f"{path} cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise ArgumentError(f"{path} holds an array that does not fit into memory") from error
    except ArgumentError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if "allow_pickle" in reason:
            reason = "it holds Python objects, which are never loaded; save an array of numbers"
        raise ArgumentError(f"{path} is not a valid .npy file: {reason}") from error


def _describe_start(start: bytes) -> str:
    if not start:
        return "it is empty"
    if start.startswith(b"PK"):
        return "it is an archive, such as an .npz file; save one array with numpy.save"
    return f"it starts with {start!r}; write it with numpy.save"


def check_writable(path: str) -> Path | None:
    """The file that `path` means, links followed; None for standard output. Raises ArgumentError where it cannot be
    written."""
    if path == _STANDARD_STREAM:
        if is_terminal(sys.stdout):
            raise ArgumentError("standard output is a terminal, which cannot show an array; name a file, or use a pipe")
        return None
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ArgumentError(f"{path} cannot be written: it is a folder")
    if target.exists() and not target.is_file():
        raise ArgumentError(f"{path} cannot be written: it is not a regular file")
    if not target.parent.is_dir():
        raise ArgumentError(f"{path} cannot be written: there is no folder {target.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK) or not os.access(target.parent, os.W_OK):
        raise ArgumentError(f"{path} cannot be written: permission denied")
    return target


def write_array(target: Path | None, values: npt.NDArray[Any]) -> None:
    """Write a .npy file under a temporary name in the same folder, then put it in place; None is standard output.

    Raises ArgumentError."""
    if target is None:
        whole = io.BytesIO()  # NumPy asks a file for its position, which a pipe does not have
        np.save(whole, values, allow_pickle=False)
        sys.stdout.buffer.write(whole.getbuffer())
        return
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        try:
            with open(temporary, "xb") as file:
                np.save(file, values, allow_pickle=False)
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        finally:  # after the replacement there is nothing left to remove
            with contextlib.suppress(FileNotFoundError):
                temporary.unlink()
    except OSError as error:
        raise ArgumentError(f"{target} cannot be written: {error.strerror or error}") from error
