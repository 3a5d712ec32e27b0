"""The file of a package: a ZIP of uncompressed entries, of which manifest.json describes the others.

    {"format": "gpucore package", "version": 1, "gpucore": "0.1.0",
     "targets": {"wgsl": {"backend": "wgpu"}, ...},
     "kernels": [{"name": "scale", "module": "mine", "qualname": "scale", "doc": "...", "workgroup_size": [256, 1, 1],
                  "signature": [...],
                  "specialisations": [{"name": "scale[T=f32,n=4]", "types": {"T": "f32"}, "constants": {"n": 4},
                                       "parameters": [...], "targets": {"wgsl": [FORM, ...]}}]}]}

A FORM is that of `descriptions`, with `starts`, the arrays that may begin within their memory; `aligned`, whether all
others begin at multiples of 16 bytes; `needs`, the capabilities of a device; and `text` and `binary`, each null or
{"file": name of the entry, "nbytes": its size, "sha256": of its bytes}. `signature` is that of `signatures`.

Nothing of a file is used before its sizes and hashes are checked, and nothing is ever written to disk from it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpucore.errors import ArgumentError
from gpucore.version import __version__

FORMAT, VERSION = "gpucore package", 1
MANIFEST = "manifest.json"
_WHEN = (1980, 1, 1, 0, 0, 0)  # so that the same contents are the same file
_ZIP_START = b"PK\x03\x04"


class PackageFile:
    """The contents of a file. Raises ArgumentError for what is none of this version."""

    def __init__(self, content: bytes, where: str) -> None:
        self.where = where
        if not content:
            raise self.refuse("it is empty", "copy or build it again")
        if not content.startswith(_ZIP_START):
            raise self.refuse(f"it starts with {content[:8]!r}", "give a file that `gpucore build` or gp.build wrote")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
            self._entries = {info.filename: info for info in self._zip.infolist()}
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise self.refuse(f"it is cut short or damaged: {error}", "copy or build it again") from error
        if len(self._entries) != len(self._zip.infolist()):
            raise self.refuse("it has two entries of one name", "build it again")
        self.manifest = self._read_manifest()

    def refuse(self, what: str, fix: str) -> ArgumentError:
        """The error that a file is no usable package."""
        return ArgumentError(f"{self.where} is not a usable package of kernels: {what}; {fix}")

    def read(self, reference: Any) -> bytes:
        """The bytes of an entry that the manifest refers to."""
        try:
            name, nbytes, digest = reference["file"], reference["nbytes"], reference["sha256"]
        except (TypeError, KeyError) as error:
            raise self.refuse(f"its manifest has no entry where it should: {error!r}", "build it again") from error
        content = self._entry(name)
        if len(content) != nbytes or hashlib.sha256(content).hexdigest() != digest:
            raise self.refuse(f"the entry {name!r} is not the one that was built", "copy or build it again")
        return content

    def _entry(self, name: str) -> bytes:
        info = self._entries.get(name)
        if info is None:
            raise self.refuse(f"the entry {name!r} is missing", "copy or build it again")
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
            raise self.refuse(f"the entry {name!r} is compressed or encrypted", "leave packages as they were built")
        try:
            return self._zip.read(info)
        except Exception as error:  # whatever a damaged entry causes
            raise self.refuse(f"the entry {name!r} is damaged: {error}", "copy or build it again") from error

    def _read_manifest(self) -> Mapping[str, Any]:
        if MANIFEST not in self._entries:
            raise self.refuse(f"the archive has no {MANIFEST}", "give a file that `gpucore build` or gp.build wrote")
        try:
            data = json.loads(self._entry(MANIFEST))
        except (ValueError, RecursionError) as error:
            raise self.refuse(f"its manifest cannot be read: {error}", "copy or build it again") from error
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise self.refuse("its manifest is that of another format", "give a file that `gpucore build` wrote")
        if data.get("version") != VERSION:
            built = f"it is of version {data.get('version')!r} of the format, built by gpucore {data.get('gpucore')!r}"
            raise self.refuse(f"{built}, and gpucore {__version__} reads version {VERSION}",
                              "update gpucore, or build the package with this version")  # fmt: skip
        return data


class PackageWriter:
    """Collects entries, each content once."""

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}  # by digest
        self._contents: dict[str, bytes] = {}

    def add(self, name: str, content: bytes) -> dict[str, Any]:
        """Add an entry; returns the reference to it. Entries of the same name are numbered."""
        digest = hashlib.sha256(content)
        if digest.digest() not in self._names:
            stem, dot, extension = name.rpartition(".")
            number = 1
            while name in self._contents:
                number += 1
                name = f"{stem}-{number}{dot}{extension}"
            self._names[digest.digest()] = name
            self._contents[name] = content
        return {"file": self._names[digest.digest()], "nbytes": len(content), "sha256": digest.hexdigest()}

    def finish(self, targets: Mapping[str, Any], kernels: list[Any]) -> bytes:
        """The file."""
        head = {"format": FORMAT, "version": VERSION, "gpucore": __version__}
        manifest = json.dumps({**head, "targets": targets, "kernels": kernels}, separators=(",", ":"), allow_nan=False)
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
            for name, content in ((MANIFEST, manifest.encode()), *self._contents.items()):
                archive.writestr(zipfile.ZipInfo(name, _WHEN), content)
        return whole.getvalue()


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file under a temporary name in the same folder, then put it in place. Raises ArgumentError."""
    target = Path(path)
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        try:
            temporary.write_bytes(content)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ArgumentError(f"{target} cannot be written: {error.strerror or error}") from error
