"""The cpu plugin compared with NumPy, numba and PoCL: `make bench`, or

    python benchmarks/cpu.py [--only matmul,"sum 2^16"] [--threads 1,all] [--rounds 20] [--numba PYTHON] [-o FILE]

A ratio is the peer's median time / gpucore's. All run in turn, with the waiting for the result; each whole output is
verified first, and a peer that fails is named. NumPy writes into an array that exists (`out=`) where it can; "four" is
its plain expression. Peers of the same kernel: PoCL by the opencl plugin. numba ("fastmath" apart) runs in the Python
given, or in this one. Writes benchmarks/results/cpu-<processor>.json, and a chart next to it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from cpu_chart import chart
from cpu_workloads import ROWS

from gpucore.tuning.rounds import interleave

HERE = Path(__file__).parent
SCALED = ("matmul f32 1024", "four 2^24")
_THREAD_VARIABLES = (
    "GPUCORE_CPU_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
    "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT",
)  # fmt: skip


class Worker:
    """A process with some implementations of the rows."""

    def __init__(self, kind: str, threads: int, python: str = sys.executable) -> None:
        environment = os.environ | dict.fromkeys(_THREAD_VARIABLES, str(threads))
        # A thread of OpenBLAS that waits for work is idle after a moment, and does not slow down the next sample.
        environment |= {"OPENBLAS_THREAD_TIMEOUT": "4"}
        self.threads = threads
        self._process = subprocess.Popen(
            [python, str(HERE / "cpu_worker.py"), kind],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True,
        )  # fmt: skip

    def ask(self, do: str, **parameters: Any) -> Any:
        """The answer to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **parameters}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"a worker ended with status {self._process.wait()} while it should {do} {parameters}")
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def measure(name: str, workers: Iterable[Worker], rounds: int) -> dict[str, Any]:
    """Seconds of each implementation of a row, in turn, and the ratios of the peers."""
    turns: list[tuple[str, Worker, str]] = []
    failures: dict[str, str] = {}
    goals: dict[str, float] = {}
    most = max(worker.threads for worker in workers)
    least = min(worker.threads for worker in workers)
    for worker in workers:
        answer = worker.ask("prepare", row=name)
        failures |= answer["failures"]
        goals = answer["goals"]
        for implementation in answer["calls"]:
            key = implementation if worker.threads == least else f"{implementation}, {worker.threads} threads"
            turns.append((key, worker, implementation))
    if "gpucore" in failures:
        raise SystemExit(f"{name}: gpucore's result is wrong or missing: {failures['gpucore']}")
    timed = {key: partial(worker.ask, "time", implementation=one) for key, worker, one in turns}
    seconds = interleave(timed, rounds, warmups=2)
    ours = seconds["gpucore"]
    ratios = {key: s["median"] / ours["median"] for key, s in seconds.items() if key != "gpucore"}
    least_ratios = {key: s["min"] / ours["min"] for key, s in seconds.items() if key != "gpucore"}
    row: dict[str, Any] = {"name": name, "threads": least, "seconds": seconds, "ratios": ratios}
    row |= {"ratios_of_minima": least_ratios, "goals": goals, "failures": failures}
    if most > least:
        row["ratios"] = {}
        row["scaling"] = {
            key: seconds[key]["median"] / seconds[f"{key}, {most} threads"]["median"] for key in ("gpucore", "numpy")
        }
    return row


def show(row: dict[str, Any]) -> None:
    """One line of the table."""
    ours = row["seconds"]["gpucore"]["median"] * 1e6
    cells = [f"{row['name']:26} {row['threads']:2} {ours:12.1f} us "]
    for peer, ratio in row["ratios"].items():
        goal = row["goals"].get(peer)
        wanted = "" if goal is None else f" ({'' if ratio >= goal else 'below '}{goal:g})"
        cells.append(f"{peer} {ratio:.2f}{wanted}")
    for name, factor in row.get("scaling", {}).items():
        cells.append(f"{name} {factor:.2f} times as fast on all threads")
    cells += [f"{peer}: {reason}" for peer, reason in row["failures"].items()]
    print("  ".join(cells), flush=True)


def measure_rows(names: list[str], threads: list[int], options: argparse.Namespace) -> dict[str, Any]:
    """The rows for each number of threads, and how much faster some of them are with the most threads."""
    machine: dict[str, Any] = {"python": platform.python_version(), "system": platform.platform(), "libraries": []}
    machine["load_before"] = os.getloadavg()
    rows = []
    groups: dict[int, list[Worker]] = {}
    for count in threads:
        groups[count] = [Worker("gpucore", count)]
        if options.numba:
            groups[count].append(Worker("numba", count, options.numba))
        machine["libraries"].append([worker.ask("describe") for worker in groups[count]])
        print(*machine["libraries"][-1], sep="\n", flush=True)
    for workers in groups.values():
        for name in names:
            rows.append(measure(name, workers, options.rounds))
            show(rows[-1])
    if len(groups) > 1:
        for name in filter(names.__contains__, SCALED):
            rows.append(measure(name, [workers[0] for workers in groups.values()], options.rounds))
            show(rows[-1])
    for worker in (worker for workers in groups.values() for worker in workers):
        worker.close()
    machine["load_after"] = os.getloadavg()
    return {"machine": machine, "rounds": options.rounds, "rows": rows}


def _numba_python(wanted: str | None) -> str | None:
    """A Python that can import numba: the one given, or this one."""
    python = wanted or sys.executable
    found = subprocess.run([python, "-c", "import numba"], capture_output=True, check=False)
    if found.returncode != 0:
        print(f"without numba: {python} cannot import it", file=sys.stderr)
        return None
    return python


def main() -> None:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="comma-separated names of rows, or their first words")
    parser.add_argument("--threads", default="1,all", help="comma-separated numbers of threads, or all")
    parser.add_argument("--rounds", type=int, default=20, help="samples of each implementation")
    parser.add_argument("--numba", help="a Python that has numba, if not this one")
    parser.add_argument("-o", "--output", help="default: benchmarks/results/cpu-<processor>.json")
    options = parser.parse_args()
    wanted = tuple(f"{words} " for words in options.only.split(",") if words)
    names = [name for name in ROWS if not wanted or f"{name} ".startswith(wanted)]
    if not names:
        raise SystemExit(f"no row begins with {options.only!r}; the rows: {', '.join(ROWS)}")
    options.numba = _numba_python(options.numba)
    every = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = sorted({every if word == "all" else int(word) for word in options.threads.split(",")})
    results = measure_rows(names, threads, options)
    processor = results["machine"]["libraries"][0][0]["processor"]
    name = re.sub(r"\W+", "-", f"cpu {processor}").strip("-").lower()
    path = Path(options.output or HERE / "results" / f"{name}.json")
    path.write_text(json.dumps(results, indent=1) + "\n")
    path.with_suffix(".svg").write_text(chart(f"{processor}: time of the peer / time of gpucore", results["rows"]))
    print(f"wrote {path} and {path.with_suffix('.svg')}")


if __name__ == "__main__":
    main()
