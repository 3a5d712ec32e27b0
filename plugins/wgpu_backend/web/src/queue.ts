/** The queue of a device, on plain numbers and bytes: what kernels and sequences are run with.
 *
 * Commands are collected and submitted together: after 128 dispatches, when the host waits for results, or else when
 * the script that issued them returns to the browser. The scalars of the dispatches are in one uniform buffer, each
 * block at its own dynamic offset.
 */

import { ArgumentError, DeviceError } from "./errors.js";
import { checkNeeds, PipelineMaker, type Pipeline, type PipelineSource } from "./pipelines.js";
import { Staging } from "./staging.js";
import type { Triple } from "./grid.js";
import type { Part } from "./manifest.js";
import {
  bindingOf, describeError, describeLoss, keyOf, makeMemory, memoryOf, noteGroup, offsetOf, padded, type Memory,
} from "./memory.js";

const BATCH = 128; // dispatches before a submit
const SCALARS_NBYTES = 1 << 16;

/** A time, and whether the device's clock or the host's measured it. */
export interface Elapsed {
  ms: number;
  /** "device" is by timestamps of the device, which browsers round to 0.1 ms; "host" includes the way to the device. */
  clock: "device" | "host";
}

/**
 * Memories and pipelines are numbers, so that a driver in another language can hold them.
 *
 * ```js
 * const { queue } = device;
 * const memory = queue.allocate(1024);
 * const pipeline = queue.compile({ text: wgsl, entry: "main", writes: [true], scalarsNbytes: 0 });
 * queue.dispatch(pipeline, [memory], new Uint8Array(0), [4, 1, 1]);
 * const bytes = await queue.read(memory, 0, 1024);
 * ```
 */
export class Queue {
  readonly #device: GPUDevice;
  readonly #staging: Staging;
  readonly #memories = new Map<number, Memory>();
  readonly #pipelines = new Map<number, Pipeline>();
  readonly #scalars: GPUBuffer;
  readonly #packed = new Uint8Array(SCALARS_NBYTES);
  readonly #alignment: number;
  #packedNbytes = 0;
  #next = 1;
  #encoder: GPUCommandEncoder | null = null;
  #pass: GPUComputePassEncoder | null = null;
  #passPipeline: Pipeline | null = null;
  #count = 0;
  #batch = 1;
  #temporary: GPUBuffer[] = [];
  /** Commands and compilations of which the browser has not said yet whether they failed. */
  #unknown = new Set<Promise<void>>();
  /** Told of commands that are refused, if they were issued while it was set. */
  #watcher: (() => void) | null = null;
  #refused: DeviceError | null = null;
  #failed: DeviceError | null = null;
  #lost: DeviceError | null = null;

  /** @internal */
  constructor(device: GPUDevice) {
    this.#device = device;
    this.#staging = new Staging(device);
    this.#alignment = Math.max(16, device.limits.minUniformBufferOffsetAlignment);
    this.#scalars = device.createBuffer({
      size: SCALARS_NBYTES, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      this.#failed ??= describeError(event.error);
    });
    void device.lost.then((info) => (this.#lost = describeLoss(info)));
  }

  /** New memory, of zeros. */
  allocate(nbytes: number): number {
    const most = this.#device.limits.maxBufferSize;
    if (!Number.isInteger(nbytes) || nbytes < 0) throw new ArgumentError(`${nbytes} is no number of bytes`);
    if (nbytes > most) {
      throw new DeviceError(`${nbytes} bytes are more than the ${most} of the largest buffer of this device`);
    }
    this.#requireOpen();
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = this.#checked("out-of-memory", () => this.#device.createBuffer({ size: padded(nbytes), usage }));
    this.#memories.set(this.#next, makeMemory(buffer));
    return this.#next++;
  }

  /** Frees memory, once the commands that use it have run. */
  release(memory: number): void {
    const found = this.#memories.get(memory);
    if (!found) return;
    if (found.batch === this.#batch) this.flush();
    for (const [groups, key] of found.groups) groups.delete(key);
    this.#memories.delete(memory);
    found.buffer.destroy();
  }

  /** A pipeline. If the browser does not compile it, the next wait throws a DeviceError. */
  compile(source: PipelineSource): number {
    this.#requireOpen();
    checkNeeds(this.#device, source.name ?? source.entry, source.needs ?? []);
    this.#device.pushErrorScope("validation");
    const maker = new PipelineMaker(this.#device, source, this.#scalars);
    const made = maker.made(this.#device.createComputePipeline(maker.descriptor));
    this.#expect(async (error) => void (this.#refused ??= await maker.failure(error.message)));
    this.#pipelines.set(this.#next, made);
    return this.#next++;
  }

  /** A pipeline that is compiled beside what else the page does, and others. */
  async compileAsync(source: PipelineSource): Promise<number> {
    this.#requireOpen();
    checkNeeds(this.#device, source.name ?? source.entry, source.needs ?? []);
    this.#device.pushErrorScope("validation");
    const maker = new PipelineMaker(this.#device, source, this.#scalars);
    const compilation = this.#device.createComputePipelineAsync(maker.descriptor);
    void this.#device.popErrorScope().catch(() => null); // the promise above says the same
    let handle: GPUComputePipeline;
    try {
      handle = await compilation;
    } catch (error) {
      throw this.#lost ?? (await maker.failure(String((error as Error).message)));
    }
    this.#pipelines.set(this.#next, maker.made(handle));
    return this.#next++;
  }

  /** Runs a pipeline. `buffers` are memories, or parts of them, which begin at multiples of
   * `limits.minStorageBufferOffsetAlignment`: 256 suits every device. */
  dispatch(pipeline: number, buffers: readonly Part[], scalars: Uint8Array, workgroups: Readonly<Triple>): void {
    const kernel = this.#pipelines.get(pipeline);
    if (!kernel) throw new ArgumentError(`there is no pipeline ${pipeline}`);
    const { source } = kernel;
    if (buffers.length !== source.writes.length || scalars.length !== source.scalarsNbytes) {
      throw new ArgumentError(
        `${source.entry}: a dispatch takes ${source.writes.length} buffers and ${source.scalarsNbytes} bytes of ` +
          `scalars, not ${buffers.length} and ${scalars.length}`,
      );
    }
    if (this.#count >= BATCH || scalars.length > SCALARS_NBYTES - this.#packedNbytes) this.flush();
    const bound = this.#withoutConflicts(source.writes, buffers);
    const group = kernel.groups.get(keyOf(bound)) ?? this.#bind(kernel, bound);
    const pass = this.#currentPass();
    if (this.#passPipeline !== kernel) pass.setPipeline(kernel.handle);
    this.#passPipeline = kernel;
    pass.setBindGroup(0, group, scalars.length ? [this.#place(scalars)] : []);
    pass.dispatchWorkgroups(...workgroups);
    for (const part of bound) this.#use(part);
    this.#count++;
  }

  /** Copies bytes, up to whole words. */
  copy(from: Part, to: Part, nbytes: number): void {
    const [source, target] = [this.#use(from), this.#use(to)];
    const [first, second] = [offsetOf(from), offsetOf(to)];
    const size = Math.ceil(nbytes / 4) * 4;
    if (!size || (source === target && first === second)) return;
    const encoder = this.#commands();
    if (source !== target) {
      encoder.copyBufferToBuffer(source.buffer, first, target.buffer, second, size);
      return;
    }
    const between = this.#device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    this.#temporary.push(between);
    encoder.copyBufferToBuffer(source.buffer, first, between, 0, size);
    encoder.copyBufferToBuffer(between, 0, target.buffer, second, size);
  }

  /** Writes bytes from the host. The last word is filled up with zeros. */
  write(memory: number, offset: number, data: Uint8Array<ArrayBuffer>): void {
    const { buffer, batch } = this.#find(memory);
    if (batch === this.#batch) this.flush(); // what was queued before sees the bytes that were there
    this.#checked("validation", () => {
      const whole = data.length & ~3;
      if (whole) this.#device.queue.writeBuffer(buffer, offset, data, 0, whole);
      if (whole === data.length) return;
      const last = new Uint8Array(4);
      last.set(data.subarray(whole));
      this.#device.queue.writeBuffer(buffer, offset + whole, last);
    });
  }

  /** The bytes of memory, after all that was queued before this call. */
  async read(memory: number, offset: number, nbytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const { buffer } = this.#use(memory);
    const skipped = offset % 4;
    if (nbytes <= 0) {
      await this.finish();
      return new Uint8Array(0);
    }
    const size = skipped + nbytes;
    const staging = this.#staging.take(size);
    this.#commands().copyBufferToBuffer(buffer, offset - skipped, staging, 0, Math.ceil(size / 4) * 4);
    this.flush();
    const bytes = await this.#arrived(this.#staging.read(staging, size));
    return skipped ? bytes.slice(skipped) : bytes;
  }

  /** Submits what was queued; it does not wait. */
  flush(): void {
    this.#endPass();
    this.#count = 0;
    this.#batch++;
    if (this.#packedNbytes) this.#device.queue.writeBuffer(this.#scalars, 0, this.#packed, 0, this.#packedNbytes);
    this.#packedNbytes = 0;
    const encoder = this.#encoder;
    this.#encoder = null;
    if (encoder) this.#checked("validation", () => this.#device.queue.submit([encoder.finish()]));
    for (const buffer of this.#temporary) buffer.destroy();
    this.#temporary = [];
  }

  /** Waits until everything has run. Throws a DeviceError for what failed since the last wait. */
  async finish(): Promise<void> {
    this.flush();
    await this.#arrived(this.#device.queue.onSubmittedWorkDone());
  }

  /** Measures what `work` queues. */
  async time(work: () => void | Promise<void>): Promise<Elapsed> {
    await this.finish();
    if (!this.#device.features.has("timestamp-query")) {
      const start = performance.now();
      await work();
      await this.finish();
      return { ms: performance.now() - start, clock: "host" };
    }
    const querySet = this.#device.createQuerySet({ type: "timestamp", count: 2 });
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    const times = this.#device.createBuffer({ size: 16, usage });
    try {
      this.#mark({ querySet, beginningOfPassWriteIndex: 0 });
      await work();
      this.#mark({ querySet, endOfPassWriteIndex: 1 });
      const staging = this.#staging.take(16);
      this.#commands().resolveQuerySet(querySet, 0, 2, times, 0);
      this.#commands().copyBufferToBuffer(times, 0, staging, 0, 16);
      this.flush();
      const bytes = await this.#arrived(this.#staging.read(staging, 16));
      const [start, end] = new BigUint64Array(bytes.buffer);
      return { ms: Math.max(0, Number(end! - start!)) / 1e6, clock: "device" };
    } finally {
      this.flush(); // what `work` queued before it threw must run, and its commands use both
      querySet.destroy();
      times.destroy();
    }
  }

  /** @internal Queues and submits what `work` issues. `refused` is called at each command of it that fails later. */
  watch(work: () => void, refused: () => void): void {
    this.flush();
    this.#watcher = refused;
    try {
      work();
      this.flush();
    } finally {
      this.#watcher = null;
    }
  }

  /** @internal Drops what is queued, and frees the device. */
  destroy(): void {
    this.#encoder = this.#pass = null;
    this.#staging.destroy();
    this.#device.destroy();
    this.#lost = new DeviceError("the device was destroyed; open another one with gpucore.openDevice()");
  }

  // ---------------------------------------------------------------- recording

  #commands(): GPUCommandEncoder {
    this.#endPass();
    return this.#currentEncoder();
  }

  #currentEncoder(): GPUCommandEncoder {
    if (this.#encoder) return this.#encoder;
    this.#requireOpen();
    this.#encoder = this.#device.createCommandEncoder();
    const batch = this.#batch;
    queueMicrotask(() => {
      if (this.#batch === batch && !this.#lost) this.flush();
    });
    return this.#encoder;
  }

  #currentPass(): GPUComputePassEncoder {
    return (this.#pass ??= this.#currentEncoder().beginComputePass());
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = this.#passPipeline = null;
  }

  #mark(timestampWrites: GPUComputePassTimestampWrites): void {
    this.#commands().beginComputePass({ timestampWrites }).end();
  }

  #place(scalars: Uint8Array): number {
    const offset = this.#packedNbytes;
    this.#packed.set(scalars, offset);
    const end = Math.ceil((offset + scalars.length) / this.#alignment) * this.#alignment;
    this.#packedNbytes = Math.min(end, SCALARS_NBYTES);
    return offset;
  }

  #find(memory: number): Memory {
    const found = this.#memories.get(memory);
    if (!found) throw new ArgumentError(`the memory ${memory} was released; create a new array`);
    return found;
  }

  #use(part: Part): Memory {
    const memory = this.#find(memoryOf(part));
    memory.batch = this.#batch;
    return memory;
  }

  #bind(kernel: Pipeline, bound: readonly Part[]): GPUBindGroup {
    const alignment = this.#device.limits.minStorageBufferOffsetAlignment;
    const entries = bound.map((part, binding) => {
      return { binding, resource: bindingOf(kernel.source.entry, part, this.#find(memoryOf(part)), alignment) };
    });
    const descriptor = { layout: kernel.layout, entries: [...entries, ...kernel.tail] };
    const group = this.#checked("validation", () => this.#device.createBindGroup(descriptor));
    const key = keyOf(bound);
    kernel.groups.set(key, group);
    for (const part of bound) noteGroup(this.#find(memoryOf(part)), kernel.groups, key);
    return group;
  }

  /** WebGPU forbids binding a buffer both for writing and for reading in a dispatch: the latter gets a copy. */
  #withoutConflicts(writes: readonly boolean[], buffers: readonly Part[]): readonly Part[] {
    const ids = buffers.map(memoryOf);
    if (new Set(ids).size === ids.length) return buffers;
    const written = new Set(ids.filter((_, at) => writes[at]));
    return buffers.map((part, at) => {
      if (writes[at] || !written.has(ids[at]!)) return part;
      const nbytes = typeof part === "number" ? this.#find(part).nbytes : part[2];
      const copy = this.allocate(nbytes);
      this.copy(part, copy, nbytes);
      queueMicrotask(() => this.release(copy));
      return copy;
    });
  }

  // ---------------------------------------------------------------- waiting

  #requireOpen(): void {
    if (this.#lost) throw this.#lost;
  }

  /** Does something of which the next wait throws the error, if there is one. */
  #checked<T>(filter: GPUErrorFilter, action: () => T): T {
    this.#device.pushErrorScope(filter);
    try {
      return action();
    } finally {
      this.#expect((error) => void (this.#failed ??= describeError(error)));
    }
  }

  /** Ends an error scope. `refuse` is called for what was caught in it. */
  #expect(refuse: (error: GPUError) => void | Promise<void>): void {
    const watcher = this.#watcher;
    const found = (error: GPUError | null): void | Promise<void> => {
      if (error) watcher?.();
      return error ? refuse(error) : undefined;
    };
    const check = this.#device.popErrorScope().then(found, () => undefined)
      .finally(() => this.#unknown.delete(check));
    this.#unknown.add(check);
  }

  /** The result of a wait, if nothing failed before. */
  async #arrived<T>(result: Promise<T>): Promise<T> {
    let value: T;
    try {
      value = await result;
    } catch (error) {
      await this.#throwFailures();
      throw new DeviceError(`the device does not answer: ${(error as Error).message}`);
    }
    await this.#throwFailures();
    return value;
  }

  async #throwFailures(): Promise<void> {
    if (this.#unknown.size) await Promise.all(this.#unknown);
    const error = this.#lost ?? this.#refused ?? this.#failed;
    this.#refused = this.#failed = null; // a kernel that was refused makes every command with it fail
    if (error) throw error;
  }
}
