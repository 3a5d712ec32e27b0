"""What `gpucore.testing` has in place of the names that need pytest, where it is not installed."""

from __future__ import annotations

from typing import Any, NoReturn


def _refuse(name: str) -> NoReturn:
    text = f"gpucore.testing.{name} needs pytest: install pytest, or run `gpucore conformance`, which needs none"
    raise ModuleNotFoundError(text, name="pytest")


class ConformanceTests:
    """Cannot be derived from."""

    def __init_subclass__(cls, **options: Any) -> None:
        _refuse("ConformanceTests")


NumberedTests = ConformanceTests


def require_device(name: str) -> Any:
    """Raises ModuleNotFoundError."""
    _refuse("require_device")
