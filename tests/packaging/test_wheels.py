"""What is in the wheels and sdists, and that damage to them is found."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from bill_of_materials import describe, find_violations
from distribution_checks import find_faults, read_wheel
from distributions import FOLDERS, PLUGINS, Built

pytestmark = pytest.mark.xdist_group("packaging")
CPU = "gpucore-cpu"
INFORMATION = "gpucore_cpu-0.1.0.dist-info"


@pytest.mark.parametrize("distribution", FOLDERS)
def test_nothing_is_wrong(distribution: str, built: dict[str, Built]) -> None:
    assert find_faults(distribution, built[distribution]) == []


def test_what_no_user_needs_is_left_out(built: dict[str, Built]) -> None:
    """Also where npm has installed what builds the runtime of pages."""
    with tarfile.open(built["gpucore-wgpu"].sdist) as archive:
        names = archive.getnames()
    assert "gpucore_wgpu-0.1.0/web/src/device.ts" in names
    assert not [name for name in names if "node_modules" in name or "/test/" in name]


def _rewrite(wheel: Path, target: Path, changed: dict[str, bytes | None], *, keeps_record: bool = False) -> Path:
    """A copy with other contents, None for files that are left out, and a RECORD that agrees with them."""
    files = read_wheel(wheel) | changed
    (record,) = (name for name in files if name.endswith("/RECORD"))
    left = {name: content for name, content in files.items() if content is not None}
    if not keeps_record:
        rows = [f"{record},,"]
        for name, content in left.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows += [f"{name},sha256={digest},{len(content)}"] if name != record else []
        left[record] = "\n".join(rows).encode()
    with zipfile.ZipFile(target / wheel.name, "w") as archive:
        for name, content in left.items():
            archive.writestr(name, content)
    return target / wheel.name


def _replace(name: str, old: str, new: str) -> Callable[[dict[str, bytes]], dict[str, bytes | None]]:
    def change(files: dict[str, bytes]) -> dict[str, bytes | None]:
        assert old.encode() in files[name]
        return {name: files[name].replace(old.encode(), new.encode())}

    return change


METADATA = f"{INFORMATION}/METADATA"
DAMAGES: dict[str, tuple[Callable[[dict[str, bytes]], dict[str, bytes | None]], str]] = {
    "no mark of types": (lambda _: {"gpucore_cpu/py.typed": None}, "gpucore_cpu has no py.typed"),
    "a module is missing": (lambda _: {"gpucore_cpu/jit.py": None}, "lacks gpucore_cpu/jit.py"),
    "a module of another version": (_replace("gpucore_cpu/jit.py", "import", "import "), "jit.py of the wheel differs"),
    "a test": (lambda _: {"tests/test_jit.py": b""}, "has tests/test_jit.py, which is not of the package"),
    "a cache": (lambda _: {"gpucore_cpu/__pycache__/jit.cpython-311.pyc": b""}, "jit.cpython-311.pyc, which is not of"),
    "no license": (lambda _: {f"{INFORMATION}/licenses/LICENSE": None}, "lacks the text of the license"),
    "a loose pin": (_replace(METADATA, "gpucore==0.1.0", "gpucore>=0.1.0"), "does not pin gpucore to 0.1.0"),
    "another version": (_replace(METADATA, "Version: 0.1.0", "Version: 0.2.0"), "Version is '0.2.0', not '0.1.0'"),
    "no core": (_replace(METADATA, "Requires-Dist: gpucore==0.1.0\n", ""), "it does not require gpucore"),
    "no classifier of types": (_replace(METADATA, "Classifier: Typing :: Typed\n", ""), "Typing :: Typed is missing"),
    "fewer Pythons": (_replace(METADATA, "Classifier: Programming Language :: Python :: 3.12\n", ""), "classifiers of"),
    "no description": (_replace(METADATA, "LLVM IR", ""), "description is"),
    "another page": (_replace(METADATA, "License-E", "Project-URL: Repository, https://x.y\nLicense-E"), "Project-URL"),
    "invalid metadata": (_replace(METADATA, "Metadata-Version: 2", "Metadata-Version: x"), "metadata is invalid"),
    "no hook": (lambda _: {f"{INFORMATION}/entry_points.txt": None}, "the entry points are {}"),
    "a hook elsewhere": (_replace(f"{INFORMATION}/entry_points.txt", ".plugin", ".plugins"), "that the wheel lacks"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_wheel_is_refused(damage: str, built: dict[str, Built], tmp_path: Path) -> None:
    change, fault = DAMAGES[damage]
    wheel = _rewrite(built[CPU].wheel, tmp_path, change(read_wheel(built[CPU].wheel)))
    faults = find_faults(CPU, built[CPU]._replace(wheel=wheel))
    assert any(fault in each for each in faults), faults
    assert not any("RECORD" in each for each in faults)


def test_content_that_record_does_not_have_is_refused(built: dict[str, Built], tmp_path: Path) -> None:
    changed: dict[str, bytes | None] = {"gpucore_cpu/more.py": b"", "gpucore_cpu/jit.py": b""}
    wheel = _rewrite(built[CPU].wheel, tmp_path, changed, keeps_record=True)
    faults = find_faults(CPU, built[CPU]._replace(wheel=wheel))
    assert "gpucore_cpu/more.py is in the wheel only" in faults
    assert "gpucore_cpu/jit.py has not the hash that RECORD has" in faults


def test_a_command_without_its_function_is_refused(built: dict[str, Built], tmp_path: Path) -> None:
    change = _replace("gpucore-0.1.0.dist-info/entry_points.txt", "gpucore.cli:main", "gpucore.cli:start")
    wheel = _rewrite(built["gpucore"].wheel, tmp_path, change(read_wheel(built["gpucore"].wheel)))
    faults = find_faults("gpucore", built["gpucore"]._replace(wheel=wheel))
    assert any("names what its module does not define" in fault for fault in faults)


def test_an_extra_that_installs_nothing_is_refused(built: dict[str, Built], tmp_path: Path) -> None:
    metadata = read_wheel(built["gpucore"].wheel)["gpucore-0.1.0.dist-info/METADATA"]
    lines = [line for line in metadata.splitlines(keepends=True) if b"gpucore-opencl" not in line]
    wheel = _rewrite(built["gpucore"].wheel, tmp_path, {"gpucore-0.1.0.dist-info/METADATA": b"".join(lines)})
    faults = find_faults("gpucore", built["gpucore"]._replace(wheel=wheel))
    assert any("no extra installs gpucore-opencl" in fault for fault in faults)


@pytest.mark.parametrize("name", ["gpucore_cpu-0.1.0/tests/test_jit.py", "gpucore_cpu-0.1.0/notes.txt", "outside.txt"])
def test_an_sdist_with_more_is_refused(name: str, built: dict[str, Built], tmp_path: Path) -> None:
    sdist = tmp_path / built[CPU].sdist.name
    with tarfile.open(built[CPU].sdist) as source, tarfile.open(sdist, "w:gz") as target:
        for member in source.getmembers():
            target.addfile(member, source.extractfile(member))
        target.addfile(tarfile.TarInfo(name), io.BytesIO())
    faults = find_faults(CPU, built[CPU]._replace(sdist=sdist))
    assert len(faults) == 1 and name.removeprefix("gpucore_cpu-0.1.0/") in faults[0]


@pytest.mark.parametrize("distribution", FOLDERS)
def test_bill_of_materials(distribution: str, built: dict[str, Built]) -> None:
    """What the wheel is, and all that it may require; the stranger's package on PyPI is not named as ours."""
    wheel = built[distribution].wheel
    bill = describe(wheel, epoch=1700000000)
    component = bill["metadata"]["component"]
    assert component["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}]
    assert (component["name"], component["version"]) == (distribution, "0.1.0")
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    scopes = {each["name"]: each["scope"] for each in bill["components"]}
    plugins = {f"gpucore-{name}": "optional" for name in PLUGINS}
    wanted: dict[str, dict[str, str]] = {
        "gpucore": {"numpy": "required", "pluggy": "required", "packaging": "required", **plugins,
                    "gpucore-dask": "optional", "rich": "optional",
                    "matplotlib": "optional", "ml-dtypes": "optional", "pytest": "optional"},
        "gpucore-cpu": {"gpucore": "required", "numpy": "required", "llvmlite": "required"},
        "gpucore-wgpu": {"gpucore": "required", "wgpu": "required"},
        "gpucore-opencl": {"gpucore": "required", "numpy": "required", "pyopencl": "required"},
        "gpucore-dask": {"gpucore": "required", "numpy": "required", "dask": "required", "distributed": "required",
                         "cloudpickle": "required", "pandas": "optional", "pyarrow": "optional", "zarr": "optional"},
        "gpucore-cuda": {"gpucore": "required", "nvidia-cuda-nvrtc": "required", "pycuda": "optional",
                         "cuda-bindings": "optional"},
    }  # fmt: skip
    assert scopes == wanted[distribution]
    assert {each["name"] for each in bill["components"] if "purl" not in each} == scopes.keys() & FOLDERS.keys()
    assert "purl" not in component
    assert bill["dependencies"][0]["dependsOn"] == [each["bom-ref"] for each in bill["components"]]
    assert describe(wheel, epoch=1700000000) == bill


@pytest.mark.parametrize("distribution", FOLDERS)
def test_bill_of_materials_is_valid(distribution: str, built: dict[str, Built]) -> None:
    pytest.importorskip("cyclonedx.validation.json", reason="it is in requirements-dist.txt")
    pytest.importorskip("jsonschema", reason="it is in requirements-dist.txt")
    bill = describe(built[distribution].wheel, epoch=1700000000)
    assert find_violations(bill) == []
    assert find_violations(bill | {"serialNumber": "nine"}) != []
