"""`make dist`: builds the wheels and sdists of the last commit into a folder, and checks all that can be checked.

They are built twice, from two copies of the commit that differ in what must not matter: the folder, the times and the
permissions of the files, the time zone, the order of sets. Both builds must be the same, bit for bit.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bill_of_materials import describe, find_violations
from distribution_checks import find_faults
from distributions import FOLDERS, ROOT, Built, build_all


def main(arguments: list[str]) -> int:
    """Fills the folder that is named, unless something is wrong. Returns the status of the process."""
    target = Path(arguments[0]).resolve()
    epoch = _git("log", "-1", "--format=%ct").strip()
    if changes := _git("status", "--porcelain", "--", *FOLDERS.values()).strip():
        print(f"not committed, so not in what is built:\n{changes}")
    with tempfile.TemporaryDirectory(prefix="gpucore-dist-") as name:
        first = _build(Path(name, "first"), epoch, umask=0o022, PYTHONHASHSEED="1", TZ="UTC")
        second = _build(Path(name, "a second folder"), epoch, umask=0o027, PYTHONHASHSEED="2", TZ="Asia/Tokyo")
        faults = find_differences(first, second)
        for distribution, built in first.items():
            faults += find_faults(distribution, built, Path(name, "first", "source"))
        made = Path(name, "first", "built")
        faults += _check_descriptions(sorted(made.iterdir()))
        for built in first.values():
            bill = describe(built.wheel, int(epoch))
            faults += [f"the bill of materials of {built.wheel.name}: {each}" for each in find_violations(bill)]
            built.wheel.with_suffix(".cdx.json").write_text(json.dumps(bill, indent=2) + "\n")
        if not faults:
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(made, target)
            print("\n".join(path.name for path in sorted(target.iterdir())))
    for fault in faults:
        print(fault, file=sys.stderr)
    return bool(faults)


def find_differences(first: Mapping[str, Built], second: Mapping[str, Built]) -> list[str]:
    """Files of two builds that are not the same, bit for bit."""
    return [
        f"{one.name} is not reproducible: a second build differs"
        for distribution in first
        for one, other in zip(first[distribution], second[distribution], strict=True)
        if one.name != other.name or one.read_bytes() != other.read_bytes()
    ]


def _build(folder: Path, epoch: str, *, umask: int, **variables: str) -> dict[str, Built]:
    """Builds the last commit, with no isolation, from a copy in the folder."""
    source, built = folder / "source", folder / "built"
    built.mkdir(parents=True)
    source.mkdir()
    archive = folder / "source.tar"
    _git("archive", "--output", str(archive), "HEAD", "LICENSE", ".gitignore", *FOLDERS.values())
    outside = os.umask(umask)
    try:
        subprocess.run(["tar", "xf", str(archive), "--touch", "--no-same-permissions"], cwd=source, check=True)
        return build_all(built, source, SOURCE_DATE_EPOCH=epoch, **variables)
    finally:
        os.umask(outside)


def _check_descriptions(paths: list[Path]) -> list[str]:
    """What twine says against uploading the files."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, paths)]
    check = subprocess.run(command, capture_output=True, text=True)
    return [f"twine check: {check.stdout}{check.stderr}"] if check.returncode else []


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
