"""The caches of a kernel: its variants, one for each specialisation, and their prepared launches.

The number of variants is bounded; the least recently used one is dropped. Entries of a device are dropped when it is
closed. When the plan of a pipeline is no longer used, the device releases the pipeline, in queue order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Sequence

from gpucore import front
from gpucore.compiler import Form
from gpucore.device import Device
from gpucore.errors import RecompilationWarning
from gpucore.fingerprint import Fingerprint
from gpucore.launch import Launch, Plan, ticks
from gpucore.runtime import log

MAX_VARIANTS = 256
"""The specialisations that a kernel keeps: compiled code for combinations of types, Const values and devices."""

MAX_LAUNCHES = 256

PlanKey = tuple[Device, Form]


class Variant:
    """A kernel for given types and constants: its IR, and the plans for dispatching it on each device.

    A kernel that may be in the cache on disk has a fingerprint, and is lowered when it turns out not to be there.
    """

    __slots__ = ("captured", "fingerprint", "lowered", "plans", "specialisation", "used")

    def __init__(
        self,
        specialisation: front.Specialisation,
        captured: Sequence[front.Captured],
        lowered: front.Lowered | None = None,
        fingerprint: Fingerprint | None = None,
    ) -> None:
        self.specialisation, self.captured = specialisation, captured
        self.lowered, self.fingerprint = lowered, fingerprint
        self.plans: dict[PlanKey, Plan] = {}
        self.touch()

    def touch(self) -> None:
        """Record a use."""
        self.used = next(ticks)

    def is_current(self) -> bool:
        """Whether all captured values are unchanged."""
        return all(captured.is_current() for captured in self.captured)


class Variants:
    """The variants and launches of one kernel. Thread safe; reads take no lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._variants: dict[front.Specialisation, Variant] = {}
        self.launches: dict[Hashable, Launch] = {}  # always the same dict
        self._last: Launch | None = None  # that was found in it
        self.repeat: Callable[..., bool] | None = None  # of that one
        self._has_warned = False

    def __len__(self) -> int:
        return len(self._variants)

    def find(self, *keys: front.Specialisation) -> Variant | None:
        """The variant for the first of the keys that has one; None without one, or if a captured value has changed."""
        for key in keys:
            found = self._variants.get(key)
            if found is not None:
                if found.is_current():
                    found.touch()
                    return found
                self._drop(key)
        return None

    def add(self, kernel: str, key: front.Specialisation, made: Variant) -> Variant:
        """Add a variant. If there are too many, drop the least recently used one, with a warning the first time."""
        with self._lock:
            self._touch_last()
            made.touch()
            self._variants[key] = made
            is_full = len(self._variants) > MAX_VARIANTS
            oldest = min(self._variants, key=lambda each: self._variants[each].used)
            keys = [*self._variants]
        if is_full:
            self._drop(oldest)
            if not self._has_warned:
                log.warn(_describe_excess(kernel, keys), RecompilationWarning)
                self._has_warned = True  # after the warning: with `-W error` it raises, and must raise again
        return made

    def add_plan(self, variant: Variant, key: PlanKey, plan: Plan) -> None:
        """Keep a plan until its device is closed."""
        device = key[0]
        device.add_close_listener(self)
        with self._lock:
            variant.plans[key] = plan
        if not device.driver_device.is_usable:  # closed by another thread
            self.forget_device(device)

    def add_launch(self, key: Hashable, variant: Variant, launch: Launch) -> None:
        """Keep a launch for as long as its variant."""
        with self._lock:
            if len(self.launches) >= MAX_LAUNCHES:
                self._forget_launches(lambda _: True)
            if variant.plans.get(launch.plan_key) is launch.plan:
                self.launches[key] = launch

    def use(self, launch: Launch) -> None:
        """Try a launch first at the next call."""
        with self._lock:
            self._touch_last()
            launch.variant.used = next(ticks)
            if launch.variant.plans.get(launch.plan_key) is launch.plan:
                self._last, self.repeat = launch, launch.repeat

    def _touch_last(self) -> None:
        """Record the uses of the last launch, which count as one."""
        if self._last is not None:
            self._last.variant.used = next(ticks)

    def _forget_launches(self, is_forgotten: Callable[[Launch], bool]) -> None:
        """The caller holds the lock."""
        self._last = self.repeat = None
        for key in [key for key, launch in self.launches.items() if is_forgotten(launch)]:
            del self.launches[key]

    def _drop(self, key: front.Specialisation) -> None:
        with self._lock:
            dropped = self._variants.pop(key, None)
            self._forget_launches(lambda launch: launch.variant is dropped)

    def forget_device(self, device: Device) -> None:
        """Drop the entries of a closed device."""
        with self._lock:
            self._forget_launches(lambda launch: launch.device is device)
            for variant in self._variants.values():
                variant.plans = {key: plan for key, plan in variant.plans.items() if key[0] is not device}

    def forget_plans(self) -> None:
        """Drop all plans, so that the next calls compile again."""
        with self._lock:
            self._forget_launches(lambda _: True)
            for variant in self._variants.values():
                variant.plans = {}


def _describe_excess(kernel: str, keys: Iterable[front.Specialisation]) -> str:
    """The warning that a kernel has too many specialisations: what differs between them, and what to do."""
    values: dict[str, set[Hashable]] = {}
    types: dict[str, set[Hashable]] = {}
    for key in keys:
        for (name, value), kind in zip(key.constants, key.kinds, strict=True):
            values.setdefault(name, set()).add((value, kind))
        for variable, type in key.types:
            types.setdefault(variable.__name__, set()).add(type)
    name, most = max(values.items(), key=lambda each: len(each[1]), default=("", set()))
    if len(most) > 1:
        what = f"the Const parameter {name} has had {len(most)} values"
        fix = (
            f"give {name} a type such as gp.i32 instead of gp.Const if its value need not be known when the kernel is "
            "compiled, or use fewer values"
        )
    else:
        counts = "".join(f", {name} {len(found)} types" for name, found in types.items())
        what = f"its arrays have had many element types{counts}"
        fix = "use fewer combinations of types, or define the kernel more than once"
    return (
        f"{kernel} has more than {MAX_VARIANTS} specialisations: {what}. The least recently used specialisation is "
        f"discarded each time, and compiled again when it is needed\n  hint: {fix}"
    )
