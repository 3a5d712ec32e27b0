/** Numbers by value: what may be passed for a scalar, and how it is written to memory. */

import type { ScalarName } from "./dtypes.js";
import { refuse, shownValue } from "./errors.js";
import { fromHalf, toHalf } from "./f16.js";

const RANGES: Partial<Record<ScalarName, [bigint, bigint]>> = {
  i8: [-128n, 127n], u8: [0n, 255n], i16: [-32768n, 32767n], u16: [0n, 65535n],
  i32: [-(1n << 31n), (1n << 31n) - 1n], u32: [0n, (1n << 32n) - 1n],
  i64: [-(1n << 63n), (1n << 63n) - 1n], u64: [0n, (1n << 64n) - 1n],
};

/** A number that is passed by value. */
export type Scalar = number | bigint | boolean;

/** @internal Checks a number passed by value. Nothing is wrapped, or rounded to an integer. */
export function checkScalar(kernel: string, name: string, value: unknown, type: ScalarName): Scalar {
  if (type === "bool") {
    if (typeof value !== "boolean") refuse(kernel, name, `must be true or false, not ${shownValue(value)}`);
    return value;
  }
  const range = RANGES[type];
  if (range) {
    const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
    if (!isWhole) refuse(kernel, name, `must be a whole number (${type}), not ${shownValue(value)}`);
    if (value < range[0] || value > range[1]) {
      refuse(kernel, name, `is ${value}, and ${type} holds ${range[0]} to ${range[1]}`);
    }
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      refuse(kernel, name, `is ${value}, which a number does not hold exactly; pass a BigInt, such as 1n`);
    }
    return value;
  }
  if (type === "bf16") {
    refuse(kernel, name, "is bf16, and numbers are not converted to that; declare it u16 and give its bits, or f32");
  }
  if (typeof value !== "number") refuse(kernel, name, `must be a number (${type}), not ${shownValue(value)}`);
  const rounded = type === "f16" ? fromHalf(toHalf(value)) : type === "f32" ? Math.fround(value) : value;
  if (!Number.isFinite(rounded) && Number.isFinite(value)) {
    refuse(kernel, name, `is ${value}, which is beyond the range of ${type}`);
  }
  return value;
}

/** @internal Writes a checked number as the memory of an array holds it. */
export function putElement(view: DataView, offset: number, value: Scalar, type: ScalarName): void {
  switch (type) {
    case "bool": return view.setUint8(offset, value ? 1 : 0);
    case "i8": return view.setInt8(offset, Number(value));
    case "u8": return view.setUint8(offset, Number(value));
    case "i16": return view.setInt16(offset, Number(value), true);
    case "u16": case "bf16": return view.setUint16(offset, Number(value), true);
    case "i32": return view.setInt32(offset, Number(value), true);
    case "u32": return view.setUint32(offset, Number(value), true);
    case "i64": return view.setBigInt64(offset, BigInt(value), true);
    case "u64": return view.setBigUint64(offset, BigInt(value), true);
    case "f16": return view.setUint16(offset, toHalf(Number(value)), true);
    case "f32": return view.setFloat32(offset, Number(value), true);
    case "f64": return view.setFloat64(offset, Number(value), true);
  }
}

/** @internal Reads what `putElement` writes. */
export function getElement(view: DataView, offset: number, type: ScalarName): Scalar {
  switch (type) {
    case "bool": return view.getUint8(offset) !== 0;
    case "i8": return view.getInt8(offset);
    case "u8": return view.getUint8(offset);
    case "i16": return view.getInt16(offset, true);
    case "u16": case "bf16": return view.getUint16(offset, true);
    case "i32": return view.getInt32(offset, true);
    case "u32": return view.getUint32(offset, true);
    case "i64": return view.getBigInt64(offset, true);
    case "u64": return view.getBigUint64(offset, true);
    case "f16": return fromHalf(view.getUint16(offset, true));
    case "f32": return view.getFloat32(offset, true);
    case "f64": return view.getFloat64(offset, true);
  }
}

/** @internal Writes a number to the packed scalars of a dispatch, where a bool is a whole word. */
export function putScalar(view: DataView, offset: number, value: Scalar, type: ScalarName): void {
  if (type === "bool") view.setUint32(offset, value ? 1 : 0, true);
  else putElement(view, offset, value, type);
}
