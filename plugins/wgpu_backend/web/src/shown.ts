/** Values as Python's print shows them. */

import { fromHalf, toHalf } from "./f16.js";

/** @internal What a record of a print holds: a number, or the components of a vector. */
export type Shown = string | number | bigint | boolean | Float | Shown[];

/** @internal A number of a float type, which is shown with the digits that its type needs. */
export class Float {
  constructor(
    readonly value: number,
    readonly bits: 16 | 32 | 64,
  ) {}
}

/** @internal A value as print shows it; a vector as a tuple: (1.0, 2.5). */
export function shown(value: Shown): string {
  if (Array.isArray(value)) return `(${value.map(shown).join(", ")})`;
  if (typeof value === "boolean") return value ? "True" : "False";
  return value instanceof Float ? shownFloat(value.value, value.bits) : String(value);
}

/** From these values on NumPy writes the numbers of a type with an exponent. */
const LARGE = { 16: 1e3, 32: 1e6, 64: 1e16 };

/** The shortest decimal that its type rounds to the value, written as NumPy writes it. */
function shownFloat(value: number, bits: 16 | 32 | 64): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [digits, exponent] = shortest(value, bits);
  const sign = value < 0 ? "-" : "";
  if (Math.abs(value) < 1e-4 || Math.abs(value) >= LARGE[bits]) {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** The fewest digits, without a point, and the power of ten of the first. */
function shortest(value: number, bits: 16 | 32 | 64): [string, number] {
  for (let digits = 1; ; digits++) {
    const text = Math.abs(value).toExponential(digits - 1);
    if (digits >= 17 || rounded(Number(text), bits) === Math.abs(value)) {
      const [mantissa, exponent] = text.split("e") as [string, string];
      return [mantissa.replace(".", "").replace(/0+$/, "") || "0", Number(exponent)];
    }
  }
}

function rounded(value: number, bits: 16 | 32 | 64): number {
  return bits === 64 ? value : bits === 32 ? Math.fround(value) : fromHalf(toHalf(value));
}
