"""Redirection of output: only the command writes to standard output; prints of drivers and plugins go to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def kept_clean() -> Iterator[None]:
    """Redirect standard output, of Python and of C code, to standard error inside the `with` statement."""
    with contextlib.redirect_stdout(sys.stderr), _moved_descriptor():
        yield


@contextlib.contextmanager
def _moved_descriptor() -> Iterator[None]:
    try:
        kept = os.dup(1)
    except OSError:  # the process has no standard output
        yield
        return
    try:
        with contextlib.suppress(OSError):  # nor an error stream
            os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def flush_output() -> None:
    """Flush standard output. If that fails, discard the rest, so that the flush at exit does not fail."""
    if sys.stdout is None:  # closed by whoever started the process
        return
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
        raise
