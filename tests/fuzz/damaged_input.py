"""Damaged files and settings, each from a seed: bytes that are changed, cut, added or moved."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.runtime.settings import VARIABLES

DTYPES = ["<i4", "<u4", "<f4", "<f8", "<i8", ">i4", ">f4", "<f2", "|u1", "<c8", "|b1"]


def damage(chooser: random.Random, whole: bytes, near: int = 1 << 30) -> bytes:
    """One to four changes, most of them in the first `near` bytes; sometimes none."""
    data = bytearray(whole)
    for _ in range(chooser.randrange(5)):
        at = chooser.randrange(min(len(data), near) + 1) if chooser.random() < 0.8 else chooser.randrange(len(data) + 1)
        match chooser.randrange(7):
            case 0 | 1:
                data[at : at + 1] = bytes([chooser.randrange(256)])
            case 2:
                if at < len(data):
                    data[at] ^= 1 << chooser.randrange(8)
            case 3:
                del data[at:]
            case 4:
                del data[at : at + chooser.randrange(1, 9)]
            case 5:
                data[at:at] = chooser.randbytes(chooser.randrange(1, 9))
            case _:
                other = chooser.randrange(len(data) + 1)
                data[at : at + 4] = data[other : other + 4]
    return bytes(data)


def array_bytes(chooser: random.Random, shape: tuple[int, ...], dtype: str) -> bytes:
    """A .npy file of small whole numbers."""
    values = np.random.default_rng(chooser.randrange(1 << 30)).integers(0, 9, shape).astype(dtype)
    file = io.BytesIO()
    np.save(file, np.asfortranarray(values) if chooser.random() < 0.2 else values)
    return file.getvalue()


def damaged_arrays(chooser: random.Random, command: str) -> list[bytes]:
    """The files that a command takes, of one dtype and with shapes that fit. Half of them stay whole."""
    m, k, n = (chooser.randrange(1, 12) for _ in range(3))
    dtype = chooser.choice(DTYPES)
    wholes = [array_bytes(chooser, shape, dtype) for shape in ([(m,)] if command == "sort" else [(m, k), (k, n)])]
    return [whole if chooser.random() < 0.5 else damaged_array(chooser, whole) for whole in wholes]


def damaged_array(chooser: random.Random, whole: bytes) -> bytes:
    """The header, which ends before byte 128, is damaged more often than the elements."""
    if chooser.random() < 0.3:  # a header that says something else, in the form of one
        text = whole[10:128].decode("latin-1")
        for old, new in chooser.sample(
            [("(", "(99999999999, "), ("False", "True"), ("<", ">"), ("4", "8"), ("'shape'", "'Shape'"), (",)", ", 0)"),
             ("i4", "O"), ("f4", "V4"), ("(", "(-"), ("}", "")], 2,
        ):  # fmt: skip
            text = text.replace(old, new, 1)
        whole = whole[:10] + text.encode("latin-1")[:118].ljust(118) + whole[128:]
    return damage(chooser, whole, near=128)


def damage_entries(chooser: random.Random, folder: Path) -> None:
    """Damage files of a cache, one or more; or exchange two; or put a folder in the place of one."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in chooser.sample(files, chooser.randrange(1, len(files) + 1)):
        match chooser.randrange(8):
            case 0:
                path.write_bytes(b"")
            case 1:
                path.write_bytes(chooser.randbytes(chooser.randrange(2000)))
            case 2:
                path.write_bytes(chooser.choice(files).read_bytes() if files else b"")
            case _:
                path.write_bytes(damage(chooser, path.read_bytes(), near=600))


METADATA_WORDS = [
    "Name:", "Version: 1.0", "Version: \x00", "Requires-Dist: gpucore>=99", "Requires-Dist: gpucore; (", "\r\n\r\n",
    "[gpucore.backends]", "[console_scripts]", "bad = ", "= bad", "bad = os:nothing", "bad = bad = bad", "\u202e",
    "x" * 5000,
]  # fmt: skip


def damage_metadata(chooser: random.Random, folder: Path) -> None:
    """Damage what an installed distribution says of itself."""
    path = chooser.choice([folder / "METADATA", folder / "entry_points.txt"])
    lines = path.read_bytes().split(b"\n")
    for _ in range(chooser.randrange(1, 3)):
        lines.insert(chooser.randrange(len(lines) + 1), chooser.choice(METADATA_WORDS).encode())
    whole = b"\n".join(lines if chooser.random() < 0.6 else path.read_bytes().split(b"\n"))
    path.write_bytes(damage(chooser, whole))
    if chooser.random() < 0.1:
        path.unlink()


VALUES = [
    "", " ", ",", ",,", "1", "0", "-1", "on", "off", "ro", "ON", "yes", "cpu", "simulator", "simulator,cpu", "cpu:0",
    "cpu:99", "gpu", "cuda", "nothing", "cpu;simulator", "1e9", "1e-9", "nan", "inf", "0x10", "99999999999999999999",
    "subprocess", "inprocess", "/nowhere/at/all", "/dev/null", ".", "..", "~", "a" * 5000, "\u202e", "\udc80", "\n",
    "'\"",
]  # fmt: skip


def environment(chooser: random.Random) -> dict[str, str]:
    """One to three variables of gpucore, or with a name that none has, and values that fit some of them."""
    names = [*VARIABLES, "GPUCORE_CPU_THREADS", "GPUCORE_CPU_LANES", "GPUCORE_CPU_FEATURES", "GPUCORE_BACKENDS"]
    return {name: chooser.choice(VALUES) for name in chooser.sample(names, chooser.randrange(1, 4))}


def loaded(path: Path) -> Any:
    """The array of a file as NumPy reads it; None if it does not."""
    try:
        return np.load(path, allow_pickle=False)
    except Exception:  # noqa: BLE001 (NumPy raises many kinds for damaged files)
        return None
