"""`gpucore cache path|info|clear|verify|warm`: the cache on disk.

    path           print its folder, which need not exist
    info           what is in it; `--json` prints one object, see below
    clear          remove all entries, but not what is known of plugins that failed (see `gpucore doctor --refresh`)
    verify         read every entry, and remove the damaged ones
    warm MODULE    compile the kernels of a module now, see `warming`

`info --json`:

    folder, limit          the folder; the most bytes that entries take
    mode                   "on", "ro" or "off"
    count, nbytes          of all entries
    damaged                the number of damaged ones
    oldest_use, newest_use when an entry was last used, to the hour, in local time, as in "2026-01-31 12:00"; null if
                           there is none
    entries                list of objects: kind ("kernel": generated code; "binary": what a driver compiled; "fact":
                           the dtype of an expression; "package": a hash of gpucore's or a plugin's files; "shapes":
                           a table of `gpucore tune`), backend, count, nbytes

Exit code 1 if `verify` found damaged entries, 2 if the folder cannot be used or must not be changed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gpucore.cli.failures import CHECK_FAILED, OK
from gpucore.cli.numbers import format_bytes
from gpucore.cli.screen import Column, Screen, Styled, open_screen
from gpucore.cli.warming import warm
from gpucore.errors import ArgumentError, BackendError
from gpucore.runtime.cache import Entry, Store
from gpucore.runtime.settings import CacheMode, read_cache_folder, read_cache_limit, read_cache_mode

_COLUMNS = Column("kind"), Column("backend"), Column("entries", right=True), Column("size", right=True)


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("cache", help="show, check, clear or fill the cache on disk")
    actions = parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True)
    actions.add_parser("path", help="print its folder").set_defaults(run=_path)
    info = actions.add_parser("info", help="count entries by kind and backend")
    info.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    info.set_defaults(run=_info)
    actions.add_parser("clear", help="remove all entries").set_defaults(run=_clear)
    actions.add_parser("verify", help="read every entry, and remove damaged ones").set_defaults(run=_verify)
    filling = actions.add_parser("warm", help="compile the kernels of a module")
    filling.add_argument("module", metavar="MODULE", help="package.module or path/to/file.py; importing it runs it")
    filling.add_argument("--device", metavar="DEVICE", help="for which device (default: the default device)")
    filling.set_defaults(run=_warm)


def _path(options: argparse.Namespace) -> int:
    print(_open().folder)
    return OK


def _info(options: argparse.Namespace) -> int:
    document = _describe(_open())
    if options.json:
        print(json.dumps(document, indent=2))
    else:
        _show(open_screen(), document)
    return OK


def _clear(options: argparse.Namespace) -> int:
    store = _open(changes="cleared")
    removed, nbytes = store.clear()
    print(f"removed {_count_entries(removed)} ({format_bytes(nbytes)}) from {_name_folder(store.folder)}")
    return OK


def _verify(options: argparse.Namespace) -> int:
    store, screen, total, damaged = _open(), open_screen(), 0, 0
    for entry in store.entries():
        total += 1
        if entry.facts is None:
            damaged += 1
            what = "damaged and removed" if store.remove(entry.key) else "damaged"
            screen.write(Styled(f"{what}: ", "bad"), entry.path)
    screen.write(f"{_count_entries(total)} in {_name_folder(store.folder)}, {damaged} damaged")
    return CHECK_FAILED if damaged else OK


def _warm(options: argparse.Namespace) -> int:
    store = _open(changes="filled")
    if read_cache_mode() is CacheMode.OFF:
        raise ArgumentError("GPUCORE_CACHE=off: nothing is kept; remove this environment variable")
    screen = open_screen()
    before = store.usage()[0]
    for line in warm(options.module, options.device):
        screen.write(line)
    number, nbytes = store.usage()
    change = f", {number - before:+,} by this command" if number != before else ""
    screen.write(f"the cache in {store.folder} has {_count_entries(number)} ({format_bytes(nbytes)}){change}")
    return OK


def _open(*, changes: str = "") -> Store:
    """The store, also where the cache is off. `changes` is what a command does to it that must not be done to a frozen
    one. Raises BackendError if there is no place for it, ArgumentError if it cannot be used."""
    mode, folder = read_cache_mode(), read_cache_folder()
    if folder is None:
        raise BackendError("the cache has no folder; name one with the environment variable GPUCORE_CACHE_DIR")
    if changes and mode is CacheMode.READ_ONLY:
        raise ArgumentError(f"GPUCORE_CACHE=ro: the cache in {folder} is only read, and cannot be {changes}")
    store = Store(folder, CacheMode.READ_ONLY if mode is CacheMode.READ_ONLY else CacheMode.ON, read_cache_limit())
    if problem := store.problem():
        raise ArgumentError(problem)
    return store


# ---------------------------------------------------------------- info


def _describe(store: Store) -> dict[str, Any]:
    entries = [*store.entries()]
    times = sorted(entry.used for entry in entries)
    return {
        "folder": str(store.folder),
        "mode": read_cache_mode().value,
        "limit": store.limit,
        "count": len(entries),
        "nbytes": sum(entry.nbytes for entry in entries),
        "damaged": sum(entry.facts is None for entry in entries),
        "oldest_use": _format_time(times[0]) if times else None,
        "newest_use": _format_time(times[-1]) if times else None,
        "entries": _group(entries),
    }


def _group(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for entry in entries:
        if entry.facts is not None:
            key = entry.facts.get("kind", ""), entry.facts.get("backend", "")
            groups.setdefault(key, []).append(entry.nbytes)
    return [
        {"kind": kind, "backend": backend, "count": len(sizes), "nbytes": sum(sizes)}
        for (kind, backend), sizes in sorted(groups.items())
    ]


def _format_time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _show(screen: Screen, document: dict[str, Any]) -> None:
    screen.write(f"folder   {_name_folder(document['folder'])}")
    screen.write(f"mode     {document['mode']}")
    sizes = f"{format_bytes(document['nbytes'])} of {format_bytes(document['limit'])}"
    screen.write(f"entries  {document['count']:,} ({sizes})")
    if document["count"]:
        screen.write(f"used     from {document['oldest_use']} to {document['newest_use']}")
        if document["damaged"]:
            screen.write(Styled(f"damaged  {document['damaged']:,}; `gpucore cache verify` removes them", "bad"))
        screen.write()
        rows = [(each["kind"], each["backend"], f"{each['count']:,}", format_bytes(each["nbytes"]))
                for each in document["entries"]]  # fmt: skip
        screen.table(_COLUMNS, rows)


def _name_folder(folder: str | Path) -> str:
    return str(folder) if os.path.isdir(folder) else f"{folder} (which does not exist)"


def _count_entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number:,} entries"
