"""Calls in several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence


def in_threads(calls: Sequence[Callable[[], None]]) -> None:
    """Make the calls at once, each in its own thread. Raises what one raised."""
    failures: list[Exception] = []

    def run(call: Callable[[], None]) -> None:
        try:
            call()
        except Exception as error:  # noqa: BLE001 (raised again below)
            failures.append(error)

    threads = [threading.Thread(target=run, args=(call,), name="gpucore-conformance") for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
