"""Runs the conformance kit on devices, and keeps how many behaviours passed for docs/conformance.md.

    python tests/conformance/results.py simulator cpu wgpu opencl web
    python -m gpucore.testing.page docs/conformance.json > docs/conformance.md

"web" is a browser on this machine. What is kept of devices that are not named stays.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gpucore as gp
from gpucore.runtime.registry import OpenDevice
from gpucore.testing import ConformanceTests, run_behaviours

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "conformance.json"


@contextmanager
def opened(name: str) -> Iterator[gp.Device]:
    """The device of a name; of "web" that of a page in a browser."""
    if name != "web":
        yield gp.device(name)
        return
    sys.path.insert(0, str(ROOT / "tests" / "web"))
    from browser import script_page  # noqa: PLC0415 (needs a browser)
    from web_driver import WebBackend  # noqa: PLC0415

    with script_page("driver.js") as (browser, _):
        backend = WebBackend(browser)
        with gp.Device(OpenDevice(backend.open(0), backend)) as device:
            yield device


def result_of(name: str, device: gp.Device) -> dict[str, Any]:
    """How the behaviours ended on a device."""
    outcomes = run_behaviours(ConformanceTests, device)
    failed = [f"{each.behaviour.number}: {each.reason}" for each in outcomes if each.status == "failed"]
    if failed:
        raise SystemExit(f"{device.id}: " + "\n".join(failed))
    skipped = Counter(
        " ".join(each.reason.split()).replace(f"{device.id} ", "").replace(f" for {device.id}", "")
        for each in outcomes
        if each.status == "skipped"
    )
    passed = sum(each.status == "passed" for each in outcomes)
    driver = "Chromium, SwiftShader" if name == "web" else device.info.driver
    return {"device": device.name, "driver": driver, "passed": passed, "skipped": dict(skipped.most_common())}


def main(names: list[str]) -> None:
    """Run the kit, and write the file."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for name in names:
        with opened(name) as device:
            kept[name] = result_of(name, device)
        print(name, kept[name]["passed"], sum(kept[name]["skipped"].values()))
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
