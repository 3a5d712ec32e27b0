"""What a profile is told of the host's work. `gpucore.profile` sets `current` while one is on."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import WeakKeyDictionary, ref

_C = TypeVar("_C", bound=Any)


class Observer(Protocol):
    """A profile that is on. Times are those of `time.perf_counter`."""

    def opened(self, device: Any) -> None:
        """A device was opened."""

    def compiled(self, kernel: str, device: str, began: float, ended: float, is_saved: bool) -> None:
        """This thread compiled a kernel for a device; `is_saved`: its code was in the cache on disk."""

    def spent(self, what: str, name: str, device: str, began: float, ended: float) -> None:
        """This thread did something else; `device` is "" where it is for none."""


class Origin(NamedTuple):
    """The kernel that a pipeline was compiled from: its name, its signature, itself as long as it lives, and with which
    types and constants."""

    kernel: str
    signature: Any
    owner: ref[Any]
    specialisation: Any


current: Observer | None = None
_origins: WeakKeyDictionary[Any, Origin] = WeakKeyDictionary()


def origin_of(pipeline: Any) -> Origin | None:
    """The kernel of a pipeline; None for one that no kernel was compiled to."""
    return _origins.get(pipeline)


def observed(compile: Callable[[Any, Any, Any, Any], _C]) -> Callable[[Any, Any, Any, Any], _C]:
    """Decorator for what compiles a kernel: `compile(kernel, variant, device, form)`."""

    @functools.wraps(compile)
    def run(kernel: Any, variant: Any, device: Any, form: Any) -> _C:
        began = time.perf_counter()
        compiled = compile(kernel, variant, device, form)
        _origins[compiled.pipeline] = Origin(kernel.name, kernel.signature, ref(kernel), variant.specialisation)
        if current is not None:
            current.compiled(kernel.name, device.id, began, time.perf_counter(), compiled.is_saved)
        return compiled

    return run


@contextmanager
def span(what: str, name: str, device: str = "") -> Iterator[None]:
    """What the block does is told to the profile, if one is on."""
    observer = current
    if observer is None:
        yield
        return
    began = time.perf_counter()
    try:
        yield
    finally:
        observer.spent(what, name, device, began, time.perf_counter())


def _end_in_child() -> None:
    """A forked child has none of the devices that its parent profiles."""
    global current
    current = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_end_in_child)
