"""The numbers, the flags and the function that `gp.matmul` takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from gpucore.algorithms.matmul.finish import Finish
from gpucore.algorithms.matmul.launches import Finishing
from gpucore.algorithms.operators import as_helper
from gpucore.blocks.matrices.products import sum_type
from gpucore.conversion import convert_value
from gpucore.errors import ArgumentError
from gpucore.types import ElementDType

_EPILOGUE = "an epilogue, a function of one element that kernels can call"


class Numbers:
    """alpha, beta and an epilogue. Raises ArgumentError for what is no number and no such function."""

    def __init__(self, alpha: Any, beta: Any, epilogue: Callable[[Any], Any] | None) -> None:
        for name, value in (("alpha", alpha), ("beta", beta)):
            if not isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
                raise ArgumentError(f"{name} is a number, not {type(value).__name__}")
        self.alpha, self.beta = alpha, beta
        self._epilogue = None if epilogue is None else _checked(epilogue)

    def finishing_for(self, dtype: ElementDType, has_bias: bool) -> Finishing | None:
        """What is done with the sums of a product of a dtype, but for the bias; None: nothing. Raises ArgumentError."""
        total = sum_type(dtype)
        alpha, beta = (_number(name, x, total) for name, x in (("alpha", self.alpha), ("beta", self.beta)))
        finish = Finish(bool(alpha != 1), bool(beta != 0), has_bias, self._epilogue)
        return None if finish == Finish() else Finishing(finish, alpha, beta)


def check_flag(name: str, value: Any) -> bool:
    """A flag. Raises ArgumentError for what is not True or False."""
    if value is True or value is False:
        return bool(value)
    if isinstance(value, np.bool_):
        return bool(value)
    raise ArgumentError(f"{name} is True or False, not {value!r:.60}")


def is_number(value: Any, number: int) -> bool:
    """Whether a value is this int, or the float that is equal to it."""
    return value is number or (type(value) in (int, float) and value == number)


def _number(name: str, value: Any, dtype: ElementDType) -> Any:
    try:
        return convert_value(value, dtype)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None


def _checked(epilogue: Any) -> Callable[[Any], Any]:
    helper = as_helper("matmul", epilogue, _EPILOGUE)
    if not isinstance(helper, (FunctionType, BuiltinFunctionType)):
        raise ArgumentError(f"matmul takes {_EPILOGUE}, not {type(epilogue).__name__}; define it with def")
    if isinstance(helper, FunctionType):
        try:
            inspect.signature(helper).bind(None)
        except TypeError:
            raise ArgumentError(
                f"matmul takes {_EPILOGUE}, and {helper.__name__}{inspect.signature(helper)} takes others"
            ) from None
    return helper


__all__ = ["Numbers", "check_flag", "is_number"]
