"""`gp.use`: the choice of a device for the code that follows, or for a block.

The choice is stored in a context variable. It applies to the thread or asyncio task that made it, and to tasks started
from it. Other threads keep their own choice, and a new thread starts without one. `gp.set_default_device` is for the
whole process.
"""

from __future__ import annotations

from contextvars import ContextVar
from types import TracebackType
from typing import Any, Protocol, Self

from gpucore.host import host_only
from gpucore.runtime.parse import DeviceRequest, parse_device
from gpucore.runtime.probing.probe import check_known
from gpucore.runtime.protocol import DeviceInfo


class OpenedDevice(Protocol):
    """`gp.Device`, which is defined above this package."""

    @property
    def info(self) -> DeviceInfo: ...

    @property
    def driver_device(self) -> Any: ...


_chosen: ContextVar[DeviceRequest | None] = ContextVar("gpucore_device", default=None)
_default: DeviceRequest | None = None  # of the process


class Use:
    """The result of `use`. As a context manager it restores the earlier choice."""

    def __init__(self, request: DeviceRequest | None) -> None:
        self._request = request
        self._earlier: list[DeviceRequest | None] = [_chosen.get()]
        self._is_fresh = True  # the call of use() has set the choice, and it was not entered yet
        _chosen.set(request)

    def __enter__(self) -> Self:
        if not self._is_fresh:
            self._earlier.append(_chosen.get())
        self._is_fresh = False
        _chosen.set(self._request)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # Not ContextVar.reset: a generator can be closed in another context than it was started in.
        _chosen.set(self._earlier.pop())

    def __repr__(self) -> str:
        return f"gpucore.use({self._request.text!r})" if self._request else "gpucore.use(None)"


@host_only
def use(device: str | DeviceInfo | OpenedDevice | None) -> Use:
    """Choose the device for the following code: a backend ("cuda"), a device ("cuda:1", or what `gp.device` returned),
    the best GPU ("gpu"), or None for automatic choice.

    A plain call applies from now on in this thread or asyncio task; `with gp.use("cpu"):` applies to the block. Nothing
    is loaded or probed here: the first use of the device does that, and raises if it cannot be used. An argument
    (`device=...`) takes precedence over it, and it takes precedence over `gp.set_default_device`.

    Raises ArgumentError for text that is not a device name, BackendUnavailableError for an unknown backend, and
    ClosedError for a device that is closed.
    """
    return Use(_check(device))


@host_only
def set_default_device(device: str | DeviceInfo | OpenedDevice | None) -> None:
    """Choose the device for the whole process, where neither an argument nor `gp.use` chooses one; None to undo it.

    It takes precedence over GPUCORE_BACKEND and the config file. Raises what `gp.use` raises.
    """
    global _default
    _default = _check(device)


def current_choice() -> tuple[DeviceRequest, str] | None:
    """The choice of `use` in this context, or of the process; and the call that made it."""
    if (request := _chosen.get()) is not None:
        return request, f"use({request.text!r})"
    return (_default, f"set_default_device({_default.text!r})") if _default is not None else None


def current_request() -> DeviceRequest | None:
    """The device of `current_choice`."""
    return _chosen.get() or _default


def _check(device: str | DeviceInfo | OpenedDevice | None) -> DeviceRequest | None:
    if device is None:
        return None
    if not isinstance(device, (str, DeviceInfo)) and hasattr(device, "driver_device"):
        device.driver_device.check()
        device = device.info
    request = parse_device(device)
    check_known(request.backend)
    return request
