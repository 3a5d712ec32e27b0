/** The errors of the runtime, and the words that several of them share. */

/** The base class of what this module throws. */
export class GpucoreError extends Error {
  override name = "GpucoreError";
}

/** A call with wrong arguments, or a file that is not what it should be. Nothing was sent to the device. */
export class ArgumentError extends GpucoreError {
  override name = "ArgumentError";
}

/** The device, or the browser: no WebGPU, no memory left, a kernel that the browser does not compile, a lost device. */
export class DeviceError extends GpucoreError {
  override name = "DeviceError";
}

/** What a kernel in debug mode found out: see {@link KernelError.kind}. */
export interface Failure {
  /** An index out of range, an assert that failed, or elements of an output that no invocation wrote. */
  kind: "bounds" | "assert" | "unwritten";
  kernel: string;
  /** The file and the line of the Python source, where they are known. */
  file: string;
  line: number;
  /** The global id of the first invocation that failed; of unwritten elements `null`. */
  invocation: [number, number, number] | null;
  /** The array; "" for an assert. */
  array: string;
  /** The index and the shape of the array, for "bounds". */
  index: number[];
  extents: number[];
}

/** A kernel in debug mode failed a check. What it wrote must not be used; the device stays usable. */
export class KernelError extends GpucoreError implements Failure {
  override name = "KernelError";
  readonly kind!: Failure["kind"];
  readonly kernel!: string;
  readonly file!: string;
  readonly line!: number;
  readonly invocation!: [number, number, number] | null;
  readonly array!: string;
  readonly index!: number[];
  readonly extents!: number[];

  /** @internal */
  constructor(message: string, failure: Failure) {
    super(message);
    Object.assign(this, failure);
  }
}

/** @internal Refuses one argument of a kernel. */
export function refuse(kernel: string, parameter: string, message: string): never {
  throw new ArgumentError(`${kernel}: the argument '${parameter}' ${message}`);
}

/** @internal The end of a message about an unknown name: what it may mean, and else what there is. */
export function meant(name: string, known: readonly string[], what: string): string {
  const close = closest(name, known);
  if (close !== undefined) return `did you mean '${close}'?`;
  return known.length ? `${what} ${known.join(", ")}` : `${what} none`;
}

/** @internal The known name that differs least from a name, if it differs by little. */
export function closest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const each of known) {
    const distance = differences(name.toLowerCase(), each.toLowerCase());
    if (distance < least && distance < Math.max(name.length, each.length)) [best, least] = [each, distance];
  }
  return best;
}

/** How many characters must be changed, added or left out. */
function differences(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** @internal A value as messages show it: short, and with the quotes of a string. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value).slice(0, 60);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `the function ${value.name || "without a name"}`;
  if (typeof value !== "object" || value === null) return String(value);
  const name = (value as object).constructor?.name ?? "Object";
  if (Array.isArray(value)) {
    return `[${value.slice(0, 4).map(shownValue).join(", ")}${value.length > 4 ? ", ..." : ""}]`;
  }
  return name === "Object" ? "an object" : `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}
