/** Numbers of 16 bits, for browsers with and without Float16Array. */

const f32 = new Float32Array(1);
const bits = new Uint32Array(f32.buffer);

/** @internal The bits of the f16 nearest to a number; of two at the same distance the even one. */
export function toHalf(value: number): number {
  // A double is rounded to f16 at once: by way of f32 it would be rounded twice.
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundedEven(size * 2 ** 24);
  let exponent = Math.floor(Math.log2(size));
  if (2 ** exponent > size) exponent--;
  else if (2 ** (exponent + 1) <= size) exponent++;
  const mantissa = roundedEven((size / 2 ** exponent - 1) * 1024);
  return sign | (((exponent + 15) << 10) + mantissa); // a mantissa of 1024 carries into the exponent
}

/** @internal The number that the bits of an f16 stand for. */
export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const mantissa = half & 1023;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + mantissa / 1024) : sign * mantissa * 2 ** -24;
}

/** @internal The number that the bits of an f32 stand for. */
export function fromBits(word: number): number {
  bits[0] = word;
  return f32[0]!;
}

function roundedEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
