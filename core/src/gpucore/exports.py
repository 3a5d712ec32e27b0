"""The memory of arrays for other libraries: DLPack and the CUDA array interface.

https://data-apis.org/array-api/latest/API_specification/generated/array_api.array.__dlpack__.html
https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore import dlpack
from gpucore.structs import StructDType

_NO_STREAM = -1  # the consumer does not want to wait
_HOST = dlpack.CPU, 0


class Exports:
    """What other libraries ask an array for."""

    __slots__ = ()

    def __dlpack_device__(self: Any) -> tuple[int, int]:
        """The device type and number of DLPack: (1, 0) for the process's memory, (2, n) for CUDA's device n.
        BufferError if the device has no memory that others could use."""
        return _space_of(self)

    def __dlpack__(
        self: Any,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of this memory, without a copy: of the process's memory on the CPU, of CUDA's on CUDA.

        On the CPU this waits until all queued work has ended; synchronize before the consumer reads what a later kernel
        wrote. On CUDA nothing waits: `stream`, the consumer's, waits on the device (-1: it need not). With `dl_device`
        (1, 0) it is a copy for the host on other devices. BufferError where that is impossible.
        """
        array: Any = self
        array.check_open()
        if dl_device == _HOST and array.device.driver_device.memory_space != _HOST:
            if copy is False:
                raise BufferError(f"the elements are on {array.device.id}, and the host needs a copy")
            return dlpack.capsule_of(array.numpy(), max_version)
        space = _space_of(array)
        if dl_device not in (None, space):
            raise BufferError(f"this array is on DLPack's device {space}, not {dl_device}; x.to(device) copies it")
        if isinstance(array.dtype, StructDType):
            raise BufferError(f"DLPack has no structs; this array holds {array.dtype!r}")
        shared = array.copy() if copy else array
        shared.device.export(shared.storage.buffer)
        if shared.device.driver_device.stream is None:
            shared.device.synchronize()
        elif stream is not None and stream != _NO_STREAM:
            shared.device.block_stream(stream)
        return dlpack.export(shared, _address_of(shared), shared.shape, shared.dtype, space, max_version)

    # For checkers an array is none of the tensors that a kernel takes for any parameter (calls.pyi).
    if not TYPE_CHECKING:

        @property
        def __cuda_array_interface__(self: Any) -> dict[str, Any]:
            """The memory by version 3 of the CUDA array interface. AttributeError on devices that are not CUDA's, as
            the interface asks for."""
            array: Any = self
            array.check_open()
            space, dtype = array.device.driver_device.memory_space, array.dtype
            if space is None or space[0] != dlpack.CUDA:
                raise AttributeError(f"__cuda_array_interface__: this array is on {array.device.id}, not on CUDA")
            array.device.export(array.storage.buffer)
            array.device.block_stream(array.device.driver_device.stream)
            description: dict[str, Any] = {
                "version": 3,
                "shape": array.shape if dtype.width == 1 else (*array.shape, dtype.width),
                "typestr": dtype.dtype.str,
                "data": (_address_of(array) if array.size else 0, False),
                "strides": None,
                "stream": array.device.driver_device.stream,
            }
            return description if dtype.dtype.names is None else description | {"descr": dtype.dtype.descr}


def _address_of(array: Any) -> int:
    """The address of the first element."""
    address: int = array.storage.buffer.address + array.offset
    return address


def _space_of(array: Any) -> tuple[int, int]:
    space: tuple[int, int] | None = array.device.driver_device.memory_space
    if space is None:
        raise BufferError(
            f"memory of {array.device.id} has no address that another library could use; x.numpy() copies the elements"
        )
    return space
