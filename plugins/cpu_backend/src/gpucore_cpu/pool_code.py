"""The machine code of a pool of threads, as LLVM IR: helpers wait for work, take chunks and finish without the GIL.

`share` issues permits; a helper that takes one reads the description of the work and takes part. At the end `share`
withdraws the permits that are left, and waits for the helpers that took one: so no helper reads a description that is
being replaced. A chunk is a part of what is left, so all threads end at about the same time. `replay` does one piece of
work after the other.
"""

from __future__ import annotations

import platform
import struct

SERVE, SHARE, REPLAY, CLOSE = "gpucore_serve", "gpucore_share", "gpucore_replay", "gpucore_close"

WORK = struct.Struct("PPPPiiiiqqq")
"""The description of the work, at WORK_OFFSET of a pool's memory: entry, buffers, scalars, addresses of each thread's
scratch memory, gx, gy, gz, helpers that `replay` wants; last workgroup, smallest chunk, parts of the rest of which one
is a chunk."""

WORK_OFFSET, NBYTES = 448, 576
CONDITIONS = (64, 128)  # offsets; the mutex is at 0

_PAUSES = {"x86_64": "llvm.x86.sse2.pause()", "amd64": "llvm.x86.sse2.pause()",
           "arm64": "llvm.aarch64.hint(i32 1)", "aarch64": "llvm.aarch64.hint(i32 1)"}  # fmt: skip

# After a look that found nothing: pause and look again, or, after `looks` looks, take the lock in order to sleep.
_LOOK_AGAIN = """\
none:
  %looked.next = add i64 %looked, 1
  %is_tired = icmp sgt i64 %looked, %looks
  br i1 %is_tired, label %rest, label %pause
pause:
  PAUSE
  br label %look
rest:
  call void @gpucore_lock(ptr %pool)
"""

# In cache lines of their own: mutex, condition of new work, condition of the end of the work, permits, helpers that
# have left and whether `share` sleeps, next workgroup, sleeping helpers and whether the pool is closed, work.
_TEXT = """
%line = type [64 x i8]
%work = type { ptr, ptr, ptr, ptr, i32, i32, i32, i32, i64, i64, i64 }
%pool = type { %line, %line, %line, [8 x i64], [8 x i64], [8 x i64], [8 x i64], %work }
declare void @gpucore_lock(ptr)
declare void @gpucore_unlock(ptr)
declare void @gpucore_sleep(ptr, ptr, i32, i32) ; POSIX has the first two arguments, Windows all
declare void @gpucore_wake(ptr)

; Run some workgroups of the work.
define internal void @run(%work %work, i64 %thread, i64 %start, i64 %stop) nounwind {
  %entry = extractvalue %work %work, 0
  %buffers = extractvalue %work %work, 1
  %scalars = extractvalue %work %work, 2
  %table = extractvalue %work %work, 3
  %gx = extractvalue %work %work, 4
  %gy = extractvalue %work %work, 5
  %gz = extractvalue %work %work, 6
  %scratch.place = getelementptr ptr, ptr %table, i64 %thread
  %scratch = load ptr, ptr %scratch.place
  call void %entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %start, i64 %stop)
  ret void
}

; Take chunks until none is left; returns how many workgroups that were.
define internal i64 @take(ptr %pool, i64 %thread) nounwind {
  %next = getelementptr %pool, ptr %pool, i32 0, i32 5
  %place = getelementptr %pool, ptr %pool, i32 0, i32 7
  %work = load %work, ptr %place
  %last = extractvalue %work %work, 8
  %least = extractvalue %work %work, 9
  %parts = extractvalue %work %work, 10
  br label %look
look:
  %done = phi i64 [ 0, %0 ], [ %done, %claim ], [ %more, %run ]
  %start = load atomic i64, ptr %next seq_cst, align 8
  %is_end = icmp sge i64 %start, %last
  br i1 %is_end, label %end, label %claim
claim:
  %left = sub i64 %last, %start
  %part = udiv i64 %left, %parts
  %chunk = call i64 @llvm.smax.i64(i64 %part, i64 %least)
  %sum = add i64 %start, %chunk
  %stop = call i64 @llvm.smin.i64(i64 %sum, i64 %last)
  %claimed = cmpxchg ptr %next, i64 %start, i64 %stop seq_cst seq_cst
  %is_mine = extractvalue { i64, i1 } %claimed, 1
  br i1 %is_mine, label %run, label %look
run:
  call void @run(%work %work, i64 %thread, i64 %start, i64 %stop)
  %count = sub i64 %stop, %start
  %more = add i64 %done, %count
  br label %look
end:
  ret i64 %done
}

; Work as a helper until the pool is closed. After `looks` looks for work the thread sleeps.
define void @gpucore_serve(ptr %pool, i64 %thread, i64 %looks) nounwind {
  %changed = getelementptr %pool, ptr %pool, i32 0, i32 1
  %finished = getelementptr %pool, ptr %pool, i32 0, i32 2
  %permits = getelementptr %pool, ptr %pool, i32 0, i32 3
  %gone = getelementptr %pool, ptr %pool, i32 0, i32 4, i32 0
  %waiting = getelementptr %pool, ptr %pool, i32 0, i32 4, i32 1
  %sleepers = getelementptr %pool, ptr %pool, i32 0, i32 6, i32 0
  %closed = getelementptr %pool, ptr %pool, i32 0, i32 6, i32 1
  br label %begin
begin:
  br label %look
look:
  %looked = phi i64 [ 0, %begin ], [ 0, %take ], [ %looked.next, %pause ]
  %free = load atomic i64, ptr %permits seq_cst, align 8
  %is_work = icmp sgt i64 %free, 0
  br i1 %is_work, label %take, label %none
take:
  %fewer = sub i64 %free, 1
  %taken = cmpxchg ptr %permits, i64 %free, i64 %fewer seq_cst seq_cst
  %is_taken = extractvalue { i64, i1 } %taken, 1
  br i1 %is_taken, label %enter, label %look
enter:
  %own = call i64 @take(ptr %pool, i64 %thread)
  %left = atomicrmw add ptr %gone, i64 1 seq_cst
  %waits = load atomic i64, ptr %waiting seq_cst, align 8
  %is_awaited = icmp ne i64 %waits, 0
  br i1 %is_awaited, label %tell, label %begin
tell:
  call void @gpucore_lock(ptr %pool)
  call void @gpucore_wake(ptr %finished)
  call void @gpucore_unlock(ptr %pool)
  br label %begin
LOOK_AGAIN  %before = atomicrmw add ptr %sleepers, i64 1 seq_cst
  br label %check
check:
  %end = load atomic i64, ptr %closed seq_cst, align 8
  %is_closed = icmp ne i64 %end, 0
  %free.now = load atomic i64, ptr %permits seq_cst, align 8
  %is_work.now = icmp sgt i64 %free.now, 0
  %is_awake = or i1 %is_closed, %is_work.now
  br i1 %is_awake, label %rise, label %sleep
sleep:
  call void @gpucore_sleep(ptr %changed, ptr %pool, i32 -1, i32 0)
  br label %check
rise:
  %after = atomicrmw sub ptr %sleepers, i64 1 seq_cst
  call void @gpucore_unlock(ptr %pool)
  br i1 %is_closed, label %stop, label %begin
stop:
  ret void
}

; Wake `count` helpers.
define internal void @wake(ptr %pool, i64 %count) nounwind {
  %changed = getelementptr %pool, ptr %pool, i32 0, i32 1
  call void @gpucore_lock(ptr %pool)
  br label %each
each:
  %done = phi i64 [ 0, %0 ], [ %done.next, %one ]
  %is_end = icmp sge i64 %done, %count
  br i1 %is_end, label %end, label %one
one:
  call void @gpucore_wake(ptr %changed)
  %done.next = add i64 %done, 1
  br label %each
end:
  call void @gpucore_unlock(ptr %pool)
  ret void
}

; Let `count` helpers return from gpucore_serve, now or after their work.
define void @gpucore_close(ptr %pool, i64 %count) nounwind {
  %closed = getelementptr %pool, ptr %pool, i32 0, i32 6, i32 1
  store atomic i64 1, ptr %closed seq_cst, align 8
  call void @wake(ptr %pool, i64 %count)
  ret void
}

; Do the described work, from `first` on, with at most `wanted` helpers; returns how many workgroups this thread ran.
define i64 @gpucore_share(ptr %pool, i64 %first, i64 %wanted, i64 %looks) nounwind {
  %finished = getelementptr %pool, ptr %pool, i32 0, i32 2
  %permits = getelementptr %pool, ptr %pool, i32 0, i32 3
  %gone = getelementptr %pool, ptr %pool, i32 0, i32 4, i32 0
  %waiting = getelementptr %pool, ptr %pool, i32 0, i32 4, i32 1
  %next = getelementptr %pool, ptr %pool, i32 0, i32 5
  %sleepers = getelementptr %pool, ptr %pool, i32 0, i32 6, i32 0
  store atomic i64 %first, ptr %next seq_cst, align 8
  store atomic i64 0, ptr %gone seq_cst, align 8
  %issued = atomicrmw xchg ptr %permits, i64 %wanted seq_cst
  %asleep = load atomic i64, ptr %sleepers seq_cst, align 8
  %woken = call i64 @llvm.smin.i64(i64 %asleep, i64 %wanted)
  %is_none = icmp eq i64 %woken, 0
  br i1 %is_none, label %enter, label %call
call:
  call void @wake(ptr %pool, i64 %woken)
  br label %enter
enter:
  %own = call i64 @take(ptr %pool, i64 0)
  %withdrawn = atomicrmw xchg ptr %permits, i64 0 seq_cst
  %entered = sub i64 %wanted, %withdrawn
  br label %look
look:
  %looked = phi i64 [ 0, %enter ], [ %looked.next, %pause ]
  %left = load atomic i64, ptr %gone seq_cst, align 8
  %is_end = icmp eq i64 %left, %entered
  br i1 %is_end, label %end, label %none
LOOK_AGAIN  store atomic i64 1, ptr %waiting seq_cst, align 8
  br label %check
check:
  %left.now = load atomic i64, ptr %gone seq_cst, align 8
  %is_end.now = icmp eq i64 %left.now, %entered
  br i1 %is_end.now, label %rise, label %sleep
sleep:
  call void @gpucore_sleep(ptr %finished, ptr %pool, i32 -1, i32 0)
  br label %check
rise:
  store atomic i64 0, ptr %waiting seq_cst, align 8
  call void @gpucore_unlock(ptr %pool)
  br label %end
end:
  ret i64 %own
}

; Do `count` pieces of work, each from the first workgroup on, in this thread or with helpers.
define void @gpucore_replay(ptr %pool, ptr %steps, i64 %count, i64 %looks) nounwind {
  %place = getelementptr %pool, ptr %pool, i32 0, i32 7
  br label %look
look:
  %done = phi i64 [ 0, %0 ], [ %next, %alone ], [ %next, %together ]
  %is_end = icmp sge i64 %done, %count
  br i1 %is_end, label %end, label %step
step:
  %next = add i64 %done, 1
  %step.place = getelementptr %work, ptr %steps, i64 %done
  %work = load %work, ptr %step.place
  %wanted = extractvalue %work %work, 7
  %is_alone = icmp sle i32 %wanted, 0
  br i1 %is_alone, label %alone, label %together
alone:
  %last = extractvalue %work %work, 8
  call void @run(%work %work, i64 0, i64 0, i64 %last)
  br label %look
together:
  store %work %work, ptr %place
  %helpers = sext i32 %wanted to i64
  %own = call i64 @gpucore_share(ptr %pool, i64 0, i64 %helpers, i64 %looks)
  br label %look
end:
  ret void
}
"""


def pool_text(machine: str = "") -> str:
    """The module, for a processor, by default this one: a thread that looks for work lets the other one on its core go
    first."""
    pause = _PAUSES.get(machine or platform.machine().lower())
    text = _TEXT.replace("LOOK_AGAIN", _LOOK_AGAIN)
    return text.replace("PAUSE", f"call void @{pause}" if pause else "fence seq_cst")
