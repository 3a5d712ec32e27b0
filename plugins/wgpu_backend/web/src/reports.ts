/** Reports of kernels in debug mode: each dispatch has a buffer, which is read when the page waits for results.
 *
 * Words 0 to 3 of the buffer are the number of invocations that failed, of prints, of slots in each half, and of
 * failures; from word 4 on stands the first word of the marks of each plane, or 0. Then follow the records of failures,
 * those of prints, and the marks: a bit for each element of an output that was written. A record is the number of its
 * report, the workgroup id, the local id, and the values.
 */

import { scalarOf, widthOf, type ScalarName, type VectorName } from "./dtypes.js";
import { KernelError, type Failure } from "./errors.js";
import { fromBits } from "./f16.js";
import type { Triple } from "./grid.js";
import type { Form, Part, Place, Plane, Report, Reporting } from "./manifest.js";
import type { Queue } from "./queue.js";
import { Float, shown, type Shown } from "./shown.js";
import { describeUnwritten, unmarked, type Masks } from "./unwritten.js";

const HEADER_WORDS = 4;
const [FAILED, PRINTS, CAPACITY, FAILURES] = [0, 1, 2, 3];
const WHERE_WORDS = 7;
const DEFAULT_NBYTES = 1 << 20;
const MAX_PENDING = 64; // dispatches whose reports are unread before reading them begins

const WHY = "a gp.Out promises that the kernel writes every element; what it does not write is not defined";
const FIX =
  "start an invocation for every element and let each write its own; if the kernel is meant to leave elements as " +
  "they are, annotate gp.InOut";

interface Pending {
  kernel: string;
  workgroupSize: Triple;
  reporting: Reporting;
  memory: number;
  capacity: number;
  shapes: readonly number[][];
  /** The first word of each plane. */
  marks: number[];
}

interface Failed {
  kernel: string;
  count: number;
  invocations: number;
  /** The text after `more`, the lines on other failures. */
  error: (more: string[]) => KernelError;
}

/** What the reports of some dispatches say. */
interface Outcome {
  /** What else was thrown while they were read, such as the error of a command that the browser refuses: the first. */
  error: unknown;
  failed: Failed[];
}

/** The reading of the reports of some dispatches. */
interface Reading {
  /** It is never rejected. */
  outcome: Promise<Outcome>;
  /** Whether someone waits, or waited, for it. */
  isTaken: boolean;
  isDone: boolean;
}

/** @internal The reports of one device. */
export class Diagnostics {
  readonly #queue: Queue;
  readonly #maxNbytes: number;
  readonly #print: (line: string) => void;
  readonly #wanted: number | undefined;
  #pending: Pending[] = [];
  #last: Reading | null = null;

  constructor(queue: Queue, maxNbytes: number, print: (line: string) => void, records: number | undefined) {
    this.#queue = queue;
    this.#maxNbytes = maxNbytes;
    this.#print = print;
    this.#wanted = records;
  }

  /** Runs a kernel in debug mode, with a buffer for its reports. `shapes` are those of the arrays of the planes. */
  dispatch(
    kernel: string, form: Form, pipeline: number, buffers: readonly Part[], scalars: Uint8Array, workgroups: Triple,
    shapes: readonly number[][],
  ): void {
    const pending = this.#layOut(kernel, form, shapes);
    try {
      this.#queue.dispatch(pipeline, [...buffers, pending.memory], scalars, workgroups);
    } catch (error) {
      this.#queue.release(pending.memory);
      throw error;
    }
    this.#pending.push(pending);
    if (this.#pending.length >= MAX_PENDING) this.#begin();
  }

  /**
   * Reads what was dispatched: prints lines, and throws the first failure. Everyone who waits meanwhile gets it. If
   * reading met another error, that is thrown, and the failures at the next wait.
   */
  async collect(): Promise<void> {
    const reading = this.#begin();
    if (!reading) return;
    reading.isTaken = true;
    const { error, failed } = await reading.outcome;
    if (error !== undefined) {
      if (this.#last === reading) this.#last = failed.length ? finished({ error: undefined, failed }) : null;
      throw error;
    }
    if (failed.length) throw errorOf(failed);
  }

  /** The reading of all that is unread, after that which is under way or has a failure that nobody was told. */
  #begin(): Reading | null {
    const last = this.#last;
    const earlier = last && !(last.isDone && last.isTaken) ? last : null;
    const pending = this.#pending.splice(0);
    if (!pending.length) return earlier;
    const reading: Reading = { outcome: this.#read(pending, earlier), isTaken: false, isDone: false };
    void reading.outcome.then(() => (reading.isDone = true));
    this.#last = reading;
    return reading;
  }

  /** Reads all reports, and releases their memory, whatever is thrown meanwhile. */
  async #read(pending: readonly Pending[], earlier: Reading | null): Promise<Outcome> {
    const before = await earlier?.outcome;
    const outcome: Outcome = { error: before?.error, failed: [...(before?.failed ?? [])] };
    for (const each of pending) {
      try {
        await this.#readOne(each, outcome);
      } catch (error) {
        outcome.error ??= error;
      }
    }
    return outcome;
  }

  #layOut(kernel: string, form: Form, shapes: readonly number[][]): Pending {
    const reporting = form.reports!;
    let words = 0;
    const starts = shapes.map((shape) => {
      const size = Math.ceil(shape.reduce((product, length) => product * length, 1) / 32);
      const hasRoom = 4 * (words + size) <= this.#maxNbytes / 2;
      const start = size && hasRoom ? words : null;
      words += hasRoom ? size : 0;
      return start;
    });
    const firstRecord = HEADER_WORDS + reporting.planes.length;
    const stride = 4 * recordWords(reporting.reports) * halves(reporting.reports);
    let capacity = 0;
    if (stride) {
      const room = Math.floor((this.#maxNbytes - 4 * (firstRecord + words)) / stride);
      capacity = Math.min(this.#wanted ?? Math.max(1, Math.floor(DEFAULT_NBYTES / stride)), room);
    }
    const firstMark = firstRecord + (stride * capacity) / 4;
    const marks = starts.map((start) => (start === null ? 0 : firstMark + start));
    const memory = this.#queue.allocate(4 * (firstMark + words)); // of zeros
    const header = new Uint32Array(firstRecord);
    header[CAPACITY!] = capacity;
    header.set(marks, HEADER_WORDS);
    this.#queue.write(memory, 0, new Uint8Array(header.buffer));
    return { kernel, workgroupSize: form.workgroup_size, reporting, memory, capacity, shapes, marks };
  }

  async #readOne(pending: Pending, outcome: Outcome): Promise<void> {
    try {
      const { reporting, capacity } = pending;
      const { failed } = outcome;
      const head = await this.#words(pending, 0, HEADER_WORDS, outcome);
      if (head[FAILED!]) {
        const records = await this.#recordsFrom(pending, 0, Math.min(head[FAILED!]!, capacity), outcome);
        failed.push(recordFailure(pending, records, head[FAILURES!]!, head[FAILED!]!));
      } else if (reporting.planes.length) {
        const found = await this.#unwritten(pending, outcome);
        if (found.length) failed.push(outputFailure(pending, found));
      }
      if (head[PRINTS!]) {
        const first = halves(reporting.reports) === 2 ? capacity : 0;
        const records = await this.#recordsFrom(pending, first, Math.min(head[PRINTS!]!, capacity), outcome);
        for (const line of lines(pending, records, head[PRINTS!]!)) this.#print(line);
      }
    } finally {
      this.#queue.release(pending.memory);
    }
  }

  async #unwritten(pending: Pending, outcome: Outcome): Promise<[Plane, string][]> {
    const arrays = new Map<string, { plane: Plane; shape: number[]; masks: Masks }>();
    for (const [at, plane] of pending.reporting.planes.entries()) {
      const shape = pending.shapes[at]!;
      const size = shape.reduce((product, length) => product * length, 1);
      if (!pending.marks[at]) continue;
      const words = await this.#words(pending, pending.marks[at]!, Math.ceil(size / 32), outcome);
      const known = arrays.get(plane.array) ?? { plane, shape, masks: new Map() };
      known.masks.set(plane.field, unmarked(words, size));
      arrays.set(plane.array, known);
    }
    const found = [...arrays.values()].map(({ plane, shape, masks }): [Plane, string] => [
      plane, describeUnwritten(plane.array, masks, shape),
    ]);
    return found.filter(([, text]) => text);
  }

  async #recordsFrom(
    pending: Pending, first: number, count: number, outcome: Outcome,
  ): Promise<Uint32Array[]> {
    const size = recordWords(pending.reporting.reports);
    const start = HEADER_WORDS + pending.reporting.planes.length + first * size;
    const words = await this.#words(pending, start, count * size, outcome);
    return Array.from({ length: count }, (_, at) => words.subarray(at * size, (at + 1) * size));
  }

  async #words(pending: Pending, first: number, count: number, outcome: Outcome): Promise<Uint32Array> {
    if (!count) return new Uint32Array(0);
    const read = (): Promise<Uint8Array<ArrayBuffer>> => this.#queue.read(pending.memory, 4 * first, 4 * count);
    const bytes = await read().catch((error: unknown) => {
      outcome.error ??= error; // of any command since the last wait: this read may well succeed
      return read();
    });
    return new Uint32Array(bytes.buffer);
  }
}

/** A reading that has ended, and of which nobody was told. */
function finished(outcome: Outcome): Reading {
  return { outcome: Promise.resolve(outcome), isTaken: false, isDone: true };
}

// ---------------------------------------------------------------- records

function countWords(type: ScalarName | VectorName): number {
  return widthOf(type) * (scalarOf(type).endsWith("64") ? 2 : 1);
}

function recordWords(reports: readonly Report[]): number {
  const sizes = reports.map((report) =>
    report.parts.reduce((sum, part) => sum + (typeof part === "string" ? 0 : countWords(part.type as VectorName)), 0),
  );
  return WHERE_WORDS + Math.max(0, ...sizes);
}

/** 2 if a kernel has both failures and prints, else 1; 0 if it has neither, as then there are no records. */
function halves(reports: readonly Report[]): number {
  return new Set(reports.map((report) => report.kind !== "print")).size;
}

/** Sorts by workgroup, then local id, x fastest; the records of one invocation stay in their order. */
function byInvocation(records: readonly Uint32Array[]): Uint32Array[] {
  const axes = [3, 2, 1, 6, 5, 4]; // words of a record, the slowest axis first
  return [...records].sort((a, b) => {
    const axis = axes.find((word) => a[word] !== b[word]);
    return axis === undefined ? 0 : a[axis]! - b[axis]!;
  });
}

/** The report of a record, and its strings and values. */
function partsOf(reporting: Reporting, record: Uint32Array): [Report, Shown[]] {
  const report = reporting.reports[record[0]!]!;
  let position = WHERE_WORDS;
  const parts = report.parts.map((part) => {
    if (typeof part === "string") return part;
    const type = part.type as VectorName;
    const size = countWords(type);
    position += size;
    return valueOf(type, record.subarray(position - size, position));
  });
  return [report, parts];
}

function valueOf(type: ScalarName | VectorName, words: Uint32Array): Shown {
  const scalar = scalarOf(type);
  const width = widthOf(type);
  if (width > 1) {
    const size = words.length / width;
    return Array.from({ length: width }, (_, at) => valueOf(scalar, words.subarray(at * size, (at + 1) * size)));
  }
  const [low, high] = [words[0]!, words[1] ?? 0];
  switch (scalar) {
    case "bool": return low !== 0;
    case "f16": return new Float(fromBits(low), 16);
    case "f32": case "bf16": return new Float(fromBits(low), 32);
    case "f64": return new Float(new Float64Array(new Uint32Array([low, high]).buffer)[0]!, 64);
    case "i64": return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
    case "u64": return (BigInt(high) << 32n) | BigInt(low);
    default: return scalar.startsWith("i") ? low | 0 : low;
  }
}

function* lines(pending: Pending, records: Uint32Array[], count: number): Generator<string> {
  const { reporting, kernel, capacity } = pending;
  for (const record of reporting.is_ordered ? byInvocation(records) : records) {
    yield partsOf(reporting, record)[1].map(shown).join("");
  }
  if (count > records.length) {
    yield `[${kernel}: ${count - records.length} more lines were not kept; the option debugRecords of openDevice ` +
      `sets the number of lines that are kept, now ${capacity}]`;
  }
}

// ---------------------------------------------------------------- failures

function recordFailure(pending: Pending, records: Uint32Array[], count: number, invocations: number): Failed {
  const { kernel, reporting, workgroupSize } = pending;
  const record = byInvocation(records)[0]!;
  const [report, parts] = partsOf(reporting, record);
  const group = [...record.subarray(1, 4)] as Triple;
  const local = [...record.subarray(4, 7)] as Triple;
  const invocation = group.map((id, axis) => id * workgroupSize[axis]! + local[axis]!) as Triple;
  const where = `in invocation ${tuple(invocation)} (local_id ${tuple(local)} of workgroup ${tuple(group)})`;
  const failure: Failure = {
    kind: report.kind === "assert" ? "assert" : "bounds", kernel, ...fileOf(report.place), invocation,
    array: report.array, index: [], extents: [],
  };
  let what: string;
  if (report.kind === "assert") {
    const text = parts.map(shown).join("");
    what = text ? `assertion failed: ${text}` : "assertion failed";
  } else {
    const numbers = parts.map(Number);
    const rank = numbers.length / 2;
    [failure.index, failure.extents] = [numbers.slice(0, rank), numbers.slice(rank)];
    const [index, extents] = [failure.index, failure.extents];
    what = rank === 1
      ? `index ${index[0]} is out of range for '${report.array}' of length ${extents[0]}`
      : `index ${tuple(index)} is out of range for '${report.array}' of shape ${tuple(extents)}`;
  }
  const text = located(`${kernel}: ${what}, ${where}`, report.place);
  return { kernel, count, invocations, error: (more) => new KernelError([...text, ...more].join("\n"), failure) };
}

function outputFailure(pending: Pending, found: [Plane, string][]): Failed {
  const [[plane, first], ...others] = found as [[Plane, string], ...[Plane, string][]];
  const text = [
    ...located(`${pending.kernel}: ${first}`, plane.place), ...others.map(([, each]) => `  and ${each}`),
    `  why: ${WHY}`, `  fix: ${FIX}`,
  ];
  const failure: Failure = {
    kind: "unwritten", kernel: pending.kernel, ...fileOf(plane.place), invocation: null, array: plane.array, index: [],
    extents: [],
  };
  return {
    kernel: pending.kernel, count: found.length, invocations: 0,
    error: (more) => new KernelError([...text, ...more].join("\n"), failure),
  };
}

/** The error of the first failed dispatch, which counts the others. */
function errorOf(failed: readonly Failed[]): KernelError {
  const [first, ...others] = failed as [Failed, ...Failed[]];
  const more: string[] = [];
  if (first.invocations && first.count > 1) {
    more.push(`  and ${first.count - 1} more, in ${first.invocations} invocation${first.invocations > 1 ? "s" : ""}`);
  }
  if (others.length) {
    const kernels = [...new Set(others.map((each) => each.kernel))].join(", ");
    more.push(`  and ${others.reduce((sum, each) => sum + each.count, 0)} more in later dispatches of ${kernels}`);
  }
  return first.error(more);
}

/** The text after its place, and below it the source line. */
function located(text: string, place: Place | null): string[] {
  if (!place) return [text];
  const excerpt = place.text.trim() ? [` ${place.line} | ${place.text}`] : [];
  return [`${place.file}:${place.line}: ${text}`, ...excerpt];
}

function fileOf(place: Place | null): { file: string; line: number } {
  return { file: place?.file ?? "", line: place?.line ?? 0 };
}

function tuple(values: readonly number[]): string {
  return `(${values.join(", ")})`;
}
