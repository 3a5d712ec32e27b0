"""The exception of a behaviour that does not apply to a device."""

from __future__ import annotations

from unittest import SkipTest


class Skipped(SkipTest):
    """The device lacks what the behaviour is about; the text says what. pytest and unittest report a skip."""
