"""The kit as a class of pytest tests, and devices for tests of pytest."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import gpucore as gp
from gpucore.testing.behaviours import Behaviour, Case, behaviours_of
from gpucore.testing.devices import REQUIRE_VARIABLE, explain_missing, is_required
from gpucore.testing.suites import Behaviours
from gpucore.testing.tiers import DEFAULT_TIER, parse_tier


def require_device(name: str) -> gp.Device:
    """The device for `name` ("wgpu", "cuda:0"), opened once per process.

    If the machine has no such device the calling test is skipped with the reason. It fails if the device is required,
    or if the backend is broken, incompatible, blocked, hangs, or does not open a device that it has.
    """
    try:
        return gp.device(name)
    except gp.BackendUnavailableError as error:
        missing = explain_missing(name, error)
    if is_required(name):
        pytest.fail(f"{REQUIRE_VARIABLE} requires {name}: {missing.reason}", pytrace=False)
    if not missing.is_absent:
        pytest.fail(missing.reason, pytrace=False)
    pytest.skip(" ".join(missing.reason.split()))  # one line: summaries show only one


class NumberedTests:
    """Runs the behaviours of suites that a subclass also inherits as tests of pytest.

    The id of each test has the behaviour's number, so `-k C100` runs it. A test without a number is run as any other.
    """

    tier = DEFAULT_TIER

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        tiers = parse_tier(cls.tier)
        for name, method in _inherited_tests(cls).items():
            chosen = any(behaviour.tier in tiers for behaviour in _numbered(name, method))
            if not chosen or getattr(cls, name) is None:
                # pytest would report a test without behaviours of the tier as skipped: the class has no such test.
                setattr(cls, name, method if chosen else None)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """pytest calls it for each test of the class."""
        tiers = parse_tier(self.tier)
        found = _numbered(metafunc.function.__name__, metafunc.function)
        chosen = [behaviour for behaviour in found if behaviour.tier in tiers]
        if chosen:
            ids = [str(behaviour.case or behaviour.number) for behaviour in chosen]
            metafunc.parametrize("behaviour", chosen, ids=ids, indirect=True)

    @pytest.fixture(autouse=True)
    def behaviour(self, request: pytest.FixtureRequest) -> Behaviour | None:
        """The behaviour that the test shows; None for a test without a number."""
        found: Behaviour | None = getattr(request, "param", None)
        return found

    @pytest.fixture
    def case(self, behaviour: Behaviour) -> Case | None:
        """The case of a test with several."""
        return behaviour.case


def _inherited_tests(cls: type) -> dict[str, Any]:
    """The tests of the bases by name, those that a base does without too. What a class has itself is its own choice."""
    found: dict[str, Any] = {}
    for base in cls.__mro__[1:]:
        for name, method in vars(base).items():
            if name.startswith("test_") and inspect.isfunction(method):
                found.setdefault(name, method)
    return {name: method for name, method in found.items() if name not in vars(cls)}


def _numbered(name: str, method: Any) -> list[Behaviour]:
    """The behaviours of a method; none for a test of the user's own."""
    try:
        return list(behaviours_of(name, method))
    except ValueError:
        return []


class ConformanceTests(NumberedTests, Behaviours):
    """Every behaviour of a tier. A subclass sets `device` to the device to test: a backend ("cuda") or a device id
    ("cuda:1")."""

    device = ""

    @pytest.fixture
    def gpu(self) -> gp.Device:
        """The device under test, open."""
        return require_device(self.device)
