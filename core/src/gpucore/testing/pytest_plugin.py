"""Implements `pytest --gpucore-check`: each test, its setup and its teardown run with their kernel calls checked, and
fail with the report.

Registered by `gpucore_pytest`, which pytest finds by its entry point.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from gpucore.testing.checked_calls import CheckedCalls, checked_calls


class CheckPlugin:
    """The hooks, with the options and the counts for the summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._most: int = config.getoption("--gpucore-check-most")
        self._options = {
            "schedules": config.getoption("--gpucore-check-schedules"),
            "subgroup_size": config.getoption("--gpucore-check-subgroup-size"),
        }
        self._total = CheckedCalls()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """Fixtures and setup methods; fixtures of a wider scope in the first test that needs them."""
        return (yield from self._watched("the setup of this test"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """A test itself."""
        return (yield from self._watched("this test"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """The code after the `yield` of fixtures, and teardown methods."""
        return (yield from self._watched("the teardown of this test"))

    def _watched(self, where: str) -> Generator[None, object, object]:
        """Run a phase of a test; findings fail it if it has not failed itself."""
        with checked_calls(most_invocations=self._most, **self._options) as calls:
            try:
                result = yield
            finally:
                self._add(calls)
        if calls.reports:
            pytest.fail(f"gp.check found defects in kernel calls of {where}\n\n{calls}", pytrace=False)
        return result

    def _add(self, calls: CheckedCalls) -> None:
        self._total.checked += calls.checked
        self._total.too_large += calls.too_large
        self._total.native += calls.native
        self._total.reports += calls.reports

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """How many calls were checked, and how many were not."""
        total = self._total
        text = f"gpucore: {total.checked} kernel calls checked, {len(total.reports)} with findings"
        if total.native:
            text += f"; {total.native} not checked: native kernels"
        if total.too_large:
            text += f"; {total.too_large} not checked: more than {self._most} invocations (--gpucore-check-most)"
        terminalreporter.write_line(text)
