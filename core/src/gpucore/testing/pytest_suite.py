"""The kit as a class of pytest tests, and devices for tests of pytest."""

from __future__ import annotations

import atexit
import faulthandler
import functools
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, cast

import pytest

import gpucore as gp
from gpucore.testing.behaviours import Behaviour, Case, behaviours_of
from gpucore.testing.devices import REQUIRE_VARIABLE, explain_missing, is_required
from gpucore.testing.expectations import check_expectations
from gpucore.testing.isolation import TIME_LIMIT, DeviceFailedError, Isolation
from gpucore.testing.skipped import Skipped
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

    The id of each test has the behaviour's number, so `-k C100` runs it; failures begin with it. A test without a
    number is run as any other. A behaviour beyond its time limit ends the run, with the stacks of all threads on
    standard error.
    """

    tier = DEFAULT_TIER
    """Which behaviours: see `gpucore.testing.tiers`."""

    expected_failures: Mapping[str, str] = MappingProxyType({})
    """Numbers of behaviours that fail, and why. One that passes all the same is a failure."""

    time_limit = TIME_LIMIT
    """Seconds that a behaviour may take."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        check_expectations(cls.expected_failures)
        tiers = parse_tier(cls.tier)
        for name, method in _inherited_tests(cls).items():
            behaviours = _numbered(name, method)
            is_chosen = not behaviours or any(behaviour.tier in tiers for behaviour in behaviours)
            if not is_chosen or getattr(cls, name) is None:
                # pytest would report a test without behaviours of the tier as skipped: the class has no such test.
                setattr(cls, name, method if is_chosen else None)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """pytest calls it for each test of the class."""
        tiers = parse_tier(self.tier)
        found = _numbered(metafunc.function.__name__, metafunc.function)
        chosen = [self._parameter(behaviour) for behaviour in found if behaviour.tier in tiers]
        if chosen:
            metafunc.parametrize("behaviour", chosen, indirect=True)

    def _parameter(self, behaviour: Behaviour) -> Any:
        reason = self.expected_failures.get(behaviour.number)
        marks = [] if reason is None else [pytest.mark.xfail(reason=reason, strict=True)]
        return pytest.param(behaviour, id=str(behaviour.case or behaviour.number), marks=marks)

    @pytest.fixture(autouse=True)
    def behaviour(self, request: pytest.FixtureRequest) -> Behaviour | None:
        """The behaviour that the test shows; None for a test without a number."""
        found: Behaviour | None = getattr(request, "param", None)
        if found is not None:
            request.node.obj = self._runner(found, request.node.obj, request.config)
        return found

    def _runner(self, behaviour: Behaviour, test: Callable[..., None], config: pytest.Config) -> Callable[..., None]:
        """What pytest calls in place of the test."""

        def run(**arguments: Any) -> None:
            __tracebackhide__ = True
            with _limited(self.time_limit, config):
                _call_numbered(behaviour.number, functools.partial(test, **arguments))

        return run

    @pytest.fixture
    def case(self, behaviour: Behaviour) -> Case | None:
        """The case of a test with several."""
        return behaviour.case


def _call_numbered(number: str, test: Callable[[], None]) -> None:
    """Call a test. What it raises begins with the number, or has it in a note if it is not an AssertionError."""
    __tracebackhide__ = True
    try:
        test()
    except Skipped as skipped:
        pytest.skip(str(skipped))
    except AssertionError as error:
        raise AssertionError(f"{number}: {error}").with_traceback(error.__traceback__) from error.__cause__
    except Exception as error:
        error.add_note(f"{number} of the conformance kit")
        raise


@contextmanager
def _limited(seconds: float, config: pytest.Config) -> Iterator[None]:
    """End the process if the block takes longer, with the stacks of its threads on the real standard error."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=_standard_error(config))
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@functools.cache
def _standard_error(config: pytest.Config) -> int:
    """Standard error as it is while pytest captures nothing."""
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is None:
        return os.dup(2)
    with capture.global_and_fixture_disabled():
        return os.dup(2)


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
    """The behaviours of a tier, full unless `tier` says another one. A subclass sets `device` to the device to test: a
    backend ("cuda") or a device id ("cuda:1")."""

    device = ""

    isolated = False
    """Run the behaviours in a child process, so that a hang or a crash is one failure. A test that the subclass has
    replaced runs in the process of pytest, on the fixture `gpu`."""

    imports: Sequence[str] = ()
    """Modules that the child process imports first, such as one that calls `gp.register_backend`."""

    @pytest.fixture
    def gpu(self, behaviour: Behaviour | None) -> gp.Device:
        """The device under test, open."""
        if behaviour is not None and self._is_isolated(behaviour):
            return cast("gp.Device", None)  # the child process has it
        return require_device(self.device)

    def _is_isolated(self, behaviour: Behaviour) -> bool:
        return self.isolated and getattr(type(self), behaviour.method) is getattr(Behaviours, behaviour.method)

    def _runner(self, behaviour: Behaviour, test: Callable[..., None], config: pytest.Config) -> Callable[..., None]:
        if not self._is_isolated(behaviour):
            return super()._runner(behaviour, test, config)

        def run(**_: Any) -> None:
            isolation = _isolation_of(self.device, self.time_limit, tuple(self.imports))
            _run_isolated(isolation, behaviour)

        return run


@functools.cache
def _isolation_of(device: str, time_limit: float, imports: tuple[str, ...]) -> Isolation:
    """One child process for all tests that want the same."""
    isolation = Isolation(device, time_limit, imports)
    atexit.register(isolation.close)
    return isolation


def _run_isolated(isolation: Isolation, behaviour: Behaviour) -> None:
    outcome, missing, broken = None, "", ""
    try:
        outcome = isolation.run(behaviour)
    except gp.BackendUnavailableError as error:
        missing = " ".join(str(error).split())
    except DeviceFailedError as error:
        broken = str(error)
    if missing and is_required(isolation.device):
        broken = f"{REQUIRE_VARIABLE} requires {isolation.device}: {missing}"
    if broken:
        pytest.fail(broken, pytrace=False)
    if outcome is None or outcome.status == "skipped":
        pytest.skip(missing if outcome is None else outcome.reason)
    if outcome.status == "failed":
        trace = f"\n\n{outcome.trace}" if outcome.trace else ""
        pytest.fail(f"{behaviour.number}: {outcome.reason}{trace}", pytrace=False)
