"""The root cause of an exception, in one line."""

from __future__ import annotations

_MAX_LENGTH = 500  # characters of one exception's text


def describe_cause(error: BaseException) -> str:
    """The root cause of `error`, followed by `error` itself if the two differ.

    "OSError: libfoo.so.1: cannot open shared object file (seen as ImportError: no driver for foo)".
    """
    root = find_root_cause(error)
    text = _describe(root)
    return text if root is error else f"{text} (seen as {_describe(error)})"


def find_root_cause(error: BaseException) -> BaseException:
    """The first exception of the chain that led to `error`, which a traceback shows first."""
    seen = {id(error)}
    while True:
        earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if earlier is None or id(earlier) in seen:
            return error
        seen.add(id(earlier))
        error = earlier


def _describe(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception as failure:  # noqa: BLE001 (a plugin's exception class can be broken too)
        text = f"<its text raises {type(failure).__name__}>"
    if len(text) > _MAX_LENGTH:
        text = text[: _MAX_LENGTH - 3] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
