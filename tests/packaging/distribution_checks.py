"""What is wrong with built wheels and sdists, in words. All of it follows from the sources and their pyproject.toml."""

from __future__ import annotations

import ast
import base64
import configparser
import csv
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from distributions import FOLDERS, ROOT, Built, project_of
from packaging.metadata import Metadata
from packaging.requirements import Requirement

from gpucore.runtime.plugins.records import REPOSITORY

_NOT_FOR_USERS = {"test", "tests", "__pycache__", "node_modules", "dist", "build", ".venv", ".pytest_cache"}
_BESIDE_SOURCES = {".gitignore", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
_FOLDERS_OF_SDISTS = {"gpucore-cpu": {"tools"}, "gpucore-wgpu": {"web"}}
"""Folders that an sdist has besides `src`: programs that make some of its files."""

Files = dict[str, bytes]


def find_faults(distribution: str, built: Built, root: Path = ROOT) -> list[str]:
    """What is wrong with the files of a distribution, which were built from the sources below `root`."""
    wheel, sdist = read_wheel(built.wheel), _read_sdist(built.sdist)
    project = project_of(distribution, root)
    stem = f"{distribution.replace('-', '_')}-{project['version']}"
    faults = [
        *_check_name(built.wheel, f"{stem}-py3-none-any.whl"),
        *_check_name(built.sdist, f"{stem}.tar.gz"),
        *_check_record(wheel, f"{stem}.dist-info"),
        *_check_contents(distribution, wheel, root),
        *_check_sdist(distribution, sdist, stem, root),
    ]
    faults += _named(built.wheel, _check_metadata(distribution, wheel.get(f"{stem}.dist-info/METADATA", b""), root))
    faults += _named(built.sdist, _check_metadata(distribution, sdist.get(f"{stem}/PKG-INFO", b""), root))
    faults += _named(built.wheel, _check_entry_points(project, wheel, f"{stem}.dist-info"))
    return faults


def read_wheel(path: Path) -> Files:
    """Name -> content of all files."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _read_sdist(path: Path) -> Files:
    with tarfile.open(path) as archive:
        read: Callable[[tarfile.TarInfo], Any] = archive.extractfile
        return {member.name: read(member).read() if member.isfile() else b"" for member in archive.getmembers()}


def _named(path: Path, faults: Iterator[str]) -> Iterator[str]:
    return (f"{path.name}: {fault}" for fault in faults)


def _check_name(path: Path, wanted: str) -> Iterator[str]:
    if path.name != wanted:
        yield f"{path.name} should be named {wanted}"


def _check_record(wheel: Files, information: str) -> Iterator[str]:
    """RECORD has every file with its hash, so that an installer notices damage."""
    name = f"{information}/RECORD"
    rows = {row[0]: row[1] for row in csv.reader(io.StringIO(wheel.get(name, b"").decode())) if row}
    for path in sorted(wheel.keys() ^ rows.keys()):
        yield f"{path} is in {'the wheel' if path in wheel else 'RECORD'} only"
    for path in sorted((wheel.keys() & rows.keys()) - {name}):
        digest = base64.urlsafe_b64encode(hashlib.sha256(wheel[path]).digest()).rstrip(b"=").decode()
        if rows[path] != f"sha256={digest}":
            yield f"{path} has not the hash that RECORD has"


def _packages(distribution: str) -> tuple[str, ...]:
    return (distribution.replace("-", "_"), *(("gpucore_pytest",) if distribution == "gpucore" else ()))


def _sources(distribution: str, root: Path) -> Files:
    """The files of the packages, as a wheel has them: tables of shapes and the runtime of pages among them."""
    source = root / FOLDERS[distribution] / "src"
    return {
        path.relative_to(source).as_posix(): path.read_bytes()
        for package in _packages(distribution)
        for path in (source / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def _check_contents(distribution: str, wheel: Files, root: Path) -> Iterator[str]:
    """Every file of the packages, their marks of types, and nothing else."""
    wanted = _sources(distribution, root)
    found = {name: content for name, content in wheel.items() if ".dist-info/" not in name}
    yield from _compare(found, wanted, "the wheel")
    for package in _packages(distribution):
        if f"{package}/py.typed" not in found:
            yield f"{package} has no py.typed, so type checkers ignore its types"
    licenses = [content for name, content in wheel.items() if name.endswith(".dist-info/licenses/LICENSE")]
    if licenses != [(root / "LICENSE").read_bytes()]:
        yield "the wheel lacks the text of the license"


def _compare(found: Files, wanted: Files, what: str) -> Iterator[str]:
    for name in sorted(wanted.keys() - found.keys()):
        yield f"{what} lacks {name}"
    for name in sorted(found.keys() - wanted.keys()):
        yield f"{what} has {name}, which is not of the package"
    for name in sorted(found.keys() & wanted.keys()):
        if found[name] != wanted[name]:
            yield f"{name} of {what} differs from the source"


def _check_sdist(distribution: str, sdist: Files, stem: str, root: Path) -> Iterator[str]:
    """What a wheel is built from, and the sources of what is generated: no tests, no other packages, nothing made."""
    what = f"the sdist {stem}"
    inside = {name.removeprefix(f"{stem}/"): content for name, content in sdist.items() if name.startswith(f"{stem}/")}
    for name in sorted(sdist.keys() - {f"{stem}/{name}" for name in inside}):
        yield f"{what} has {name} outside of its folder"
    for name in sorted(_BESIDE_SOURCES - inside.keys()):
        yield f"{what} lacks {name}"
    sources = {name.removeprefix("src/"): content for name, content in inside.items() if name.startswith("src/")}
    yield from _compare(sources, _sources(distribution, root), what)
    allowed = {"src", *_FOLDERS_OF_SDISTS.get(distribution, set())}
    for name in sorted(inside):
        parts = PurePosixPath(name).parts
        is_known = parts[0] in allowed or name in _BESIDE_SOURCES
        if not is_known or (parts[0] != "src" and _NOT_FOR_USERS & {*parts}):
            yield f"{what} has {name}, which no user needs"


def _check_metadata(distribution: str, content: bytes, root: Path) -> Iterator[str]:
    """What an index shows and an installer obeys."""
    try:
        metadata = Metadata.from_email(content)
    except ExceptionGroup as group:
        yield from (f"the metadata is invalid: {error}" for error in group.exceptions)
        return
    project, folder = project_of(distribution, root), root / FOLDERS[distribution]
    core = project_of("gpucore", root)
    version, pythons = core["version"], _pythons(core["classifiers"])
    values: list[tuple[str, object, object]] = [
        ("Name", metadata.name, distribution),
        ("Version", str(metadata.version), version),
        ("Requires-Python", str(metadata.requires_python), project["requires-python"]),
        ("License-Expression", metadata.license_expression, "Apache-2.0"),
        ("License-File", metadata.license_files, ["LICENSE"]),
        ("Summary", metadata.summary, project["description"]),
        ("Description-Content-Type", metadata.description_content_type, "text/markdown"),
        ("description", (metadata.description or "").strip(), (folder / "README.md").read_text().strip()),
        ("Project-URL Repository", (metadata.project_urls or {}).get("Repository", ""), REPOSITORY),
        ("Requires-Dist", {str(each) for each in metadata.requires_dist or ()}, _requirements(project)),
        ("Provides-Extra", {*(metadata.provides_extra or ())}, {*project.get("optional-dependencies", {})}),
        ("classifiers of Python", _pythons(metadata.classifiers or []), pythons),
    ]  # fmt: skip
    yield from (f"{name} is {found!r}, not {wanted!r}" for name, found, wanted in values if found != wanted)
    if "Typing :: Typed" not in (metadata.classifiers or ()):
        yield "the classifier Typing :: Typed is missing"
    for requirement in metadata.requires_dist or ():
        if requirement.name in FOLDERS and str(requirement.specifier) != f"=={version}":
            yield f"{requirement} does not pin {requirement.name} to {version}, with which it was tested"
    if distribution == "gpucore":
        required = {each.name: str(each.marker) for each in metadata.requires_dist or ()}
        for plugin in FOLDERS.keys() - {distribution} - required.keys():
            yield f"no extra installs {plugin}"
    elif not any(each.name == "gpucore" and each.marker is None for each in metadata.requires_dist or ()):
        yield "it does not require gpucore"


def _requirements(project: dict[str, Any]) -> set[str]:
    """As metadata has them."""
    wanted = {str(Requirement(text)) for text in project["dependencies"]}
    for extra, texts in project.get("optional-dependencies", {}).items():
        wanted |= {str(Requirement(f"{text}; extra == '{extra}'")) for text in texts}
    return wanted


def _pythons(classifiers: list[str]) -> list[str]:
    return [each for each in classifiers if each.startswith("Programming Language :: Python")]


def _check_entry_points(project: dict[str, Any], wheel: Files, information: str) -> Iterator[str]:
    """What pyproject.toml declares, and each names a module of the wheel, and something in it."""
    parser = configparser.ConfigParser(delimiters="=")
    parser.read_string(wheel.get(f"{information}/entry_points.txt", b"").decode())
    found = {group: dict(parser[group]) for group in parser.sections()}
    wanted = dict(project.get("entry-points", {}))
    if "scripts" in project:
        wanted["console_scripts"] = project["scripts"]
    if found != wanted:
        yield f"the entry points are {found}, not {wanted}"
    for target in (value for values in found.values() for value in values.values()):
        module, _, attribute = target.partition(":")
        path = module.replace(".", "/")
        content = wheel.get(f"{path}.py", wheel.get(f"{path}/__init__.py"))
        if content is None:
            yield f"the entry point {target} names a module that the wheel lacks"
        elif attribute and attribute not in _defined(content):
            yield f"the entry point {target} names what its module does not define"


def _defined(content: bytes) -> set[str]:
    """Functions and classes of a module."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.parse(content).body if isinstance(node, kinds)}
