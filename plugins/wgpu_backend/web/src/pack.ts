/** The packed scalars of a launch, and whether it satisfies what its kernel assumes. */

import type { Grid } from "./grid.js";
import type { Assumption, Layout, Origin } from "./manifest.js";
import { putScalar, type Scalar } from "./numbers.js";

/** @internal An array as packing sees it: its shape, and the components of its own elements. */
export interface Shaped {
  readonly shape: readonly number[];
  readonly width: number;
}

/** @internal The arguments of a call, checked, by the names of the parameters. */
export type Arguments = Readonly<Record<string, unknown>>;

/** @internal The packed scalars of a call. */
export function packScalars(layout: Layout, nbytes: number, values: Arguments, grid: Grid): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(nbytes);
  const view = new DataView(bytes.buffer);
  for (const [origin, type, offset] of layout.slots) {
    putScalar(view, offset, valueOf(layout, origin, values, grid), type);
  }
  return bytes;
}

/** @internal Whether a call with checked arguments satisfies all assumptions. */
export function fits(layout: Layout, values: Arguments, grid: Grid): boolean {
  return layout.assumptions.every((assumption) => holds(layout, assumption, values, grid));
}

function holds(layout: Layout, [multiple, terms]: Assumption, values: Arguments, grid: Grid): boolean {
  let sum = 0n;
  for (const [factor, origins] of terms) {
    let product = BigInt(factor);
    for (const origin of origins) product *= BigInt(valueOf(layout, origin, values, grid));
    sum += product;
  }
  return sum >= 0n && (multiple <= 1 || sum % BigInt(multiple) === 0n);
}

function valueOf(layout: Layout, origin: Origin, values: Arguments, grid: Grid): Scalar {
  switch (origin[0]) {
    case "argument": return argument(values[origin[1]], origin[2]);
    case "shape": return lengthOf(layout, values[origin[1]] as Shaped, origin[1], origin[2]);
    case "last": {
      const array = values[origin[1]] as Shaped;
      const rank = layout.views[origin[1]]![0];
      let size = 1;
      for (let axis = 0; axis < rank; axis++) size *= lengthOf(layout, array, origin[1], axis);
      return (size || 1) - 1;
    }
    case "start": return 0; // arrays of a page begin where their memory does
    case "grid": return gridValue(origin[1], grid);
  }
}

function gridValue(what: "x" | "y" | "z" | "columns" | "called", grid: Grid): number {
  if (what === "columns") return grid.dispatched[0];
  if (what === "called") return grid.called;
  return grid.requested["xyz".indexOf(what)]!;
}

/** A part of an argument: "position.1" is the second component of the field `position`. */
function argument(value: unknown, field: string): Scalar {
  if (!field) return value as Scalar;
  let part = value as Record<string, unknown>;
  for (const step of field.split(".")) part = part[step] as Record<string, unknown>;
  return part as unknown as Scalar;
}

/** A length as the kernel sees it: of scalars that it views as vectors, the last axis is shorter. */
function lengthOf(layout: Layout, array: Shaped, name: string, axis: number): number {
  const [rank, width] = layout.views[name]!;
  const length = array.shape[axis]!;
  return width !== 1 && axis === rank - 1 && array.width === 1 ? Math.floor(length / width) : length;
}

/** @internal The shape of an array as the kernel sees it. */
export function viewedShape(layout: Layout, array: Shaped, name: string): number[] {
  return array.shape.map((_, axis) => lengthOf(layout, array, name, axis));
}
