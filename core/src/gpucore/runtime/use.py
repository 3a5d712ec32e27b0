"""`gp.use`: the choice of a device for the code that follows, or for a block.

The choice is stored in a context variable. It applies to the thread or asyncio task that made it, and to tasks started
from it. Other threads keep their own choice, and a new thread starts without one. To choose for a whole process, set
GPUCORE_BACKEND.
"""

from __future__ import annotations

from contextvars import ContextVar
from types import TracebackType
from typing import Self

from gpucore.host import host_only
from gpucore.runtime.parse import DeviceRequest, parse_device
from gpucore.runtime.probing.probe import check_known
from gpucore.runtime.protocol import DeviceInfo

_chosen: ContextVar[DeviceRequest | None] = ContextVar("gpucore_device", default=None)


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
def use(device: str | DeviceInfo | None) -> Use:
    """Choose the device for the following code: a backend ("cuda"), a device ("cuda:1"), or None for automatic choice.

    A plain call applies from now on in this thread or asyncio task; `with gp.use("cpu"):` applies to the block. Nothing
    is loaded or probed here: the first use of the device does that, and raises if it cannot be used. An argument
    (`device=...`) takes precedence over it, and it takes precedence over the environment.

    Raises ArgumentError for text that is not a device name, BackendUnavailableError for an unknown backend.
    """
    request = None if device is None else parse_device(device)
    if request is not None:
        check_known(request.backend)
    return Use(request)


def current_choice() -> DeviceRequest | None:
    """The choice of `use` in this context."""
    return _chosen.get()
