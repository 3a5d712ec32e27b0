"""Runs all demos on all devices, and shows their progress."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpucore.array import Array
from gpucore.bench.checks import Product
from gpucore.cli.demo.products import VERSIONS, ProductOutcome, choose_side, make_product, run_product, upload
from gpucore.cli.demo.sorts import SortDemo, SortOutcome, make_sorts, run_sort, show_values
from gpucore.cli.numbers import count, format_rate, format_seconds
from gpucore.cli.screen import Cell, Column, Progress, Screen, Styled
from gpucore.device import Device
from gpucore.device import device as get_device
from gpucore.errors import ClosedError, DeviceLostError
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.protocol import DeviceInfo
from gpucore.runtime.root_cause import describe_cause

_SORTS = 9
_STEPS = _SORTS + len(VERSIONS)
_BAR = 20  # columns
_COLUMNS = (
    Column("version"), Column("compile", right=True), Column("run", right=True), Column("GFLOP/s", right=True),
    Column(""), Column("error / bound", right=True), Column("result"),
)  # fmt: skip


@dataclass
class DeviceResult:
    """The results of one device."""

    device: str
    kind: str
    adapter: str
    sorts: int = _SORTS
    sorts_passed: int = 0
    products: int = len(VERSIONS)
    products_passed: int = 0
    best_gflops: float = 0.0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether everything ran with correct results."""
        return not self.problems and (self.sorts_passed, self.products_passed) == (self.sorts, self.products)


def run_devices(screen: Screen, found: Sequence[DeviceInfo], quick: bool) -> list[DeviceResult]:
    """Run everything on each device. Failures are recorded in the results and do not stop the run."""
    results = []
    with screen.progress(_STEPS * len(found)) as bar:
        for info in found:
            run = _DeviceRun(screen, bar, info, quick)
            start = time.perf_counter()
            run.run()
            run.result.seconds = time.perf_counter() - start
            bar.advance(run.steps_left)  # not run, as the device was lost
            results.append(run.result)
    return results


class _DeviceRun:
    """The demos on one device."""

    def __init__(self, screen: Screen, bar: Progress, info: DeviceInfo, quick: bool) -> None:
        self._screen, self._bar, self._info, self._quick = screen, bar, info, quick
        self.result = DeviceResult(info.id, info.kind.value, info.name)
        self.steps_left = _STEPS

    def run(self) -> None:
        """Open the device and run all demos. After a lost device, the remaining demos count as failed."""
        self._screen.title(f"{self._info.id}  {self._info.name}")
        self._bar.describe(f"{self._info.id}: opening")
        try:
            device = get_device(self._info)
        except Exception as error:  # noqa: BLE001 (reported in the summary; the other devices still run)
            self._fail("it cannot be opened", describe_cause(error))
            return
        try:
            for demo in make_sorts(self._info.backend == SIMULATOR, self._quick):
                self._run_sort(device, demo)
            self._run_products(device)
        except (DeviceLostError, ClosedError) as error:
            self._fail("the rest was not run", describe_cause(error))

    # ---------------------------------------------------------------- sorts

    def _run_sort(self, device: Device, demo: SortDemo) -> None:
        self._bar.describe(f"{device.id}: sort {demo.number} of {_SORTS}")
        self._screen.write(Styled(f"Sort {demo.number}", "strong"), f"  {demo.title}")
        self._screen.write("  on      ", Styled(_describe_machine(device), "faint"))
        try:
            outcomes = run_sort(device, demo)
        except DeviceLostError:
            raise
        except Exception as error:  # noqa: BLE001 (reported in the summary; the other demos still run)
            self._fail(f"sort {demo.number} ({demo.title})", describe_cause(error))
        else:
            for outcome in outcomes:
                self._show_sort(demo, outcome)
            self.result.sorts_passed += all(not outcome.problem for outcome in outcomes)
        self._step()

    def _show_sort(self, demo: SortDemo, outcome: SortOutcome) -> None:
        self._screen.write("  in      ", show_values(outcome.given))
        self._screen.write("  out     ", show_values(outcome.result))
        if outcome.problem:
            self._fail(f"sort {demo.number} ({demo.title})", outcome.problem)
            return
        size, seconds = count(outcome.given.size, "value"), format_seconds(outcome.device_seconds)
        first = f" (first run, with compilation and transfers: {format_seconds(outcome.first_seconds)})"
        self._screen.write("  ", Styled("PASSED", "good"), f"  {size} in {seconds}", Styled(first, "faint"))

    # ---------------------------------------------------------------- products

    def _run_products(self, device: Device) -> None:
        side = choose_side(device, self._quick)
        self._screen.write(Styled("Matrix products", "strong"), f"  {side} x {side} f32, every version")
        self._screen.write("  on      ", Styled(_describe_machine(device), "faint"))
        self._bar.describe(f"{device.id}: preparing matrices")
        product = make_product(side)
        try:
            a, b = upload(device, product)
        except Exception as error:  # noqa: BLE001 (reported in the summary)
            self._fail("the matrices cannot be uploaded", describe_cause(error))
            return
        outcomes: list[ProductOutcome] = []
        for variant in VERSIONS:
            self._bar.describe(f"{device.id}: matrix product, {variant}")
            outcome = self._run_product(device, variant, product, a, b)
            outcomes += [outcome] if outcome else []
            self._step()
        self._show_products(outcomes)

    def _run_product(self, device: Device, variant: str, product: Product, a: Array, b: Array) -> ProductOutcome | None:
        try:
            outcome = run_product(device, variant, product, a, b)
        except DeviceLostError:
            raise
        except Exception as error:  # noqa: BLE001 (reported in the summary; the other versions still run)
            self._fail(f"matrix product {variant}", describe_cause(error))
            return None
        if outcome.problem:
            self._fail(f"matrix product {variant}", outcome.problem)
        else:
            self.result.products_passed += 1
            self.result.best_gflops = max(self.result.best_gflops, outcome.gflops)
        return outcome

    def _show_products(self, outcomes: Sequence[ProductOutcome]) -> None:
        fastest = max((outcome.gflops for outcome in outcomes), default=0.0)
        rows: list[list[Cell]] = []
        for outcome in outcomes:
            length = round(_BAR * outcome.gflops / fastest) if fastest else 0
            rows.append(
                [
                    outcome.variant,
                    format_seconds(outcome.compile_seconds),
                    format_seconds(outcome.device_seconds),
                    format_rate(outcome.gflops),
                    Styled(self._screen.block * max(1, length), "faint"),
                    f"{outcome.worst:.2g}",
                    Styled("FAILED", "bad") if outcome.problem else Styled("PASSED", "good"),
                ]
            )
        self._screen.table(_COLUMNS, rows)
        self._screen.write()

    # ---------------------------------------------------------------- both

    def _step(self) -> None:
        self.steps_left -= 1
        self._bar.advance()

    def _fail(self, what: str, reason: str) -> None:
        self.result.problems.append(f"{what}: {reason}")
        self._screen.write("  ", Styled("FAILED", "bad"), f"  {what}: {reason}")


def _describe_machine(device: Device) -> str:
    """Host, backend, adapter and driver in a line."""
    info = device.info
    backend = f"{info.backend} ({info.api})" if info.api else info.backend
    return f"{platform.system()} {platform.machine()} | {backend} | {info.name} | {info.driver}"
