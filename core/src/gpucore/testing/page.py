"""The page that lists every behaviour: `python -m gpucore.testing.page docs/conformance.json > docs/conformance.md`.

The file has how many behaviours passed on devices, as `tests/conformance/results.py` of gpucore's repository writes it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpucore.testing.behaviours import Behaviour, list_behaviours
from gpucore.testing.bounds import DIVISION_ULP, EVERYWHERE, FUNCTION_CASES, FunctionCase
from gpucore.testing.isolation import TIME_LIMIT
from gpucore.testing.suites import SUITES, Behaviours
from gpucore.testing.tiers import TIER_TEXTS

_HEAD = """\
# Conformance

Every backend passes the same tests, gpucore's own and others. Each behaviour has a number, a test, and the
contract that requires it. The whole test file of a plugin:

```python
from gpucore.testing import ConformanceTests


class TestMyBackend(ConformanceTests):
    device = "mybackend"
```

Run it with pytest. If the backend has no device the tests are skipped with the probe's reason;
`GPUCORE_REQUIRE_BACKENDS="mybackend"` makes that a failure. Behaviours of a capability are skipped without it. The id
of each test has its number, with which failures begin: `pytest -k C210` runs one.

Without pytest, and with a report: `gpucore conformance mybackend --tier basic --html report.html`. It runs the
behaviours whose number, test or contract has a text, with `-k C210` or `-k Buffer.write`; `--import my_module` imports
a module first that calls `gp.register_backend`, for a plugin that is not installed. `--json FILE` writes a report as
[`gpucore.cli.conformance`](../core/src/gpucore/cli/conformance.py) describes. The exit code is 1 if one failed.

## Tiers

| tier | what |
|---|---|
{tiers}

`tier = "basic"` in the class, `--tier basic` in the command; several are joined by commas: `full,algorithms`.

## Expected failures

A behaviour that fails for a reason that is known is named with it. It is strict: one that passes against it is a
failure, and a number that no behaviour has is an error.

```python
from gpucore.testing import ConformanceTests


class TestWithKnownFailures(ConformanceTests):
    device = "mybackend"
    expected_failures = {{"C041": "the driver's clock stands still in sleep"}}
```

In the command: `--expect C041="the driver's clock ..."`, or `--expect FILE` with such pairs in JSON or TOML.

## Hangs and crashes

Each behaviour may take {limit:g} s (`time_limit` in the class, `--time-limit`). The command runs all in a child process
that is started again after a crash or beyond the limit: that is one failure, which says the signal, the exit code or
the limit, where it was, and the last of what the process printed. So does pytest with `isolated = True`, where
`imports` has modules for the child to import first. Without a child (pytest's default, and `--in-process`) a crash ends
the run, and so does a hang at the limit, with the stacks of all threads.

```python
from gpucore.testing import ConformanceTests


class TestInAChild(ConformanceTests):
    device = "mybackend"
    tier = "basic"
    isolated = True
    time_limit = 20.0
```

This page is generated from the tests: `python -m gpucore.testing.page docs/conformance.json > docs/conformance.md`.
"""

_RESULTS_HEAD = """\
## Results

What of the tiers basic and full passed where, by `python tests/conformance/results.py simulator cpu wgpu opencl web`;
nothing failed. `web` is a page in a browser, on the runtime of pages ([web.md](web.md)), whose software driver is not
that of `wgpu`.

| backend | device | driver | passed | skipped | why |
|---|---|---|---|---|---|
"""

_BOUNDS_HEAD = """\
## Bounds on the error of f32 functions

These bounds hold on every backend: a result is within that many units of the last place (ulp) of the exact value, or
within the absolute error where one is given. `x / y` is within {division:g} ulp. Each bound is the loosest that a
specification (last column) allows a driver; `gpucore/testing/bounds.py` derives them. Most devices are far better.
Outside the ranges there is no bound.

| function | arguments | ulp | or absolute | specification |
|---|---|---|---|---|
"""


def render(results: Mapping[str, Any] = MappingProxyType({})) -> str:
    """The page as Markdown, with the results on devices by name."""
    parts = [
        _HEAD.format(tiers="\n".join(f"| `{name}` | {text} |" for name, text in TIER_TEXTS.items()), limit=TIME_LIMIT)
    ]
    if results:
        parts.append(_RESULTS_HEAD + "".join(_result(name, results[name]) for name in sorted(results)))
    for title, suite in SUITES.items():
        parts.append(f"## {title}\n\n| number | behaviour | contract | test | tier |\n|---|---|---|---|---|\n")
        parts[-1] += "".join(_row(behaviour) for behaviour in list_behaviours(suite))
    bounds = "".join(_bound(case) for case in FUNCTION_CASES)
    parts.append(_BOUNDS_HEAD.format(division=DIVISION_ULP) + bounds)
    count = len(list_behaviours(Behaviours))
    parts.append(f"{count} behaviours.\n")
    return "\n".join(parts)


def _result(name: str, found: Mapping[str, Any]) -> str:
    skipped: Mapping[str, int] = found["skipped"]
    why = "; ".join(f"{reason} ({count})" for reason, count in skipped.items())
    cells = (f"`{name}`", found["device"], found["driver"], str(found["passed"]), str(sum(skipped.values())), why)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _row(behaviour: Behaviour) -> str:
    cells = (behaviour.number, behaviour.text, behaviour.contract, f"`{behaviour.method}`", behaviour.tier)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("**", "\\*\\*") for cell in cells) + " |\n"


def _bound(case: FunctionCase) -> str:
    ranges = ", ".join(f"{low:.4g} to {high:.4g}" for low, high in case.domains)
    absolute = f"{case.absolute:.2g}" if case.absolute else ""
    if case.absolute_within != EVERYWHERE:
        absolute += " for {:g} to {:g}".format(*case.absolute_within)
    ulp = f"{case.ulp:.4g} + {case.slope:g} \\|x\\|" if case.slope else f"{case.ulp:.4g}"
    return f"| `{case.name}` | {ranges} | {ulp} | {absolute} | {case.source} |\n"


if __name__ == "__main__":
    sys.stdout.write(render(*(json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:])))
