"""The root cause of an exception, in one line."""

from __future__ import annotations

from traceback import walk_tb
from types import FrameType

_MAX_LENGTH = 500  # characters of one exception's text


def describe_cause(error: BaseException) -> str:
    """The root cause of `error`, followed by `error` itself if the two differ.

    "OSError: libfoo.so.1: cannot open shared object file (seen as ImportError: no driver for foo)".
    """
    root = find_root_cause(error)
    text = _describe(root)
    return text if root is error else f"{text} (seen as {_describe(error)})"


def find_root_cause(error: BaseException) -> BaseException:
    """The first exception of the chain that led to `error`, which a traceback shows first. `error` has been caught:
    what the callers of that function were handling when they called it is no cause."""
    caught_in = error.__traceback__.tb_frame if error.__traceback__ else None
    seen = {id(error)}
    while True:
        earlier = error.__cause__
        if earlier is None and not error.__suppress_context__:
            earlier = error.__context__
            if earlier is not None and caught_in is not None and not _was_raised_in(earlier, caught_in):
                return error
        if earlier is None or id(earlier) in seen:
            return error
        seen.add(id(earlier))
        error = earlier


def _was_raised_in(error: BaseException, frame: FrameType) -> bool:
    """Whether it passed through a call of that frame, or of one that was called from it."""
    for passed, _ in walk_tb(error.__traceback__):
        caller: FrameType | None = passed
        while caller is not None:
            if caller is frame:
                return True
            caller = caller.f_back
    return error.__traceback__ is None


def _describe(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception as failure:  # noqa: BLE001 (a plugin's exception class can be broken too)
        text = f"<its text raises {type(failure).__name__}>"
    if len(text) > _MAX_LENGTH:
        text = text[: _MAX_LENGTH - 3] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
