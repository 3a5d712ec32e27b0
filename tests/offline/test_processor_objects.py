"""Objects for processors: archives, linking, and code for processors that are not here, which an emulator runs."""

from __future__ import annotations

import ctypes
import math
import struct
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import packaged_kernels as kernels
import pytest

import gpucore as gp
from gpucore.compiler import Target
from gpucore.errors import DriverCompileError
from gpucore.offline.descriptions import emit_forms
from gpucore.offline.specialisations import Specialisation
from gpucore.offline.targets import find_target
from gpucore.runtime import Source
from gpucore.testing import require_device

pytest.importorskip("gpucore_cpu")
from gpucore_cpu import instructions
from gpucore_cpu.archive import read_archive, write_archive
from gpucore_cpu.code_memory import CodeMemory
from gpucore_cpu.elf import Object, Plan
from gpucore_cpu.emit import ENTRY, SCRATCH_NBYTES
from gpucore_cpu.levels import LEVELS, choose_offline, levels_of
from gpucore_cpu.objects import POOL, Archive, Code
from gpucore_cpu.pool import IMPORTS
from gpucore_cpu.pool_code import REPLAY, SERVE, SHARE

BASE, MEMORY, STACK, OUTSIDE = 0x40000000, 0x50000000, 0x60000000, 0x7000000000
SIZE = 100


def emitted(kernel: gp.Kernel, target: Target) -> Source:
    _, found = next(iter(emit_forms(Specialisation(kernel, {}), target)))
    return found.source


def archive_of(kernel: gp.Kernel, name: str) -> tuple[Source, dict[str, bytes]]:
    pytest.importorskip("llvmlite")
    target = find_target(name)
    assert target.device is not None
    source = emitted(kernel, target)
    return source, read_archive(target.backend.build(source, target.device))


def resolve(name: str) -> int:
    """Functions of the C library, further away than a call reaches."""
    return OUTSIDE + 16 * sum(name.encode())


# ---------------------------------------------------------------- archives and objects


def test_archives() -> None:
    members = {"plain.o": b"odd", "a.o": b"even", "empty.o": b""}
    content = write_archive(members)
    assert read_archive(content) == members and content[:8] == b"!<arch>\n" and len(content) % 2 == 0
    for damaged in (b"", content[:-3], content[:40], content.replace(b"`\n", b"``")):
        with pytest.raises(ValueError, match="archive"):
            read_archive(damaged)


@pytest.mark.parametrize("name", LEVELS)
def test_the_members(name: str) -> None:
    _, members = archive_of(kernels.strided, name)
    streaming = [] if name == "aarch64" else ["streaming.o"]
    assert [*members] == ["plain.o", "shifted.o", "general.o", *streaming, POOL]
    for member, content in members.items():
        found = Object(content)
        assert found.machine.name == ("aarch64" if name == "aarch64" else "x86-64")
        exports = Plan(found).exports(BASE)
        assert {SERVE, SHARE, REPLAY} <= {*exports} if member == POOL else {ENTRY, SCRATCH_NBYTES} <= {*exports}


@pytest.mark.parametrize("name", LEVELS)
def test_stubs_reach_any_address(name: str) -> None:
    """The code of a pool calls four functions outside it."""
    _, members = archive_of(kernels.saxpy, name)
    plan = Plan(Object(members[POOL]))
    assert sorted(plan.object.symbols[number].name for number in plan.stubs) == sorted(IMPORTS)
    image = plan.link(BASE, resolve)
    assert len(image) == plan.nbytes
    for number, at in plan.stubs.items():
        address = struct.pack("<Q", resolve(plan.object.symbols[number].name))
        assert address in image[at : at + plan.object.machine.stub_nbytes]


def test_damaged_objects() -> None:
    _, members = archive_of(kernels.saxpy, "x86-64-v3")
    content = members["plain.o"]
    for damaged in (b"", b"\x7fELF", content[:-40], content[:100], b"\x7fELF\x01" + content[5:]):
        with pytest.raises(ValueError):  # noqa: PT011 (each has its own message)
            Plan(Object(damaged)).link(BASE, resolve)
    with pytest.raises(ValueError, match="relocation 99 of x86-64 is unknown"):
        Plan(Object(with_relocation(content, 99))).link(BASE, resolve)
    with pytest.raises(ValueError, match="no function nowhere"):
        Plan(Object(members[POOL])).link(BASE, lambda name: unknown("nowhere"))
    with pytest.raises(DriverCompileError, match=r"machine code of saxpy cannot be loaded: .*archive"):
        Archive("saxpy", b"junk")
    with pytest.raises(DriverCompileError, match=r"has no general\.o"):
        Archive("saxpy", write_archive({"plain.o": content}))


def unknown(name: str) -> int:
    raise ValueError(f"the C library of this machine has no function {name}")


def with_relocation(content: bytes, type: int) -> bytes:
    """The object with another type in its first relocation."""
    (at,) = [place for place in range(len(content) - 24) if content[place : place + 24] in relocations(content)][:1]
    (info,) = struct.unpack_from("<Q", content, at + 8)
    return content[: at + 8] + struct.pack("<Q", info >> 32 << 32 | type) + content[at + 16 :]


def relocations(content: bytes) -> set[bytes]:
    found = Object(content).relocations()
    return {struct.pack("<QQq", offset, symbol << 32 | type, addend) for _, offset, type, symbol, addend in found}


def test_code_memory() -> None:
    if sys.platform == "win32":
        pytest.skip("no target runs on Windows")
    memory = CodeMemory(16)
    memory.fill(
        b"\xb8\x07\0\0\0\xc3" if LEVELS["x86-64-v3"].machine == levels_machine() else b"\xe0\0\x80\x52\xc0\x03_\xd6"
    )
    assert ctypes.CFUNCTYPE(ctypes.c_int)(memory.address)() == 7
    program = "from gpucore_cpu.code_memory import CodeMemory as C; import ctypes; m = C(16); m.fill(b'1'); "
    run = subprocess.run([sys.executable, "-c", program + "ctypes.memset(m.address, 0, 1)"], check=False)
    assert run.returncode < 0  # it is read-only


def levels_machine() -> str:
    from gpucore_cpu.levels import this_machine  # noqa: PLC0415 (the module is optional)

    return this_machine()


def test_code_for_another_processor() -> None:
    other = "x86-64-v3" if levels_machine() == "aarch64" else "aarch64"
    _, members = archive_of(kernels.saxpy, other)
    with pytest.raises(ValueError, match=r"the code is for .*, and this processor is"):
        Code(members["plain.o"], {})


# ---------------------------------------------------------------- levels


def test_features_without_llvm() -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    if levels_machine() != "x86_64":
        pytest.skip("x86-64 only")
    found, known = instructions.read_features(), dict(llvm.get_host_cpu_features())
    assert len(found) == 28
    assert {name: has for name, has in found.items() if known.get(name, has) != has} == {}
    assert levels_of(found) == levels_of(known)


def test_what_cpuid_says() -> None:
    """A processor with all instructions, on systems that save fewer registers."""
    everything = {0: (7, 0, 0, 0), 1: (0, 0, 2**32 - 1, 0), 7: (0, 2**32 - 1, 0, 0)}
    everything |= {0x80000000: (0x80000001, 0, 0, 0), 0x80000001: (0, 0, 2**32 - 1, 0)}

    def levels(facts: Mapping[int, tuple[int, int, int, int]], saved: int) -> tuple[str, ...]:
        return levels_of(instructions._features(facts.__getitem__, lambda: saved))

    if levels_machine() != "x86_64":
        pytest.skip("x86-64 only")
    assert [levels(everything, saved) for saved in (0, 6, 0xE6)] == [
        (), ("x86-64-v3",), ("x86-64-v4", "x86-64-v3")
    ]  # fmt: skip
    old = dict.fromkeys((0, 1), (1, 0, 2**27, 0)) | {0x80000000: (0, 0, 0, 0)}
    assert levels(old, 0xE6) == ()


def test_the_best_level_is_chosen() -> None:
    info = require_device("cpu").info
    best = dict(info.details)["levels"].split()
    assert choose_offline(tuple(LEVELS), info) == best[0] and choose_offline((best[-1],), info) == best[-1]
    assert choose_offline(("sm_90",), info) == choose_offline((), info) == ""


# ---------------------------------------------------------------- emulation


def emulator() -> tuple[Any, Any]:
    """An AArch64 processor, with memory for code, data and a stack; and the numbers of its registers."""
    unicorn = pytest.importorskip("unicorn", reason="the package unicorn, which emulates processors, is not installed")
    machine = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
    for place in (BASE, MEMORY, STACK):
        machine.mem_map(place, 1 << 20)
    return machine, unicorn.arm64_const


@pytest.mark.parametrize("member", ["plain.o", "general.o"])
@pytest.mark.parametrize("kernel", ["saxpy", "with_functions"])
def test_code_for_aarch64_computes_the_same(kernel: str, member: str) -> None:
    """Its registers are set as a call sets them. It calls nothing of the C library."""
    machine, registers = emulator()
    source, members = archive_of(getattr(kernels, kernel), "aarch64")
    plan = Plan(Object(members[member]))
    exports, end = plan.exports(BASE), BASE + 0x80000
    machine.mem_write(BASE, plan.link(BASE, unknown))
    x = np.arange(SIZE, dtype=np.float32)
    places = MEMORY + 0x1000, MEMORY + 0x2000 + (4 if member == "general.o" else 0)
    machine.mem_write(places[0], x.tobytes())
    machine.mem_write(places[1], np.ones(SIZE, np.float32).tobytes())
    machine.mem_write(MEMORY, struct.pack("<QQ", *places))
    scalars = {"saxpy": struct.pack("<fi", 2.0, SIZE), "with_functions": struct.pack("<i", SIZE)}[kernel]
    machine.mem_write(MEMORY + 0x800, scalars.ljust(source.scalars_nbytes, b"\0"))
    workgroups = -(-SIZE // source.workgroup_size[0])
    arguments = MEMORY, MEMORY + 0x800, MEMORY + 0x8000, workgroups, 1, 1, 0, workgroups
    for number, value in enumerate(arguments):
        machine.reg_write(getattr(registers, f"UC_ARM64_REG_X{number}"), value)
    machine.reg_write(registers.UC_ARM64_REG_X18, 0x1818)
    machine.reg_write(registers.UC_ARM64_REG_SP, STACK + 0xF0000)
    machine.reg_write(registers.UC_ARM64_REG_LR, end)
    machine.reg_write(registers.UC_ARM64_REG_CPACR_EL1, 3 << 20)  # vector instructions
    machine.emu_start(exports[ENTRY], end, count=5_000_000)
    found = np.frombuffer(bytes(machine.mem_read(places[kernel == "saxpy"], 4 * SIZE)), np.float32)
    if kernel == "saxpy":
        assert np.array_equal(found, 2 * x + 1)
    else:
        wanted = [math.sin(v) + math.sqrt(v) + math.cosh(v) for v in x[:80]]
        np.testing.assert_allclose(found[:80], np.array(wanted, np.float32), rtol=2e-6)
    assert machine.reg_read(registers.UC_ARM64_REG_X18) == 0x1818  # which macOS keeps for itself


def changed(content: bytes, seed: int) -> bytes:
    """An object with some of its bytes replaced."""
    random, found = np.random.default_rng(seed), bytearray(content)
    for at in random.integers(0, len(content), 3):
        found[at] = random.integers(0, 256)
    return bytes(found)


@pytest.mark.parametrize("target", ["x86-64-v3", "aarch64"])
def test_damaged_objects_are_refused_or_linked_within_their_image(target: str) -> None:
    """No other error, and no byte beside the image."""
    _, members = archive_of(kernels.saxpy, target)
    content, refused = members["plain.o"], 0
    for seed in range(400):
        try:
            plan = Plan(Object(changed(content, seed)))
            assert len(plan.link(BASE, resolve)) == plan.nbytes
        except ValueError:
            refused += 1
    assert 0 < refused < 400


@pytest.mark.parametrize("target", ["x86-64-v3", "aarch64"])
def test_objects_call_functions_that_each_c_library_has(target: str) -> None:
    """sincos is one of GNU's."""

    @gp.kernel
    def both(x: gp.InOut[gp.f64]):
        i = gp.global_id(0)
        if i < x.size:
            x[i] = gp.sin(x[i]) + gp.cos(x[i]) * 2.0

    _, members = archive_of(both, target)
    found = Object(members["plain.o"])
    outside = {symbol.name for symbol in found.symbols if symbol.name and symbol.section == 0}
    assert outside >= {"sin", "cos"} and "sincos" not in outside
