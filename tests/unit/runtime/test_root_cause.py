"""The root cause of an exception: what led to it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gpucore.runtime.root_cause import describe_cause


def described(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:  # noqa: BLE001 (any is described)
        return describe_cause(error)
    raise AssertionError("nothing was raised")


def raises() -> object:
    return {}["key"]


def raises_while_it_handles_another() -> object:
    try:
        raise OSError("the root")
    except OSError:
        return raises()


@contextmanager
def that_raises_at_its_end() -> Iterator[None]:
    try:
        yield
    except OSError:
        raises()


def raises_at_the_end_of_a_block() -> None:
    with that_raises_at_its_end():
        raise OSError("the root")


def test_what_led_to_it_is_the_root() -> None:
    assert described(raises) == "KeyError: 'key'"
    assert described(raises_while_it_handles_another) == "OSError: the root (seen as KeyError: 'key')"
    assert described(raises_at_the_end_of_a_block) == "OSError: the root (seen as KeyError: 'key')"


def test_what_the_caller_was_handling_is_no_cause() -> None:
    try:
        raise ImportError("of the caller")
    except ImportError:
        assert described(raises) == "KeyError: 'key'"
        assert described(raises_while_it_handles_another) == "OSError: the root (seen as KeyError: 'key')"
        assert described(raises_at_the_end_of_a_block) == "OSError: the root (seen as KeyError: 'key')"
