/** Compiled kernels: pipelines with their layouts and their bind groups, and the errors of the browser's compiler. */

import { DeviceError } from "./errors.js";

/** What a pipeline is made of. Its arrays are bound from 0 on, then the scalars, then the constant arrays. */
export interface PipelineSource {
  /** WGSL. */
  text: string;
  /** The name of the entry point. */
  entry: string;
  /** For each array, whether the kernel writes it. */
  writes: readonly boolean[];
  /** Bytes of the packed scalars; 0 if there are none. */
  scalarsNbytes: number;
  /** The words of constant arrays. */
  tables?: Uint8Array<ArrayBuffer>;
  /** What the device must have: "f16", "subgroups". */
  needs?: readonly string[];
  /** The name of the kernel, for messages. */
  name?: string;
  /** Where a line of the text, from 1, comes from in Python: "mine.py:8", or "". */
  placeOf?: (line: number) => string;
}

/** @internal */
export interface Pipeline {
  source: PipelineSource;
  handle: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  /** The entries of a bind group after the arrays. */
  tail: GPUBindGroupEntry[];
  /** Bind groups by the memories that they bind. */
  groups: Map<string, GPUBindGroup>;
}

/** The names that kernels and browsers have for what a device may lack. */
const FEATURES: Record<string, GPUFeatureName> = {
  f16: "shader-f16", subgroup: "subgroups" as GPUFeatureName, subgroups: "subgroups" as GPUFeatureName,
};

/** @internal Refuses a kernel that needs what the device does not have. */
export function checkNeeds(device: GPUDevice, name: string, needs: readonly string[]): void {
  for (const need of needs) {
    const feature = FEATURES[need] ?? (need as GPUFeatureName);
    if (!device.features.has(feature)) {
      throw new DeviceError(
        `${name}: the kernel needs ${need}, and the device that this browser gives has no "${feature}"; ` +
          "export a form of the kernel without it for such devices, and look at device.features to choose",
      );
    }
  }
}

/** @internal A pipeline, all but its compilation, which the caller does in one of two ways. */
export class PipelineMaker {
  readonly #device: GPUDevice;
  readonly #source: PipelineSource;
  readonly #module: GPUShaderModule;
  readonly #layout: GPUBindGroupLayout;
  readonly #tail: GPUBindGroupEntry[] = [];
  readonly descriptor: GPUComputePipelineDescriptor;

  constructor(device: GPUDevice, source: PipelineSource, scalars: GPUBuffer) {
    this.#device = device;
    this.#source = source;
    const layouts: GPUBufferBindingLayout[] = source.writes.map((isWritten) => ({
      type: isWritten ? "storage" : "read-only-storage",
    }));
    if (source.scalarsNbytes) {
      this.#tail.push({ binding: layouts.length, resource: { buffer: scalars, size: source.scalarsNbytes } });
      layouts.push({ type: "uniform", hasDynamicOffset: true });
    }
    if (source.tables?.length) {
      this.#tail.push({ binding: layouts.length, resource: { buffer: this.#makeTables(source.tables) } });
      layouts.push({ type: "uniform" });
    }
    this.#module = device.createShaderModule({ label: source.entry, code: source.text });
    this.#layout = device.createBindGroupLayout({
      entries: layouts.map((buffer, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer })),
    });
    this.descriptor = {
      label: source.entry,
      layout: device.createPipelineLayout({ bindGroupLayouts: [this.#layout] }),
      compute: { module: this.#module, entryPoint: source.entry },
    };
  }

  made(handle: GPUComputePipeline): Pipeline {
    return { source: this.#source, handle, layout: this.#layout, tail: this.#tail, groups: new Map() };
  }

  /** What the browser says of a kernel that it did not compile, with the lines of WGSL. */
  async failure(summary: string): Promise<DeviceError> {
    const { text, entry, name, placeOf = () => "" } = this.#source;
    const info = await this.#module.getCompilationInfo().catch(() => null);
    const errors = info?.messages.filter((message) => message.type === "error") ?? [];
    const lines = text.split("\n");
    const details = errors.slice(0, 5).map((message) => describe(message, lines, placeOf(message.lineNum)));
    const rest = errors.length > 5 ? [`  and ${errors.length - 5} more`] : [];
    const said = details.length ? [...details, ...rest] : [`  ${summary.trim()}`];
    return new DeviceError(
      [`${name ?? entry}: the browser does not compile the WGSL of this kernel`, ...said].join("\n"),
    );
  }

  #makeTables(tables: Uint8Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.#device.createBuffer({
      size: Math.ceil(tables.length / 16) * 16, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    this.#device.queue.writeBuffer(buffer, 0, tables);
    return buffer;
  }
}

function describe(message: GPUCompilationMessage, lines: readonly string[], place: string): string {
  const text = `  line ${message.lineNum} of the WGSL${place && `, from ${place}`}: ${message.message}`;
  const line = lines[message.lineNum - 1];
  if (!message.lineNum || line === undefined) return text;
  const gutter = String(message.lineNum).length;
  const carets = "^".repeat(Math.max(1, Math.min(message.length, line.length - message.linePos + 1)));
  const below = " ".repeat(message.linePos - 1) + carets;
  return `${text}\n   ${message.lineNum} | ${line}\n   ${" ".repeat(gutter)} | ${below}`;
}
