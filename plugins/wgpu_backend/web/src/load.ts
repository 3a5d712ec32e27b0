/** What a page loads: kernels, structs and sequences. */

import type { Device } from "./device.js";
import { isStruct, sameElement, shownElement, type ElementType, type Naming, type StructType } from "./dtypes.js";
import { ArgumentError, meant } from "./errors.js";
import { makeKernel, type Kernel } from "./kernel.js";
import { checkManifest, type Manifest } from "./manifest.js";
import { makeSequence, SequenceMemory, type Sequence } from "./sequence.js";

/** Where kernels are loaded from. */
export type Source = string | URL | Response | Manifest | object;

/**
 * Kernels, structs and sequences by name. A kernel with types or constants is named as in Python,
 * `module.kernels["scale[T=f32,n=4]"]`, and by its own name if there is only one of that name.
 */
export interface Module {
  readonly kernels: { readonly [name: string]: Kernel };
  readonly sequences: { readonly [name: string]: Sequence };
  /** Of several with one name, the second is `Params_2`, the third `Params_3`. */
  readonly structs: { readonly [name: string]: StructType };
  /** The version of gpucore that wrote it. */
  readonly version: string;
  /** Compiles everything now, instead of each kernel at its first call. Throws what the browser does not compile. */
  compile(): Promise<void>;
}

/** @internal */
export async function loadModule(device: Device, source: Source): Promise<Module> {
  const [data, where] = await fetched(source);
  const manifest = checkManifest(data, where);
  const structs = structsOf(manifest);
  const naming = namingOf(structs);
  const kernels: Record<string, Kernel> = {};
  for (const [name, description] of Object.entries(manifest.kernels ?? {})) {
    kernels[name] = makeKernel(device, name, description, naming);
  }
  const all = Object.values(kernels);
  const own = Object.values(manifest.kernels ?? {}).map((each) => each.name);
  own.forEach((name, at) => {
    if (!Object.hasOwn(kernels, name) && own.indexOf(name) === own.lastIndexOf(name)) kernels[name] = all[at]!;
  });
  const memory = new SequenceMemory(device, manifest);
  const sequences: Record<string, Sequence> = {};
  for (const [name, description] of Object.entries(manifest.sequences ?? {})) {
    sequences[name] = makeSequence(device, name, description, memory, naming);
  }
  return {
    kernels: named(kernels, where, "kernel"),
    sequences: named(sequences, where, "sequence"),
    structs: named(structs, where, "struct"),
    version: manifest.gpucore ?? "",
    async compile() {
      await Promise.all([...all.map((kernel) => kernel.compile()), memory.compile()]);
    },
  };
}

async function fetched(source: Source): Promise<[unknown, string]> {
  const isPlace = typeof source === "string" || source instanceof URL;
  if (!isPlace && !(source instanceof Response)) return [source, "the object"];
  const where = isPlace ? String(source) : source.url || "the response";
  let response: Response;
  try {
    response = isPlace ? await fetch(source) : source;
  } catch (error) {
    throw new ArgumentError(
      `${where} cannot be loaded: ${(error as Error).message}; pages from files may not load others, so serve the ` +
        "folder, as with python -m http.server",
    );
  }
  if (!response.ok) {
    const answer = `${response.status} ${response.statusText}`.trim();
    throw new ArgumentError(`${where} cannot be loaded: the server answers ${answer}`);
  }
  try {
    return [await response.json(), where];
  } catch {
    throw new ArgumentError(`${where} is no JSON; give the kernels.json that gpucore wrote for the page`);
  }
}

/** The table itself, but for names that it does not have, which are errors. */
function named<T>(table: Record<string, T>, where: string, what: string): Record<string, T> {
  return new Proxy(Object.freeze(table), {
    get(target, name) {
      if (typeof name === "symbol" || Object.hasOwn(target, name)) return Reflect.get(target, name) as T;
      if (name === "then" || name === "toJSON") return undefined; // what promises and JSON look for
      const known = Object.keys(target);
      const specialised = known.filter((each) => each.startsWith(`${name}[`));
      const advice = specialised.length
        ? `choose one of ${specialised.map((each) => `${what}s["${each}"]`).join(", ")}`
        : meant(name, known, `its ${what}s are`);
      throw new ArgumentError(`${where} has no ${what} '${name}'; ${advice}`);
    },
  });
}

/** Every struct that a parameter or a field has as its type: P, P_2, P_3 ... are those named P, as in Python. */
function structsOf(manifest: Manifest): Record<string, StructType> {
  const found: Record<string, StructType> = {};
  const seen = new Set<string>();
  const visit = (element: ElementType): void => {
    if (!isStruct(element)) return;
    const content = JSON.stringify(element);
    if (seen.has(content)) return;
    seen.add(content);
    for (const field of element.fields) visit(field.element);
    let name = element.struct;
    for (let number = 2; Object.hasOwn(found, name); number++) name = `${element.struct}_${number}`;
    found[name] = element;
  };
  for (const kernel of Object.values(manifest.kernels ?? {})) {
    for (const parameter of kernel.parameters) if (parameter.kind !== "const") visit(parameter.element);
  }
  for (const sequence of Object.values(manifest.sequences ?? {})) {
    for (const bound of [...Object.values(sequence.inputs), ...Object.values(sequence.outputs)]) visit(bound.element);
  }
  return found;
}

function namingOf(structs: Record<string, StructType>): Naming {
  const all = Object.entries(structs);
  return (element) => {
    const own = isStruct(element) &&
      all.find(([, each]) => each.struct === element.struct && sameElement(each, element));
    return own ? own[0] : shownElement(element);
  };
}
