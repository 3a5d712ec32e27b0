"""`make fuzz`: thousands of random kernels on every device, in processes that survive a driver's crash.

FUZZ_KERNELS   how many (5000)
FUZZ_SEED      the seed (a random one); a campaign of a seed that was stopped goes on where it was
FUZZ_DEVICES   what to compare with the simulator, as in cuda,wgpu,opencl (cpu, wgpu and opencl where present)
FUZZ_PROCESSES how many at once (2)
FUZZ_MATRICES  how many of a hundred are kernels of matrices (12)

Each batch of kernels is a process of its own. Kernels on which devices differ are printed, and kept in the campaign's
folder under .fuzz; so is the kernel that a process died of. Kernels of matrices are checked by `gp.check`, too, as they
are and with a wait less.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BATCH = 100
BATCH_TIMEOUT_S = 1800


def main() -> int:
    kernels = int(os.environ.get("FUZZ_KERNELS", "5000"))
    seed = int(os.environ.get("FUZZ_SEED") or random.SystemRandom().randrange(1 << 31))
    processes = int(os.environ.get("FUZZ_PROCESSES", "2"))
    folder = ROOT / ".fuzz" / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    batches = -(-kernels // BATCH)
    todo = [number for number in range(batches) if not (folder / f"{number}.done").exists()]
    print(f"seed {seed}: {batches} batches of {BATCH} kernels, {batches - len(todo)} done before", flush=True)
    started = time.monotonic()
    with ThreadPoolExecutor(processes) as pool:
        failed = [number for number, passed in zip(todo, pool.map(lambda n: _batch(folder, seed, n), todo), strict=True)
                  if not passed]  # fmt: skip
    print(
        f"seed {seed}: {len(todo) - len(failed)} batches agree, {len(failed)} not, {time.monotonic() - started:.0f} s"
    )
    print(f"again: FUZZ_SEED={seed} FUZZ_KERNELS={kernels} make fuzz")
    return 1 if failed else 0


def _batch(folder: Path, seed: int, number: int) -> bool:
    """Run one batch in a process. What it says is kept; the last kernel too where it died."""
    command = [sys.executable, __file__, "--batch", str(folder), str(seed), str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=BATCH_TIMEOUT_S, check=False)
        status, text = done.returncode, done.stdout + done.stderr[-4000:]
    except subprocess.TimeoutExpired:
        status, text = -1, f"no end within {BATCH_TIMEOUT_S} seconds"
    if status == 0:
        (folder / f"{number}.done").write_text(text)
        print(f"batch {number}: {text.strip()}", flush=True)
        return True
    report = f"batch {number} of seed {seed}: exit status {status}\n{text}\nlast kernel: {folder / f'{number}.last.py'}"
    (folder / f"{number}.failed").write_text(report)
    print(report, flush=True)
    return False


def run_batch(folder: Path, seed: int, number: int) -> int:
    """In the process of a batch."""
    from hunting import Hunt  # noqa: PLC0415 (the campaign itself opens no device)

    last = folder / f"{number}.last.py"
    hunt = Hunt(seed * 10_000 + number, BATCH, lambda program: last.write_text(program.paste()) and None)
    try:
        hunt.run()
    except AssertionError as error:
        print(error)
        return 1
    print(f"{hunt.programs} kernels agree")
    last.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--batch"]:
        sys.exit(run_batch(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
    sys.exit(main())
