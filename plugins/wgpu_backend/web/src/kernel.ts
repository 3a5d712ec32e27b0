/** Kernels: the checks of a call, the choice of a form, and the launch. */

import { DeviceArray } from "./arrays.js";
import type { Device } from "./device.js";
import { isTypedArray, sameElement, scalarOf, widthOf, type ElementType, type Naming } from "./dtypes.js";
import { ArgumentError, closest, DeviceError, refuse, shownValue } from "./errors.js";
import { coarsened, planGrid, type Counts, type Triple } from "./grid.js";
import { needsOf, pipelineOf, type Form, type KernelDescription, type Parameter } from "./manifest.js";
import type { Scalar } from "./numbers.js";
import { fits, packScalars, viewedShape } from "./pack.js";
import type { PipelineSource } from "./pipelines.js";
import { checkValue, type StructValue } from "./structs.js";

/** What a kernel takes: an array, a number, the components of a vector, or the fields of a struct. */
export type Argument = DeviceArray | Scalar | string | ArrayLike<number> | StructValue;

/** How many invocations to run, or how many workgroups of them. */
export interface GridOptions {
  /** Numbers along x, y and z, or an array: one invocation for each of its elements, x along its last axis. */
  invocations?: Counts | DeviceArray;
  workgroups?: Counts;
}

/**
 * A kernel of a page. A call queues it, and returns at once.
 *
 * ```js
 * module.kernels.saxpy({ a: 2, x, y });                          // an invocation for each element that it writes
 * module.kernels.blur({ image, out }, { invocations: [640, 480] });
 * module.kernels.total({ x, sum }, { workgroups: 64 });
 * ```
 *
 * Without a grid there is an invocation for each element of the array that the kernel writes, if it writes only one.
 */
export interface Kernel {
  (args: Record<string, Argument>, grid?: GridOptions): void;
  /** The name, with types and constants. */
  readonly kernelName: string;
  /** The docstring of the Python function. */
  readonly doc: string;
  /** The Python source. */
  readonly python: string;
  readonly parameters: readonly Parameter[];
  readonly workgroupSize: Triple;
  /** What the device must have. */
  readonly needs: readonly string[];
  /** The forms in which the kernel is compiled, with their WGSL. */
  readonly forms: readonly Form[];
  /** Compiles the kernel now, instead of at its first call. */
  compile(): Promise<void>;
}

type ArrayParameter = Parameter & { kind: "array" };

/** @internal */
export function makeKernel(device: Device, name: string, description: KernelDescription, naming: Naming): Kernel {
  const launcher = new Launcher(device, description, naming);
  const call = (args: Record<string, Argument>, grid: GridOptions = {}): void => launcher.call(args, grid);
  const { doc, parameters, forms } = description;
  const facts = {
    kernelName: name, doc, parameters, forms, python: description.python ?? "",
    workgroupSize: description.workgroup_size, needs: needsOf(forms[0]?.text ?? ""),
    compile: () => launcher.compile(),
  };
  Object.defineProperty(call, "name", { value: description.name });
  return Object.assign(call, facts);
}

class Launcher {
  readonly #device: Device;
  readonly #kernel: KernelDescription;
  readonly #arrays: readonly ArrayParameter[];
  readonly #naming: Naming;
  readonly #pipelines = new Map<Form, number>();

  constructor(device: Device, kernel: KernelDescription, naming: Naming) {
    this.#device = device;
    this.#kernel = kernel;
    this.#naming = naming;
    this.#arrays = kernel.parameters.filter((each): each is ArrayParameter => each.kind === "array");
  }

  call(args: Record<string, Argument>, options: GridOptions): void {
    const { name, workgroup_size, forms } = this.#kernel;
    this.#checkNames(args, options);
    for (const parameter of this.#kernel.parameters) this.#check(parameter, args[parameter.name]);
    this.#checkAliases(args);
    const limit = this.#device.limits.maxComputeWorkgroupsPerDimension;
    const { invocations, workgroups } = options;
    const isDefault = invocations === undefined && workgroups === undefined;
    const counts = countsOf(isDefault ? (args[this.#onlyWritten()] as DeviceArray) : invocations);
    const wanted = planGrid(name, workgroup_size, limit, counts, workgroups);
    const has = (isFallback: boolean): Form | undefined =>
      forms.find((each) => each.folded === wanted.isFolded && each.fallback === isFallback);
    const plain = has(false);
    if (!plain) {
      throw new ArgumentError(`${name}: the file has no form of it for ${wanted.requested.join(" x ")} workgroups`);
    }
    const form = fits(plain.layout, args, wanted) ? plain : (has(true) ?? plain);
    if (isDefault && form.layout.counter) this.#refuseCounter(form);
    const grid = coarsened(wanted, name, form.layout.coarsening, limit);
    const scalars = packScalars(form.layout, form.scalars_nbytes, args, grid);
    if (!grid.isEmpty) this.#launch(form, args, scalars, grid.dispatched);
  }

  async compile(): Promise<void> {
    const missing = this.#kernel.forms.filter((form) => !form.folded && !this.#pipelines.has(form));
    await Promise.all(missing.map(async (form) => {
      this.#checkLimits(form);
      const pipeline = await this.#device.queue.compileAsync(this.#source(form));
      if (!this.#pipelines.has(form)) this.#pipelines.set(form, pipeline);
    }));
  }

  #launch(form: Form, args: Record<string, Argument>, scalars: Uint8Array, workgroups: Triple): void {
    const { name } = this.#kernel;
    const { queue, reports } = this.#device;
    const pipeline = this.#pipeline(form);
    const arrays = this.#arrays.map((parameter) => args[parameter.name] as DeviceArray);
    const shapes = form.reports?.planes.map((plane) => {
      return viewedShape(form.layout, args[plane.array] as DeviceArray, plane.array);
    });
    this.#device.perform(() => {
      const buffers = arrays.map((array) => array.memory); // `arrays` keeps them from being freed
      if (shapes) reports.dispatch(name, form, pipeline, buffers, scalars, workgroups, shapes);
      else queue.dispatch(pipeline, buffers, scalars, workgroups);
    });
  }

  #pipeline(form: Form): number {
    let found = this.#pipelines.get(form);
    if (found === undefined) {
      this.#checkLimits(form);
      found = this.#device.queue.compile(this.#source(form));
      this.#pipelines.set(form, found);
    }
    return found;
  }

  #source(form: Form): PipelineSource {
    return pipelineOf(form, this.#kernel.name);
  }

  /** What the browser would say in words of its own. */
  #checkLimits(form: Form): void {
    const { limits } = this.#device;
    const invocations = form.workgroup_size.reduce((product, size) => product * size, 1);
    const found: [number, number, string][] = [
      [invocations, limits.maxComputeInvocationsPerWorkgroup, "invocations in a workgroup"],
      [form.workgroup_memory, limits.maxComputeWorkgroupStorageSize, "bytes of workgroup memory"],
      [form.writes.length, limits.maxStorageBuffersPerShaderStage, "arrays"],
    ];
    for (const [needed, most, what] of found) {
      if (needed > most) {
        const { name } = this.#kernel;
        throw new DeviceError(`${name}: the kernel needs ${needed} ${what}, and this device has at most ${most}`);
      }
    }
  }

  // ---------------------------------------------------------------- checks

  #checkNames(args: Record<string, Argument>, options: GridOptions): void {
    const { name, parameters } = this.#kernel;
    const wanted = `the kernel takes {${parameters.map((each) => each.name).join(", ")}}`;
    if (typeof args !== "object" || args === null || args instanceof DeviceArray) {
      throw new ArgumentError(`${name}: give the arguments by name in one object, not ${shownValue(args)}; ${wanted}`);
    }
    const names = parameters.map((each) => each.name);
    for (const given of Object.keys(args)) {
      if (names.includes(given)) continue;
      const isGrid = given === "invocations" || given === "workgroups";
      const close = closest(given, names);
      const advice = isGrid ? `; give it in a second object, as in ${name}({...}, {${given}: n})`
        : close ? `; did you mean '${close}'?` : "";
      throw new ArgumentError(`${name}: there is no parameter '${given}'; ${wanted}${advice}`);
    }
    const missing = parameters.filter((each) => args[each.name] === undefined && each.kind !== "const");
    if (missing.length) {
      throw new ArgumentError(`${name}: '${missing.map((each) => each.name).join("', '")}' is missing; ${wanted}`);
    }
    if (typeof options !== "object" || options === null) {
      throw new ArgumentError(`${name}: a grid is {invocations: n} or {workgroups: n}, not ${shownValue(options)}`);
    }
    const unknown = Object.keys(options).find((each) => each !== "invocations" && each !== "workgroups");
    if (unknown !== undefined) {
      throw new ArgumentError(`${name}: a grid is {invocations: n} or {workgroups: n}, and has no '${unknown}'`);
    }
  }

  #check(parameter: Parameter, value: unknown): void {
    const kernel = this.#kernel.name;
    switch (parameter.kind) {
      case "array": return this.#checkArray(parameter, value);
      case "const":
        if (value !== undefined && value !== parameter.value) {
          const [own, other] = [shownValue(parameter.value), shownValue(value)];
          refuse(kernel, parameter.name, `is compiled as ${own}, not ${other}; leave it out, or export the kernel ` +
            `with ${parameter.name}=${String(value)}, too`);
        }
        return;
      default: return checkValue(kernel, parameter.name, value, parameter.element);
    }
  }

  #checkArray(parameter: ArrayParameter, value: unknown): void {
    const kernel = this.#kernel.name;
    const { name, rank, element } = parameter;
    if (!(value instanceof DeviceArray)) {
      if (isTypedArray(value)) {
        refuse(kernel, name, `is ${shownValue(value)}, which is not on a device; copy it once with ` +
          `device.array(${name}) and keep the result`);
      }
      refuse(kernel, name, `must be an array of the device, not ${shownValue(value)}; make one with device.array or ` +
        "device.empty");
    }
    if (value.isDestroyed) refuse(kernel, name, "was destroyed; create a new array");
    if (value.device !== this.#device) {
      refuse(kernel, name, "is on another device than the kernel; read it, and make an array on this device");
    }
    if (value.shape.length !== rank) {
      const { shape } = value;
      refuse(kernel, name, `has the shape [${shape.join(", ")}], of rank ${shape.length}, and the kernel takes rank ` +
        `${rank}`);
    }
    checkElements(kernel, name, value, element, this.#naming);
    const limit = this.#device.limits.maxStorageBufferBindingSize;
    if (value.nbytes > limit) {
      refuse(kernel, name, `has ${value.nbytes} bytes, and a kernel on this device can access at most ${limit} bytes ` +
        "of an array; split it");
    }
  }

  /** Two parameters with the same memory, of which the kernel writes one, would let it read what it has written. */
  #checkAliases(args: Record<string, Argument>): void {
    this.#arrays.forEach((parameter, at) => {
      for (const other of this.#arrays.slice(0, at)) {
        if (args[parameter.name] !== args[other.name] || (parameter.mode === "in" && other.mode === "in")) continue;
        refuse(this.#kernel.name, parameter.name,
          `is the same array as '${other.name}', and the kernel writes to it; pass a copy, or annotate one InOut ` +
            "parameter in Python");
      }
    });
  }

  #onlyWritten(): string {
    const written = this.#arrays.filter((each) => each.mode !== "in");
    if (written.length === 1) return written[0]!.name;
    throw new ArgumentError(
      `${this.#kernel.name}: give either {invocations: n} (or numbers along x, y and z, or an array) or ` +
        "{workgroups: n}; they may be left out only for a kernel that writes one array, and this one writes " +
        (written.map((each) => each.name).join(", ") || "none"),
    );
  }

  #refuseCounter(form: Form): never {
    const { counter, views } = form.layout;
    const read = Object.keys(views).find((name) => name !== counter) ?? "n";
    throw new ArgumentError(
      `${this.#kernel.name}: give {invocations: ${read}}, or another grid; the kernel reaches '${counter}', the only ` +
        "array that it writes, by atomics alone, so one invocation for each of its elements is no default",
    );
  }
}

function countsOf(invocations: Counts | DeviceArray | undefined): Counts | undefined {
  return invocations instanceof DeviceArray ? [...invocations.shape].reverse() : invocations;
}

/** The elements must be those of the kernel, or scalars that it can view as its vectors. */
function checkElements(
  kernel: string, name: string, array: DeviceArray, wanted: ElementType, naming: Naming,
): void {
  const have = array.element;
  if (sameElement(have, wanted)) return;
  const what = `holds ${naming(have)}, and the kernel takes ${naming(wanted)}`;
  if (typeof have === "string" && typeof wanted === "string" && have === scalarOf(wanted)) {
    const last = array.shape.at(-1)!;
    const width = widthOf(wanted);
    if (last % width === 0) return;
    refuse(kernel, name, `has a last axis of ${last}, and an array of ${wanted} needs a multiple of ${width}; pad it`);
  }
  const example = typeof wanted === "string" ? `"${wanted}"` : `module.structs.${naming(wanted)}`;
  refuse(kernel, name, `${what}; make it with {element: ${example}}, or of another typed array`);
}
