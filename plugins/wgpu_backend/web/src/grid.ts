/** Grids: rounding of invocations to workgroups, and folding to fit the limits of a dispatch. */

import { ArgumentError, shownValue } from "./errors.js";

/** One to three numbers, along x, y and z. */
export type Counts = number | readonly number[];

/** Numbers along x, y and z. */
export type Triple = [x: number, y: number, z: number];

const MAX_INVOCATIONS = 2 ** 31 - 1;

/** @internal The requested workgroups, and those dispatched: the same, or folded into rows. `called` is how many the
 * call asks for along x, of which one of those requested may do several. */
export interface Grid {
  requested: Triple;
  dispatched: Triple;
  called: number;
  isFolded: boolean;
  isEmpty: boolean;
}

/** @internal The grid of a call with either `invocations` (rounded up to whole workgroups) or `workgroups`. */
export function planGrid(
  kernel: string,
  workgroupSize: Triple,
  limit: number,
  invocations: Counts | undefined,
  workgroups: Counts | undefined,
): Grid {
  if ((invocations === undefined) === (workgroups === undefined)) {
    throw new ArgumentError(`${kernel}: give either {invocations: n} (or an array) or {workgroups: n} (or an array)`);
  }
  let requested: Triple;
  if (workgroups !== undefined) {
    requested = readCounts(kernel, "workgroups", workgroups);
  } else {
    const wanted = readCounts(kernel, "invocations", invocations);
    wanted.forEach((count, axis) => {
      if (count > MAX_INVOCATIONS) {
        throw new ArgumentError(
          `${kernel}: ${count} invocations along axis ${axis} are more than 2**31 - 1; ` +
            "split the work into several calls",
        );
      }
    });
    requested = wanted.map((count, axis) => Math.ceil(count / workgroupSize[axis]!)) as Triple;
  }
  requested.forEach((count, axis) => {
    const size = workgroupSize[axis]!;
    if (count * size > MAX_INVOCATIONS + 1 || count > MAX_INVOCATIONS) {
      throw new ArgumentError(
        `${kernel}: ${count} workgroups of ${size} along axis ${axis} exceed 2**31 invocations or 2**31 - 1 ` +
          "workgroups; split the work into several calls",
      );
    }
  });
  return within(kernel, requested, limit, requested[0]);
}

/** @internal The grid of a kernel of which one workgroup does the work of several. */
export function coarsened(grid: Grid, kernel: string, coarsening: number, limit: number): Grid {
  if (coarsening === 1) return grid;
  const [x, y, z] = grid.requested;
  return within(kernel, [Math.ceil(x / coarsening), y, z], limit, x);
}

function within(kernel: string, requested: Triple, limit: number, called: number): Grid {
  const isEmpty = requested.includes(0);
  if (isEmpty || requested.every((count) => count <= limit)) {
    return { requested, dispatched: requested, called, isFolded: false, isEmpty };
  }
  return { requested, dispatched: fold(kernel, requested, limit), called, isFolded: true, isEmpty };
}

function readCounts(kernel: string, name: string, value: unknown): Triple {
  const counts: unknown[] = Array.isArray(value) ? value : [value];
  const isWhole = counts.every((count) => Number.isInteger(count) && (count as number) >= 0);
  if (!isWhole || counts.length < 1 || counts.length > 3) {
    throw new ArgumentError(`${kernel}: ${name} must be one to three whole numbers from 0, not ${shownValue(value)}`);
  }
  return [...(counts as number[]), 1, 1].slice(0, 3) as Triple;
}

/** Rows of equal length that hold all workgroups. The kernel skips the excess workgroups of the last row. */
function fold(kernel: string, requested: Triple, limit: number): Triple {
  const total = requested.reduce((product, count) => product * count, 1);
  const rows = Math.ceil(total / limit);
  const columns = Math.ceil(total / rows);
  if (rows > limit || total > 2 ** 32 - 1 || rows * columns > 2 ** 32 - 1) {
    throw new ArgumentError(
      `${kernel}: ${total} workgroups exceed the device's limit for one dispatch (${limit} x ${limit}); split the ` +
        "work, or use larger workgroups",
    );
  }
  return [columns, rows, 1];
}
