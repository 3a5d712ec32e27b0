"""Every exception that gpucore raises on purpose.

    GpucoreError
    |-- CompileError              a kernel that cannot be compiled; has a code, a place and a caret
    |   |-- KernelSyntaxError     Python outside the kernel language
    |   |-- KernelTypeError       types that do not fit
    |   |-- UniformityError       a barrier that not every invocation of a workgroup reaches
    |   |-- CapabilityError       the device lacks what the kernel needs
    |   |-- LimitError            the kernel needs more of something than the device has
    |   |-- EmitError             a backend that cannot express an operation
    |   `-- DriverCompileError    the driver refused generated code (its log is attached)
    |-- ArgumentError             a call with wrong arguments; nothing was sent to a device
    |-- BackendError              choosing a device
    |   |-- BackendUnavailableError   a named backend or device cannot be used; says why
    |   `-- NoDeviceError         no backend offers a device
    |-- DeviceError               a device that failed at run time
    |   |-- OutOfMemoryError
    |   |-- DeviceLostError
    |   |-- ForkedProcessError    a device that was opened before os.fork() is used after it
    |   |-- DispatchError         a kernel that was cut short by the driver
    |   |   `-- KernelError       a kernel that did something wrong, found by its own checks
    |   |       |-- OutOfRangeError       an index outside of an array (an IndexError, too)
    |   |       `-- KernelAssertionError  an assert that does not hold (an AssertionError, too)
    |   `-- SynchronizeTimeoutError
    |-- CheckError                gp.check found something in a kernel; the text is the report
    |-- ClosedError               an array or device used after close()
    `-- KernelOnlyError           a name of the kernel language called outside a kernel

Warnings are given once in a process:

    BackendWarning                something about the choice of a device is not as it should be
    `-- FallbackWarning           automatic choice ended on a device that is not the best that there could be
"""

from __future__ import annotations

from gpucore.span import Span


class GpucoreError(Exception):
    """The root of gpucore's exceptions."""


class CompileError(GpucoreError):
    """A kernel that cannot be compiled.

    `code` is stable ("GP201"), `message` says what, `span` where, `why` the rule behind it and `fix` what to
    write instead. `log` holds a driver's own words where there are any.
    """

    def __init__(
        self, code: str, message: str, span: Span | None = None, *, why: str = "", fix: str = "", log: str = ""
    ) -> None:
        self.code, self.message, self.span = code, message, span
        self.why, self.fix, self.log = why, fix, log
        super().__init__(self.render())

    def render(self) -> str:
        """The whole error as text: place, code, message, caret, why, fix, calls, log."""
        place = f"{self.span}: " if self.span else ""
        lines = [f"{place}error[{self.code}]: {self.message}"]
        if self.span and (excerpt := self.span.excerpt()):
            lines.append(excerpt)
        lines += [f"  why: {self.why}"] if self.why else []
        lines += [f"  fix: {self.fix}"] if self.fix else []
        caller = self.span.called_from if self.span else None
        while caller is not None:
            lines.append(f"  called from {caller}")
            if excerpt := caller.excerpt():
                lines.append(excerpt)
            caller = caller.called_from
        if self.log:
            lines.append("  driver log:")
            lines += [f"    {line}" for line in self.log.strip().splitlines()]
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, self.message, self.span, self.why, self.fix, self.log))


def _rebuild(
    kind: type[CompileError], code: str, message: str, span: Span | None, why: str, fix: str, log: str
) -> CompileError:
    return kind(code, message, span, why=why, fix=fix, log=log)


class KernelSyntaxError(CompileError):
    """Python that the kernel language does not have."""


class KernelTypeError(CompileError):
    """Operands, arguments or assignments whose types do not fit."""


class UniformityError(CompileError):
    """A barrier in control flow that can differ between the invocations of a workgroup."""


class CapabilityError(CompileError):
    """The kernel needs a capability that the device does not have."""


class LimitError(CompileError):
    """The kernel needs more workgroup memory, invocations or bindings than the device has."""


class EmitError(CompileError):
    """A backend has no way to express an operation of a valid kernel."""


class DriverCompileError(CompileError):
    """A driver's compiler refused generated code."""


class ArgumentError(GpucoreError, ValueError):
    """Arguments of a call that do not fit; raised before any driver sees them."""


class BackendError(GpucoreError):
    """A device cannot be chosen."""


class BackendUnavailableError(BackendError):
    """A backend or device that was asked for by name cannot be used."""


class NoDeviceError(BackendError):
    """No installed backend offers a device that fits."""


class DeviceError(GpucoreError):
    """A device failed at run time."""


class OutOfMemoryError(DeviceError, MemoryError):
    """The device has no memory left for an allocation."""


class DeviceLostError(DeviceError):
    """The device is gone (reset, unplugged, driver crash). Open a new one."""


class ForkedProcessError(DeviceError):
    """A device opened in the parent process cannot be used in a forked child."""


class DispatchError(DeviceError):
    """A dispatched kernel did not run to its end; its output must not be used."""


class KernelError(DispatchError):
    """A kernel did something wrong; found under debug, and by the simulator.

    `span` is the place in the kernel. Later work of the device has run, and the device stays usable.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.span = span
        super().__init__(message)


class OutOfRangeError(KernelError, IndexError):
    """A kernel read or wrote outside of an array."""


class KernelAssertionError(KernelError, AssertionError):
    """An assert in a kernel does not hold."""


class SynchronizeTimeoutError(DeviceError, TimeoutError):
    """The device's queue was not empty when the timeout passed."""


class CheckError(GpucoreError):
    """`gp.check` found something in a kernel; the text is the whole report."""


class ClosedError(GpucoreError, ValueError):
    """An array or device was used after it was closed."""


class KernelOnlyError(GpucoreError, RuntimeError):
    """A name of the kernel language was called outside a kernel."""


class BackendWarning(UserWarning):
    """What touches the choice of a device: a variable of the environment that no setting has, a plugin left out."""


class FallbackWarning(BackendWarning):
    """Automatic choice ended on the simulator, or without a GPU although a GPU plugin is installed."""
