"""The backend interface: several queues, on devices that have them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import gpucore as gp
from gpucore.runtime import Mark
from gpucore.runtime.protocol import CopyStep, DispatchStep
from gpucore.testing.bench import Bench, Delay, own_device
from gpucore.testing.checks import bytes_of, check, check_bits
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.skipped import Skipped

_COUNT = 200  # i32 elements
_GRID = -(-_COUNT // kernels.SIZE)


@contextmanager
def _several(gpu: gp.Device) -> Iterator[Bench]:
    """A device of its own. Skips the test if it has one queue."""
    if gpu.driver_device.queues == 1:
        raise Skipped(f"{gpu.id} has one queue")
    with own_device(gpu) as bench:
        yield bench


def _mark_in(bench: Bench, queue: int, make: Callable[[], Mark]) -> Mark:
    bench.device.select(queue)
    return make()


class SeveralQueuesTests:
    """Device.queues, Device.select, Device.order. Skipped on devices with one queue."""

    def test_select_queue(self, gpu: gp.Device) -> None:
        """C061 [Backend interface: Device.select]: Dispatches, writes, copies, transfers and reads go to the selected
        queue: in each queue they keep their order, while the queues take turns. Skipped with one queue."""
        with _several(gpu) as bench:
            lines = [_Line(bench, queue) for queue in range(bench.device.queues)]
            delay = Delay(bench)
            for line in lines:
                bench.device.select(line.queue)
                delay()
            steps = [line.steps() for line in lines]
            for turn in zip(*steps, strict=True):
                for line, step in zip(lines, turn, strict=True):
                    bench.device.select(line.queue)
                    step()
            for line in reversed(lines):
                bench.device.select(line.queue)
                line.check()

    def test_recording_in_queue(self, gpu: gp.Device) -> None:
        """C062 [Backend interface: Device.select]: A recording runs in the queue that is selected at the run. Skipped
        with one queue, and without recordings."""
        with _several(gpu) as bench:
            program = bench.compile(kernels.affine)
            host = np.arange(_COUNT, dtype=np.int32)
            x, y = bench.buffer(host), bench.buffer(host)
            scalars = program.pack({"scale": 3, "offset": 1, "length": _COUNT})
            recording = bench.device.record(
                [DispatchStep((x,), program.pipeline, scalars, (_GRID, 1, 1)), CopyStep((x, y), 400)]
            )
            if recording is None:
                raise Skipped(f"{gpu.id} prepares no recordings")
            bench.wait(bench.device.mark())
            delay, y_host = Delay(bench), host.copy()
            for queue in range(bench.device.queues):
                bench.device.select(queue)
                delay()
                bench.dispatch(program, [x], _GRID, scale=-1, offset=queue, length=_COUNT)
                recording.run([(x,), (x, y)])
                host = (host * -1 + queue) * 3 + 1
                y_host[:100] = host[:100]
                check_bits(bench.read(x, np.int32, _COUNT), host, f"after a run in queue {queue}")
                check_bits(bench.read(y, np.int32, _COUNT), y_host, f"the copy of a run in queue {queue}")

    def test_marks_of_queues(self, gpu: gp.Device) -> None:
        """C063 [Backend interface: Device.mark, Device.fence]: A mark or fence is of the selected queue, which is the
        first one at first: it is done after the work there, and in a queue without work before the work in another
        one. Skipped with one queue."""
        with _several(gpu) as bench:
            program, delay, host = bench.compile(kernels.affine), Delay(bench), np.arange(_COUNT, dtype=np.int32)
            x = bench.buffer(host)
            delay()
            bench.dispatch(program, [x], _GRID, scale=3, offset=1, length=_COUNT)
            bench.wait(_mark_in(bench, 0, bench.device.mark))
            check_bits(bench.read_now(x, np.int32, _COUNT), host * 3 + 1, "work that was queued before any `select`")
            for kind in ("mark", "fence"):
                make = getattr(bench.device, kind)
                for queue in range(bench.device.queues):
                    other = (queue + 1) % bench.device.queues
                    bench.device.select(queue)
                    check(delay.outlasts(lambda _: self._wait_for_idle(bench, make, queue, other), make),  # noqa: B023
                          f"a {kind} in queue {other}, without work, waited for the work in queue {queue}")  # fmt: skip
                    x = bench.buffer(host)
                    delay()
                    bench.dispatch(program, [x], _GRID, scale=3, offset=queue, length=_COUNT)
                    mark = make()
                    bench.device.select(other)
                    bench.wait(mark)
                    found = bench.read_now(x, np.int32, _COUNT)
                    check_bits(found, host * 3 + queue, f"the work of queue {queue} once its {kind} was done")

    @staticmethod
    def _wait_for_idle(bench: Bench, make: Callable[[], Mark], queue: int, idle: int) -> None:
        bench.wait(_mark_in(bench, idle, make))
        bench.device.select(queue)

    def test_order_of_queues(self, gpu: gp.Device) -> None:
        """C064 [Backend interface: Device.order]: Work sees what a mark or fence of another queue covers, from each
        queue to the next and back, dispatches and copies too. Skipped with one queue."""
        with _several(gpu) as bench:
            program, delay = bench.compile(kernels.affine), Delay(bench)
            queues = list(range(bench.device.queues))
            host = np.arange(_COUNT, dtype=np.int32)
            x, y = bench.buffer(host), bench.buffer(host)
            delay()
            marks: list[Mark] = [bench.device.mark()]
            wanted = host
            for turn, queue in enumerate((*queues[1:], *reversed(queues[:-1]), queues[-1], 0), 1):
                bench.device.select(queue)
                bench.device.order(marks[-1])
                if turn == 2:
                    delay()
                scale = -1 if turn % 3 else 3
                bench.dispatch(program, [x], _GRID, scale=scale, offset=turn, length=_COUNT)
                bench.device.copy(x, y, 4 * _COUNT)
                bench.dispatch(program, [y], _GRID, scale=2, offset=turn, length=_COUNT)
                wanted = wanted * scale + turn
                marks.append(bench.device.fence() if turn % 2 else bench.device.mark())
            bench.wait(marks[-1])
            check_bits(bench.read_now(x, np.int32, _COUNT), wanted, "what each queue has computed in turn")
            check_bits(bench.read_now(y, np.int32, _COUNT), wanted * 2 + turn, "what the last queue has copied")
            check(all(mark.is_done() for mark in marks), "the last mark is done, and one that was waited for is not")

    def test_order_of_transfers(self, gpu: gp.Device) -> None:
        """C065 [Backend interface: Device.order]: Writes and copies to the host wait for a mark too, and only those of
        the selected queue; several marks may be waited for, also such as are done. Skipped with one queue."""
        with _several(gpu) as bench:
            program, delay = bench.compile(kernels.affine), Delay(bench)
            host, stored = np.arange(_COUNT, dtype=np.int32), np.full(_COUNT, -77, np.int32)
            x, y, out = bench.buffer(host), bench.buffer(host), np.zeros(_COUNT, np.int32)
            saved = bench.device.allocate(4 * _COUNT)
            done = bench.device.mark()
            bench.wait(done)
            beside = [queue for queue in range(bench.device.queues) if queue != 1][-1]
            delay(2)
            bench.dispatch(program, [x], _GRID, scale=3, offset=1, length=_COUNT)
            bench.device.copy(x, saved, 4 * _COUNT)
            marks = [bench.device.mark()]
            bench.device.select(beside)
            delay()
            bench.dispatch(program, [y], _GRID, scale=-1, offset=5, length=_COUNT)
            marks.append(bench.device.mark())
            bench.device.select(1)
            for mark in (done, *marks):
                bench.device.order(mark)
            is_started = y.start_read(bytes_of(out))
            x.write(bytes_of(stored))
            bench.device.copy(x, y, 400)
            bench.wait(bench.device.mark())
            y_wanted = host * -1 + 5
            if is_started:
                check_bits(out, y_wanted, "a copy to the host that waited for a mark")
            y_wanted[:100] = -77
            check_bits(bench.read_now(saved, np.int32, _COUNT), host * 3 + 1, "what was saved before the write")
            check_bits(bench.read_now(x, np.int32, _COUNT), stored, "a write that waited for a mark")
            check_bits(bench.read_now(y, np.int32, _COUNT), y_wanted, "a copy that waited for two marks")
            bench.device.select(0)
            delay()
            bench.dispatch(program, [x], _GRID, scale=7, offset=-3, length=_COUNT)
            mark = bench.device.mark()
            bench.device.select(1)
            bench.device.order(mark)
            if x.start_write(bytes_of(host)):
                bench.wait(bench.device.mark())
                check_bits(bench.read_now(x, np.int32, _COUNT), host, "a write that ends later and waited for a mark")

    def test_order_does_not_wait(self, gpu: gp.Device) -> None:
        """C066 [Backend interface: Device.order]: The host does not wait: it returns before the work that the mark
        covers has ended. Skipped with one queue."""
        with _several(gpu) as bench:
            delay = Delay(bench)

            def order_in_other_queue(mark: Mark) -> None:
                bench.device.select(1)
                bench.device.order(mark)
                bench.device.select(0)

            check(delay.outlasts(order_in_other_queue), "order has waited for the work that the mark covers")
            for kind in ("mark", "fence"):
                bench.device.select(0)
                delay()
                mark = bench.device.mark()
                bench.device.select(1)
                earlier = getattr(bench.device, kind)()
                bench.device.order(mark)
                bench.wait(getattr(bench.device, kind)())
                check(mark.is_done(), f"a {kind} is done, and a mark that its queue waited for is not")
                check(earlier.is_done(), f"a {kind} is done, and an earlier one is not")

    def test_new_memory(self, gpu: gp.Device) -> None:
        """C067 [Backend interface: Device.allocate]: New memory can be used in every queue at once, whichever was
        selected and works. Skipped with one queue."""
        with _several(gpu) as bench:
            delay = Delay(bench)
            for queue in range(bench.device.queues):
                bench.device.select(queue)
                delay()
                made = [bench.device.allocate(4 * _COUNT) for _ in range(bench.device.queues)]
                hosts = [np.arange(_COUNT, dtype=np.int32) + other for other in range(bench.device.queues)]
                for other, (buffer, host) in enumerate(zip(made, hosts, strict=True)):
                    bench.device.select(other)
                    buffer.write(bytes_of(host))
                for other in range(bench.device.queues):
                    bench.wait(_mark_in(bench, other, bench.device.mark))
                for other, (buffer, host) in enumerate(zip(made, hosts, strict=True)):
                    found = bench.read_now(buffer, np.int32, _COUNT)
                    check_bits(found, host, f"written in queue {other} to memory allocated in queue {queue}")

    def test_release_in_other_queues(self, gpu: gp.Device) -> None:
        """C068 [Backend interface: Buffer.release, Pipeline.release]: Work in a queue has the memory and the code that
        it needs, although they are released while another queue is selected. Skipped with one queue."""
        with _several(gpu) as bench:
            delay = Delay(bench)
            for queue in range(bench.device.queues):
                program = bench.compile(kernels.combine)
                a, b = np.arange(_COUNT, dtype=np.int32), np.arange(_COUNT, dtype=np.int32)[::-1].copy()
                bench.device.select(queue)
                source, second, target = bench.buffer(a), bench.buffer(b), bench.device.allocate(4 * _COUNT)
                bench.wait(bench.device.mark())
                delay()
                bench.dispatch(program, [source, second, target], _GRID, length=_COUNT)
                mark = bench.device.mark()
                bench.device.select((queue + 1) % bench.device.queues)
                for released in (source, second, program.pipeline):
                    released.release()
                    released.release()
                fillers = [bench.buffer(np.full(_COUNT, -1, np.int32)) for _ in range(8)]
                bench.wait(bench.device.mark())
                bench.wait(mark)
                found = bench.read_now(target, np.int32, _COUNT)
                check_bits(found, a * 1000 - b, f"work of queue {queue} on released buffers")
                for buffer in (target, *fillers):
                    buffer.release()

    def test_close_several_queues(self, gpu: gp.Device) -> None:
        """C069 [Backend interface: Device.close]: A device is closed, twice, with work in all queues, which wait for
        one another; its threads end, and other devices stay open. Skipped with one queue."""
        with _several(gpu) as other:
            before = set(threading.enumerate())
            for selected in (0, 1):
                with own_device(gpu) as bench:
                    program, delay = bench.compile(kernels.affine), Delay(bench)
                    x = bench.buffer(np.arange(_COUNT, dtype=np.int32))
                    mark = bench.device.mark()
                    for queue in (*range(1, bench.device.queues), 0):
                        bench.device.select(queue)
                        bench.device.order(mark)
                        delay()
                        bench.dispatch(program, [x], _GRID, scale=3, offset=queue, length=_COUNT)
                        mark = bench.device.fence()
                    bench.device.select(selected)
                    bench.device.close()
            left = [thread.name for thread in threading.enumerate() if thread not in before]
            check(left == [], f"threads that still run: {', '.join(left)}")
            host = np.arange(_COUNT, dtype=np.int32)
            buffer = other.buffer(host)
            other.dispatch(other.compile(kernels.affine), [buffer], _GRID, scale=-3, offset=5, length=_COUNT)
            check_bits(other.read(buffer, np.int32, _COUNT), host * -3 + 5, "a kernel on a device that stayed open")


class _Line:
    """Work of all kinds in one queue, on buffers of its own."""

    def __init__(self, bench: Bench, queue: int) -> None:
        self._bench, self.queue = bench, queue
        self._program = bench.compile(kernels.affine)
        self._host = np.arange(_COUNT, dtype=np.int32) + queue
        self._stored = np.arange(_COUNT, dtype=np.int32) * 11 - queue
        bench.device.select(queue)
        self._x, self._y, self._z = (bench.buffer(self._host) for _ in range(3))
        self._pinned = bench.device.pinned(4 * _COUNT)
        self._out = np.zeros(_COUNT, np.int32) if self._pinned is None else np.frombuffer(self._pinned, np.int32)
        self._is_written = self._is_read = False

    def steps(self) -> list[Callable[[], None]]:
        """The calls, to be made in this order with the queue selected."""
        nbytes = 4 * _COUNT
        return [
            lambda: self._affine(3, 1),
            lambda: self._bench.device.copy(self._x, self._y, nbytes),
            lambda: self._x.write(bytes_of(self._stored[:50]), 80),
            self._start_read,
            lambda: self._affine(-1, self.queue),
            self._start_write,
            lambda: self._affine(5, 2),
            lambda: self._bench.device.copy(self._x, self._z, nbytes),
            lambda: self._x.expect_read(nbytes),
        ]

    def _affine(self, scale: int, offset: int) -> None:
        self._bench.dispatch(self._program, [self._x], _GRID, scale=scale, offset=offset, length=_COUNT)

    def _start_read(self) -> None:
        self._is_read = self._x.start_read(bytes_of(self._out))

    def _start_write(self) -> None:
        self._is_written = self._x.start_write(bytes_of(self._stored[100:]), 400)

    def check(self) -> None:
        """Wait for the queue, which is selected, and compare."""
        first = self._host * 3 + 1
        second = first.copy()
        second[20:70] = self._stored[:50]
        last = second * -1 + self.queue
        if self._is_written:
            last[100:] = self._stored[100:]
        last = last * 5 + 2
        self._bench.wait(self._bench.device.mark())
        for name, buffer, wanted in (("x", self._x, last), ("y", self._y, first), ("z", self._z, last)):
            found = self._bench.read_now(buffer, np.int32, _COUNT)
            check_bits(found, wanted, f"{name} of queue {self.queue}")
        if self._is_read:
            check_bits(self._out, second, f"a copy to the host in queue {self.queue}")
