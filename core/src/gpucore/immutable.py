"""Immutable classes with named fields: like frozen dataclasses with slots, but created in a fraction of the time.

`dataclass` compiles several sources for each class. Here the methods of all classes with the same number of fields
are copies of one code object with other names, so that hundreds of small classes do not slow down the import.
`dataclasses.replace`, `fields` and `asdict` work on them.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

_T = TypeVar("_T")


class _Field:
    """The options of one field."""

    def __init__(self, default: Any, compare: bool, repr: bool) -> None:
        self.default, self.compare, self.repr = default, compare, repr


def field(*, default: _T, compare: bool = True, repr: bool = True) -> _T:
    """A default for a field that `==` and `hash` ignore (`compare=False`), or `repr` (`repr=False`)."""
    return cast(_T, _Field(default, compare, repr))


class _Fields:
    """`__dataclass_fields__` of a class, computed when `dataclasses` first reads it."""

    def __get__(self, instance: object, owner: Any) -> dict[str, Any]:
        dataclasses = importlib.import_module("dataclasses")
        specifications = []
        for name, declared in owner._declared.items():
            options = {"compare": declared.compare, "repr": declared.repr} if declared else {}
            if declared and declared.default is not _NO_DEFAULT:
                options["default_factory"] = functools.partial(getattr, declared, "default")
            specifications.append((name, Any, dataclasses.field(**options)))
        made = dataclasses.make_dataclass(owner.__name__, specifications, init=False, repr=False, eq=False)
        owner.__dataclass_fields__ = made.__dataclass_fields__
        return cast("dict[str, Any]", made.__dataclass_fields__)


_NO_DEFAULT: Any = object()


@functools.cache
def _templates(count: int) -> tuple[Callable[..., Any], CodeType, CodeType]:
    """For fields f0, f1, ...: what makes `__init__` from their setters, and the code of `__eq__` and `__hash__`."""
    names = [f"f{number}" for number in range(count)]
    mine, theirs = ("".join(f"{owner}.{name}, " for name in names) for owner in ("self", "other"))
    text = f"""
def make_init({", ".join(f"set_{name}" for name in names)}):
    def __init__(self, {", ".join(names)}):
        {"; ".join(f"set_{name}(self, {name})" for name in names) or "pass"}
    return __init__
def __eq__(self, other):
    return ({mine}) == ({theirs}) if other.__class__ is self.__class__ else NotImplemented
def __hash__(self):
    return hash(({mine}))
"""
    made: dict[str, Any] = {}
    exec(text, made)  # noqa: S102 - the source depends on the number only
    return made["make_init"], made["__eq__"].__code__, made["__hash__"].__code__


def _method(cls: type, code: CodeType, names: list[str]) -> FunctionType:
    """The method with a template's code, with the names of the fields in place of f0, f1, ..."""
    renamed = {f"f{number}": name for number, name in enumerate(names)}
    method = FunctionType(code.replace(co_names=tuple(renamed.get(name, name) for name in code.co_names)), globals())
    method.__qualname__ = f"{cls.__qualname__}.{code.co_name}"
    return method


class _Base:
    """The actual base class of immutable classes: `_Maker` replaces `Immutable` by it."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _declared: ClassVar[dict[str, _Field]] = {}

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name, field in self._declared.items() if field.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name!r} cannot be assigned")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name!r} cannot be deleted")

    def __reduce__(self) -> Any:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


class _Maker(type):
    """Makes slots and methods from a class's annotations. The class is an instance of `type`, not of this metaclass, as
    isinstance takes three times as long for a class with another metaclass."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, eq: bool = True) -> Any:
        if not bases:
            return super().__new__(mcs, name, bases, namespace)
        bases = tuple(base for base in bases if not isinstance(base, _Maker)) or (_Base,)
        own: dict[str, _Field] = {}
        for field_name in namespace.get("__annotations__", {}):
            default = namespace.pop(field_name, _NO_DEFAULT)
            own[field_name] = default if isinstance(default, _Field) else _Field(default, True, True)
        declared = {**bases[0]._declared, **own}  # type: ignore[attr-defined]  # all bases are made here
        names = tuple(declared)
        has_default = [field.default is not _NO_DEFAULT for field in declared.values()]
        if has_default != sorted(has_default):
            raise TypeError(
                f"{name}: {names[has_default.index(False, has_default.index(True))]} has no default, but a "
                "field before it has"
            )
        made = {"__dataclass_fields__": _Fields(), "__slots__": tuple(own), "__match_args__": names}
        made |= {"_declared": declared, **namespace}
        cls: Any = type(name, bases, made)
        make_init = _templates(len(names))[0]
        init = make_init(*(getattr(cls, name).__set__ for name in names))
        init.__code__ = init.__code__.replace(co_varnames=("self", *names))
        init.__defaults__ = tuple(d.default for d in declared.values() if d.default is not _NO_DEFAULT)
        init.__qualname__ = f"{name}.__init__"
        cls.__init__ = init
        if eq and "__eq__" not in namespace:
            compared = [name for name, declaration in declared.items() if declaration.compare]
            _, equal, hashed = _templates(len(compared))
            cls.__eq__ = _method(cls, equal, compared)
            cls.__hash__ = _method(cls, hashed, compared)
        return cls


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(field,))
class Immutable(metaclass=_Maker):
    """Base of immutable classes: each annotated name is a field, a parameter of the constructor, and a slot.

    `class Name(Immutable, eq=False)` compares by identity. `class Name(Other, Immutable)` adds fields to another's.
    """

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Any]]


def field_names(value: object) -> tuple[str, ...]:
    """The names of the fields of an immutable object; () for any other object."""
    return type(value).__match_args__ if isinstance(value, _Base) else ()


def slots_setter(cls: type, names: Sequence[str]) -> Any:
    """What sets all slots of an object: without look-ups of attributes, as every new array pays for them."""
    setters = {f"set{name}": vars(cls)[name].__set__ for name in names}
    calls = "; ".join(f"set{name}(self, {name})" for name in names)
    exec(f"def put(self, {', '.join(names)}): {calls}", setters)  # noqa: S102 (the names of slots)
    return setters["put"]
