/** Memory of a device, its parts, and the bind groups that are kept with it. */

import { ArgumentError, DeviceError } from "./errors.js";
import type { Part } from "./manifest.js";

const GRAIN = 16;
const NOTED = 64; // bind groups, before those that are no longer kept are looked for

/** @internal */
export interface Memory {
  buffer: GPUBuffer;
  nbytes: number;
  /** The last batch of commands that uses it. */
  batch: number;
  /** The bind groups with it: the map that has each, and its key there. */
  groups: [Map<string, GPUBindGroup>, string][];
  /** How many of these there may be before the next look for those that are no longer kept. */
  mostGroups: number;
}

/** @internal Memory with nothing that uses it. */
export function makeMemory(buffer: GPUBuffer): Memory {
  return { buffer, nbytes: buffer.size, batch: 0, groups: [], mostGroups: NOTED };
}

/** @internal The size of memory: rounded up, so that a buffer of scalars may be bound as one of vectors. */
export function padded(nbytes: number): number {
  return Math.max(GRAIN, Math.ceil(nbytes / GRAIN) * GRAIN);
}

/** @internal The memory that has a part. */
export function memoryOf(part: Part): number {
  return typeof part === "number" ? part : part[0];
}

/** @internal The first byte of a part. */
export function offsetOf(part: Part): number {
  return typeof part === "number" ? 0 : part[1];
}

/** @internal What a bind group has for a part of a memory. Parts begin at multiples of `alignment`. */
export function bindingOf(kernel: string, part: Part, { buffer, nbytes }: Memory, alignment: number): GPUBufferBinding {
  if (typeof part === "number") return { buffer };
  const [, offset, wanted] = part;
  if (offset % alignment) {
    throw new ArgumentError(
      `${kernel}: a part begins at byte ${offset} of its memory, and this device binds parts at multiples of ` +
        `${alignment}; copy it to memory of its own`,
    );
  }
  return { buffer, offset, size: Math.min(padded(wanted), nbytes - offset) };
}

/** @internal The key of the bind group with these parts. */
export function keyOf(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === "number" ? part : part.join(":"))).join();
}

/** @internal A bind group with this memory is kept in a map. */
export function noteGroup(memory: Memory, groups: Map<string, GPUBindGroup>, key: string): void {
  if (memory.groups.length >= memory.mostGroups) {
    memory.groups = memory.groups.filter(([map, its]) => map.has(its));
    memory.mostGroups = Math.max(NOTED, 2 * memory.groups.length);
  }
  memory.groups.push([groups, key]);
}

/** @internal What the browser says of a command that failed. */
export function describeError(error: GPUError): DeviceError {
  if (error instanceof GPUOutOfMemoryError) {
    return new DeviceError(`the device has no memory left; destroy() arrays that are not needed (${error.message})`);
  }
  return new DeviceError(`the browser refuses a command: ${error.message}`);
}

/** @internal Why a device is lost. */
export function describeLoss(info: GPUDeviceLostInfo): DeviceError {
  const why = info.reason === "destroyed" ? "it was destroyed" : info.message || "the browser gives no reason";
  return new DeviceError(`the device is lost (${why}); open it again with gpucore.openDevice()`);
}
