"""IR by hand, in few words, and what turns it into WGSL."""

from __future__ import annotations

import time

from gpucore import ir
from gpucore.ir import BOOL, I32, BuiltinKind, Capability, Limits
from gpucore.ir.build import add, mul
from gpucore.runtime import Device, DeviceInfo, DeviceKind, Mark, Source
from gpucore.valid import validate
from gpucore_wgpu.emit import emit
from gpucore_wgpu.steps import prepare


class Kernel:
    """Collects the statements of one kernel; blocks are lists that statements are added to."""

    def __init__(self, name: str = "kernel", workgroup_size: int = 1) -> None:
        self.name, self.workgroup_size = name, workgroup_size
        self.buffers: list[ir.Buffer] = []
        self.params: list[ir.Param] = []
        self.arrays: list[ir.WorkgroupArray] = []
        self.body: list[ir.Stmt] = []
        self._ids = 0

    def buffer(self, name: str, element: ir.Element, writable: bool = False) -> ir.Buffer:
        self.buffers.append(ir.Buffer(len(self.buffers), name, element, True, writable))
        return self.buffers[-1]

    def param(self, name: str, type: ir.ScalarType) -> ir.Param:
        self.params.append(ir.Param(len(self.params), name, type))
        return self.params[-1]

    def workgroup_array(self, name: str, element: ir.Type, length: int) -> ir.WorkgroupArray:
        self.arrays.append(ir.WorkgroupArray(self.id(), name, element, length))
        return self.arrays[-1]

    def id(self) -> int:
        self._ids += 1
        return self._ids

    def value(self, name: str, type: ir.Type) -> ir.Value:
        return ir.Value(self.id(), name, type)

    def local(self, name: str, type: ir.Type) -> ir.Local:
        return ir.Local(self.id(), name, type)

    def let(self, name: str, expr: ir.Expr, block: list[ir.Stmt] | None = None) -> ir.Value:
        value = self.value(name, expr.type)
        (self.body if block is None else block).append(ir.Let(value, expr))
        return value

    def load(
        self,
        name: str,
        memory: ir.Memory,
        index: ir.Expr,
        block: list[ir.Stmt] | None = None,
        path: tuple[int, ...] = (),
    ) -> ir.Value:
        place = ir.Place(memory, index, path)
        value = self.value(name, place.type)
        (self.body if block is None else block).append(ir.Load(value, place))
        return value

    def store(
        self,
        memory: ir.Memory,
        index: ir.Expr,
        expr: ir.Expr,
        block: list[ir.Stmt] | None = None,
        path: tuple[int, ...] = (),
    ) -> None:
        (self.body if block is None else block).append(ir.Store(ir.Place(memory, index, path), expr))

    def subgroup(
        self, name: str, op: ir.SubgroupOp, operand: ir.Expr | None = None, argument: ir.Expr | None = None
    ) -> ir.Value:
        type: ir.Type = BOOL if operand is None else operand.type
        if op is ir.SubgroupOp.BALLOT:
            type = ir.VectorType(ir.U32, 4)
        value = self.value(name, type)
        self.body.append(ir.Subgroup(value, op, operand, argument))
        return value

    def global_id(self) -> ir.Value:
        return self.let("i", add(mul(builtin(BuiltinKind.WORKGROUP_ID), i32(self.workgroup_size)), local_id()))

    def module(self) -> ir.Module:
        origins = tuple(ir.ArgumentOrigin(param.name) for param in self.params)
        return ir.Module(
            self.name, (self.workgroup_size, 1, 1), tuple(self.buffers), tuple(self.params), origins,
            tuple(self.arrays), tuple(self.body),
        )  # fmt: skip


def builtin(kind: BuiltinKind, axis: int = 0) -> ir.Builtin:
    return ir.Builtin(kind, axis)


def local_id() -> ir.Builtin:
    return builtin(BuiltinKind.LOCAL_ID)


def constant(value: bool | int | float, type: ir.ScalarType) -> ir.Constant:
    return ir.Constant(value, type)


def i32(value: int) -> ir.Constant:
    return ir.Constant(value, I32)


def map_kernel(source: ir.Type, target: ir.Type, function: object, arguments: int = 1) -> ir.Module:
    """out[i] = function(a[i], b[i], ...) for one workgroup of one invocation an element; bool is stored as u32."""
    kernel = Kernel("mapped", 1)
    inputs = [kernel.buffer("abc"[number], source) for number in range(arguments)]
    output = kernel.buffer("out", target, writable=True)
    i = kernel.let("i", builtin(BuiltinKind.WORKGROUP_ID))
    values = [kernel.load(f"x{number}", memory, i) for number, memory in enumerate(inputs)]
    assert callable(function)
    result = function(*values)
    kernel.store(output, i, result)
    return kernel.module()


ALL_CAPABILITIES = frozenset(
    {
        Capability.F16,
        Capability.F64,
        Capability.INT64,
        Capability.ATOMIC_INT64,
        Capability.SUBGROUP,
        Capability.SUBGROUP_BARRIER,
    }
)
WIDE_LIMITS = ir.Limits(max_workgroup_size=(1024, 1024, 64), max_workgroup_invocations=1024, max_buffers=16)


LAVAPIPE = DeviceInfo(
    "wgpu:vulkan:0",
    "wgpu",
    0,
    "llvmpipe (LLVM 15.0.6, 256 bits)",
    DeviceKind.SOFTWARE,
    "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)",
    api="Vulkan",
    limits=Limits(max_loop_iterations=65535),
)
OPENGL = DeviceInfo("wgpu:opengl:0", "wgpu", 0, "adapter", DeviceKind.GPU, "driver", api="OpenGL")


def prove(module: ir.Module, info: DeviceInfo | None = None) -> ir.ValidModule:
    """The proof that emitters take, with the workarounds for a device's driver."""
    return validate(prepare(module, info), ALL_CAPABILITIES, WIDE_LIMITS)


def wgsl(module: ir.Module, device: Device | None = None) -> Source:
    """What is emitted for a module."""
    return wgsl_for(module, None if device is None else device.info)


def wgsl_for(module: ir.Module, info: DeviceInfo | None) -> Source:
    """What is emitted for a module on a device that need not exist."""
    return emit(prove(module, info), info)


def wait(mark: Mark, seconds: float = 600.0) -> None:
    """Wait until a mark is done; lavapipe compiles kernels in that time. `seconds` ends a test whose device hangs."""
    end = time.monotonic() + seconds
    while not mark.is_done():
        assert time.monotonic() < end, "the device does not answer"
        time.sleep(0.0005)
