"""Modules that a command line names: `package.module`, or `path/to/file.py`."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from gpucore.errors import ArgumentError, GpucoreError
from gpucore.offline.specialisations import FROM_FILE
from gpucore.runtime.root_cause import describe_cause


def import_place(place: str) -> ModuleType:
    """The module with a name, or in a file. Importing runs it. Raises ArgumentError."""
    is_file = place.endswith(".py") or os.sep in place
    if is_file and not Path(place).is_file():
        raise ArgumentError(f"there is no file {place}")
    folder = str(Path(place).resolve().parent) if is_file else os.getcwd()
    try:
        with _first_on_path(folder):
            return _import_file(Path(place).resolve()) if is_file else importlib.import_module(place)
    except KeyboardInterrupt:
        raise
    except GpucoreError as error:
        raise ArgumentError(f"importing {place} failed: {error}") from error
    except BaseException as error:
        raise ArgumentError(f"importing {place} failed: {describe_cause(error)}{_describe_place(error)}") from error


def _import_file(path: Path) -> ModuleType:
    name = f"{FROM_FILE}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ArgumentError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and type hints look up their module
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def _first_on_path(folder: str) -> Iterator[None]:
    """Make the modules of a folder importable, as Python does for a script."""
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)


def _describe_place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "importlib" not in frame.filename and frame.filename != __file__]
    return f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""
