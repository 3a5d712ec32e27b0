"""Why something failed, in one line: the end of the chain of exceptions says more than its start."""

from __future__ import annotations

_LONGEST = 500  # characters of one exception's text


def describe_cause(error: BaseException) -> str:
    """The root cause of `error`, followed by `error` itself where the two differ.

    "OSError: libfoo.so.1: cannot open shared object file (seen as ImportError: no driver for foo)".
    """
    root = find_root_cause(error)
    text = _describe(root)
    return text if root is error else f"{text} (seen as {_describe(error)})"


def find_root_cause(error: BaseException) -> BaseException:
    """The first exception of the chain that ended in `error`, as a traceback would show it on top."""
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
    except Exception as failure:  # noqa: BLE001 (a plugin's own exception class can be broken as well)
        text = f"<its text raises {type(failure).__name__}>"
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 3] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
