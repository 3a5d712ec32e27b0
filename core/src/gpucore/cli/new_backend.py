"""`gpucore new-backend NAME`: writes a distribution with a backend that works, to begin from.

It compiles kernels as C with the system's compiler, and passes the conformance kit. Replace its parts by those of other
hardware, one at a time.
"""

from __future__ import annotations

import argparse
import keyword
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

from gpucore.cli.failures import OK
from gpucore.errors import ArgumentError
from gpucore.runtime.parse import ANY_GPU
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.plugins.records import OFFICIAL
from gpucore.runtime.protocol import GPUCORE_API
from gpucore.version import __version__

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SUFFIX = ".template"
_PACKAGE = "package"  # the folder of the template that has the name of the package


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("new-backend", help="write a distribution with a backend, to begin from")
    parser.add_argument("name", metavar="NAME", help="of the backend, as users write it: device='NAME'")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="a new or empty folder (default: gpucore-NAME)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the files, and say what to do with them."""
    check_free(options.name)
    files = render(options.name)
    folder = Path(options.output or f"gpucore-{options.name.replace('_', '-')}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ArgumentError(f"{folder} exists and is not an empty folder; name another one with -o")
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    print(f"{folder}: {len(files)} files. Next:\n  cd {folder}\n  pip install -e '.[test]'\n  python -m pytest")
    return OK


def check_free(name: str) -> None:
    """Raises ArgumentError for the name of a backend that is installed."""
    owner = {record.name: record.distribution for record in TABLE.list_installed()}.get(name)
    if owner is not None:
        raise ArgumentError(f"{name!r} cannot name a new backend: {owner} has one of that name")
    if name in OFFICIAL or name == "gpucore" or keyword.iskeyword(name):
        raise ArgumentError(f"{name!r} cannot name a new backend: it is a name of Python or of gpucore")


def render(name: str) -> dict[str, str]:
    """The files of a backend with that name, by their paths. Raises ArgumentError for a name that none can have."""
    if not _NAME.fullmatch(name):
        raise ArgumentError(f"{name!r} cannot name a backend: write lower-case letters and digits, as in my_gpu")
    if name == ANY_GPU:
        raise ArgumentError(f"{name!r} cannot name a backend: it means the best GPU of all backends")
    package = f"gpucore_{name}"
    fields = {
        "name": name,
        "package": package,
        "distribution": package.replace("_", "-"),
        "class_name": "".join(word.capitalize() for word in name.split("_")),
        "version": __version__,
        "api": GPUCORE_API,
    }
    return {
        path.replace(f"/{_PACKAGE}/", f"/{package}/"): Template(text).substitute(fields)
        for path, text in _template(resources.files("gpucore.cli") / "backend_template")
    }


def _template(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The paths of the template's files, as those of the distribution, and their texts."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _template(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield f"{prefix}{entry.name.removesuffix(_SUFFIX)}", entry.read_text(encoding="utf-8")
