"""Kernels and recorded work for devices elsewhere, such as those of a browser (docs/web.md).

    with gp.export.record("web") as bundle:
        bundle.sequence("sort", gp.sort, gp.empty(1_000_000, gp.u32))
        bundle.add(saxpy)
    bundle.write("site/kernels")

`gpucore.offline.recorder` is the device of the block, `gpucore.offline.descriptions` says what is written of a kernel.
"""

from __future__ import annotations

import base64
import inspect
import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpucore.array import Array
from gpucore.compiler import Target
from gpucore.device import Device
from gpucore.device import device as open_device
from gpucore.errors import ArgumentError
from gpucore.host import host_only
from gpucore.kernel import Kernel
from gpucore.observer import origin_of
from gpucore.offline.descriptions import describe, describe_element, describe_parameters
from gpucore.offline.recorder import RecordingDevice, recording_backend
from gpucore.offline.specialisations import Specialisation, is_plain, with_defaults
from gpucore.offline.targets import find_target
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.protocol import Buffer, CopyStep, DispatchStep, Pipeline, Step, WriteStep
from gpucore.runtime.use import use
from gpucore.saved import source_to_json
from gpucore.types import dtype_of
from gpucore.version import __version__

FORMAT, VERSION = "gpucore-page", 1
"""What a manifest begins with. The version is that of its layout."""
MANIFEST = "kernels.json"
_OWN = __name__.partition(".")[0]
_numbers = itertools.count()


@host_only
@contextmanager
def record(target: str = "web") -> Iterator[Bundle]:
    """Record for devices of a target: calls in the `with` block go to a device that keeps them, and runs nothing.

    It is the default device of the block, as by `gp.use`, and `bundle.device`. The bundle has every kernel of the
    user's that the block calls, with its types and constants, and what `Bundle.add` and `Bundle.sequence` add.

    Raises ArgumentError for a target that no installed backend has. In the block, CompileError for kernels that its
    devices cannot run, and DeviceError where results are read, as there are none.
    """
    found, name = find_target(target), f"recorded_{next(_numbers)}"
    if not found.backend.runtime_files(target):
        raise ArgumentError(f'the target {target!r} is one of packages, which gp.build writes; record for "web"')
    TABLE.register(recording_backend(found, name))
    try:
        device = open_device(name)
        with use(device):
            bundle = Bundle(found, target, device)
            try:
                yield bundle
                bundle.end()
            finally:
                device.close()
    finally:
        TABLE.unregister(name)


class Bundle:
    """What is exported: kernels by name, and sequences of launches. `record` makes one."""

    def __init__(self, target: Target, name: str, device: Device) -> None:
        self.device = device
        self._target, self._name = target, name
        self._kernels: dict[str, Specialisation] = {}
        self._sequences: dict[str, Any] = {}
        self._graphs: list[Any] = []  # they keep their memory, which no later array may get
        self._memories: list[int] = []
        self._numbers: dict[Buffer, int] = {}  # of memory that is not an input's
        self._pipelines: dict[str, int] = {}
        self._texts: list[dict[str, Any]] = []
        self._setup: list[Any] | None = None

    def __repr__(self) -> str:
        return f"<bundle for {self.device.name}: {len(self._kernels)} kernels, {len(self._sequences)} sequences>"

    @property
    def kernels(self) -> Mapping[str, Specialisation]:
        """The kernels by the names of their specialisations: "saxpy", "scale[T=f32,n=4]"."""
        return dict(self._kernels)

    def add(self, kernel: Kernel, /, **bindings: Any) -> str:
        """Add a kernel, with values of its Const parameters and dtypes of its type variables; those left out are the
        defaults. Returns its name in the bundle. Raises ArgumentError for other values."""
        if not isinstance(kernel, Kernel):
            raise ArgumentError(f"bundle.add takes a kernel, a function with @gp.kernel, not {kernel!r}")
        if self._target.backend.name in kernel.native_backends:
            raise ArgumentError(f"{kernel.name} has native source for {self._target.backend.name}, which a page cannot "
                                "have; leave out the source, or the kernel")  # fmt: skip
        wanted = Specialisation(kernel, with_defaults(kernel, bindings))
        for name, value in wanted.bindings.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ArgumentError(f"{kernel.name}: {name}={value} cannot be in a manifest, which is JSON; write it "
                                    "in the kernel, or pass it as a parameter that is no Const")  # fmt: skip
        describe_parameters(wanted)  # raises for other values
        if self._kernels.get(wanted.name, wanted).kernel is not kernel:
            raise ArgumentError(f"the bundle has another kernel {wanted.name!r} already; give one of them another name")
        self._kernels[wanted.name] = wanted
        return wanted.name

    def sequence(self, name: str, function: Callable[..., Any], /, *arrays: Array, **named: Array) -> None:
        """Add what `function(*arrays, **named)` queues: calls of kernels and of the library. Its arrays, all on
        `bundle.device`, are the inputs, named as its parameters are; what it returns are the outputs: an array,
        "result", or a dict of arrays. Inputs that it writes are outputs, too.

        Whoever runs the sequence gives arrays of the same dtypes and shapes. Arrays of the function's own stay, and
        have at its first run what they have at the end of the block. Raises ArgumentError for a name that the bundle
        has, for inputs that share memory, and for what cannot be recorded.
        """
        given: Any = name
        if not isinstance(given, str) or not given.isidentifier() or given.startswith("__"):
            raise ArgumentError(f"a sequence has a name of letters, digits and _, as in "
                                f'bundle.sequence("sort", gp.sort, x), not {given!r}')  # fmt: skip
        if not callable(function):
            raise ArgumentError(f"bundle.sequence takes a function, and its arrays, not {function!r}")
        if name in self._sequences:
            raise ArgumentError(f"the bundle has a sequence {name!r} already; choose another name")
        inputs = _inputs(function, arrays, named)
        _check_apart(name, inputs)
        with self.device.record(**inputs) as graph:
            result = function(*arrays, **named)
        self._graphs.append(graph)
        written = {buffer.whole or buffer for step in graph.steps for buffer, is_written in step.uses(step.buffers)
                   if is_written}  # fmt: skip
        outputs = {each: array for each, array in inputs.items() if array.storage.buffer in written}
        for each, array in _outputs(name, result, self.device).items():
            if outputs.setdefault(each, array) is not array:
                raise ArgumentError(f"the sequence {name!r} returns an array as {each!r}, which is the name of an "
                                    "input that it writes; return it in a dict with another name")  # fmt: skip
        _check_places(name, {**inputs, **outputs})
        given = {array.storage.buffer for array in inputs.values()}
        others = {buffer: self._numbers.pop(buffer) for buffer in given & self._numbers.keys()}
        self._sequences[name] = {
            "inputs": {each: self._array(array) for each, array in inputs.items()},
            "outputs": {each: self._array(array) for each, array in outputs.items()},
            "steps": [self._step(step) for step in graph.steps],
        }
        for buffer in given:  # in each sequence an input has memory of its own
            del self._numbers[buffer]
        self._numbers |= others

    def manifest(self) -> dict[str, Any]:
        """What `write` writes: plain data, of which docs/web.md says what it means. Raises ArgumentError in the block,
        and CompileError for kernels that the target cannot run."""
        if self._setup is None:
            raise ArgumentError("the manifest of a bundle is complete at the end of its `with` block")
        kernels = {
            name: {**describe(each, self._target), "python": _source(each)} for name, each in self._kernels.items()
        }
        return {
            "format": FORMAT, "version": VERSION, "gpucore": __version__, "kernels": kernels, "pipelines": self._texts,
            "memories": self._memories, "setup": self._setup, "sequences": self._sequences,
        }  # fmt: skip

    def write(self, folder: str | Path) -> list[Path]:
        """Write the manifest, and the files that run it, to a folder, which is made. Returns their paths. Raises
        CompileError for kernels that the target cannot run, and ArgumentError for a folder that cannot be written."""
        place, content = Path(folder), json.dumps(self.manifest(), separators=(",", ":"), allow_nan=False).encode()
        files = {MANIFEST: content, **self._target.backend.runtime_files(self._name)}
        try:
            place.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                (place / name).write_bytes(data)
        except OSError as error:
            raise ArgumentError(f"the folder {place} cannot be written: {error.strerror or error}") from error
        return [place / name for name in files]

    def end(self) -> None:
        """Called at the end of the block."""
        driver = self._driver
        for pipeline in driver.pipelines:
            called = _called(pipeline)
            if called is not None and self._target.backend.name not in called.kernel.native_backends:
                self.add(called.kernel, **called.bindings)
        self._setup = [self._step(step) for step in _needed(driver.log, set(self._numbers))]

    @property
    def _driver(self) -> RecordingDevice:
        driver = self.device.driver_device.plugin_device
        assert isinstance(driver, RecordingDevice)
        return driver

    def _array(self, array: Array) -> dict[str, Any]:
        memory, shape = self._memory(array.storage.buffer), list(array.shape)
        element = describe_element(array.dtype.ir_type)
        return {"memory": memory, "element": element, "shape": shape, "offset": array.offset}

    def _memory(self, buffer: Buffer) -> int:
        whole = buffer.whole or buffer
        if whole not in self._numbers:
            self._numbers[whole] = len(self._memories)
            self._memories.append(whole.nbytes)
        return self._numbers[whole]

    def _place(self, buffer: Buffer) -> Any:
        number = self._memory(buffer)
        return number if buffer.whole is None else [number, buffer.first, buffer.nbytes]

    def _step(self, step: Step) -> dict[str, Any]:
        match step:
            case DispatchStep(buffers, pipeline, scalars, workgroups):
                return {
                    "dispatch": self._pipeline(pipeline), "buffers": [self._place(each) for each in buffers],
                    "scalars": _base64(scalars), "workgroups": list(workgroups),
                }  # fmt: skip
            case CopyStep((source, target), nbytes):
                return {"copy": [self._place(source), self._place(target)], "nbytes": nbytes}
            case WriteStep((buffer,), data, offset):
                return {"write": self._place(buffer), "offset": offset, "data": _base64(bytes(data))}
        raise TypeError(f"no such step: {step!r:.80}")

    def _pipeline(self, pipeline: Pipeline) -> int:
        data = source_to_json(pipeline.source)
        key = json.dumps(data)
        if key not in self._pipelines:
            self._pipelines[key] = len(self._texts)
            self._texts.append(data)
        return self._pipelines[key]


def _called(pipeline: Pipeline) -> Specialisation | None:
    """The user's kernel that a pipeline was compiled from, if it is in a module, and its types and constants can be
    named."""
    origin = origin_of(pipeline)
    kernel: Kernel | None = origin.owner() if origin is not None else None
    if origin is None or kernel is None or kernel.is_native or kernel.function is None:  # None: it is of a package
        return None
    if kernel.function.__module__.startswith((f"{_OWN}.", "<")):
        return None
    bindings = {variable.__name__: dtype_of(type) for variable, type in origin.specialisation.types}
    bindings |= dict(origin.specialisation.constants)
    return Specialisation(kernel, bindings) if all(map(is_plain, bindings.values())) else None


def _needed(log: Sequence[Step], used: set[Buffer]) -> list[Step]:
    """The steps of a log on which the contents of some memory depend, in their order."""
    kept, needed = [], set(used)
    for step in reversed(log):
        uses = [(buffer.whole or buffer, is_written) for buffer, is_written in step.uses(step.buffers)]
        if any(is_written and buffer in needed for buffer, is_written in uses):
            needed |= {buffer for buffer, _ in uses}
            kept.append(step)
    return kept[::-1]


def _inputs(function: Callable[..., Any], arrays: tuple[Array, ...], named: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays by the names of the parameters that take them; those of `*x` are x_0, x_1, ..."""
    for given in (*arrays, *named.values()):
        if not isinstance(given, Array):
            raise ArgumentError(
                f"the inputs of a sequence are arrays, not {given!r:.60}; functools.partial binds others"
            )
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*arrays, **named).arguments
    except TypeError as error:
        raise ArgumentError(f"{getattr(function, '__name__', function)!s}: {error}") from None
    found: dict[str, Any] = {}
    for parameter in signature.parameters.values():
        value = bound.get(parameter.name)
        if parameter.kind is parameter.VAR_KEYWORD:
            more = value or {}
        elif parameter.kind is parameter.VAR_POSITIONAL:
            more = {f"{parameter.name}_{at}": each for at, each in enumerate(value or ())}
        else:
            more = {parameter.name: value} if value is not None else {}
        if both := found.keys() & more.keys():
            raise ArgumentError(f"two inputs of a sequence are named {min(both)!r}; rename the parameter")
        found |= more
    return found


def _check_apart(name: str, inputs: Mapping[str, Array]) -> None:
    for each, array in inputs.items():
        if array.nbytes != array.storage.nbytes:
            raise ArgumentError(
                f"the input {each!r} of the sequence {name!r} is a part of an array; give an array of its own, as by "
                ".copy()"
            )
    for (one, first), (other, second) in itertools.combinations(inputs.items(), 2):
        if first.overlaps(second):
            raise ArgumentError(
                f"the inputs {one!r} and {other!r} of the sequence {name!r} share memory; give each an array of its own"
            )


def _check_places(name: str, arrays: Mapping[str, Array]) -> None:
    for each, array in arrays.items():
        if array.offset % 4:
            raise ArgumentError(
                f"{each!r} of the sequence {name!r} begins within a word of its memory, which pages cannot copy; use "
                ".copy() of it"
            )


def _outputs(name: str, result: Any, device: Device) -> dict[str, Array]:
    """What a function has returned."""
    found = {"result": result} if isinstance(result, Array) else result
    if found is None:
        return {}
    if isinstance(found, tuple) and all(isinstance(each, Array) for each in found):
        found = {f"result_{at}": each for at, each in enumerate(found)}
    if not isinstance(found, dict) or not all(
        isinstance(each, Array) and each.device is device for each in found.values()
    ):
        raise ArgumentError(
            f"the function of the sequence {name!r} returned {result!r:.60}; it returns None, an array, a tuple or a "
            f"dict of arrays, all on {device.id}"
        )
    return found


def _source(wanted: Specialisation) -> str:
    """The Python text of a kernel."""
    try:
        return inspect.cleandoc("\n" + inspect.getsource(wanted.kernel.function))
    except (OSError, TypeError):
        return ""


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


__all__ = ["record"]
