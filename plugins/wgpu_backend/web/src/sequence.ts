/** Sequences: launches that Python recorded, such as those of a sort, with the memory that they share. */

import { DeviceArray } from "./arrays.js";
import type { Device } from "./device.js";
import { nbytesOf, sameElement, type Naming } from "./dtypes.js";
import { ArgumentError, meant, refuse, shownValue } from "./errors.js";
import {
  fromBase64, pipelineOf, type Bound, type Manifest, type Part, type SequenceDescription, type Step,
} from "./manifest.js";
import { memoryOf, offsetOf } from "./memory.js";

/**
 * A sequence of launches. A call queues them, and returns the outputs at once, as new arrays unless given.
 *
 * ```js
 * const { result } = module.sequences.sort_1m({ keys });
 * module.sequences.sort_1m({ keys }, { result });        // into an array that there is
 * ```
 */
export interface Sequence {
  (inputs: Record<string, DeviceArray>, outputs?: Record<string, DeviceArray>): Record<string, DeviceArray>;
  readonly sequenceName: string;
  readonly doc: string;
  /** The shapes and elements that it takes. */
  readonly inputs: Readonly<Record<string, Bound>>;
  readonly outputs: Readonly<Record<string, Bound>>;
}

/** @internal The memories and pipelines that the sequences of a module share; they are made when the first one runs. */
export class SequenceMemory {
  readonly #device: Device;
  readonly #manifest: Manifest;
  readonly #pipelines: (number | undefined)[] = [];
  #memories: number[] | null = null;

  constructor(device: Device, manifest: Manifest) {
    this.#device = device;
    this.#manifest = manifest;
  }

  /** The number of a memory in the queue, with what the file's setup has written to it. */
  find(memory: number): number {
    this.#memories ??= this.#setUp();
    return this.#memories[memory]!;
  }

  /** Bytes of a memory. */
  nbytes(memory: number): number {
    return this.#manifest.memories![memory]!;
  }

  /** Whether a step may write a memory. */
  writes(step: Step, memory: number): boolean {
    if ("copy" in step) return memoryOf(step.copy[1]) === memory;
    if ("write" in step) return memoryOf(step.write) === memory;
    const { writes } = this.#manifest.pipelines![step.dispatch]!;
    return step.buffers.some((part, at) => writes[at] && memoryOf(part) === memory);
  }

  /** What queues a step. It is given the number in the queue of each memory. */
  prepare(step: Step): (find: (memory: number) => number) => void {
    const { queue } = this.#device;
    const placed = (part: Part, find: (memory: number) => number): Part =>
      typeof part === "number" ? find(part) : [find(part[0]), part[1], part[2]];
    if ("copy" in step) {
      const [from, to] = step.copy;
      return (find) => queue.copy(placed(from, find), placed(to, find), step.nbytes);
    }
    if ("write" in step) {
      const data = fromBase64(step.data);
      const offset = offsetOf(step.write) + (step.offset ?? 0);
      return (find) => queue.write(find(memoryOf(step.write)), offset, data);
    }
    const scalars = fromBase64(step.scalars ?? "");
    const { dispatch, buffers, workgroups } = step;
    return (find) => {
      const parts = buffers.map((part) => placed(part, find));
      queue.dispatch(this.#pipeline(dispatch), parts, scalars, workgroups);
    };
  }

  async compile(): Promise<void> {
    const pipelines = this.#manifest.pipelines ?? [];
    await Promise.all(pipelines.map(async (description, at) => {
      this.#pipelines[at] ??= await this.#device.queue.compileAsync(pipelineOf(description));
    }));
  }

  /** Makes the memories and queues the setup: all of it, or nothing stays and the next call begins again. */
  #setUp(): number[] {
    const { queue } = this.#device;
    const setup = this.#manifest.setup ?? [];
    const memories: number[] = [];
    const undo = (): void => {
      if (this.#memories === memories) this.#memories = null;
      for (const memory of memories.splice(0)) queue.release(memory);
      for (const step of setup) if ("dispatch" in step) this.#pipelines[step.dispatch] = undefined;
    };
    const work = (): void => {
      for (const nbytes of this.#manifest.memories ?? []) memories.push(queue.allocate(nbytes));
      // A recording keeps what is queued; this must be there before it.
      for (const step of setup) this.prepare(step)((each) => memories[each]!);
    };
    try {
      queue.watch(work, undo);
    } catch (error) {
      undo();
      throw error;
    }
    return memories;
  }

  #pipeline(at: number): number {
    return (this.#pipelines[at] ??= this.#device.queue.compile(pipelineOf(this.#manifest.pipelines![at]!)));
  }
}

/** @internal */
export function makeSequence(
  device: Device, name: string, description: SequenceDescription, memory: SequenceMemory, naming: Naming,
): Sequence {
  const { inputs, outputs, steps, doc } = description;
  const prepared = steps.map((step) => memory.prepare(step));
  // An input that no step writes is read where it is; others are copied.
  const isRead = new Map(Object.entries(inputs).map(([input, bound]): [string, boolean] => [
    input,
    !bound.offset && nbytesOfBound(bound) === memory.nbytes(bound.memory) &&
      !steps.some((step) => memory.writes(step, bound.memory)) && isAlone(bound, description),
  ]));
  type Arrays = Record<string, DeviceArray>;
  const call = (given: Arrays, into: Arrays = {}): Arrays => {
    check(device, name, "input", inputs, given, true, naming);
    check(device, name, "output", outputs, into, false, naming);
    memory.find(0); // makes the memories, outside of a recording
    const results = Object.entries(outputs).map(([output, bound]): [string, DeviceArray] => [
      output, into[output] ?? new DeviceArray(device, bound.element, bound.shape),
    ]);
    device.perform(() => {
      const replaced = new Map<number, number>();
      for (const [input, bound] of Object.entries(inputs)) {
        const array = given[input]!;
        if (isRead.get(input)) replaced.set(bound.memory, array.memory);
        else device.queue.copy(array.memory, partOf(bound, memory), array.nbytes);
      }
      const find = (each: number): number => replaced.get(each) ?? memory.find(each);
      for (const step of prepared) step(find);
      for (const [output, array] of results) {
        const bound = outputs[output]!;
        const [, offset, nbytes] = partOf(bound, memory);
        device.queue.copy([find(bound.memory), offset, nbytes], array.memory, array.nbytes);
      }
    });
    return Object.fromEntries(results);
  };
  Object.defineProperty(call, "name", { value: name });
  return Object.assign(call, { sequenceName: name, doc: doc ?? "", inputs, outputs });
}

function nbytesOfBound(bound: Bound): number {
  return bound.shape.reduce((product, length) => product * length, 1) * nbytesOf(bound.element);
}

/** Whether no other input has the same memory. */
function isAlone(bound: Bound, { inputs }: SequenceDescription): boolean {
  return Object.values(inputs).filter((each) => each.memory === bound.memory).length === 1;
}

function partOf(bound: Bound, memory: SequenceMemory): [number, number, number] {
  return [memory.find(bound.memory), bound.offset ?? 0, nbytesOfBound(bound)];
}

function check(
  device: Device, name: string, what: "input" | "output", wanted: Readonly<Record<string, Bound>>,
  given: Record<string, DeviceArray>, isWhole: boolean, naming: Naming,
): void {
  const names = Object.keys(wanted);
  const takes = what === "input" ? "the sequence takes" : "the sequence returns";
  for (const [key, array] of Object.entries(given)) {
    const bound = Object.hasOwn(wanted, key) ? wanted[key]! : undefined;
    if (!bound) throw new ArgumentError(`${name}: there is no ${what} '${key}'; ${meant(key, names, takes)}`);
    if (!(array instanceof DeviceArray)) {
      refuse(name, key, `must be an array of the device, not ${shownValue(array)}; make one with device.array`);
    }
    if (array.isDestroyed) refuse(name, key, "was destroyed; create a new array");
    if (array.device !== device) refuse(name, key, "is on another device; read it, and make an array on this device");
    if (!sameElement(array.element, bound.element) || String(array.shape) !== String(bound.shape)) {
      const [given, own] = [array, bound].map((each) => `${naming(each.element)} [${each.shape.join(", ")}]`);
      refuse(name, key, `is ${given}, and the sequence was recorded for ${own}; export one for this shape, too`);
    }
  }
  const missing = names.filter((each) => given[each] === undefined);
  if (isWhole && missing.length) {
    throw new ArgumentError(`${name}: '${missing.join("', '")}' is missing; the sequence takes {${names.join(", ")}}`);
  }
}
