"""Redirection of output: drivers and plugins print to standard error, so that standard output has the result only."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Redirect standard output, of Python and of C code, to standard error inside the `with` statement."""
    with contextlib.redirect_stdout(sys.stderr), _descriptor_redirected():
        yield


@contextlib.contextmanager
def _descriptor_redirected() -> Iterator[None]:
    try:
        kept = os.dup(1)
    except OSError:  # the process has no standard output
        yield
        return
    try:
        with contextlib.suppress(OSError):  # the process has no standard error
            os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def flush_output() -> None:
    """Flush standard output. If that fails, discard the rest, so that the flush at exit does not fail."""
    if sys.stdout is None:  # the process was started without one
        return
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
        raise
