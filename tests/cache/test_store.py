"""The store of the cache on disk: what is read is what was written, whatever happens to the files in between."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cache_files import DATA, FACTS, HOUR, KEY, OTHER, OpenStore, age, entry_path, truncate

from gpucore.runtime import cache
from gpucore.runtime.cache import Store, make_key
from gpucore.runtime.settings import CacheMode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners, modes, links and locks of POSIX")

# ---------------------------------------------------------------- whole entries


@pytest.mark.parametrize("size", [0, 1, 255, 100_000])
def test_an_entry_is_read_as_it_was_written(open_store: OpenStore, size: int) -> None:
    data = os.urandom(size)
    assert open_store().read(KEY) is None
    open_store().write(KEY, FACTS, data)
    open_store().write(OTHER, FACTS, b"other")
    assert open_store().read(KEY) == data and open_store().read(OTHER) == b"other"
    found = {entry.key: entry for entry in open_store().entries()}
    assert sorted(found) == sorted([KEY, OTHER])
    assert found[KEY].facts == {**FACTS, "key": KEY} and found[KEY].nbytes == os.path.getsize(found[KEY].path)
    assert open_store().usage() == (2, sum(entry.nbytes for entry in found.values()))


def test_a_later_write_replaces_an_entry(open_store: OpenStore, folder: Path) -> None:
    store = open_store()
    for data in (b"first", b"second, and longer", b""):
        store.write(KEY, FACTS, data)
        assert store.read(KEY) == open_store().read(KEY) == data
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [KEY]


def test_reading_makes_no_folder(open_store: OpenStore, folder: Path) -> None:
    store = open_store()
    assert store.read(KEY) is None and [*store.entries()] == [] and store.usage() == store.clear() == (0, 0)
    assert store.problem() == "" and not folder.exists()
    store.write(KEY, FACTS, DATA)  # the same store notices that there is a folder now
    assert store.read(KEY) == DATA


def test_only_the_user_can_use_what_is_made(open_store: OpenStore, folder: Path) -> None:
    before, store = os.umask(0), open_store()
    try:
        for _ in range(2):
            store.write(KEY, FACTS, DATA)
            assert [oct(path.stat().st_mode & 0o077) for path in [folder, *folder.rglob("*")]] == ["0o0"] * 4
            shutil.rmtree(folder)  # the same store makes it again
    finally:
        os.umask(before)


def test_keys_depend_on_each_part_and_its_place() -> None:
    parts: list[tuple[str | bytes, ...]] = [("ab", "c"), ("a", "bc"), ("abc",), ("c", "ab"), ("ab", "c", ""), (b"abd",)]
    keys = {make_key(*each) for each in parts}
    assert len(keys) == len(parts) and all(len(key) == 64 for key in keys)
    assert make_key("ab", "c") == make_key(b"ab", b"c")


def test_too_large_an_entry_is_not_kept(open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MAX_NBYTES", 1000)
    open_store().write(KEY, FACTS, bytes(1000))
    assert not [*folder.rglob(KEY)]
    open_store().write(KEY, FACTS, bytes(500))
    assert open_store().read(KEY) == bytes(500)


# ---------------------------------------------------------------- damage


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def forget_magic(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"gpucore cache 1", b"gpucore cache 0"))


def plant_another(path: Path) -> None:
    """A sound entry with another key inside."""
    path.write_bytes(entry_path(path.parents[1], OTHER).read_bytes())


def replace_by_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_a_link(path: Path) -> None:
    """A link to the same content."""
    path.rename(path.with_name("target"))
    path.symlink_to("target")


def replace_by_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def let_others_write(path: Path) -> None:
    path.chmod(0o666)


def plant_header(path: Path, header: bytes) -> None:
    """A header with its hash."""
    body = len(header).to_bytes(4, "little") + header
    path.write_bytes(path.read_bytes()[:16] + hashlib.sha256(body).digest() + body)


def nest_deeply(path: Path) -> None:
    plant_header(path, b'{"key": "%s", "kind": %s}' % (KEY.encode(), b"[" * 100_000 + b"]" * 100_000))


def describe_by_a_list(path: Path) -> None:
    plant_header(path, json.dumps({"key": KEY, "kind": ["kernel"], "backend": "fake"}).encode())


DAMAGES = [
    truncate, append, empty, forget_magic, plant_another, replace_by_a_folder, replace_by_a_link, replace_by_a_pipe,
    let_others_write, nest_deeply, describe_by_a_list,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_a_miss_and_repaired(
    open_store: OpenStore, folder: Path, damage: Callable[[Path], None]
) -> None:
    for key, data in ((KEY, DATA), (OTHER, b"other")):
        open_store().write(key, FACTS, data)
    path = entry_path(folder, KEY)
    damage(path)
    facts = {entry.key: entry.facts for entry in open_store().entries()}
    assert facts == {KEY: None, OTHER: {**FACTS, "key": OTHER}}
    assert open_store().read(KEY) is None
    assert not os.path.lexists(path), "what is damaged is removed"
    assert open_store().read(OTHER) == b"other"
    damage_is_a_link = path.with_name("target").exists()
    assert not damage_is_a_link or path.with_name("target").stat().st_size > len(DATA)  # not what it pointed to
    open_store().write(KEY, FACTS, DATA)
    assert open_store().read(KEY) == DATA


def test_every_byte_of_an_entry_is_checked(open_store: OpenStore, folder: Path) -> None:
    store = open_store()
    store.write(KEY, FACTS, DATA)
    path = entry_path(folder, KEY)
    sound, accepted = path.read_bytes(), []
    for place in range(len(sound)):
        flipped = bytearray(sound)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        path.chmod(0o600)
        if store.read(KEY) is not None:
            accepted.append(place)
    assert accepted == [] and len(sound) > len(DATA) + 64
    path.write_bytes(sound)
    path.chmod(0o600)
    assert store.read(KEY) == DATA


@pytest.mark.parametrize("length", [0, 1, 16, 17, 48, 50, 52, 60, -1])
def test_every_part_of_an_entry_is_needed(open_store: OpenStore, folder: Path, length: int) -> None:
    open_store().write(KEY, FACTS, DATA)
    path = entry_path(folder, KEY)
    path.write_bytes(path.read_bytes()[:length])
    assert open_store().read(KEY) is None


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOMEM, errno.EIO])
def test_a_sound_entry_that_cannot_be_read_now_is_kept(
    open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    store = open_store()
    store.write(KEY, FACTS, DATA)

    def fail(*args: Any) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", fail)
        assert store.read(KEY) is None
    assert store.read(KEY) == DATA


def test_ctrl_c_costs_no_descriptors(open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store, open_file = open_store(), os.open
    store.write(KEY, FACTS, DATA)
    before = len(os.listdir("/dev/fd"))

    def open_and_interrupt(*given: Any) -> int:
        descriptor = open_file(*given)
        signal.raise_signal(signal.SIGINT)
        return descriptor

    monkeypatch.setattr(os, "open", open_and_interrupt)
    for call in (lambda: store.read(KEY), lambda: store.write(OTHER, FACTS, DATA), lambda: store.clean(0)):
        with pytest.raises(KeyboardInterrupt):
            call()
    monkeypatch.undo()
    assert len(os.listdir("/dev/fd")) == before
    assert store.read(KEY) == DATA


def test_damage_costs_no_descriptors(open_store: OpenStore, folder: Path) -> None:
    store = open_store()
    store.write(KEY, FACTS, DATA)
    path, before = entry_path(folder, KEY), len(os.listdir("/dev/fd"))
    path.unlink()
    for _ in range(20):
        path.mkdir()
        assert store.read(KEY) is None
    assert len(os.listdir("/dev/fd")) == before


# ---------------------------------------------------------------- the limit


def fill(store: Store, folder: Path, count: int) -> list[str]:
    """Entries of about 1000 bytes; the first was used least recently."""
    keys = [make_key(str(number)) for number in range(count)]
    for number, key in enumerate(keys):
        store.write(key, FACTS, bytes(1000))
        age(entry_path(folder, key), 10 * HOUR - number)
    return keys


def test_what_was_used_least_recently_goes_first(open_store: OpenStore, folder: Path) -> None:
    keys = fill(open_store(), folder, 10)
    nbytes = open_store().usage()[1] // 10
    assert open_store().read(keys[0]) == bytes(1000)  # used now
    age(entry_path(folder, keys[9]), 20 * HOUR)
    assert open_store(limit=5 * nbytes).clean() == 6
    assert [number for number, key in enumerate(keys) if open_store().read(key)] == [0, 6, 7, 8]
    assert open_store().usage()[1] <= 0.8 * 5 * nbytes


def test_a_write_keeps_the_limit(open_store: OpenStore, folder: Path) -> None:
    keys = fill(open_store(), folder, 10)
    store = open_store(limit=5000)
    store.write(KEY, FACTS, DATA)
    assert store.usage()[1] <= 5000 and store.read(KEY) == DATA and store.read(keys[0]) is None


def test_an_entry_is_used_when_it_is_read(open_store: OpenStore, folder: Path) -> None:
    open_store().write(KEY, FACTS, DATA)
    path = entry_path(folder, KEY)
    for seconds, is_touched in ((2 * HOUR, True), (HOUR // 2, False)):
        age(path, seconds)
        assert open_store().read(KEY) == DATA
        assert (time.time() - path.stat().st_mtime < 60) == is_touched


def test_temporary_files_of_processes_that_are_gone_are_removed(open_store: OpenStore, folder: Path) -> None:
    open_store().write(KEY, FACTS, DATA)
    path = entry_path(folder, KEY)
    stale, fresh = (path.with_name(f"{KEY}.{name * 16}.new") for name in "ab")
    for temporary, seconds in ((stale, 2 * HOUR), (fresh, HOUR // 2)):
        temporary.write_bytes(b"half")
        age(temporary, seconds)
    assert len([*open_store().entries()]) == 1  # they are no entries
    open_store().write(OTHER, FACTS, DATA)
    assert not stale.exists() and fresh.exists()
    assert open_store().clear()[0] == 2
    assert fresh.exists() and [*open_store().entries()] == []


def test_files_of_others_in_the_folder_are_left_alone(open_store: OpenStore, folder: Path, snapshot: Any) -> None:
    """GPUCORE_CACHE_DIR may name a folder that has a folder named kernels."""
    foreign = [folder / "kernels" / "saxpy" / "saxpy.cu", folder / "kernels" / KEY[:2] / "notes.new",
               folder / "kernels" / ("0" * 2) / KEY, folder / "kernels" / "README"]  # fmt: skip
    for path in foreign:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(5000))
        age(path, 100 * HOUR)
    folder.chmod(0o700)
    before = snapshot(folder)
    store = open_store(limit=10)
    store.write(KEY, FACTS, DATA)
    store.clean(limit=1)
    store.write(OTHER, FACTS, DATA)
    assert store.usage()[0] == len([*store.entries()]) == store.clear()[0] == 1
    after = snapshot(folder)
    assert all(after[str(path)] == before[str(path)] for path in foreign)


@pytest.mark.parametrize("fails", [False, True])
def test_one_process_at_a_time_removes_entries(
    open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Where the file system has no locks, each process does."""
    fill(open_store(), folder, 4)
    if fails:

        def fail(*args: Any) -> None:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

        monkeypatch.setattr(fcntl, "flock", fail)
        assert open_store().clean(limit=1) == 4
        return
    with open(folder / "lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert open_store().clean(limit=1) == 0
    assert open_store().clean(limit=1) == 4


# ---------------------------------------------------------------- at the same time


def test_threads_with_stores_of_their_own(folder: Path) -> None:
    """As processes in containers, which may have one id."""
    keys = [make_key(str(number)) for number in range(4)]
    wrong: list[object] = []

    def work(number: int) -> None:
        store = Store(folder, CacheMode.ON, 1 << 20)
        try:
            for turn in range(40):
                key = keys[(number + turn) % 4]
                store.write(key, FACTS, key.encode() * 50)
                found = store.read(key)
                if found != key.encode() * 50:
                    wrong.append(found)
        except Exception as error:  # noqa: BLE001 (a warning is an error here)
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sorted(path.name for path in (folder / "kernels").rglob("*") if path.is_file()) == sorted(keys)


FORKED = """
    import os
    from pathlib import Path
    from gpucore.runtime.cache import Store, make_key
    from gpucore.runtime.settings import CacheMode

    store = Store(Path(os.environ["GPUCORE_CACHE_DIR"]), CacheMode.ON, 8 << 20)
    store.write(make_key("parent"), {}, b"of the parent")
    child = os.fork()
    if child == 0:
        is_right = store.read(make_key("parent")) == b"of the parent"
        store.write(make_key("child"), {}, b"of the child")
        os._exit(0 if is_right else 1)
    print(os.waitpid(child, 0)[1], store.read(make_key("child")))
"""


def test_a_forked_process_uses_the_store_of_its_parent(run: Any) -> None:
    assert run(FORKED, "-W", "error").stdout == "0 b'of the child'\n"


KILLED = """
    import os, random, signal, sys, time
    from pathlib import Path
    from gpucore.runtime.cache import Store, make_key
    from gpucore.runtime.settings import CacheMode

    folder, keys = Path(os.environ["GPUCORE_CACHE_DIR"]), [make_key(str(number)) for number in range(24)]

    def contents(key, length):
        return length.to_bytes(4, "little") + key.encode() * length

    def write():
        store, chance = Store(folder, CacheMode.ON, 8 << 20), random.Random(os.getpid())
        while True:
            key = chance.choice(keys)
            store.write(key, {}, contents(key, chance.randrange(12000)))

    def read():
        store, found = Store(folder, CacheMode.READ_ONLY, 8 << 20), 0
        while True:
            for key in keys:
                content = store.read(key)
                if content is not None:
                    found += 1
                    if content != contents(key, int.from_bytes(content[:4], "little")):
                        os._exit(1)
            if os.getppid() != parent or stopped.exists():
                os._exit(0 if found else 2)

    def start(work):
        child = os.fork()
        if child == 0:
            try:
                work()
            finally:
                os._exit(3)
        return child

    parent, stopped = os.getpid(), folder.with_name("stopped")
    readers, writers = [start(read) for _ in range(2)], [start(write) for _ in range(16)]
    chance = random.Random(7)
    for writer in chance.sample(writers, 16):
        time.sleep(chance.uniform(0, 0.2))
        os.kill(writer, signal.SIGKILL)
    endings = [os.waitpid(writer, 0)[1] for writer in writers]
    stopped.touch()
    print([os.waitpid(reader, 0)[1] for reader in readers], set(endings))
"""


def test_readers_see_whole_entries_while_writers_are_killed(run: Any, open_store: OpenStore, folder: Path) -> None:
    assert run(KILLED, "-W", "error").stdout == "[0, 0] {9}\n"
    entries = [*open_store().entries()]
    assert entries and [entry.path for entry in entries if entry.facts is None] == []
    store = open_store(limit=8 << 20)
    store.write(KEY, FACTS, DATA)  # what killed processes left stands in nobody's way
    assert store.read(KEY) == DATA
