"""The queue of a device: what is recorded, what is submitted, and how far the device is."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import vulkan as vk

from gpucore.plugin import ClosedError, HeldBack
from gpucore_vulkan.commands import Functions, Writer
from gpucore_vulkan.driver import check, driver_errors, ffi, function_of

_FIRST_BATCH, _MAX_BATCH = 64, 256  # commands before a submit: fewer at first, so that the device starts soon
_SECONDARY = vk.VK_COMMAND_BUFFER_LEVEL_SECONDARY
_FOREVER = (1 << 64) - 1
_MOMENT = 1e-4


class Queue:
    """Submits have numbers, from 1: a timeline semaphore has that of the last one that has ended."""

    def __init__(self, device: Any, family: int) -> None:
        self._device = device
        self.functions = Functions(device)
        self._submit: Any = function_of(device, "vkQueueSubmit")
        self._counter: Any = function_of(device, "vkGetSemaphoreCounterValue")
        self._wait: Any = function_of(device, "vkWaitSemaphores")
        with driver_errors("open a queue"):
            self._queue: Any = vk.vkGetDeviceQueue(device, family, 0)
            flags = vk.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT
            pool = vk.VkCommandPoolCreateInfo(queueFamilyIndex=family, flags=flags)
            self._pool: Any = vk.vkCreateCommandPool(device, pool, None)
            kind = vk.VkSemaphoreTypeCreateInfo(semaphoreType=vk.VK_SEMAPHORE_TYPE_TIMELINE, initialValue=0)
            self._semaphore: Any = vk.vkCreateSemaphore(device, vk.VkSemaphoreCreateInfo(pNext=kind), None)
        self._make_structures()
        self.writer = Writer(self.functions)
        self.submitted = self.ended = 0
        self.serial = 0  # of the last command
        self._first, self._limit = 0, _FIRST_BATCH
        """The last command that is submitted, and the one after which those before are."""
        self._batch = _FIRST_BATCH
        self._lock, self._waiting = threading.Lock(), 0  # threads in `pause`
        self._free: list[Any] = []
        self._free_secondary: list[Any] = []
        self._running: deque[tuple[int, Any]] = deque()
        self._garbage: deque[tuple[int, Callable[[], None]]] = deque()

    def _make_structures(self) -> None:
        """Those of a submit and of a wait, which are used again and again."""
        self._semaphores = ffi.new("VkSemaphore[1]", [self._semaphore])
        self._signalled = ffi.new("uint64_t[1]")
        self._value = ffi.new("uint64_t*")
        self._buffer = ffi.new("VkCommandBuffer[1]")
        self._timeline = ffi.new(
            "VkTimelineSemaphoreSubmitInfo*",
            {
                "sType": vk.VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                "signalSemaphoreValueCount": 1,
                "pSignalSemaphoreValues": self._signalled,
            },
        )
        self._info = ffi.new(
            "VkSubmitInfo*",
            {
                "sType": vk.VK_STRUCTURE_TYPE_SUBMIT_INFO,
                "pNext": self._timeline,
                "commandBufferCount": 1,
                "pCommandBuffers": self._buffer,
                "signalSemaphoreCount": 1,
                "pSignalSemaphores": self._semaphores,
            },
        )
        self._begin_info = ffi.new(
            "VkCommandBufferBeginInfo*",
            {
                "sType": vk.VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                "flags": vk.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
            },
        )

    @property
    def is_closed(self) -> bool:
        return self._semaphore is None

    # ---------------------------------------------------------------- recording

    @property
    def has_work(self) -> bool:
        """Whether more than timestamps is recorded."""
        return self.serial != self._first

    @property
    def next(self) -> int:
        """The number of the submit that will run what is recorded now."""
        return self.submitted + 1

    def record(self, count: int = 1) -> Writer:
        """What commands are written with, of which the caller writes so many."""
        self.flush_if_full()
        self.serial += count
        writer = self.writer
        return writer if writer.handle is not None else self.begin()

    def begin(self) -> Writer:
        """As `record`, for what is no work of the device."""
        writer = self.writer
        if writer.handle is None:
            if self._semaphore is None:
                raise ClosedError("the device was closed")
            self.retire()
            handle = self._free.pop() if self._free else self.new_buffer()
            check(self.functions.begin(handle, self._begin_info), "record commands")
            writer.start(handle, self.next)
        return writer

    def new_buffer(self, level: int = vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY) -> Any:
        """A command buffer."""
        create = vk.VkCommandBufferAllocateInfo(commandPool=self._pool, level=level, commandBufferCount=1)
        with driver_errors("record commands"):
            return vk.vkAllocateCommandBuffers(self._device, create)[0]

    def new_writer(self) -> Writer:
        """For a secondary command buffer, which others execute again. Its first command waits for all before."""
        free = self._free_secondary
        writer, handle = Writer(self.functions), free.pop() if free else self.new_buffer(_SECONDARY)
        again = vk.VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT
        begin = vk.VkCommandBufferBeginInfo(flags=again, pInheritanceInfo=vk.VkCommandBufferInheritanceInfo())
        check(self.functions.begin(handle, ffi.addressof(begin)), "record commands")
        writer.start(handle, 0)
        return writer

    def end(self, handle: Any) -> Any:
        """A command buffer, complete."""
        check(self.functions.end(handle), "record commands")
        return handle

    def free_secondary(self, handle: Any) -> None:
        """Return a secondary command buffer that no work uses."""
        self._free_secondary.append(handle)

    # ---------------------------------------------------------------- submits

    def flush(self) -> None:
        """Submit what is recorded."""
        if self.writer.handle is None:
            return
        with HeldBack():  # a number that is never signalled would be waited for without end
            own = self._buffer[0] = self.end(self.writer.finish())
            self._first, self._limit = self.serial, self.serial + self._batch
            self._signalled[0] = self.next
            check(self._submit(self._queue, 1, self._info, ffi.NULL), "run what was dispatched")
            self.submitted += 1
            self._running.append((self.submitted, own))

    def flush_if_full(self) -> None:
        """Submit if so much is recorded that the device should start. What is recorded next is then in one submit with
        what the host prepares for it."""
        if self.serial >= self._limit:
            self._batch = min(2 * self._batch, _MAX_BATCH)
            self.flush()

    def start_batch(self) -> None:
        """Submit early after this."""
        self._batch, self._limit = _FIRST_BATCH, self._first + _FIRST_BATCH

    def has_ended(self, submit: int) -> bool:
        """Whether the work up to a submit has ended, without waiting. Raises DeviceLostError."""
        if submit > self.ended:
            submit = self._flushed(submit)
            if self._semaphore is None:
                raise ClosedError("the device was closed")
            check(self._counter(self._device, self._semaphore, self._value), "go on")
            self.ended = self._value[0]
        return submit <= self.ended

    def wait(self, submit: int) -> None:
        """Wait until the work up to a submit has ended."""
        submit = self._flushed(submit)
        if not self.is_closed:
            check(self._wait_for(submit, _FOREVER), "wait for work")

    def _flushed(self, submit: int) -> int:
        """What to wait for instead of a submit: there is none if Ctrl-C or an error came before its first command."""
        if submit > self.submitted:
            self.flush()
        return min(submit, self.submitted)

    def pause(self, submit: int, seconds: float) -> None:
        """Wait for some time, or until the work up to a submit has ended. Any thread may call it at any time: `close`
        waits until it has returned."""
        with self._lock:
            if self.is_closed or submit > self.submitted:
                return
            self._waiting += 1
        try:
            self._wait_for(submit, int(seconds * 1e9))
        finally:
            with self._lock:
                self._waiting -= 1

    def _wait_for(self, submit: int, nanoseconds: int) -> int:
        awaited = ffi.new("uint64_t[1]", [submit])
        info = ffi.new(
            "VkSemaphoreWaitInfo*",
            {
                "sType": vk.VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                "semaphoreCount": 1,
                "pSemaphores": self._semaphores,
                "pValues": awaited,
            },
        )
        return int(self._wait(self._device, info, nanoseconds))

    # ---------------------------------------------------------------- what is freed

    def after(self, submit: int, free: Callable[[], None]) -> None:
        """Call `free` once the work up to a submit has ended."""
        if submit <= self.ended:
            free()
        else:
            self._garbage.append((submit, free))

    def retire(self) -> None:
        """Free what the work that has ended used."""
        if not self._running and not self._garbage:
            return
        self.has_ended(self.submitted)
        ended = self.ended
        while self._running and self._running[0][0] <= ended:
            self._free.append(self._running.popleft()[1])
        while self._garbage and self._garbage[0][0] <= ended:
            self._garbage.popleft()[1]()

    def close(self) -> None:
        """Forget what is recorded, wait for what runs, and free all."""
        self.writer.handle = None
        vk.lib.vkDeviceWaitIdle(self._device)
        self.ended = self.submitted
        while self._garbage:
            self._garbage.popleft()[1]()
        with self._lock:
            semaphore, self._semaphore = self._semaphore, None
        while self._waiting:
            time.sleep(_MOMENT)
        vk.vkDestroySemaphore(self._device, semaphore, None)
        vk.vkDestroyCommandPool(self._device, self._pool, None)
