"""`gd.ship`: a kernel as bytes, which workers make into a kernel again without its module.

A kernel is pickled by name, so a worker needs its module, and a kernel of a program or of a closure cannot go there at
all. What is shipped is a function by value, with helpers, closures and the globals that they use, and the texts that
gpucore compiles. The scheduler unpickles tasks, too, and pickles them again for workers: so the bytes stay bytes until
the first call in a task makes a kernel of them.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import inspect
import io
import linecache
import pickle
import sys
import textwrap
import threading
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import cloudpickle

import gpucore as gp


class ShippedParameter(NamedTuple):
    """A parameter of a shipped kernel."""

    name: str
    mode: str
    """Of an array: "in", "out" or "inout"; "" for what is no array."""
    is_atomic: bool
    """Whether the kernel's own text reaches the array by atomics."""


class Shipped(NamedTuple):
    """A kernel as bytes. `gd.ship` makes one; `kernel()` is the kernel, in a task."""

    name: str
    parameters: tuple[ShippedParameter, ...]
    payload: bytes
    """The function and its helpers, each with its file."""
    texts: tuple[tuple[str, str], ...]
    """File and text of the function and its helpers."""
    options: tuple[tuple[str, Any], ...]
    """Of `gp.kernel`."""

    def __dask_tokenize__(self) -> Any:
        return self.digest()

    def digest(self) -> str:
        """A hash of all that the kernel depends on."""
        parts = [self.name.encode(), self.payload, repr((self.texts, self.options)).encode()]
        return hashlib.sha256(b"\0".join(parts)).hexdigest()

    def kernel(self) -> Any:
        """The kernel: made at the first call in this process."""
        digest = self.digest()
        with _LOCK:
            if digest not in _MADE:
                _MADE[digest] = gp.kernel(self._function(), **dict(self.options))
            return _MADE[digest]

    def _function(self) -> FunctionType:
        for file, text in self.texts:
            lines = io.StringIO(text).readlines()
            if linecache.getlines(file) != lines:
                linecache.cache[file] = len(text), None, lines, file
        functions: list[tuple[FunctionType, str]] = pickle.loads(self.payload)
        for function, file in functions:  # cloudpickle does not keep the files of functions
            function.__code__ = function.__code__.replace(co_filename=file)
        return functions[0][0]


_MADE: dict[str, Any] = {}
_LOCK = threading.Lock()


def ship(kernel: Any) -> Shipped:
    """A kernel as bytes, for tasks that you write yourself; `gd.map_blocks` does it on its own.

        shipped = gd.ship(scale)
        client.submit(lambda shipped: run(shipped.kernel()), shipped)

    The kernel's function, its helpers, closures and globals go by value; modules that they use are imported on the
    worker. Dask runs what it unpickles: see SECURITY.md.

    Raises ArgumentError for what is no kernel, for native kernels and for values that cannot be pickled.
    """
    function = getattr(kernel, "function", None)
    if not getattr(kernel, "__gpucore_kernel__", False):
        raise gp.ArgumentError(f"gd.ship takes a kernel, made by @gp.kernel, not {kernel!r:.60}")
    if function is None:
        raise gp.ArgumentError(
            f"gd.ship: {kernel.name} is a native kernel or one of a package, which has no Python function to send; "
            "install its module on the workers"
        )
    functions = list(_reachable(function))
    try:
        with _by_value(functions):
            sent = [_with_annotations(function), *functions[1:]]
            payload = cloudpickle.dumps([(each, each.__code__.co_filename) for each in sent])
    except Exception as error:  # noqa: BLE001 (what pickling raises depends on the value)
        raise gp.ArgumentError(
            f"gd.ship: {kernel.name} cannot be sent to workers: {type(error).__name__}: {error}; it may use modules, "
            "numbers, arrays of NumPy and functions"
        ) from None
    options = kernel.options
    given = {
        "workgroup_size": options.workgroup_size,
        "debug": kernel.debug,
        "unchecked": options.unchecked,
        "min_workgroups": options.min_workgroups,
        "coarsen": options.coarsens,
    }
    return Shipped(kernel.name, _parameters(kernel), payload, _texts(functions), tuple(given.items()))


def _parameters(kernel: Any) -> tuple[ShippedParameter, ...]:
    found = _reached_by_atomics(kernel.function)
    return tuple(
        ShippedParameter(each.name, getattr(each, "mode", ""), each.name in found)
        for each in kernel.signature.parameters
    )


def _reached_by_atomics(function: FunctionType) -> set[str]:
    """Names that are the first arguments of atomics."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    return {
        node.args[0].id
        for node in calls
        if isinstance(node.args[0], ast.Name) and ast.unparse(node.func).rpartition(".")[2].startswith("atomic_")
    }


def _reachable(function: FunctionType) -> Iterator[FunctionType]:
    """A function and all functions of users that it reaches by globals, modules aside, and closures."""
    waiting, seen = [function], set[int]()
    while waiting:
        current = waiting.pop()
        if id(current) in seen or _is_of_library(current):
            continue
        seen.add(id(current))
        yield current
        cells = [cell.cell_contents for cell in current.__closure__ or () if _is_filled(cell)]
        named = [current.__globals__.get(name) for name in _names(current.__code__)]
        waiting += [each for each in (*cells, *named) if isinstance(each, FunctionType)]


def _is_of_library(function: FunctionType) -> bool:
    return (function.__module__ or "").partition(".")[0] == "gpucore"


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def _texts(functions: list[FunctionType]) -> tuple[tuple[str, str], ...]:
    """File and text of each function."""
    found = {}
    for each in functions:
        lines, _ = inspect.findsource(each)
        found[each.__code__.co_filename] = "".join(lines)
    return tuple(sorted(found.items()))


def _with_annotations(function: FunctionType) -> FunctionType:
    """A copy of the function whose annotations are objects: names in strings would not go with it."""
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    inner = inspect.getclosurevars(function).nonlocals
    copy.__annotations__ = inspect.get_annotations(function, eval_str=True, locals=dict(inner))
    return copy


@contextlib.contextmanager
def _by_value(functions: list[FunctionType]) -> Iterator[None]:
    """Pickle what is defined in the modules of the functions by value in the block."""
    known = cloudpickle.list_registry_pickle_by_value()
    modules: dict[str, ModuleType] = {
        each.__module__: sys.modules[each.__module__]
        for each in functions
        if each.__module__ in sys.modules and each.__module__ not in known
    }
    for module in modules.values():
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules.values():
            cloudpickle.unregister_pickle_by_value(module)
