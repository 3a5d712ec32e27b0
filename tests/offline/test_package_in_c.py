"""examples/c/saxpy.c runs a kernel of a package, by OpenCL; its part for CUDA compiles."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import packaged_kernels as kernels
import pytest

import gpucore as gp
from gpucore.testing import require_device

SOURCE = Path(__file__).parents[2] / "examples" / "c" / "saxpy.c"
WARNINGS = "-std=c99", "-Wall", "-Wextra", "-Werror"
STUB = """
typedef int CUdevice; typedef void *CUcontext, *CUmodule, *CUfunction, *CUstream;
typedef unsigned long long CUdeviceptr;
typedef unsigned long size_type; typedef int CUresult;
enum { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76 };
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
CUresult cuInit(unsigned), cuDeviceGet(CUdevice *, int), cuDevicePrimaryCtxRetain(CUcontext *, CUdevice);
CUresult cuCtxSetCurrent(CUcontext), cuDeviceGetAttribute(int *, int, CUdevice);
CUresult cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *), cuMemAlloc(CUdeviceptr *, size_type);
CUresult cuMemcpyHtoD(CUdeviceptr, const void *, size_type), cuMemcpyDtoH(void *, CUdeviceptr, size_type);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                        void **, void **);
"""


@pytest.fixture
def compiler() -> str:
    found = shutil.which("cc") or shutil.which("gcc")
    if found is None:
        pytest.skip("there is no C compiler")
    return found


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def program(compiler: str, tmp_path: Path) -> str:
    """The example, compiled."""
    (tmp_path / "has.c").write_text("#include <CL/cl.h>\nint main(void) { return clFinish(0) == 0; }\n")
    probe = run(compiler, str(tmp_path / "has.c"), "-o", str(tmp_path / "has"), "-lOpenCL")
    if probe.returncode:
        pytest.skip("OpenCL's headers and loader are not installed (Debian: opencl-headers, ocl-icd-opencl-dev)")
    made = run(compiler, *WARNINGS, str(SOURCE), "-o", str(tmp_path / "saxpy"), "-lOpenCL")
    assert made.returncode == 0, made.stderr
    return str(tmp_path / "saxpy")


def test_it_is_short() -> None:
    lines = SOURCE.read_text().splitlines()
    assert len(lines) < 150 and max(map(len, lines)) <= 120


def test_opencl(program: str, tmp_path: Path) -> None:
    require_device("opencl")
    path = tmp_path / "kernels.gpu"
    gp.build(path, kernels.SPECIALISATIONS[:4], ["x86-64-v3", "opencl", "opencl-cpu"])
    ended = run(program, str(path))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("100000 elements are right\n")


def test_files_that_it_refuses(program: str, tmp_path: Path) -> None:
    path = tmp_path / "kernels.gpu"
    gp.build(path, kernels.SPECIALISATIONS[1:2], ["opencl", "opencl-cpu"])
    content = path.read_bytes()
    assert run(program).stderr == "saxpy: give the file of a package, as in ./saxpy kernels.gpu\n"
    for damaged in (b"", b"PK" * 20, content[: len(content) // 2]):
        path.write_bytes(damaged)
        assert run(program, str(path)).stderr == "saxpy: this is no package of kernels\n"


def test_the_part_for_cuda_compiles(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "cuda.h").write_text(STUB)
    made = run(compiler, *WARNINGS, "-DUSE_CUDA", f"-I{tmp_path}", "-fsyntax-only", str(SOURCE))
    assert made.returncode == 0, made.stderr
