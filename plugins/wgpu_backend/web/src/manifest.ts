/** The file that `gpucore` writes for a page: its kernels, pipelines, memories and sequences, and how it is checked. */

import type { ElementType, ScalarName, StructType } from "./dtypes.js";
import { ArgumentError, shownValue } from "./errors.js";
import type { PipelineSource } from "./pipelines.js";

/** @internal */
export const FORMAT = "gpucore-page";
/** @internal */
export const VERSION = 1;

/** A parameter of a kernel, as Python declares it. */
export type Parameter =
  | { name: string; kind: "array"; mode: "in" | "out" | "inout"; element: ElementType; rank: number }
  | { name: string; kind: "scalar"; element: ElementType }
  | { name: string; kind: "struct"; element: StructType }
  | { name: string; kind: "const"; value: number | boolean | string };

/** @internal Where a packed value comes from. */
export type Origin =
  | ["argument", string, string]
  | ["shape", string, number]
  | ["grid", "x" | "y" | "z" | "columns" | "called"]
  | ["last", string]
  | ["start", string];

/** @internal `multiple` divides the sum of the terms, each a factor and what it is multiplied by, which is >= 0. */
export type Assumption = [multiple: number, terms: [factor: number, origins: Origin[]][]];

/** @internal */
export interface Layout {
  slots: [Origin, ScalarName, number][];
  nbytes: number;
  views: Record<string, [rank: number, width: number]>;
  assumptions: Assumption[];
  counter: string;
  coarsening: number;
}

/** A place in the Python source. */
export interface Place {
  file: string;
  line: number;
  text: string;
}

/** @internal */
export interface Report {
  kind: "bounds" | "assert" | "print";
  place: Place | null;
  array: string;
  parts: (string | { type: string })[];
}

/** @internal */
export interface Plane {
  buffer: number;
  array: string;
  field: string;
  place: Place | null;
}

/** @internal What a form of a kernel in debug mode may report. */
export interface Reporting {
  reports: Report[];
  planes: Plane[];
  is_ordered: boolean;
}

/** @internal What gpucore's WGSL has beside its text: its name, a flag, and the words of constant arrays. */
export type Payload = { tuple: [string, boolean, { bytes: string }] } | null;

/** A kernel as the browser gets it. */
export interface Form {
  folded: boolean;
  fallback: boolean;
  text: string;
  entry: string;
  workgroup_size: [number, number, number];
  writes: boolean[];
  scalars_nbytes: number;
  workgroup_memory: number;
  /** @internal */
  payload?: Payload;
  /** Places in the Python code, and for each line of the text the number of its place, or -1. */
  places?: string[];
  lines?: number[];
  /** @internal */
  layout: Layout;
  /** @internal */
  reports: Reporting | null;
}

/** @internal */
export interface KernelDescription {
  name: string;
  doc: string;
  workgroup_size: [number, number, number];
  parameters: Parameter[];
  forms: Form[];
  python?: string;
}

/** @internal */
export interface PipelineDescription {
  text: string;
  entry: string;
  writes: boolean[];
  scalars_nbytes: number;
  payload?: Payload;
  places?: string[];
  lines?: number[];
}

/** A memory by its number, or a part of it: the number, the first byte, the number of bytes. */
export type Part = number | [memory: number, offset: number, nbytes: number];

/** @internal */
export type Step =
  | { dispatch: number; buffers: Part[]; scalars?: string; workgroups: [number, number, number] }
  | { copy: [Part, Part]; nbytes: number }
  | { write: Part; offset?: number; data: string };

/** An array of a sequence: where it is, and its shape. */
export interface Bound {
  memory: number;
  element: ElementType;
  shape: number[];
  offset?: number;
}

/** @internal */
export interface SequenceDescription {
  doc?: string;
  inputs: Record<string, Bound>;
  outputs: Record<string, Bound>;
  steps: Step[];
}

/** What `kernels.json` has. Its content is for the runtime; a page loads it with `device.load`. */
export interface Manifest {
  format: string;
  version: number;
  gpucore?: string;
  /** @internal */
  kernels?: Record<string, KernelDescription>;
  /** @internal */
  pipelines?: PipelineDescription[];
  /** @internal */
  memories?: number[];
  /** @internal */
  setup?: Step[];
  /** @internal */
  sequences?: Record<string, SequenceDescription>;
}

/** @internal Refuses what is no manifest of this version. `where` is its URL or another name. */
export function checkManifest(data: unknown, where: string): Manifest {
  const manifest = data as Manifest | null;
  if (typeof data !== "object" || manifest === null || manifest.format !== FORMAT) {
    throw new ArgumentError(
      `${where} has no kernels of gpucore: its "format" is ${shownValue(manifest?.format)}, not "${FORMAT}"; ` +
        "give the kernels.json that gpucore wrote for the page",
    );
  }
  if (manifest.version !== VERSION) {
    throw new ArgumentError(
      `${where} has version ${shownValue(manifest.version)} of the format, and this gpucore.js reads version ` +
        `${VERSION}; export the kernels and gpucore.js with the same version of gpucore`,
    );
  }
  return manifest;
}

/** @internal The bytes of base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** @internal What the queue compiles. */
export function pipelineOf(description: PipelineDescription, name = description.entry): PipelineSource {
  const { text, entry, writes, scalars_nbytes, payload, places = [], lines = [] } = description;
  const tables = fromBase64(payload?.tuple[2].bytes ?? "");
  const placeOf = (line: number): string => places[lines[line - 1] ?? -1] ?? "";
  return { text, entry, writes, scalarsNbytes: scalars_nbytes, tables, needs: needsOf(text), name, placeOf };
}

/** @internal The extensions that a text enables. */
export function needsOf(text: string): string[] {
  return Array.from(text.matchAll(/^enable (\w+);/gm), (match) => match[1]!);
}
