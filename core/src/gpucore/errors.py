"""The exceptions of gpucore.

    GpucoreError
    |-- CompileError              a kernel that cannot be compiled; has a code, a location and a caret
    |   |-- KernelSyntaxError     Python outside the kernel language
    |   |-- KernelTypeError       types that do not match
    |   |-- UniformityError       a barrier that not every invocation of a workgroup reaches
    |   |-- CapabilityError       the device lacks what the kernel needs
    |   |-- LimitError            the kernel needs more of something than the device has
    |   |-- EmitError             a backend that cannot express an operation
    |   `-- DriverCompileError    the driver refused generated code (its log is attached)
    |-- ArgumentError             a call with wrong arguments; nothing was sent to a device
    |-- BackendError              no device can be chosen
    |   |-- BackendUnavailableError   a named backend or device cannot be used; says why
    |   `-- NoDeviceError         no backend offers a device
    |-- DeviceError               a device that failed at run time
    |   |-- OutOfMemoryError
    |   |-- DeviceLostError
    |   |-- ForkedProcessError    a device that was opened before os.fork() is used after it
    |   |-- DispatchError         a kernel that the driver stopped before its end
    |   |   `-- KernelError       a kernel that failed one of its checks
    |   |       |-- OutOfRangeError       an index out of range of an array (also an IndexError)
    |   |       |-- KernelAssertionError  a failed assert (also an AssertionError)
    |   |       `-- IncompleteOutputError elements of an Out that no invocation wrote
    |   `-- SynchronizeTimeoutError
    |-- CheckError                gp.check has findings; the text is the report
    |-- TuningError               gp.tune has no candidate whose output is right
    |-- ClosedError               an array or device used after close()
    `-- KernelOnlyError           a name of the kernel language called outside a kernel

Warnings are issued once in a process, or once for each kernel:

    BackendWarning                a problem that affects the choice of a device
    `-- FallbackWarning           automatic choice had to take a worse device than expected
    RecompilationWarning          a kernel has more specialisations than are kept
    CacheWarning                  the cache on disk cannot be used
"""

from __future__ import annotations

from gpucore.span import Span


class GpucoreError(Exception):
    """The base class of gpucore's exceptions."""


class CompileError(GpucoreError):
    """A kernel that cannot be compiled.

    `code` is stable ("GP201"), `message` says what is wrong, `span` where, `why` gives the rule and `fix` what to write
    instead. `log` is the driver's log, if there is one.
    """

    def __init__(
        self, code: str, message: str, span: Span | None = None, *, why: str = "", fix: str = "", log: str = ""
    ) -> None:
        self.code, self.message, self.span = code, message, span
        self.why, self.fix, self.log = why, fix, log
        super().__init__(self.render())

    def render(self) -> str:
        """The whole error as text: location, code, message, caret, why, fix, calls, log. The location is in the user's
        code where that calls a helper of gpucore in which the error is."""
        calls = self.span.calls() if self.span else []
        place = self.span.in_kernel() if self.span else None
        first = calls.index(place) if place else 0
        lines = [f"{f'{place}: ' if place else ''}error[{self.code}]: {self.message}"]
        if place and (excerpt := place.excerpt()):
            lines.append(excerpt)
        lines += [f"  why: {self.why}"] if self.why else []
        lines += [f"  fix: {self.fix}"] if self.fix else []
        others = [("called from", span) for span in calls[first + 1 :]]
        others += [("in gpucore at", span) for span in reversed(calls[:first])]
        for relation, span in others:
            lines.append(f"  {relation} {span}")
            if excerpt := span.excerpt():
                lines.append(excerpt)
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
    """Operands, arguments or assignments whose types do not match."""


class UniformityError(CompileError):
    """A barrier in control flow that can differ between the invocations of a workgroup."""


class CapabilityError(CompileError):
    """The kernel needs a capability that the device does not have."""


class LimitError(CompileError):
    """The kernel needs more workgroup memory, invocations or bindings than the device has."""


class EmitError(CompileError):
    """A backend cannot express an operation of a valid kernel."""

    what = ""  # of a table of a dialect: what it has no entry for


class DriverCompileError(CompileError):
    """A driver's compiler refused generated code."""


class ArgumentError(GpucoreError, ValueError):
    """A call has wrong arguments; raised before any driver is called."""


class BackendError(GpucoreError):
    """A device cannot be chosen."""


class BackendUnavailableError(BackendError):
    """A backend or device that was named cannot be used."""


class NoDeviceError(BackendError):
    """No installed backend offers a suitable device."""


class DeviceError(GpucoreError):
    """A device failed at run time."""


class OutOfMemoryError(DeviceError, MemoryError):
    """The device has no memory left for an allocation."""


class DeviceLostError(DeviceError):
    """The device is gone (reset, unplugged, driver crash). Open a new one."""


class ForkedProcessError(DeviceError):
    """A device opened in the parent process cannot be used in a forked child."""


class DispatchError(DeviceError):
    """A dispatched kernel did not complete; its output must not be used."""


class KernelError(DispatchError):
    """A kernel failed a check, in debug mode or on the simulator.

    `span` is the location in the kernel. Work queued later has run, and the device stays usable.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.span = span
        super().__init__(message)


class OutOfRangeError(KernelError, IndexError):
    """A kernel accessed an array out of range."""


class KernelAssertionError(KernelError, AssertionError):
    """An assert in a kernel failed."""


class IncompleteOutputError(KernelError):
    """A kernel did not write every element of a `gp.Out`. `span` is the parameter."""

    WHY = "a gp.Out promises that the kernel writes every element; what it does not write is not defined"
    FIX = (
        "start an invocation for every element and let each write its own; if the kernel is meant to leave elements as "
        "they are, annotate gp.InOut"
    )


class SynchronizeTimeoutError(DeviceError, TimeoutError):
    """The device's queue was not empty when the timeout passed."""


class CheckError(GpucoreError):
    """`gp.check` has findings; the text is the whole report."""


class TuningError(GpucoreError):
    """No candidate of `gp.tune` has a right output; the text has the reasons."""


class ClosedError(GpucoreError, ValueError):
    """An array or device was used after it was closed."""


class KernelOnlyError(GpucoreError, RuntimeError):
    """A name of the kernel language was called outside a kernel."""


class BackendWarning(UserWarning):
    """A problem that affects the choice of a device: an unknown environment variable, a plugin that is skipped."""


class FallbackWarning(BackendWarning):
    """Automatic choice took the simulator, or no GPU although a GPU plugin is installed."""


class RecompilationWarning(UserWarning):
    """A kernel has more specialisations than are kept: it is compiled again when a discarded one is needed."""


class CacheWarning(UserWarning):
    """The cache on disk cannot be read or written, so that kernels are compiled again in each process."""
