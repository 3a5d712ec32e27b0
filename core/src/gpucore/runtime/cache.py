"""The cache on disk: generated code, and what drivers compile from it, for later processes of the same user.

One file an entry, named by its key: a hash of everything that the content depends on. A file has a magic line, the hash
of the rest, and a header that repeats the key; one that does not fit is a miss, and removed. A file is written under
another name and then renamed, so that readers see whole entries only, whatever happens to the writer. The folder and
its files must belong to the user or to root, and nobody else may be able to write them: who can write them can run code
as the user. Entries used least recently go first when the folder is full. Files with other names are not touched. A
file that cannot be written is one warning in a process, never an error.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from gpucore.errors import CacheWarning
from gpucore.immutable import Immutable
from gpucore.lazy import IMPORTED_AT
from gpucore.runtime import log
from gpucore.runtime.interrupts import HeldBack
from gpucore.runtime.settings import (
    CacheMode,
    is_cache_folder_named,
    read_cache_folder,
    read_cache_limit,
    read_cache_mode,
)
from gpucore.version import __version__

if sys.platform != "win32":
    import fcntl

_T = TypeVar("_T")

_MAGIC = b"gpucore cache 1\n"
_DIGEST_NBYTES = 32
_LENGTH_NBYTES = 4
_MAX_NBYTES = 1 << 28  # of an entry
_FOLDER, _TEMPORARY, _LOCK = "kernels", ".new", "lock"
_OWN_NAME = re.compile(rf"[0-9a-f]{{64}}(\.[0-9a-f]+{re.escape(_TEMPORARY)})?")
_STALE_SECONDS = 3600.0  # after which a temporary file belongs to no running process
_TOUCH_SECONDS = 3600.0  # an entry that is used is touched this often
_KEPT = 0.8  # of the limit, after a cleaning
_WRITES_BETWEEN_SCANS = 64
_ANOTHER = "name another folder with GPUCORE_CACHE_DIR"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_READ_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):  # the second for pipes, which are refused
    _READ_FLAGS |= getattr(os, _flag, 0)
_WRITE_FLAGS = _READ_FLAGS | os.O_WRONLY | os.O_CREAT | os.O_EXCL

Facts = Mapping[str, str]
"""What an entry is of, for people: "kernel", "backend", "device"."""


def make_key(*parts: str | bytes) -> str:
    """The key of an entry whose content depends on these parts, and on this version of core."""
    digest = hashlib.sha256(__version__.encode())
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@functools.lru_cache(maxsize=32)
def fingerprint_of_package(name: str) -> bytes | None:
    """A hash of the files of an imported package or module, by their contents. None if it has no files, or if one has
    changed since this process imported gpucore.

    It is kept in the cache under the paths, sizes and times of the files, so that they are not read in each process.
    """
    module = sys.modules.get(name)
    folders, file = [*map(str, getattr(module, "__path__", ()))], getattr(module, "__file__", None)
    paths = [(path, path.removeprefix(folder)) for folder in folders for path in sorted(_files(folder))]
    if not folders and file:
        paths = [(str(file), Path(file).name)]
    try:
        found = [os.stat(path) for path, _ in paths]
        if not paths or max(max(facts.st_mtime, facts.st_ctime) for facts in found) >= IMPORTED_AT:
            return None
        states = [(facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns) for facts in found]
        store, key = open_store(), make_key("package", repr(paths), repr(states))
        known = store.read(key) if store is not None else None
        if known is None:
            known = hashlib.sha256(repr([(name, _hash_file(path)) for path, name in paths]).encode()).digest()
            if store is not None:
                store.write(key, {"kind": "package", "backend": name}, known)
        return known
    except OSError:
        return None


def _files(folder: str) -> Iterator[str]:
    """The files of a package, without those that Python makes."""
    for entry in _scan(folder):
        if not entry.name.startswith("__pycache__"):
            yield from _files(entry.path) if entry.is_dir() else (entry.path,)


def _hash_file(path: str) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()


class Entry(Immutable):
    """A file of the cache, as `gpucore cache` shows it."""

    key: str
    path: str
    nbytes: int
    used: float  # seconds since the epoch
    facts: Facts | None  # None: it is damaged


class Store:
    """The entries in one folder."""

    def __init__(self, folder: Path, mode: CacheMode, limit: int) -> None:
        self.folder, self.limit = folder, limit
        self._entries = str(folder / _FOLDER)
        self._is_writing = mode is CacheMode.ON
        self._is_usable: bool | None = None  # None: not examined
        self._writes = 0

    def read(self, key: str) -> bytes | None:
        """The content of an entry; None if there is none that is sound."""
        if not self._check_folder():
            return None
        path = self._path(key)
        try:
            found = _read(path, key)
        except OSError:
            if not os.path.islink(path):  # no such file, or too many open files, and the like
                return None
            found = None
        if found is None:
            self.remove(key)
            return None
        _, data, used = found
        if self._is_writing and time.time() - used > _TOUCH_SECONDS:
            with contextlib.suppress(OSError):
                os.utime(path)
        return data

    def write(self, key: str, facts: Facts, data: bytes) -> None:
        """Keep an entry, if possible."""
        if not self._is_writing or not self._check_folder(create=True):
            return
        path, content = self._path(key), _encode(key, facts, data)
        if len(content) > _MAX_NBYTES:
            return
        temporary = f"{path}.{os.urandom(8).hex()}{_TEMPORARY}"  # processes of two containers may have one id
        try:
            for folder in (self.folder, self._entries, os.path.dirname(path)):  # each may be gone since it was made
                os.makedirs(folder, 0o700, exist_ok=True)
            with _opened(temporary, _WRITE_FLAGS) as descriptor, open(descriptor, "wb", closefd=False) as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError as error:
            _unlink(temporary)
            _warn(
                f"the cache in {self.folder} cannot be written: {error.strerror or error}; {_ANOTHER}, or only read "
                "this one with GPUCORE_CACHE=ro"
            )
            self._is_writing = False  # after the warning, see _warn
            return
        if self._writes % _WRITES_BETWEEN_SCANS == 0:
            self.clean()
        self._writes += 1

    def remove(self, key: str) -> bool:
        """Remove an entry that turned out to be of no use, unless the cache is only read."""
        return self._is_writing and _remove(self._path(key))

    def entries(self) -> Iterator[Entry]:
        """All entries, read and checked."""
        for path, facts in self._files():
            if path.endswith(_TEMPORARY):
                continue
            try:
                found = _read(path, os.path.basename(path))
            except FileNotFoundError:  # removed in the meantime
                continue
            except OSError:
                found = None
            yield Entry(os.path.basename(path), path, facts.st_size, facts.st_mtime, found and found[0])

    def usage(self) -> tuple[int, int]:
        """The number of entries, and the bytes of their files, without reading them."""
        sizes = [facts.st_size for path, facts in self._files() if not path.endswith(_TEMPORARY)]
        return len(sizes), sum(sizes)

    def clear(self) -> tuple[int, int]:
        """Remove all entries. Returns their number, and the bytes of their files."""
        files = [(path, facts) for path, facts in self._files() if not path.endswith(_TEMPORARY)]
        removed = [facts.st_size for path, facts in files if _remove(path)]
        self.clean()
        return len(removed), sum(removed)

    def problem(self) -> str:
        """Why the folder cannot be used; "" if it can be, or if there is none."""
        try:
            reason = _distrust(os.lstat(self.folder), stat.S_ISDIR)
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"the cache in {self.folder} cannot be used: {error.strerror or error}; {_ANOTHER}"
        return f"the cache in {self.folder} is not used: the folder {reason}; {_ANOTHER}" if reason else ""

    def clean(self, limit: int | None = None) -> int:
        """Remove temporary files of processes that are gone, and if the entries exceed the limit, those used least
        recently. Returns the number of files that were removed. One process at a time does it."""
        removed, files = 0, []
        for path, facts in self._files():
            if not path.endswith(_TEMPORARY):
                files.append((facts.st_mtime, facts.st_size, path))
            elif time.time() - facts.st_mtime > _STALE_SECONDS:
                removed += _unlink(path)
        total, most = sum(nbytes for _, nbytes, _ in files), self.limit if limit is None else limit
        if total <= most:
            return removed
        with self._locked() as is_locked:
            for _, nbytes, path in sorted(files) if is_locked else ():
                if total <= most * _KEPT:
                    break
                removed += _remove(path)
                total -= nbytes
        return removed

    def _path(self, key: str) -> str:
        return f"{self._entries}/{key[:2]}/{key}"

    def _files(self) -> Iterator[tuple[str, os.stat_result]]:
        """What has the name of an entry or of a temporary file, with its state."""
        for folder in _scan(self._entries):
            for file in _scan(folder.path):
                if _OWN_NAME.fullmatch(file.name) and file.name[:2] == folder.name:
                    with contextlib.suppress(OSError):
                        yield file.path, file.stat(follow_symlinks=False)

    def _check_folder(self, *, create: bool = False) -> bool:
        """Whether the folder can be trusted. With `create` it is made if there is none."""
        if self._is_usable is None:
            problem = ""
            try:
                if create:
                    os.makedirs(self.folder, 0o700, exist_ok=True)
                elif not os.path.lexists(self.folder):
                    return False
            except OSError as error:
                problem = f"the cache in {self.folder} cannot be made: {error.strerror or error}; {_ANOTHER}"
            problem = problem or self.problem()
            if problem:
                _warn(problem)
            self._is_usable = not problem  # after the warning, see _warn
        return self._is_usable

    @contextlib.contextmanager
    def _locked(self) -> Iterator[bool]:
        """Whether this process got the lock, without waiting."""
        if sys.platform == "win32":
            yield True
            return
        with contextlib.ExitStack() as stack:
            try:
                descriptor = stack.enter_context(_opened(self.folder / _LOCK, os.O_RDWR | os.O_CREAT))
            except OSError:
                yield False
                return
            is_locked = True
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                is_locked = False
            except OSError:  # a file system without locks: several processes remove the same files
                pass
            yield is_locked


# ---------------------------------------------------------------- the store of this process

_stores: dict[tuple[Any, ...], Store] = {}


def open_store() -> Store | None:
    """The store that the environment variables name; None if the cache is off, or if there is no place for it, with
    one warning."""
    mode, folder = read_cache_mode(), read_cache_folder()
    if mode is CacheMode.OFF:
        return None
    if folder is None:
        if not is_cache_folder_named():
            what = "kernels are not kept in a cache: this user has no folder for it, as without HOME"
            _warn(f"{what}; name one with GPUCORE_CACHE_DIR, or set GPUCORE_CACHE=off")
        return None
    with contextlib.suppress(OSError):  # the current folder was removed
        folder = folder.absolute()  # another one after a change of the current folder
    key = mode, folder, read_cache_limit()
    if key not in _stores:
        _stores[key] = Store(folder, mode, read_cache_limit())
    return _stores[key]


def cached_binary(
    module: str, facts: Sequence[str | bytes], make: Callable[[], bytes], use: Callable[[bytes], _T]
) -> _T:
    """`use(binary)` of what a driver compiles, from the cache if a process of this user has compiled it before.

    For plugins. `module` is the `__name__` of the caller, whose package is part of the key. `facts` are all else that
    the binary depends on, such as the text, the options, the device's architecture and the versions of the driver and
    its compiler. `make` compiles; it returns b"" if the driver gives no binary. If `use` raises for a binary from the
    cache, that is forgotten, and compiled again.
    """
    backend = module.partition(".")[0]
    store, package = open_store(), fingerprint_of_package(backend)
    if store is None or package is None:
        return use(make())
    key = make_key("binary", package, *facts)
    found = store.read(key)
    if found is not None:
        try:
            return use(found)
        except Exception as error:  # noqa: BLE001 (whatever the driver says of it)
            log.debug(f"a binary of {backend} in the cache cannot be used: {error}")
            store.remove(key)
    made = make()
    used = use(made)
    if made:
        store.write(key, {"kind": "binary", "backend": backend}, made)
    return used


# ---------------------------------------------------------------- files


def _encode(key: str, facts: Facts, data: bytes) -> bytes:
    header = json.dumps({**facts, "key": key}).encode()
    body = len(header).to_bytes(_LENGTH_NBYTES, "little") + header + data
    return _MAGIC + hashlib.sha256(body).digest() + body


def _decode(content: bytes, key: str) -> tuple[Facts, bytes] | None:
    begin = len(_MAGIC) + _DIGEST_NBYTES
    body = memoryview(content)[begin:]
    if not content.startswith(_MAGIC) or hashlib.sha256(body).digest() != content[len(_MAGIC) : begin]:
        return None
    first = _LENGTH_NBYTES + int.from_bytes(body[:_LENGTH_NBYTES], "little")
    try:
        facts = json.loads(bytes(body[_LENGTH_NBYTES:first]))
    except (ValueError, RecursionError):
        return None
    is_sound = isinstance(facts, dict) and all(isinstance(fact, str) for fact in facts.values())
    return (facts, bytes(body[first:])) if is_sound and facts.get("key") == key else None


@contextlib.contextmanager
def _opened(path: str | Path, flags: int) -> Iterator[int]:
    """A descriptor that is closed whenever Ctrl-C comes. Raises OSError."""
    descriptor = None
    try:
        with HeldBack():
            descriptor = os.open(path, flags, 0o600)
        yield descriptor
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _read(path: str, key: str) -> tuple[Facts, bytes, float] | None:
    """The facts, the content, and when the file was last used; None for a damaged file. Raises OSError."""
    with _opened(path, _READ_FLAGS) as descriptor:
        facts = os.fstat(descriptor)
        if _distrust(facts, stat.S_ISREG) or facts.st_size > _MAX_NBYTES:
            return None
        with open(descriptor, "rb", buffering=0, closefd=False) as file:
            decoded = _decode(file.read(), key)
    return decoded and (*decoded, facts.st_mtime)


def _distrust(facts: os.stat_result, is_kind: Callable[[int], bool]) -> str:
    """Why a file or folder is not trusted; "" if it is."""
    if not is_kind(facts.st_mode):
        return "is a link, or not a folder"
    if hasattr(os, "geteuid"):
        if facts.st_uid not in (os.geteuid(), 0):
            return "belongs to another user"
        if facts.st_mode & _OTHERS_WRITE:
            return "can be written by others (`chmod go-w` changes that)"
    return ""


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _unlink(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _remove(path: str) -> bool:
    """Remove a file, or an empty folder in its place."""
    if _unlink(path):
        return True
    try:
        os.rmdir(path)
    except OSError:
        return False
    return True


_warned: set[str] = set()


def _warn(text: str) -> None:
    """Warn once in a process. With `-W error` the warning raises, and must raise again: note what follows from it
    after the call."""
    if text not in _warned:
        log.warn(text, CacheWarning)
        _warned.add(text)
