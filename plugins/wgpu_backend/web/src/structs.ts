/** Structs as plain objects, and as memory holds them. */

import { bytesOf, isStruct, nbytesOf, scalarOf, widthOf, type ElementType, type StructType } from "./dtypes.js";
import { refuse, shownValue } from "./errors.js";
import { checkScalar, getElement, putElement, type Scalar } from "./numbers.js";

/** A struct as a plain object: a number for a scalar, an array of numbers for a vector, an object for a struct. */
export interface StructValue {
  [field: string]: Scalar | ArrayLike<Scalar> | StructValue;
}

/**
 * The bytes of structs, for `device.array`.
 *
 * ```js
 * const { Particle } = module.structs;
 * const particles = device.array(gpucore.pack(Particle, [{ position: [0, 1], mass: 2 }]), { element: Particle });
 * ```
 */
export function pack(type: StructType, values: readonly StructValue[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(type.nbytes * values.length));
  values.forEach((value, at) => put(view, at * type.nbytes, type, value, `${type.struct} ${at}`, ""));
  return view.buffer;
}

/** The structs in bytes that an array of structs was read to: `gpucore.unpack(Particle, await particles.read())`. */
export function unpack(type: StructType, data: ArrayBufferLike | ArrayBufferView): StructValue[] {
  const bytes = bytesOf(data);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.byteLength / type.nbytes);
  return Array.from({ length: count }, (_, at) => get(view, at * type.nbytes, type) as StructValue);
}

/** @internal Checks a value by its type: a scalar, a vector or a struct that is passed by value. */
export function checkValue(kernel: string, name: string, value: unknown, type: ElementType): void {
  if (isStruct(type)) {
    for (const field of type.fields) {
      checkValue(kernel, `${name}.${field.name}`, partOf(kernel, name, type, value, field.name), field.element);
    }
    return;
  }
  const width = widthOf(type);
  if (width === 1) {
    checkScalar(kernel, name, value, scalarOf(type));
    return;
  }
  const components = value as ArrayLike<unknown> | null;
  if (typeof value !== "object" || components === null || components.length !== width) {
    refuse(kernel, name, `must have ${width} components (${type}), as in an array, not ${shownValue(value)}`);
  }
  for (let at = 0; at < width; at++) {
    checkScalar(kernel, `${name}.${"xyzw"[at]}`, components[at], scalarOf(type));
  }
}

function partOf(kernel: string, name: string, type: StructType, value: unknown, field: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    const fields = type.fields.map((each) => each.name).join(", ");
    refuse(kernel, name, `must be an object with the fields of ${type.struct} (${fields}), not ${shownValue(value)}`);
  }
  if (!(field in value)) refuse(kernel, name, `has no '${field}', and a ${type.struct} has one`);
  return (value as Record<string, unknown>)[field];
}

function put(view: DataView, offset: number, type: ElementType, value: unknown, name: string, path: string): void {
  if (isStruct(type)) {
    for (const field of type.fields) {
      const inner = path ? `${path}.${field.name}` : field.name;
      const part = partOf(name, path || "value", type, value, field.name);
      put(view, offset + field.offset, field.element, part, name, inner);
    }
    return;
  }
  checkValue(name, path, value, type);
  const width = widthOf(type);
  const step = nbytesOf(type) / width;
  for (let at = 0; at < width; at++) {
    const component = width === 1 ? (value as Scalar) : (value as ArrayLike<Scalar>)[at]!;
    putElement(view, offset + at * step, component, scalarOf(type));
  }
}

function get(view: DataView, offset: number, type: ElementType): Scalar | Scalar[] | StructValue {
  if (isStruct(type)) {
    const parts = type.fields.map((field) => [field.name, get(view, offset + field.offset, field.element)] as const);
    return Object.fromEntries(parts);
  }
  const width = widthOf(type);
  const scalar = scalarOf(type);
  if (width === 1) return getElement(view, offset, scalar);
  const step = nbytesOf(type) / width;
  return Array.from({ length: width }, (_, at) => getElement(view, offset + at * step, scalar));
}
