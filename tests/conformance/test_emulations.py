"""A backend of a third party that has no small integers, or only some, passes their behaviours."""

from __future__ import annotations

import pytest
from mutant_backends import WrappedBackend

import gpucore as gp
from gpucore.ir import Capability
from gpucore.testing import ConformanceTests, run_behaviours


class OptimisedBackend(WrappedBackend):
    wants_unoptimised_ir = False


@pytest.mark.parametrize(
    "lacks", [{Capability.INT8}, {Capability.INT16}, {Capability.INT8, Capability.INT16}], ids=["8", "16", "both"]
)
def test_small_integers_of_a_backend_without_them(lacks: set[Capability]) -> None:
    gp.register_backend(OptimisedBackend("lacking", lacks=frozenset(lacks)))
    try:
        device = gp.device("lacking")
        outcomes = run_behaviours(ConformanceTests, device, {"C812", "C819", "C820"})
        device.close()
    finally:
        gp.unregister_backend("lacking")
    assert [(outcome.behaviour.number, outcome.status, outcome.reason) for outcome in outcomes] == [
        (number, "passed", "") for number in ("C812", "C819", "C820")
    ]
