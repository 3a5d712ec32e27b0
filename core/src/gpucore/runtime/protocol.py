"""The backend interface: abstract classes that a plugin implements.

A backend sees bytes, a `Source` and three integers. Everything above (dtypes, shapes, argument checks, caching, zero
sizes, folding of large dispatches, waiting) is written once in core. Each method says what it MUST, SHOULD and MAY do;
`Device` says what holds for threads and errors.
"""

from __future__ import annotations

import abc
import enum
import time
from collections.abc import Callable, Sequence

from gpucore.immutable import Immutable
from gpucore.ir import Capability, Element, Limits, MathOp, Module, SubgroupOp, Type, ValidModule, expansions
from gpucore.ir.source import Source as Source

GPUCORE_API = "2.0"
"""Version of this interface, "major.minor". A plugin module declares the one it was written for under the same name.

A plugin of another major version is refused. 2.0: Backend.emit takes the device; Backend.prepare, Backend.settings,
Backend.coarsens, Backend.takes_view, Backend.prefetches, Backend.shapes_for, Backend.offline_targets,
Backend.offline_device, Backend.build, Backend.choose_offline, Backend.runtime_files, Device.load, Buffer.address,
Buffer.part, Buffer.expect_read, Buffer.start_write, Buffer.start_read, Device.memory_space, Device.stream,
Device.adopt, Device.wait_for_stream, Device.block_stream, Device.launcher, Device.record, Device.fence, Device.is_idle,
Device.idle_polls, Device.queues, Device.select, Device.order, Device.pinned, Mark.pause, Mark.polls,
DeviceInfo.compiles and DeviceInfo.workgroups_progress are new; DeviceInfo.kernels_share_memory replaces
Backend.clamps_indices.
"""


class DeviceKind(enum.Enum):
    """The kind of a device, best first."""

    GPU = "gpu"  # with memory of its own
    IGPU = "igpu"  # a GPU that shares the memory of the CPU
    CPU = "cpu"  # kernels are compiled for the processor
    SOFTWARE = "software"  # an emulation of a GPU on the CPU, and the simulator

    @property
    def rank(self) -> int:
        return list(DeviceKind).index(self)


class DeviceInfo(Immutable):
    """One device as a probe found it. It can be given wherever a device is named."""

    id: str  # what a user types: "cuda:0", "wgpu:vulkan:0"
    backend: str  # the name of its backend
    index: int  # what Backend.open takes
    name: str  # the adapter's own name
    kind: DeviceKind  # what it is
    driver: str  # the driver and its version, as the driver reports them
    api: str = ""  # "Vulkan", "Metal", "OpenCL 3.0", "CUDA 13.0"; the middle part of a three-part id
    capabilities: frozenset[Capability] = frozenset()  # the optional features that it has
    limits: Limits = Limits()  # sizes and numbers that kernels and arrays cannot exceed
    details: tuple[tuple[str, str], ...] = ()  # more to display: architecture, cores
    kernels_share_memory: bool = False
    """Kernels run in this process's memory, where an index out of range could crash it: core clamps each index that it
    cannot prove to be in range. False: the device or its driver sees to it that such an index does not end the process
    (C650 to C653 of the kit); what it reads or changes on the device is up to them."""
    workgroups_progress: bool = False
    """A workgroup that has started goes on while others of its dispatch wait for it in a loop: a scan may look back at
    the results of workgroups that started before. Vulkan, Metal and OpenCL do not promise it in general."""
    multiprocessors: int = 0
    """That run workgroups independently of each other: CUDA's multiprocessors, OpenCL's compute units; 0: unknown."""
    compiles: bool = True
    """It has a compiler. Without one only kernels of packages run; automatic choice takes another device."""
    memory: int = 0
    """Bytes of memory for buffers, all together: the device's own, or the host's for a device that uses it; 0: unknown,
    as in WebGPU. Other processes may have taken a part of it."""

    def __repr__(self) -> str:
        return f"<device {self.id}: {self.name}, {self.kind.value}>"  # the full repr would fill a page


class ProbeStatus(enum.Enum):
    """The outcome of a probe. Every status but AVAILABLE needs a reason."""

    AVAILABLE = "available"  # there is a device
    NO_DRIVER = "no_driver"  # the driver is missing, or cannot be loaded
    NO_DEVICE = "no_device"  # the driver has none
    BROKEN = "broken"  # the plugin or its driver failed, crashed or broke the backend interface
    TIMED_OUT = "timed_out"  # longer than GPUCORE_PROBE_TIMEOUT
    INCOMPATIBLE = "incompatible"  # the plugin is for another version of core
    BLOCKED = "blocked"  # by GPUCORE_BLOCK


class ProbeResult(Immutable):
    """What a probe found."""

    status: ProbeStatus  # whether there is a device
    devices: tuple[DeviceInfo, ...] = ()  # in the order of their indices
    reason: str = ""  # why there is none
    hint: str = ""  # what the user can do about it


class Buffer(abc.ABC):
    """Memory on a device, allocated by Device.allocate; `nbytes` is the requested size."""

    nbytes: int
    address: int = 0  # MUST be where the memory begins, if the device has a `memory_space`

    @abc.abstractmethod
    def write(self, data: memoryview, offset: int = 0) -> None:
        """MUST copy `data` (contiguous bytes; offset and length multiples of 4 or reaching the end, or any if the
        device has a `memory_space`) into the buffer, in queue order, and SHOULD NOT wait for work queued before. It
        MUST NOT touch the bytes beside it. The caller may change `data` after the return: what cannot be copied at once
        is kept on the host. `data` may be read-only."""

    @abc.abstractmethod
    def read(self, out: memoryview, offset: int = 0) -> None:
        """MUST fill the writable `out` with bytes after all queued work that writes them; core has waited for
        the queue before, so it SHOULD return at once."""

    def expect_read(self, nbytes: int, offset: int = 0) -> None:
        """MAY queue a copy of bytes to the host, after the work queued before, for the `read` of the same bytes that
        core calls after it has waited; other calls may come first, or no read at all."""
        return

    def start_write(self, data: memoryview, offset: int = 0) -> bool:
        """MAY queue a copy as `write` does that reads `data` later, and return True: core keeps it unchanged until a
        mark that it places after the call is done. False: the device does no such copy, and nothing was queued. `data`
        may be read-only."""
        return False

    def start_read(self, out: memoryview, offset: int = 0) -> bool:
        """MAY queue a copy of bytes, after the work queued before, that fills `out` later, and return True: core keeps
        it until a mark that it places after the call is done. False: the device does no such copy."""
        return False

    # Set by core.
    whole: Buffer | None = None  # the buffer of which this is a part
    first = 0  # the byte of that buffer at which it begins
    is_adopted = False  # another library owns the memory
    is_exported = False  # another library may have queued work on the memory in a stream of its own

    def part(self, offset: int, nbytes: int) -> Buffer:
        """MUST, if the device has a `part_alignment` in its limits, return `nbytes` (> 0) of this memory from `offset`,
        a multiple of it, as a buffer for dispatch and copy. It has no memory of its own: core never releases it, nor
        uses it after this buffer is released. A dispatch may get several parts of one buffer; those that the kernel
        writes share no element with the others. A copy gets parts of two buffers. Core calls none of the abstract
        methods of a part. What the driver makes for a part, the plugin frees: with this buffer, or in the part's
        `__del__` as `Device` says."""
        raise NotImplementedError

    def forget(self) -> None:
        """MAY mark the contents as undefined. Core calls it when it reuses the buffer."""
        return

    @abc.abstractmethod
    def release(self) -> None:
        """MUST free the memory once queued work no longer needs it. MUST accept a second call."""


class Pipeline(abc.ABC):
    """A compiled kernel."""

    source: Source

    @abc.abstractmethod
    def release(self) -> None:
        """MUST free the driver's objects once queued work no longer needs them. MUST accept a second call."""


class Mark(abc.ABC):
    """A point in a device's queue."""

    polls = 200
    """How often a waiting thread calls `is_done` before its first pause: 0 where a pause ends with the work."""

    @abc.abstractmethod
    def is_done(self) -> bool:
        """MUST return, without waiting, whether all work queued before the mark has ended. MUST raise DeviceError
        if the work failed."""

    def pause(self, seconds: float) -> None:
        """Let the calling thread sleep. MAY return as soon as the work before the mark has ended, or do a few ms of
        that work; MUST NOT sleep longer, nor raise for failed work. Core calls it without its lock: other threads may
        use the device meanwhile, or close it."""
        time.sleep(seconds)


class Launcher(Immutable, eq=False):
    """Dispatches one pipeline. Core fills `block`, whose bytes are the addresses of the buffers, 8 each, and the packed
    scalars, in the order of the machine, and then calls `run` with the workgroups, which MUST do what Device.dispatch
    does with them. `block` may be filled again after the return."""

    block: bytearray | memoryview
    run: Callable[[tuple[int, int, int]], None]


Uses = Sequence[tuple[Buffer, bool]]
"""Buffers, and whether they are written."""


def uses_of(pipeline: Pipeline, buffers: Sequence[Buffer]) -> Uses:
    """The uses of the buffers of a dispatch. A buffer for the reports of a kernel in debug mode comes after those of
    the source."""
    writes = pipeline.source.writes
    return [(buffer, at >= len(writes) or writes[at]) for at, buffer in enumerate(buffers)]


class Step(Immutable, eq=False):
    """One piece of recorded work."""

    buffers: tuple[Buffer, ...]

    def uses(self, buffers: Sequence[Buffer]) -> Uses:
        """The uses of these buffers in the place of the recorded ones."""
        return [(buffer, at == len(buffers) - 1) for at, buffer in enumerate(buffers)]  # a copy, or a store


class DispatchStep(Step, Immutable, eq=False):
    """A dispatch, as Device.dispatch takes it."""

    pipeline: Pipeline
    scalars: bytes
    workgroups: tuple[int, int, int]

    def uses(self, buffers: Sequence[Buffer]) -> Uses:
        return uses_of(self.pipeline, buffers)


class CopyStep(Step, Immutable, eq=False):
    """A copy from the first buffer to the second one, as Device.copy does it."""

    nbytes: int


class WriteStep(Step, Immutable, eq=False):
    """A store of bytes from the host, as Buffer.write does it; `data` does not change."""

    data: memoryview
    offset: int


class Recording(abc.ABC):
    """Steps that a device has prepared, to be queued again and again. Core keeps all that they use."""

    @abc.abstractmethod
    def run(self, buffers: Sequence[Sequence[Buffer]]) -> None:
        """MUST queue the steps in their order, each with the buffers given for it, usually those recorded."""

    @abc.abstractmethod
    def release(self) -> None:
        """MUST free what it holds once queued work no longer needs it."""


class Device(abc.ABC):
    """An open device with one in-order queue, or several.

    Threads: core holds a lock of the device while it calls a method of it, or of its buffers, pipelines, marks,
    launchers and recordings, so that one thread at a time is in them; only Mark.pause is called without. Different
    devices are called at once. So are Backend.prepare and Backend.emit, for different kernels, without a lock.

    Ctrl-C: core holds it back during Backend.open and the methods that make or free something (allocate, adopt, pinned,
    compile, load, record, release), so that nothing is lost or freed twice; a second one is raised at once. It may come
    at any point of the others: `close`, which may wait, holds it back itself while it frees (`HeldBack`).

    Core drops a mark or a part without a call, and calls `release` of all else later, with the lock. A `__del__` of the
    plugin runs in any thread, at any point, without the lock, also within another method: let it append to a list
    that the next method empties, and not call the driver.

    Errors: no exception of a driver leaves a method. It is the `__cause__` of the error that the method's text names,
    else of DeviceError, or of DeviceLostError if the device can no longer be used. Work that fails after its call has
    returned, also in a thread of the plugin, is not dropped in silence: the next mark or fence behind it raises the
    error from `is_done`, or `is_idle` does, and core asks one of them before it reads.
    """

    info: DeviceInfo

    idle_polls = 0
    """How often core asks `is_idle` when it waits for all work while one queue is in use, before it waits for a fence.
    As often as takes some 50 us, if the end of short work is seen earlier so. 0: never."""

    queues = 1
    """In-order queues between which core alone keeps an order, by marks: one that has no work MUST NOT wait for
    another one. Only the first must be cheap to have: the others are used by programs that ask for them, and by
    copies."""

    memory_space: tuple[int, int] | None = None
    """The memory that `Buffer.address` points to, as a device type and number of DLPack: (1, 0) is this process's
    memory, (2, n) that of CUDA's device n. None: buffers have no address, and no other library can use their memory."""

    stream: int | None = None
    """The queue as a stream, as DLPack numbers those of the memory space (1 is CUDA's default stream). None: other
    libraries use the memory only when the queue is empty."""

    @abc.abstractmethod
    def allocate(self, nbytes: int) -> Buffer:
        """MUST return a buffer of at least `nbytes` (> 0) bytes, contents undefined, aligned to 16, or raise
        OutOfMemoryError and leave the device usable."""

    @abc.abstractmethod
    def compile(self, source: Source) -> Pipeline:
        """MUST compile a Source that the same backend emitted, or raise DriverCompileError with the log attached."""

    def load(self, source: Source, binary: bytes) -> Pipeline:
        """MUST, if `Backend.build` makes binaries, return the pipeline of one, which it made of this source for an
        offline target that `Backend.choose_offline` chose for this device, without compiling the text. MUST raise
        DriverCompileError if the driver refuses the binary."""
        return self.compile(source)

    @abc.abstractmethod
    def dispatch(
        self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: tuple[int, int, int]
    ) -> None:
        """MUST queue the kernel and SHOULD return before it ends. `buffers` are in order of binding, `scalars` is
        the packed block that ValidModule.slots lays out, of Source.scalars_nbytes bytes: a multiple of 16, 0 if there
        are none. In a text of a CDialect it is the struct by value that is the last parameter of the entry, but for
        views. Every count is from 1 to the device's limit. Work runs in queue order; each dispatch sees all that
        earlier ones wrote."""

    def launcher(self, pipeline: Pipeline, nbytes: int) -> Launcher | None:
        """MAY, if the device has a `memory_space`, return a faster way to dispatch a kernel with arguments of `nbytes`
        bytes in the first queue. None: there is none."""
        return None

    def record(self, steps: Sequence[Step]) -> Recording | None:
        """MAY prepare steps, at least one, for less work at each run. None: core makes the calls one by one."""
        return None

    @abc.abstractmethod
    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        """MUST copy the first `nbytes` from one buffer of this device to another, in queue order."""

    def mark_before_write(self, nbytes: int) -> Mark | None:
        """MAY return a mark that core waits for, without its lock, before it writes `nbytes` to a buffer: this bounds
        the host memory that writes keep while work is queued. Core calls it again for a part of at most 16 MiB before
        it waits, and once more afterwards. None: core may write now."""
        return None

    def adopt(self, address: int, nbytes: int) -> Buffer:
        """MUST, if the device has a `memory_space`, return memory of another library in it, which begins at a multiple
        of 16, as a buffer. Its `release` MUST NOT free the memory. Core keeps the owner until all work is done that was
        queued before the release."""
        raise NotImplementedError

    def pinned(self, nbytes: int) -> memoryview | None:
        """MAY return `nbytes` (> 0) writable bytes of host memory that `start_write` and `start_read` copy faster, such
        as page-locked memory; it is freed with the last view of it, also after `close`. None: there is none."""
        return None

    def select(self, queue: int) -> None:
        """MUST, if the device has several `queues`, send the work of later calls (dispatch, copy, write, read,
        start_write, start_read, expect_read, Recording.run, mark, fence, is_idle) to the queue of that number, from 0,
        which is selected at first."""
        raise NotImplementedError

    def order(self, mark: Mark) -> None:
        """MUST, if the device has several `queues`, let the later work of the selected queue run after the work before
        a mark of another one. The host MUST NOT wait."""
        raise NotImplementedError

    def wait_for_stream(self, stream: int) -> None:
        """MUST, if the device has a `stream`, let the work queued from now on wait for that in another stream."""
        raise NotImplementedError

    def block_stream(self, stream: int) -> None:
        """MUST, if the device has a `stream`, let later work in another stream wait for the work queued by now."""
        raise NotImplementedError

    @abc.abstractmethod
    def mark(self) -> Mark:
        """MUST put a mark in the queue and start the work before it (flush)."""

    def fence(self) -> Mark:
        """MAY return a mark that costs less than that of `mark`, which it replaces: core only waits for it, and never
        gives it to `elapsed`."""
        return self.mark()

    def is_idle(self) -> bool:
        """MUST, if `idle_polls` is not 0, return, without waiting, whether all work in the selected queue has ended.
        MUST raise DeviceError if the work failed."""
        raise NotImplementedError

    @abc.abstractmethod
    def elapsed(self, start: Mark, end: Mark) -> float:
        """MUST return the seconds of device time between two marks that are done. Where the device has no timestamps
        it MUST return the host's time between the two and say so in info.details as ("timestamps", "host"). The time
        from a mark that was placed while nothing was queued until the next work SHOULD NOT count: such a timestamp goes
        with that work, into the same submit."""

    @abc.abstractmethod
    def close(self) -> None:
        """MUST free everything and end the threads that the device started, also while work is queued. MUST accept a
        second call. It MAY drop work that has not begun, as nobody can read its results. What has begun SHOULD have
        ended at the return: core then lets go of adopted memory and of that of copies."""


class Backend(abc.ABC):
    """A way to run kernels. Cheap to create: no driver is imported before probe or open."""

    name: str  # lower case, [a-z][a-z0-9_]*; the first part of device ids
    priority: int  # declared speed among backends for the same hardware, 0 to 100; greater is better
    language: str  # what `emit` writes; what users name in kernel.source(language)
    capabilities: frozenset[Capability]  # all that the language can express, on any device
    hint: str = ""  # what to install when the driver is missing

    operations: frozenset[MathOp | SubgroupOp] = expansions.required()
    """The built-in functions that `emit` supports. Core expands all others to older operations, so that a backend keeps
    working when the language grows. A backend adds those that its target has, or computes faster. Of the operations of
    subgroups MATCH belongs here; a backend with SUBGROUP supports all others."""

    settings: frozenset[str] | None = None
    """The environment variables that the plugin reads. Their names begin with GPUCORE_ and the plugin's name. Core
    warns of others that begin with that, which are usually misspelt. None, or a list with names of another plugin, as a
    derived backend may inherit it: they are not listed, and core does not warn."""

    of_some_drivers: frozenset[Capability] = frozenset()
    """Those of `capabilities` for which `emit` writes what only some drivers take. Kernels emitted for no device do
    without them."""

    subgroup_size: int = 0
    """The size of the native subgroups of every device; 0: it is in the limits of each. For kernels emitted for no
    device, which may need it when they are compiled."""

    # These apply to a backend on every device. Properties that differ between devices are in DeviceInfo.
    kind: DeviceKind = DeviceKind.GPU  # gp.target.kind of a kernel emitted for no device; CPU: indices are clamped
    takes_native_text: bool = True  # compile needs only the text of a Source and its declared properties
    wants_unoptimised_ir: bool = False  # emit from IR with all the user's variables and vectors of three, for debuggers
    coarsens: bool = False  # core may let one invocation of an element-wise kernel do the work of several
    prefetches: bool = False  # emit takes Prefetch statements; core removes them for other backends
    survives_fork: bool = False  # probe and open work in a forked child of a process that has called either

    @abc.abstractmethod
    def probe(self) -> ProbeResult:
        """MUST say which devices there are, in a stable order, or why there is none. MUST NOT raise for a missing
        driver, print, or open a device for longer than the call."""

    @abc.abstractmethod
    def open(self, index: int) -> Device:
        """MUST open the device with that index in probe's answer, or raise BackendUnavailableError."""

    def prepare(self, valid: ValidModule, device: DeviceInfo | None) -> Module:
        """MAY return an equivalent kernel that works around bugs of the device's driver, and MAY set its `options`, of
        which only the backend's own emit knows the meaning; core validates the result. MUST return `valid.module`
        itself if there is nothing to change. `device` is as in emit."""
        return valid.module

    def takes_view(self, element: Element, view: Type) -> bool:
        """MAY return whether `emit` takes places with this view of a buffer of these elements. A kernel that has one
        accesses the same buffer by its elements, too, but each invocation each element in one of the two ways; and its
        arrays begin at a multiple of 16 bytes."""
        return False

    def shapes_for(self, info: DeviceInfo) -> str:
        """MAY return the shapes of core's own kernels that were measured on such a device, or suit it, as JSON: the
        object "shapes" in a file that `gpucore tune --export` writes, see docs/tuning.md. They MUST fit the device, or
        core uses none of them, and MUST depend on `info` alone. "": core takes those for the device's kind. What was
        tuned on the machine counts more."""
        return ""

    @abc.abstractmethod
    def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
        """MUST translate a valid kernel, without a driver. MUST raise EmitError for operations that the language cannot
        express. The text MUST depend on the module and the device alone.

        With a device, the text MUST be byte for byte what Device.compile of that device passes to its driver. Without
        one, it is for the language in general."""

    # Kernels that are compiled before the device is there: for packages, and for pages.
    offline_targets: tuple[str, ...] = ()
    """The names that `offline_device` knows, the most usual first. Others may be valid too, such as newer
    architectures."""

    def offline_device(self, target: str) -> DeviceInfo | None:
        """MAY return what is known of all devices of a target ("sm_90", "x86-64-v3", "web"), without a driver: `emit`
        with it writes for these devices, and its limits are those that each of them has. None: there is no such
        target."""
        return None

    def build(self, source: Source, device: DeviceInfo) -> bytes:
        """MAY compile a source that was emitted for an offline device, without a driver, to what `Device.load` takes on
        each device of that target. MUST raise DriverCompileError, with the log, for a text that does not compile. b"":
        devices compile the text."""
        return b""

    def runtime_files(self, target: str) -> dict[str, bytes]:
        """MAY return files, by name, that an export of kernels for a target needs beside its manifest: what runs them
        there."""
        return {}

    def choose_offline(self, targets: Sequence[str], device: DeviceInfo) -> str:
        """MUST, if there are `offline_targets`, return the best one of the given targets whose kernels run on an open
        device; "" if none does."""
        return ""
