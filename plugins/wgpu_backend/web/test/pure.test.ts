/** The functions that need no device. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StructType } from "../src/dtypes.js";
import { closest } from "../src/errors.js";
import { fromHalf, toHalf } from "../src/f16.js";
import { coarsened, planGrid, type Triple } from "../src/grid.js";
import type { Layout } from "../src/manifest.js";
import { fits, packScalars, viewedShape } from "../src/pack.js";
import { Float, shown } from "../src/shown.js";
import { pack, unpack } from "../src/structs.js";
import { describeUnwritten, unmarked } from "../src/unwritten.js";

const SIZE: Triple = [256, 1, 1];
const GRID = planGrid("k", SIZE, 65535, 1000, undefined);

function layout(parts: Partial<Layout>): Layout {
  return { slots: [], nbytes: 0, views: {}, assumptions: [], counter: "", coarsening: 1, ...parts };
}

test("every half comes back, and numbers between two round to the nearer, or the even one", () => {
  for (let bits = 0; bits < 65536; bits++) {
    const value = fromHalf(bits);
    if (Number.isNaN(value)) assert.equal(toHalf(value), 0x7e00);
    else assert.equal(toHalf(value), bits, String(value));
    const next = fromHalf(bits + 1);
    if (bits >= 0x7bff || Number.isNaN(next)) continue;
    const middle = (value + next) / 2;
    assert.equal(toHalf(middle), bits % 2 ? bits + 1 : bits);
    assert.equal(toHalf(middle + (next - value) / 1024), bits + 1);
    assert.equal(toHalf(middle - (next - value) / 1024), bits);
  }
  assert.equal(toHalf(65519.99), 0x7bff);
  assert.equal(toHalf(-65520), 0xfc00);
});

test("grids are rounded up, folded, coarsened", () => {
  assert.deepEqual(GRID.dispatched, [4, 1, 1]);
  assert.deepEqual(planGrid("k", [16, 8, 1], 65535, [33, 9], undefined).dispatched, [3, 2, 1]);
  const folded = planGrid("k", SIZE, 65535, 256 * 65536, undefined);
  assert.deepEqual([folded.isFolded, folded.requested, folded.dispatched], [true, [65536, 1, 1], [32768, 2, 1]]);
  const coarse = coarsened(folded, "k", 4, 65535);
  assert.deepEqual([coarse.isFolded, coarse.dispatched, coarse.called], [false, [16384, 1, 1], 65536]);
  assert.equal(planGrid("k", SIZE, 65535, 0, undefined).isEmpty, true);
  assert.throws(() => planGrid("k", SIZE, 65535, undefined, [70000, 70000, 70000]), /k: 343000000000000 workgroups/);
  assert.throws(() => planGrid("k", SIZE, 65535, undefined, 2 ** 31), /exceed 2\*\*31 invocations/);
  assert.throws(() => planGrid("k", SIZE, 65535, [1, 2, 3, 4], undefined), /one to three whole numbers from 0/);
});

test("values are packed where the layout says, by their types", () => {
  const made = layout({
    slots: [
      [["argument", "a", ""], "f32", 0], [["argument", "p", "v.1"], "i16", 4], [["argument", "b", ""], "bool", 8],
      [["argument", "h", ""], "f16", 12], [["argument", "n", ""], "i64", 16], [["shape", "x", 1], "i32", 24],
      [["last", "x"], "i32", 28], [["grid", "called"], "i32", 32], [["grid", "columns"], "u32", 36],
      [["grid", "y"], "i32", 40],
    ],
    views: { x: [2, 4] },
  });
  const values = { a: 1.5, p: { v: [1, -2] }, b: true, h: 0.5, n: -(2n ** 60n), x: { shape: [3, 20], width: 1 } };
  const view = new DataView(packScalars(made, 48, values, GRID).buffer);
  assert.equal(view.getFloat32(0, true), 1.5);
  assert.equal(view.getInt16(4, true), -2);
  assert.equal(view.getUint32(8, true), 1);
  assert.equal(view.getUint32(12, true), 0x3800);
  assert.equal(view.getBigInt64(16, true), -(2n ** 60n));
  assert.deepEqual([24, 28, 32, 36, 40].map((at) => view.getInt32(at, true)), [5, 14, 4, 4, 1]);
  assert.deepEqual(viewedShape(made, values.x, "x"), [3, 5]);
  assert.deepEqual(viewedShape(made, { shape: [3, 5], width: 4 }, "x"), [3, 5]);
});

test("assumptions hold exactly, also beyond 2**53", () => {
  const at = (n: number, x: number): boolean =>
    fits(
      layout({
        views: { x: [1, 1] },
        assumptions: [[1, [[1, [["shape", "x", 0]]], [-1, [["argument", "n", ""]]]]], [4, [[1, [["shape", "x", 0]]]]]],
      }),
      { n, x: { shape: [x], width: 1 } }, GRID,
    );
  assert.deepEqual([at(8, 8), at(9, 8), at(-5, 8), at(1, 7)], [true, false, true, false]);
  const products: Layout = layout({
    assumptions: [[1, [[1, [["argument", "n", ""], ["argument", "n", ""]]], [-1, [["argument", "m", ""]]]]]],
  });
  assert.equal(fits(products, { n: 2 ** 31 - 1, m: (2n ** 31n - 1n) ** 2n }, GRID), true);
  assert.equal(fits(products, { n: 2 ** 31 - 1, m: (2n ** 31n - 1n) ** 2n + 1n }, GRID), false);
});

test("values are shown as Python shows them", () => {
  const floats: [number, 16 | 32 | 64, string][] = [
    [1, 32, "1.0"], [Math.fround(0.1), 32, "0.1"], [0.1, 64, "0.1"],
    [1e16, 32, "1e+16"], [123456792, 32, "1.2345679e+08"],
    [Math.fround(1.5e-5), 32, "1.5e-05"], [0.0001, 64, "0.0001"],
    [Math.fround(0.0001), 32, "1e-04"], [-0, 32, "-0.0"], [NaN, 32, "nan"],
    [-Infinity, 32, "-inf"], [fromHalf(0x2e66), 16, "0.1"], [65504, 16, "6.55e+04"], [1e100, 64, "1e+100"],
    [999999, 32, "999999.0"], [1e6, 32, "1e+06"], [999, 16, "999.0"],
    [999999986991104, 64, "999999986991104.0"],
  ];
  for (const [value, bits, text] of floats) assert.equal(shown(new Float(value, bits)), text);
  assert.equal(shown([new Float(1, 32), 2n, true]), "(1.0, 2, True)");
});

test("unwritten elements are described by blocks", () => {
  const mask = (...set: number[]): Uint8Array => Uint8Array.from({ length: 12 }, (_, at) => (set.includes(at) ? 1 : 0));
  const described = (...set: number[]): string => describeUnwritten("y", new Map([["", mask(...set)]]), [3, 4]);
  assert.equal(described(), "");
  assert.equal(described(5, 6, 9, 10), "4 of 12 elements of 'y' were not written: y[1:3, 1:3]");
  assert.equal(described(0, 3, 4), "3 of 12 elements of 'y' were not written: y[0, 0], y[0, 3], y[1, 0]");
  assert.match(described(0, 2, 5, 7), /: y\[0, 0\], y\[0, 2\], y\[1, 1\], \.\.\.$/);
  const fields = new Map([["a", mask(1)], ["b", mask(1, 2)]]);
  assert.equal(
    describeUnwritten("y", fields, [12]), "2 of 12 elements of 'y' were not written completely: y[1].a, y[1:3].b",
  );
  assert.deepEqual([...unmarked(Uint32Array.of(0b1011, 1), 34)].filter(Boolean).length, 30);
});

test("structs of structs go to bytes and come back", () => {
  const inner = { struct: "I", nbytes: 8, fields: [{ name: "v", offset: 0, element: "f32x2" as const }] };
  const type = {
    struct: "S", nbytes: 24,
    fields: [{ name: "i", offset: 8, element: inner }, { name: "n", offset: 16, element: "u8" as const }],
  };
  const values = [{ i: { v: [1, 2] }, n: 255 }, { i: { v: [0.5, -1] }, n: 0 }];
  assert.deepEqual(unpack(type, pack(type, values)), values);
  assert.throws(() => pack(type, [{ i: { v: [1] }, n: 0 }]), /S 0: the argument 'i.v' must have 2 components/);
  assert.throws(() => pack(type, [{ i: { v: [1, 2] }, n: 256 }]), /S 0: .* is 256, and u8 holds 0 to 255/);
});

test("bf16 is refused by value", () => {
  const type = (element: "bf16" | "bf16x2"): StructType => (
    { struct: "S", nbytes: 8, fields: [{ name: "h", offset: 0, element }] }
  );
  const refused = (name: string): object => ({
    name: "ArgumentError",
    message: `S 0: the argument '${name}' is bf16, and numbers are not converted to that; declare it u16 and give its ` +
      "bits, or f32",
  });
  assert.throws(() => pack(type("bf16"), [{ h: 1.5 }]), refused("h"));
  assert.throws(() => pack(type("bf16"), [{ h: 1 }]), refused("h"));
  assert.throws(() => pack(type("bf16x2"), [{ h: [1.5, 2] }]), refused("h.x"));
});

test("names that differ by little are found", () => {
  assert.equal(closest("saxpi", ["saxpy", "sum"]), "saxpy");
  assert.equal(closest("Saxpy", ["saxpy"]), "saxpy");
  assert.equal(closest("z", ["x", "y"]), undefined);
  assert.equal(closest("matmul", ["saxpy"]), undefined);
});
