"""Folders that are not trusted, cannot be written, or must not be."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cache_files import DATA, FACTS, HOUR, KEY, OTHER, OpenStore, age, entry_path, truncate

import gpucore as gp
from gpucore.runtime.cache import Store, make_key
from gpucore.runtime.cache import open_store as open_store_of_process
from gpucore.runtime.settings import CacheMode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners, modes and links of POSIX")

# ---------------------------------------------------------------- folders that are not trusted


def link_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.rename(folder.with_name("real"))
    folder.symlink_to("real")


def open_to_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o777)


def open_to_the_group(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(0o770)


def give_away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:  # what root owns is trusted by everyone
        os.chown(folder, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (link_the_folder, "the folder is a link, or not a folder"),
        (open_to_all, "the folder can be written by others"),
        (open_to_the_group, "the folder can be written by others"),
        (give_away, "the folder belongs to another user"),
    ],
)
def test_a_folder_that_others_may_have_written_is_refused(
    open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch, snapshot: Any,
    spoil: Callable[[Path, pytest.MonkeyPatch], None], reason: str,
) -> None:  # fmt: skip
    open_store().write(KEY, FACTS, DATA)
    spoil(folder, monkeypatch)
    before, store = snapshot(folder), open_store()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            assert store.read(KEY) is None
            store.write(OTHER, FACTS, DATA)
            assert open_store().read(KEY) is None  # and in another store, of other settings
    (warning,) = caught
    assert warning.category is gp.CacheWarning and warning.filename == __file__
    assert str(warning.message).startswith(f"the cache in {folder} is not used: {reason}")
    assert str(warning.message).endswith("name another folder with GPUCORE_CACHE_DIR")
    assert snapshot(folder) == before and store.problem() == str(warning.message)


def test_a_relative_folder_is_examined_after_a_change_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    monkeypatch.setenv("GPUCORE_CACHE_DIR", "cache")

    def store() -> Store:
        found = open_store_of_process()
        assert found is not None
        return found

    for name in ("own", "of_others"):
        (tmp_path / name / "cache").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "own")
    store().write(KEY, FACTS, DATA)
    assert store().read(KEY) == DATA
    (tmp_path / "of_others" / "cache").chmod(0o777)
    monkeypatch.chdir(tmp_path / "of_others")
    with pytest.warns(gp.CacheWarning, match="can be written by others"):
        store().write(KEY, FACTS, DATA)
    assert [*(tmp_path / "of_others" / "cache").iterdir()] == []


def test_a_file_of_another_user_is_refused(
    open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files to others")
    open_store().write(KEY, FACTS, DATA)
    os.chown(entry_path(folder, KEY), 12345, -1)
    assert open_store().read(KEY) is None


def test_a_folder_of_root_is_trusted(open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the image of a container that another user runs."""
    place = Path("/usr")
    assert place.stat().st_uid == 0
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert open_store(CacheMode.READ_ONLY, at=place).problem() == ""


def test_a_path_through_a_file_is_one_warning(open_store: OpenStore, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = open_store(at=tmp_path / "file" / "cache")
    with pytest.warns(gp.CacheWarning, match="Not a directory"):
        store.write(KEY, FACTS, DATA)
    store.write(KEY, FACTS, DATA)  # a second warning would be an error
    assert store.read(KEY) is None


# ---------------------------------------------------------------- a folder that cannot be written


def fail_to_replace(*paths: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_one_warning(
    open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch, snapshot: Any
) -> None:
    open_store().write(KEY, FACTS, DATA)
    before, store = snapshot(folder / "kernels" / KEY[:2]), open_store()
    monkeypatch.setattr(os, "replace", fail_to_replace)
    with pytest.warns(gp.CacheWarning) as caught:
        store.write(KEY, FACTS, b"new")
    assert [str(each.message) for each in caught] == [
        f"the cache in {folder} cannot be written: No space left on device; name another folder with "
        "GPUCORE_CACHE_DIR, or only read this one with GPUCORE_CACHE=ro"
    ]
    monkeypatch.undo()  # a disk that was full is not tried again
    store.write(OTHER, FACTS, b"other")
    assert store.read(KEY) == DATA and store.read(OTHER) is None
    after = snapshot(folder / "kernels" / KEY[:2])
    assert {**after, str(folder / "kernels" / KEY[:2]): 0} == {**before, str(folder / "kernels" / KEY[:2]): 0}


def test_a_file_that_cannot_be_written_whole_leaves_nothing(run: Any, folder: Path) -> None:
    code = f"""
        import resource
        from pathlib import Path
        from gpucore.runtime.cache import open_store
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        store = open_store()
        store.write({OTHER!r}, {{}}, b"small")
        store.write({KEY!r}, {{}}, bytes(100_000))
        print(store.read({KEY!r}), store.read({OTHER!r}))
    """
    done = run(code)
    assert done.stdout == "None b'small'\n"
    assert done.stderr.count("CacheWarning") == 1 and "File too large" in done.stderr
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [OTHER]


def test_a_warning_that_is_an_error_is_raised_each_time(
    open_store: OpenStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The filter of this test suite makes errors of warnings."""
    store = open_store()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail_to_replace)
        for _ in range(3):
            with pytest.raises(gp.CacheWarning, match="No space left on device"):
                store.write(KEY, FACTS, DATA)
    store.write(KEY, FACTS, DATA)
    assert store.read(KEY) == DATA
    folder.chmod(0o777)
    store = open_store()
    for _ in range(3):
        with pytest.raises(gp.CacheWarning, match="can be written by others"):
            store.read(KEY)
    folder.chmod(0o700)
    assert store.read(KEY) == DATA


def test_a_frozen_cache_is_not_touched(open_store: OpenStore, folder: Path, snapshot: Any) -> None:
    for key in (KEY, OTHER):
        open_store().write(key, FACTS, DATA)
        age(entry_path(folder, key), 48 * HOUR)
    truncate(entry_path(folder, OTHER))
    before, store = snapshot(folder), open_store(CacheMode.READ_ONLY, limit=1)
    assert store.read(KEY) == DATA and store.read(OTHER) is None and store.read(make_key("third")) is None
    store.write(make_key("third"), FACTS, DATA)
    assert not store.remove(KEY)
    assert [entry.facts is None for entry in store.entries() if entry.key == OTHER] == [True]
    assert snapshot(folder) == before
