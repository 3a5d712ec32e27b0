"""What naga's HLSL and MSL compute is what lavapipe computed from the WGSL, bit for bit.

HLSL goes through DXC to SPIR-V, which lavapipe runs; MSL runs on the host.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import golden_kernels
import pytest
import translated_runs
from dispatches import Dispatch, Log
from translated_runs import Outcome

ROUTES = {"msl": translated_runs.by_msl, "hlsl": translated_runs.by_hlsl}
TOOLS = {"msl": "metal_host", "hlsl": "dxc"}
GOLDEN_SKIPS = {"msl": {"capability": 2}, "hlsl": {"capability": 3, "16 bits": 1, "signed atomics": 1}}
GOLDEN_RUNS = {"msl": 18, "hlsl": 15}
CONFORMANCE_RUNS = {"msl": 700, "hlsl": 500}  # at least


@pytest.fixture(scope="session")
def golden(record: Callable[[str], Log]) -> Log:
    """All golden kernels, called."""
    return record("golden")


@pytest.fixture(scope="session")
def conformance(record: Callable[[str], Log]) -> Log:
    """The conformance kit."""
    return record("conformance")


def _outcome(language: str, log: Log, request: pytest.FixtureRequest) -> Outcome:
    request.getfixturevalue(TOOLS[language])
    outcome = ROUTES[language](list(log.kernels.values()), log.dispatches)
    print(f"{language}, {len(log.kernels)} kernels: {outcome}")
    assert outcome.failures == []
    return outcome


@pytest.mark.parametrize("language", ROUTES)
def test_golden_kernels_agree(language: str, golden: Log, request: pytest.FixtureRequest) -> None:
    called = {dispatch.kernel.name for dispatch in golden.dispatches}
    assert called == {kernel.name for kernel, _ in golden_kernels.CASES.values()}
    outcome = _outcome(language, golden, request)
    assert outcome.skipped == GOLDEN_SKIPS[language]
    assert outcome.agreed == GOLDEN_RUNS[language]


@pytest.mark.large
@pytest.mark.parametrize("language", ROUTES)
def test_kernels_of_the_conformance_kit_agree(language: str, conformance: Log, request: pytest.FixtureRequest) -> None:
    outcome = _outcome(language, conformance, request)
    assert outcome.agreed >= CONFORMANCE_RUNS[language]
    assert outcome.skipped.keys() <= translated_runs.SKIPS.keys()


@pytest.mark.parametrize("language", ROUTES)
def test_another_byte_is_found(language: str, golden: Log, request: pytest.FixtureRequest) -> None:
    """In the results to compare with, and in the scalars of the run."""
    request.getfixturevalue(TOOLS[language])
    dispatch = next(one for one in golden.dispatches if one.kernel.name == "saxpy")
    result = bytearray(dispatch.after[1])
    result[-300] ^= 1
    scalars = bytearray(dispatch.scalars)
    scalars[2] ^= 1
    wrong: list[Dispatch] = [
        dataclasses.replace(dispatch, after=(dispatch.after[0], bytes(result))),
        dataclasses.replace(dispatch, scalars=bytes(scalars)),
    ]
    for one in wrong:
        outcome = ROUTES[language]([dispatch.kernel], [one])
        assert len(outcome.failures) == 1, outcome
