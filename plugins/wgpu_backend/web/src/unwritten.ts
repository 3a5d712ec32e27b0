/** Elements of an output that no invocation wrote: how many, and which, as gpucore says it in Python. */

const MOST_BLOCKS = 3;

type Range = [start: number, stop: number];

/** @internal For each field of a struct ("" for other elements), which elements have it unwritten. */
export type Masks = Map<string, Uint8Array>;

/** @internal The elements without a mark: of the bits of a plane those that are 0. */
export function unmarked(words: Uint32Array, size: number): Uint8Array {
  const mask = new Uint8Array(size);
  for (let at = 0; at < size; at++) mask[at] = (words[at >>> 5]! >>> (at & 31)) & 1 ? 0 : 1;
  return mask;
}

/** @internal "2 of 9 elements of 'y' were not written: y[2, 1:3]"; "" if all were. */
export function describeUnwritten(array: string, masks: Masks, shape: readonly number[]): string {
  let fields = [...masks];
  const size = shape.reduce((product, length) => product * length, 1);
  const any = new Uint8Array(size);
  for (const [, mask] of fields) for (let at = 0; at < size; at++) any[at]! |= mask[at]!;
  const total = count(any);
  if (!total) return "";
  if (fields.every(([, mask]) => count(mask) === total)) fields = [["", any]];
  const places = fields
    .filter(([, mask]) => count(mask) > 0)
    .map(([name, mask]) => describePlaces(array, mask, shape, name ? `.${name}` : ""));
  const completely = fields.some(([name]) => name === "") ? "" : " completely";
  return `${total} of ${size} elements of '${array}' were not written${completely}: ${places.join(", ")}`;
}

function count(mask: Uint8Array): number {
  let sum = 0;
  for (const each of mask) sum += each;
  return sum;
}

/** The elements of a mask, which has some: "y[3, 0:5]"; if they are several blocks, the first ones. */
function describePlaces(array: string, mask: Uint8Array, shape: readonly number[], field: string): string {
  const box = shape.map((): Range => [Infinity, 0]);
  mask.forEach((isSet, at) => {
    if (!isSet) return;
    indexOf(at, shape).forEach((index, axis) => {
      const range = box[axis]!;
      range[0] = Math.min(range[0], index);
      range[1] = Math.max(range[1], index + 1);
    });
  });
  const inBox = box.reduce((product, [start, stop]) => product * (stop - start), 1);
  if (inBox === count(mask)) return `${array}${shownIndex(box)}${field}`;
  const texts: string[] = [];
  for (const run of runs(mask, shape)) {
    if (texts.length === MOST_BLOCKS) return [...texts, "..."].join(", ");
    texts.push(`${array}${shownIndex(run)}${field}`);
  }
  return texts.join(", ");
}

/** The elements, row by row: a range for each axis, of length 1 for all but the last. */
function* runs(mask: Uint8Array, shape: readonly number[]): Generator<Range[]> {
  const row = shape[shape.length - 1]!;
  for (let at = mask.indexOf(1); at >= 0; at = mask.indexOf(1, at)) {
    const end = (Math.floor(at / row) + 1) * row;
    const index = indexOf(at, shape);
    const first = index.pop()!;
    let length = 0;
    while (at < end && mask[at]) [at, length] = [at + 1, length + 1];
    yield [...index.map((each): Range => [each, each + 1]), [first, first + length]];
  }
}

function indexOf(at: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index.unshift(at % shape[axis]!);
    at = Math.floor(at / shape[axis]!);
  }
  return index;
}

function shownIndex(axes: readonly Range[]): string {
  return `[${axes.map(([start, stop]) => (stop - start === 1 ? `${start}` : `${start}:${stop}`)).join(", ")}]`;
}
