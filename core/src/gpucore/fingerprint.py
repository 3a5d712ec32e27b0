"""The fingerprint of a kernel: a hash of everything that its IR depends on, taken without lowering it.

It has the text of the function and of the helpers that it may call, with the values of their globals, closures and
defaults, and what they reach through modules and classes. That is found in the bytecode, and may be more than lowering
looks at, never less. A value whose contents cannot be told (an open file, an object of the user's) gives no
fingerprint, and the kernel is compiled again in each process; so do functions that read a file, import a module or look
into namespaces. gpucore's own functions are named, not read: the keys of the cache have a fingerprint of the whole
package (`runtime.cache.fingerprint_of_package`). So are those of modules that do not change (`_FIXED`).

It does not depend on the process, the path of a file, or the time of its change.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import enum
import functools
import hashlib
import linecache
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from gpucore import front, lang
from gpucore.bytecode import chains_in, has_import, nested
from gpucore.front.state.captured import DATA, Captured, captured_value
from gpucore.front.text.compiled_text import is_older_than_process
from gpucore.front.text.origins import find_text
from gpucore.immutable import Immutable, field_names
from gpucore.runtime import log
from gpucore.structs import StructDType, fields_of
from gpucore.types import BufferAnnotation, ConstAnnotation, DType

_HEAP_TYPE = 1 << 9  # in the flags of classes that Python code makes, and of some that C code makes
_CHAIN = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_OWN = __name__.partition(".")[0]
_FIXED = frozenset({
    "math", "numpy", "builtins", "typing", "enum", "abc", "collections", "dataclasses", "functools", "itertools",
    "operator", "types", "_operator", "_functools",
})  # fmt: skip
"""Modules whose contents do not change: they are named, with the version of NumPy and Python in the key."""
_IMPURE = frozenset({
    "open", "input", "eval", "exec", "compile", "globals", "locals", "vars", "id", "hash", "__import__",
    "load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "memmap", "DataSource", "random",
})  # fmt: skip
"""What reads, in these modules, something besides its arguments: a file, the names around the call, a state."""
_PASSIVE = frozenset({
    "__module__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__qualname__", "__firstlineno__",
    "__static_attributes__", "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__slots__",
    "__annotate_func__", "__annotations_cache__", "__orig_bases__", "__parameters__", "__abstractmethods__",
    "_abc_impl",
})  # fmt: skip
"""What a class has for itself; the fields of structs are read from `fields_of`."""
_DESCRIPTORS = (
    types.GetSetDescriptorType, types.MemberDescriptorType, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.ClassMethodDescriptorType, type(vars(collections.namedtuple("_Pair", "x"))["x"]),
)  # fmt: skip
"""Attributes of classes that C code makes: the class says all of them."""
_METHODS = types.FunctionType, staticmethod, classmethod, property


class Opaque(Exception):  # noqa: N818 (control flow, not an error)
    """There is a value whose contents cannot be told; the text says which."""


class Fingerprint(Immutable, eq=False):
    """The hash, and the values from outside that it covers, which must be unchanged when it is used."""

    digest: bytes
    captured: tuple[Captured, ...]

    def covers(self, captured: Iterable[Captured]) -> bool:
        """Whether it covers what a lowering captured, as it should, and nothing has changed in between: a kernel is not
        kept on disk otherwise. Modules, members of enums and gpucore's own values are covered by other parts of
        keys."""
        known = {(each.name, id(each.value)) for each in self.captured}
        return all(each.is_current() for each in self.captured) and all(
            (each.name, id(each.value)) in known
            or isinstance(each.value, (types.ModuleType, enum.Enum))
            or _is_own(each.value)
            or (callable(each.value) and _is_fixed(str(getattr(each.value, "__module__", ""))))
            or _is_fixed(str(each.home.get("__name__", "") if isinstance(each.home, dict) else ""))
            for each in captured
        )


def fingerprint(function: Any, signature: front.Signature, specialisation: front.Specialisation) -> Fingerprint | None:
    """The fingerprint of a Python kernel for given types and constants; None if there is none."""
    reader = _Reader()
    try:
        reader.function(function)
        for parameter in signature.parameters:
            reader.value(parameter)
        reader.value(tuple(map(repr, specialisation.elements)))
        reader.value(tuple((variable.__name__, repr(type)) for variable, type in specialisation.types))
        reader.value(specialisation.constants)
    except Exception as reason:  # noqa: BLE001 (Opaque, or what a value raises that is read)
        log.debug(f"the kernel {function.__qualname__} is not kept in the cache, for it depends on {reason}")
        return None
    return Fingerprint(reader.hash.digest(), tuple(reader.captured.values()))


class _Reader:
    """Feeds a hash with values. Each part begins with a word for its kind, and has a length or an end."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.captured: dict[tuple[int, str], Captured] = {}
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # what `_seen` has by identity
        self._opaque: dict[int, tuple[Any, Opaque]] = {}  # what was found to be so, by identity

    def _put(self, *words: object) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode("utf-8", "surrogatepass")
            self.hash.update(b"%d:" % len(data))
            self.hash.update(data)

    def _is_known(self, value: Any) -> bool:
        """Whether an object was read before, which is then named by its number."""
        if id(value) in self._opaque:
            raise self._opaque[id(value)][1]
        number = self._seen.get(id(value))
        if number is not None:
            self._put("again", number)
            return True
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)
        return False

    def _attempt(self, read: Callable[[], None]) -> None:
        """Read what may mean nothing to kernels. If it is opaque, it is as if nothing of it had been read."""
        before, kept, captured = self.hash.copy(), len(self._kept), len(self.captured)
        try:
            read()
        except Opaque:
            self.hash = before
            for each in self._kept[kept:]:
                del self._seen[id(each)]
            del self._kept[kept:]
            for key in [*self.captured][captured:]:
                del self.captured[key]

    # ------------------------------------------------------------ values

    def value(self, value: Any) -> None:
        """Any value that a kernel can use. Raises Opaque."""
        if value is None or type(value) in (bool, int, str, bytes, complex, range, slice, type(...)):
            self._put(type(value).__name__, repr(value))
        elif type(value) is float:
            self._put("float", value.hex())
        elif isinstance(value, (np.generic, np.ndarray)):
            if value.dtype.hasobject or (isinstance(value, np.ndarray) and type(value) is not np.ndarray):
                raise Opaque("an array of objects, or of a class of its own")
            self._put("array", value.dtype.descr, value.shape, value.tobytes())
        elif isinstance(value, (tuple, list)):
            self._items(value)
            if type(value) not in (tuple, list):  # with the names of its items, and its methods
                self.value(type(value))
        elif isinstance(value, (set, frozenset)):
            self._items(sorted(value, key=repr), type(value).__name__)
        elif isinstance(value, Mapping) and type(value) in (dict, types.MappingProxyType):
            self._items([*value.items()], "dict")
        elif value is lang.target:
            self._put("target")
        elif not self._is_known(value):
            try:
                self._object(value)
            except Opaque as reason:
                self._opaque[id(value)] = value, reason
                raise

    def _items(self, items: Any, kind: str = "") -> None:
        self._put(kind or type(items).__name__, len(items))
        for item in items:
            self.value(item)

    def _object(self, value: Any) -> None:
        match value:
            case types.FunctionType():
                self.function(value, is_known=True)
            case types.MethodType():
                self._put("method")
                self.value(value.__self__)
                self.value(value.__func__)
            case types.BuiltinFunctionType():
                self._builtin(value)
            case np.ufunc() if any(
                value is each for each in vars(np).values()
            ):  # not one of the user's, which has any name
                self._put("ufunc", str(value))
            case enum.Enum():
                self._put("member", value.name)
                self.value(type(value))
            case typing.TypeVar():
                self._put("variable", value.__name__)
                self.value(value.__constraints__)
            case typing.NewType():
                self._put("newtype", value.__name__)
                self.value(value.__supertype__)
            case BufferAnnotation() | ConstAnnotation():
                self._immutable(value)
            case types.ModuleType():
                if not _is_fixed(value.__name__):
                    raise Opaque(f"the module {value.__name__}, which is used without an attribute")
                self._put("module", value.__name__)
            case type():
                self._class(value)
            case _ if field_names(value) and _is_own(type(value)):
                self._immutable(value)
            case _:
                self._struct(value, type(value))

    def _builtin(self, value: types.BuiltinFunctionType) -> None:
        """A function of a module, or a method of an object, written in C."""
        self._put("builtin", value.__qualname__)
        owner = value.__self__
        if value.__name__ in _IMPURE:
            raise Opaque(f"the function {value.__qualname__}")
        if owner is not None:
            self.value(owner)

    def _struct(self, value: Any, cls: type) -> None:
        if not isinstance(cls, StructDType):
            raise Opaque(f"an object of {cls.__module__}.{cls.__qualname__}")
        self.value(cls)
        self._items([getattr(value, field.name) for field in fields_of(cls)], "struct")

    def _immutable(self, value: Any) -> None:
        """One of gpucore's own objects, by its fields."""
        names = field_names(value)
        self._put("object", type(value).__qualname__, len(names))
        for name in names:
            self.value(getattr(value, name))

    # ------------------------------------------------------------ classes

    def _class(self, cls: Any) -> None:
        if isinstance(cls, DType) or _is_own(cls) or _is_fixed_class(cls):
            if cls.__name__ in _IMPURE:
                raise Opaque(f"the class {cls.__qualname__}")
            self._put("type", cls.__module__, cls.__qualname__)
            return
        self._put("class", cls.__qualname__, len(cls.__bases__))
        for base in (type(cls), *cls.__bases__):
            self.value(base)
        if isinstance(cls, StructDType):
            for field in fields_of(cls):
                self._put("field", field.name)
                self.value(field.dtype)
                self.value(field.nominal if field.nominal is not None else None)
        for default in vars(cls).get("__dataclass_fields__", {}).values():
            self._put("default", default.name, default.init, default.kw_only)
            self.value(default.metadata)
            for given in (default.default, default.default_factory):
                self.value(None if given is dataclasses.MISSING else (given,))
        members = cls.__members__ if issubclass(cls, enum.Enum) else {}
        self._items([(name, each.value) for name, each in members.items()], "members")
        for name, value in vars(cls).items():
            is_of_enum = name in members or (issubclass(cls, enum.Enum) and name[:1] == name[-1:] == "_")
            if name not in _PASSIVE and not (is_of_enum and not isinstance(value, _METHODS)):
                self._put("attribute", name)
                self._attribute(cls, name, value)

    def _attribute(self, cls: Any, name: str, value: Any) -> None:
        """An attribute of a class."""
        if isinstance(value, (staticmethod, classmethod)):
            self._put(type(value).__name__)
            value = value.__func__
        elif isinstance(value, property):
            self._put("property")
            value = value.fget
        if isinstance(value, _DESCRIPTORS):
            return
        if isinstance(value, DATA) and not isinstance(value, enum.Enum) and not name.startswith("__"):
            self._capture(cls.__dict__, name, value, cls)
        self.value(value)

    # ------------------------------------------------------------ functions

    def function(self, function: types.FunctionType, *, is_known: bool = False) -> None:
        """A function: its text, and what it may use from outside. Raises Opaque."""
        if not is_known and self._is_known(function):
            return
        code = function.__code__
        if _is_made(function):
            self._put("made", code.co_code, code.co_names)
            if function.__name__ == "__new__":  # of a named tuple; those of a dataclass are in its fields
                self.value(function.__defaults__)
            return
        module = str(function.__globals__.get("__name__"))
        is_named = _is_fixed(module)
        if is_named and function.__name__ in _IMPURE and not _is_of_core(module):
            raise Opaque(f"the function {module}.{function.__name__}")
        self._put("function", function.__qualname__, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        if is_named:
            self._put(module, code.co_firstlineno)
        else:
            self._put(_text_of(function))
            self._code(code)
        self._put(bool(getattr(function, "__gpucore_func__", False)))
        self.value(function.__defaults__)
        self.value(dict(function.__kwdefaults__ or {}))
        if not is_named:
            self.value({name: value for name, value in vars(function).items() if not name.startswith("__gpucore_")})
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._put("cell", name)
            self._cell(name, cell)
        if not is_named:
            self._annotations(function)
            self._globals(function)

    def _code(self, code: types.CodeType) -> None:
        """The bytecode: several lambdas on a line have the same text."""
        for each in nested(code):
            self._put(each.co_code, each.co_names)
            self.value(tuple(constant for constant in each.co_consts if not isinstance(constant, types.CodeType)))

    def _cell(self, name: str, cell: types.CellType) -> None:
        try:
            value = cell.cell_contents
        except ValueError:
            return
        self._capture(cell, name, value)
        if not isinstance(value, types.ModuleType):  # what is used of it is found in the bytecode
            self.value(value)

    def _annotations(self, function: types.FunctionType) -> None:
        try:
            annotations = function.__annotations__
        except NameError as error:  # evaluated only now, as of Python 3.14
            raise Opaque(f"an annotation of {function.__qualname__}: {error}") from None
        for name, annotation in annotations.items():
            self._put("annotation", name)
            if isinstance(annotation, str):
                self._put(annotation)
                for chain in _CHAIN.findall(annotation):
                    self._attempt(functools.partial(self._chain, function, chain.split(".")))
            else:
                self._attempt(functools.partial(self.value, annotation))

    def _globals(self, function: types.FunctionType) -> None:
        text = _text_of(function)
        if has_import(function.__code__):
            raise Opaque(f"an import inside {function.__qualname__}")
        for names in sorted(chains_in(function.__code__)):
            self._chain(function, [*names])
        for chain in sorted(_annotated_in(text)):  # of local variables, which have no bytecode
            self._attempt(functools.partial(self._chain, function, chain.split(".")))

    def _chain(self, function: types.FunctionType, names: list[str]) -> None:
        """A global or closure variable, with the attributes through which the function uses it."""
        first, *rest = names
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        home: Any = cells.get(first, function.__globals__)
        if home is function.__globals__ and first not in home:
            if first in _IMPURE and hasattr(builtins, first):
                raise Opaque(f"the function {first}")
            self._put("name", first, hasattr(builtins, first))
            return
        try:
            value = home.cell_contents if first in cells else home[first]
        except ValueError:
            return
        self._put("name", ".".join(names))
        while rest and isinstance(value, types.ModuleType) and not _is_fixed(value.__name__):
            self._capture(home, first, value)
            home, first, rest = vars(value), rest[0], rest[1:]
            if first not in home:
                if "__getattr__" in home or type(value) is not types.ModuleType:
                    raise Opaque(f"{value.__name__}.{first}, which a function gives")
                self._put("missing")
                return
            value = home[first]
        if isinstance(value, types.ModuleType) and not _is_of_core(value.__name__):
            path = ".".join([value.__name__, *rest])
            if not _IMPURE.isdisjoint(path.split(".")):
                raise Opaque(f"the function {path}")
        self._capture(home, first, value)
        self.value(value)

    def _capture(self, home: Any, name: str, value: Any, owner: Any = None) -> None:
        key = id(home if owner is None else owner), name
        if key not in self.captured:
            self.captured[key] = captured_value(home, name, value)


def _is_own(value: Any) -> bool:
    return _is_of_core(str(getattr(value, "__module__", "")))


def _is_fixed(module: str) -> bool:
    return module.partition(".")[0] in _FIXED or _is_of_core(module)


def _is_fixed_class(cls: Any) -> bool:
    """Whether it is a class of a module that does not change. Of others `__module__` may say so, too: of those that
    `types.new_class` makes, and those in a text without `__name__`."""
    module = str(cls.__module__)
    if module.partition(".")[0] not in _FIXED:
        return False
    found: Any = sys.modules.get(module)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls or not cls.__flags__ & _HEAP_TYPE


def _is_of_core(module: str) -> bool:
    """Whether a module is gpucore's. Those of `gpucore.testing` are read as a user's: tests change their globals."""
    first, _, rest = module.partition(".")
    return first == _OWN and rest.partition(".")[0] != "testing"


def _is_made(function: types.FunctionType) -> bool:
    """Whether a method is generated, for a dataclass or a named tuple: its fields say all of it."""
    module = str(function.__globals__.get("__name__"))
    is_of_tuple = module.startswith("namedtuple_") and function.__name__ == "__new__"
    return is_of_tuple or function.__code__.co_qualname.startswith("__create_fn__.")


# ---------------------------------------------------------------- text


def _text_of(function: types.FunctionType) -> str:
    """The text of a function, with its decorators. Raises Opaque if it is not known, or has changed since."""
    code = function.__code__
    lines = _lines_of(function)
    last = code.co_firstlineno
    for each in nested(code):
        for _, end, _, _ in each.co_positions():
            if end is not None and end > last:
                last = end
    # What has no bytecode, such as an annotation at the end, and all but the first line of an expression where Python
    # keeps no columns (-X no_debug_ranges).
    indent = _indent(lines[code.co_firstlineno - 1])
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    return "".join(lines[code.co_firstlineno - 1 : last]).rstrip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _lines_of(function: types.FunctionType) -> list[str]:
    file = function.__code__.co_filename
    if is_older_than_process(file):
        lines = linecache.getlines(file)
        if lines:
            return lines
    found = find_text(function)
    if found is None or not found.is_current:
        raise Opaque(f"the text of {function.__qualname__}")
    return [*found.lines]


def _annotated_in(text: str) -> set[str]:
    """Names, with attributes, that may be in annotations of local variables."""
    found: set[str] = set()
    for line in text.splitlines():
        _, colon, rest = line.partition(":")
        if colon:
            rest = rest.partition("#")[0]
            if sum(map(rest.count, "([{")) > sum(map(rest.count, ")]}")):  # it goes on
                return {*_CHAIN.findall(text)}
            found.update(_CHAIN.findall(rest))
    return found
