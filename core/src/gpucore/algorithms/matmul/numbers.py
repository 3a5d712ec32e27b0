"""The numbers and the function with which a product is finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.launches import Finishing
from gpucore.algorithms.operators import as_helper
from gpucore.conversion import convert_value
from gpucore.errors import ArgumentError
from gpucore.types import ElementDType, f16, f32


class Numbers:
    """alpha, beta and an epilogue, as they were given."""

    def __init__(self, alpha: Any, beta: Any, epilogue: Callable[[Any], Any] | None) -> None:
        self.alpha, self.beta = alpha, beta
        self._epilogue = None if epilogue is None else as_helper("matmul", epilogue, "an epilogue of one element")

    def finishing_for(self, dtype: ElementDType, has_bias: bool) -> Finishing | None:
        """What is done with the sums of a product of a dtype, but for the bias; None: nothing. Raises ArgumentError."""
        total = f32 if dtype is f16 else dtype
        alpha, beta = (_number(name, x, total) for name, x in (("alpha", self.alpha), ("beta", self.beta)))
        finish = Finish(bool(alpha != 1), bool(beta != 0), has_bias, self._epilogue)
        return None if finish == Finish() else Finishing(finish, alpha, beta)


def _number(name: str, value: Any, dtype: ElementDType) -> Any:
    try:
        return convert_value(value, dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None


__all__ = ["Numbers"]
