"""`gpucore build`, and launches of what it wrote in processes that can compile nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from here import NAMES, target_of

import gpucore as gp
from gpucore.cli import main
from gpucore.testing import require_device

KERNELS = str(Path(__file__).with_name("packaged_kernels.py"))
RUN = """
import json, pathlib, sys
unused = ("gpucore.front.walk.lower", "gpucore.passes.pipeline", "gpucore.valid.validation", "llvmlite",
          "llvmlite.binding")
sys.modules.update(dict.fromkeys(unused))  # an import of one of them raises
try:
    from gpucore_cuda import nvrtc
    nvrtc.find_library = lambda: None  # it is not installed
except ImportError:
    pass
import numpy as np
import gpucore as gp
package, device = gp.load(sys.argv[1]), gp.device(sys.argv[2])
x, y = gp.arange(300, dtype=gp.f32, device=device), gp.ones(300, device=device)
for _ in range(3):
    package.saxpy(2.0, x, y)
package.saxpy(1.0, x[1:], y[:-1])
host = np.arange(300, dtype=np.float32)
expected = host * 6 + 1
expected[:-1] += host[1:]
assert np.array_equal(y.numpy(), expected)
z = gp.arange(300, dtype=gp.i32, device=device)
package.scale(z, 3)
assert np.array_equal(z.numpy(), np.arange(300) * 3)
maps = pathlib.Path("/proc/self/maps")
assert not maps.exists() or "libnvrtc" not in maps.read_text()
print(json.dumps(sorted(name for name in unused if sys.modules[name])))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "kernels.gpu"
    arguments = ["build", f"{KERNELS}:saxpy,scale[T=i32,n=3]", "-o", str(path)]
    for target in dict.fromkeys(["aarch64", *filter(None, map(target_of, gp.devices()))]):
        arguments += ["--target", target]
    assert main(arguments) == 0
    return path


@pytest.mark.parametrize("name", NAMES)
def test_launches_without_compilers(built: Path, name: str) -> None:
    require_device(name)
    command = [sys.executable, "-W", "error::gpucore.CacheWarning", "-c", RUN, str(built), name]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == []


def test_modules_with_short_names_and_strings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ "k:..." is no drive. Strings are in double quotes, and differ from what they spell."""
    (tmp_path / "k.py").write_text(
        "import gpucore as gp\n\n@gp.kernel\ndef named(x: gp.Out[gp.f32], s: gp.Const[object], n: gp.Const[int] = 4):\n"
        "    i = gp.global_id(0)\n    if i < x.size:\n        x[i] = 1.0 if s == 'a' or s == 'true' else gp.f32(n)\n"
        "\n@gp.kernel\ndef plain(x: gp.Out[gp.f32], n: gp.Const[int] = 5):\n"
        "    i = gp.global_id(0)\n    if i < x.size:\n        x[i] = gp.f32(n)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    path = str(tmp_path / "k.gpu")
    kernels = 'k:named[s="a",n=2],named[s="true"],named[s=true],named[s="1"],named[s=1]'
    assert main(["build", kernels, "-o", path, "--target", "x86-64-v3"]) == 0
    package, device = gp.load(path), require_device("cpu")
    assert [name for name in package.names if "[" in name] == [
        'named[s="a",n=2]', 'named[s="true",n=4]', "named[s=true,n=4]", 'named[s="1",n=4]', "named[s=1,n=4]",
    ]  # fmt: skip
    values: list[tuple[object, int, float]] = [("a", 2, 1), ("true", 4, 1), (True, 4, 4), ("1", 4, 4), (1, 4, 4)]
    for s, n, wanted in values:
        x = gp.empty(3, device=device)
        package.named(x, s, n)
        assert x.numpy().tolist() == [wanted] * 3
    assert main(["build", "k", "-o", path, "--target", "x86-64-v3"]) == 0  # named needs a value
    assert gp.load(path).names == ("plain", "plain[n=5]")


def test_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest, path = tmp_path / "kernels.toml", tmp_path / "kernels.gpu"
    manifest.write_text(
        f'module = "{KERNELS}"\nkernels = ["saxpy", "scale[T=f32,n=4]"]\ntargets = ["wgsl", "opencl"]\n'
    )
    assert main(["build", "--manifest", str(manifest), "-o", str(path)]) == 0
    output = capsys.readouterr()
    assert output.out.startswith(f"{path}: 2 kernels for wgsl, opencl (2 targets), ")
    assert [line.rpartition(": ")[0] for line in output.err.splitlines()] == [
        "saxpy for wgsl", "saxpy for opencl", "scale[T=f32,n=4,negated=false] for wgsl",
        "scale[T=f32,n=4,negated=false] for opencl",
    ]  # fmt: skip
    assert gp.load(path).names == ("saxpy", "scale", "scale[T=f32,n=4,negated=false]")
    with zipfile.ZipFile(path) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert archive.namelist()[0] == "manifest.json"
        assert json.loads(archive.read("manifest.json"))["kernels"][0]["module"] is None  # a file has no name
    assert main(["build", "--manifest", str(manifest), "--target", "opencl", "-o", str(path)]) == 0
    assert gp.load(path).targets == ("opencl",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kernels = []", "name the module that has the kernels"),
        ("module = 'a'\ntarget = ['wgsl']", "there is no key 'target'; did you mean 'targets'?"),
        ("module = 'a'\ntargets = 'wgsl'", "targets is a list of strings, not 'wgsl'"),
        ("module = ", "is not TOML"),
        (None, "cannot be read: No such file"),
    ],
)
def test_wrong_manifests(text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = tmp_path / "kernels.toml"
    if text is not None:
        manifest.write_text(text)
    assert main(["build", "--manifest", str(manifest), "-o", str(tmp_path / "k.gpu")]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "give either MODULE[:KERNEL,...], as in gpucore build mine.kernels:saxpy"),
        ([f"{KERNELS}:sax"], 2, "has no kernel 'sax'; its kernels are saxpy, scale"),
        ([f"{KERNELS}:scale"], 2, "give a value for the compile-time parameter, n="),
        ([KERNELS, "--manifest", "k.toml"], 2, "or --manifest"),
        ([f"{KERNELS}:saxpy", "--target", "wgls"], 2, "did you mean 'wgsl'?"),
        ([f"{KERNELS}:saxpy", "--target", "simulator"], 2, "no installed backend has the target 'simulator'"),
        ([f"{KERNELS}:in_f64", "--target", "sm_60"], 2, "no installed backend has the target 'sm_60'"),
        (["no_such_module"], 2, "importing no_such_module failed"),
        ([f"{KERNELS}:scale[n=1.5]"], 2, "'n' is a compile-time int, not 1.5"),
    ],
)
def test_mistakes(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", *arguments, "-o", str(tmp_path / "k.gpu")]) == code
    errors = capsys.readouterr().err
    assert message in errors and "Traceback" not in errors
    assert not (tmp_path / "k.gpu").exists()


WITHOUT_LLVM = """
import sys
sys.modules.update({"llvmlite": None, "llvmlite.binding": None})
import gpucore as gp
found = gp.devices()
assert found[-1].id == "cpu:0" and [info.compiles for info in found if info.backend != "cuda"].count(False) == 1
assert found[-1].driver == "without llvmlite"
x = gp.ones(8, device="cpu")
try:
    x + x
except gp.BackendUnavailableError as error:
    print(error)
kernel = gp.kernel_from_text("def k(x: gp.Out[gp.f32]):\\n    x[0] = 1.0\\n")
try:
    gp.build(sys.argv[1], [kernel], ["aarch64"])
except gp.BackendUnavailableError as error:
    print(error)
"""


def test_a_processor_without_llvm_can_be_opened_but_is_not_chosen(tmp_path: Path) -> None:
    require_device("cpu")
    command = [sys.executable, "-W", "ignore", "-c", WITHOUT_LLVM, str(tmp_path / "k.gpu")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    call, build = run.stdout.splitlines()
    assert call.startswith("cpu:0 cannot compile kernels: llvmlite cannot be imported: ")
    assert call.endswith("install it (pip install llvmlite), or run kernels of a package, which gp.load loads")
    assert build.startswith("llvmlite, which compiles for aarch64, cannot be imported: ")
