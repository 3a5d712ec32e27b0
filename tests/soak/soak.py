"""`make soak`: a mixed load on all devices of the machine, with Ctrl-C in 2 % of the calls. Not on Windows.

SOAK_SECONDS    how long (600)
SOAK_SEED       the seed (a random one): the same calls with the same arguments in the same order; only the moments of
                Ctrl-C differ
SOAK_DEVICES    as in cpu,opencl:0 (all devices that there are)
SOAK_INTERRUPTS which part of the calls is interrupted (0.02)
SOAK_BYTES      the growth of memory in use that is allowed, in bytes a call (256)
SOAK_REPORT     the file of the report (.soak/SEED.json)

Each call makes arrays, computes, and compares all results with NumPy. The same call follows each interrupted one,
without an interrupt: it must be right. It ends at the first wrong result or error with exit code 1, and with all stacks
where a call does not end within two minutes.

The first calls are each operation with all its arguments on each device, once. From then on memory, file descriptors
and threads are sampled every ten seconds, with all devices closed; they are judged if that is a minute or more. Drivers
may keep KEPT_BYTES of each new kernel that is compiled and dropped.
"""

from __future__ import annotations

import faulthandler
import itertools
import json
import os
import platform
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import soak_operations as operations
from soak_watch import VARIABLES, Interrupter, Resources

import gpucore as gp

ROOT = Path(__file__).resolve().parents[2]
CALL_SECONDS = 120
ARGUMENTS = 6
SAMPLE_SECONDS, JUDGED_SECONDS = 10.0, 60.0
KEPT_BYTES = {"opencl": 64 << 10}
"""PoCL 3.1 keeps 18 to 43 KiB of each program that was built, run and released, also without gpucore."""


@dataclass(frozen=True)
class Call:
    """What is called. Its arguments are those of the seed and `arguments`, a number below ARGUMENTS: few, so that
    kernels are compiled for all of them soon, and memory is flat from then on."""

    seed: int
    number: int
    device: str
    operation: Any
    arguments: int

    def run(self) -> None:
        device = gp.device(self.device)
        numbers = np.random.default_rng([self.seed, self.arguments])
        self.operation(operations.Case(device, numbers, operations.most_elements(device), self.number))

    def __str__(self) -> str:
        return f"call {self.number} of seed {self.seed}: {self.operation.__name__} on {self.device}"


@dataclass
class Soak:
    seed: int
    seconds: float
    devices: list[str]
    interrupts: float = 0.02
    bytes_a_call: float = 256.0
    last: Path | None = None  # is always about the call that runs
    counts: Counter[str] = field(default_factory=Counter)
    times: dict[tuple[str, str], float] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)  # seconds of each device
    interrupted: int = 0
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.load = list(operations.WEIGHTS)
        self.weights = list(operations.WEIGHTS.values())
        if os.environ.get("SOAK_PLANT"):
            self.load.append(operations.wrong_on_purpose)
            self.weights.append(100)
        self.interrupter, self.resources = Interrupter(), Resources()

    def run(self) -> None:
        start = sampled = time.monotonic()
        number, first = 0, self._each_once()
        while (now := time.monotonic()) < start + self.seconds and not self.problems:
            if not first and now - sampled >= SAMPLE_SECONDS:
                for device in self.devices:  # kernels that a device has compiled by now are no growth
                    gp.device(device).close()
                self.resources.take(now - start, number, self._kept_by_drivers())
                sampled = time.monotonic()
            device, operation, arguments = first.pop() if first else self._drawn(number)
            self._call(Call(self.seed, number, device, operation, arguments))
            number += 1
        self.problems += self.resources.problems(self.bytes_a_call, JUDGED_SECONDS)
        self.problems += [f"dropped by Python: {text}" for text in self.interrupter.others]

    def _each_once(self) -> list[tuple[str, Any, int]]:
        found = [*itertools.product(self.devices, self.load, range(ARGUMENTS))]
        self.random.shuffle(found)
        return found

    def _drawn(self, number: int) -> tuple[str, Any, int]:
        (operation,) = self.random.choices(self.load, self.weights)
        return self.devices[number % len(self.devices)], operation, self.random.randrange(ARGUMENTS)

    def _kept_by_drivers(self) -> int:
        name = operations.kernel_that_is_new.__name__
        return sum(
            KEPT_BYTES.get(device.partition(":")[0], 0) * self.counts[f"{device}/{name}"] for device in self.devices
        )

    def _call(self, call: Call) -> None:
        if self.last is not None:
            self.last.write_text(f"{call}\n")
        faulthandler.dump_traceback_later(CALL_SECONDS, exit=True)
        key = call.device, call.operation.__name__
        chance, moment = self.random.random(), self.random.random()
        is_behind = self.interrupted < self.interrupts * call.number  # some signals come when the call has ended
        is_interrupted = chance < self.interrupts or (is_behind and chance < 4 * self.interrupts)
        try:
            if is_interrupted:
                self.interrupted += self.interrupter.interrupt(call.run, moment * self.times.get(key, 0.01))
            start = time.monotonic()
            call.run()
        except Exception:  # noqa: BLE001 (whatever it is, it is reported)
            after = " after Ctrl-C" if is_interrupted else ""
            self.problems.append(f"{call}{after}:\n{traceback.format_exc()}")
            return
        finally:
            faulthandler.cancel_dump_traceback_later()
        spent = time.monotonic() - start
        self.times[key] = 0.8 * self.times.get(key, spent) + 0.2 * spent
        self.used[call.device] += spent
        self.counts["/".join(key)] += 1

    def report(self) -> dict[str, Any]:
        calls = self.counts.total()
        return {
            "passed": not self.problems, "problems": self.problems, "seed": self.seed, "seconds": self.seconds,
            "devices": {name: gp.device(name).info.driver for name in self.devices}, "calls": calls,
            "judged_seconds": self.resources.seconds(),
            "interrupted": self.interrupted, "interrupted_share": self.interrupted / calls if calls else 0.0,
            "interrupts_dropped_in_finalizers": self.interrupter.swallowed,
            "finalizers_of_half_made_objects": self.interrupter.half_made,
            "bytes_a_call": self.resources.growth_a_call(), "bytes_a_call_allowed": self.bytes_a_call,
            "samples": [asdict(sample) for sample in self.resources.samples],
            "counts": dict(sorted(self.counts.items())), "seconds_of_devices": dict(self.used),
            "python": platform.python_version(), "platform": platform.platform(),
        }  # fmt: skip


def main() -> int:
    faulthandler.enable()
    warnings.simplefilter("ignore", gp.FallbackWarning)
    seed = int(os.environ.get("SOAK_SEED") or random.SystemRandom().randrange(1 << 31))
    wanted = os.environ.get("SOAK_DEVICES", "")
    devices = [gp.device(name).id for name in wanted.split(",")] if wanted else [info.id for info in gp.devices()]
    target = Path(os.environ.get("SOAK_REPORT") or ROOT / ".soak" / f"{seed}.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    soak = Soak(
        seed, float(os.environ.get("SOAK_SECONDS", "600")), devices, float(os.environ.get("SOAK_INTERRUPTS", "0.02")),
        float(os.environ.get("SOAK_BYTES", "256")), target.with_suffix(".last"),
    )  # fmt: skip
    print(f"seed {seed}: {soak.seconds:g} s on {', '.join(devices)}", flush=True)
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update(GPUCORE_CACHE="on", GPUCORE_CACHE_DIR=cache)
        soak.run()
    report = soak.report()
    target.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for problem in soak.problems:
        print(f"error: {problem}", file=sys.stderr)
    print(f"{report['calls']} calls, {report['interrupted']} interrupted ({report['interrupted_share']:.1%}), "
          f"{report['bytes_a_call']:.0f} bytes a call; {target}")  # fmt: skip
    print(f"again: SOAK_SEED={seed} SOAK_SECONDS={soak.seconds:g} make soak")
    return 1 if soak.problems else 0


if __name__ == "__main__":
    if not VARIABLES.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, __file__], {**os.environ, **VARIABLES})
    sys.exit(main())
