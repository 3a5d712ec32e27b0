/** The elements of arrays: their names, their sizes, and the typed arrays of JavaScript that hold them. */

import { ArgumentError, closest, shownValue } from "./errors.js";

/** The name of a scalar. Kernels for WebGPU compute with i32, u32, f32, bool and, where the device has it, f16; the
 * others may be stored in arrays that such kernels convert. */
export type ScalarName =
  | "bool" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "bf16" | "f32" | "f64";

/** A vector of 2, 3 or 4 scalars, packed without gaps: "f32x3" has 12 bytes. */
export type VectorName = `${ScalarName}x${2 | 3 | 4}`;

/** A field of a struct, and the byte at which it begins. */
export interface StructField {
  name: string;
  offset: number;
  element: ElementType;
}

/** A struct as memory holds it. `module.structs` has those of a file. */
export interface StructType {
  struct: string;
  nbytes: number;
  fields: StructField[];
}

/** The type of the elements of an array: "f32", "f32x4", or a struct. */
export type ElementType = ScalarName | VectorName | StructType;

/** Any typed array. */
export type TypedArray =
  | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
  | Float32Array | Float64Array | BigInt64Array | BigUint64Array;

type Of<S extends ScalarName> = S | `${S}x${2 | 3 | 4}`;

/** The typed array that holds elements: `Float32Array` for "f32" and its vectors, an `ArrayBuffer` for structs. Those
 * of "f16" are in a `Float16Array` where the browser has it, else in a `Uint16Array` with their bits. */
export type DataOf<E> =
  E extends Of<"f32"> ? Float32Array : E extends Of<"i32"> ? Int32Array : E extends Of<"u32"> ? Uint32Array
  : E extends Of<"u8" | "bool"> ? Uint8Array : E extends Of<"i8"> ? Int8Array
  : E extends Of<"u16" | "bf16"> ? Uint16Array : E extends Of<"i16"> ? Int16Array
  : E extends Of<"i64"> ? BigInt64Array : E extends Of<"u64"> ? BigUint64Array
  : E extends Of<"f64"> ? Float64Array : E extends StructType ? ArrayBuffer : TypedArray;

/** @internal */
export interface TypedArrayConstructor {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
}

const float16 = (globalThis as { Float16Array?: TypedArrayConstructor }).Float16Array;

const HOLDERS: Record<ScalarName, TypedArrayConstructor> = {
  bool: Uint8Array, i8: Int8Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array,
  i64: BigInt64Array, u64: BigUint64Array, f16: float16 ?? Uint16Array, bf16: Uint16Array, f32: Float32Array,
  f64: Float64Array,
};

/** The element that each typed array gives, if nothing else is said. */
const DEFAULTS: Record<string, ScalarName> = {
  Int8Array: "i8", Uint8Array: "u8", Uint8ClampedArray: "u8", Int16Array: "i16", Uint16Array: "u16",
  Int32Array: "i32", Uint32Array: "u32", BigInt64Array: "i64", BigUint64Array: "u64", Float16Array: "f16",
  Float32Array: "f32", Float64Array: "f64",
};

/** @internal Whether an element is a struct. */
export function isStruct(element: ElementType): element is StructType {
  return typeof element === "object";
}

/** @internal The scalar of an element that is no struct. */
export function scalarOf(element: ScalarName | VectorName): ScalarName {
  return element.replace(/x[234]$/, "") as ScalarName;
}

/** @internal The number of components: 1 for scalars and structs. */
export function widthOf(element: ElementType): number {
  const match = isStruct(element) ? null : /x([234])$/.exec(element);
  return match ? Number(match[1]) : 1;
}

/** @internal Bytes of an element. */
export function nbytesOf(element: ElementType): number {
  return isStruct(element) ? element.nbytes : widthOf(element) * HOLDERS[scalarOf(element)].BYTES_PER_ELEMENT;
}

/** @internal An element as messages show it. */
export function shownElement(element: ElementType): string {
  return isStruct(element) ? element.struct : element;
}

/** @internal How a module names an element in messages: a struct as in `module.structs`. */
export type Naming = (element: ElementType) => string;

/** @internal Whether two elements have the same layout in memory. */
export function sameElement(a: ElementType, b: ElementType): boolean {
  if (!isStruct(a) || !isStruct(b)) return a === b;
  if (a === b) return true;
  return (
    a.nbytes === b.nbytes && a.fields.length === b.fields.length &&
    a.fields.every((field, at) => {
      const other = b.fields[at]!;
      return field.name === other.name && field.offset === other.offset && sameElement(field.element, other.element);
    })
  );
}

/** @internal Checks what a caller gives as an element. */
export function checkElement(element: unknown): ElementType {
  if (typeof element === "string" && Object.hasOwn(HOLDERS, element.replace(/x[234]$/, ""))) {
    return element as ElementType;
  }
  if (typeof element === "object" && element !== null && "fields" in element && "nbytes" in element) {
    return element as StructType;
  }
  const close = typeof element === "string" ? closest(element, Object.keys(HOLDERS)) : undefined;
  throw new ArgumentError(
    `${shownValue(element)} is no type of elements; ` +
      (close ? `did you mean "${close}"?` : 'write "f32", "u32x2" or a struct of module.structs'),
  );
}

/** @internal The element that a typed array gives. */
export function elementOf(data: TypedArray): ScalarName {
  return DEFAULTS[data.constructor.name]!;
}

/** @internal Whether a value is a typed array (a DataView is none). */
export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && Object.hasOwn(DEFAULTS, value.constructor.name);
}

/** @internal The bytes of data, in the same memory. */
export function bytesOf(data: ArrayBufferLike | ArrayBufferView): Uint8Array<ArrayBuffer> {
  const view = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  return view as Uint8Array<ArrayBuffer>;
}

/** @internal Checks that data fits an element, by its type. The number of its bytes is checked elsewhere. */
export function checkData(data: unknown, element: ElementType, where: string): Uint8Array<ArrayBuffer> {
  if (data instanceof ArrayBuffer || data instanceof DataView) return bytesOf(data);
  if (typeof SharedArrayBuffer !== "undefined" && data instanceof SharedArrayBuffer) return bytesOf(data);
  if (!isTypedArray(data)) {
    const holder = isStruct(element) ? "ArrayBuffer" : HOLDERS[scalarOf(element)].name;
    throw new ArgumentError(`${where}: the data must be a typed array such as a ${holder}, not ${shownValue(data)}`);
  }
  if (isStruct(element)) return bytesOf(data);
  const own = elementOf(data);
  const wanted = scalarOf(element);
  const isBits = (wanted === "f16" || wanted === "bf16") && own === "u16";
  if (own !== wanted && !isBits && !(wanted === "bool" && own === "u8")) {
    throw new ArgumentError(
      `${where}: the data is ${shownValue(data)} (${own}), and the elements are ${shownElement(element)}; ` +
        `make a ${HOLDERS[wanted].name} of it`,
    );
  }
  return bytesOf(data);
}

/** @internal Bytes as the typed array of an element; structs as an ArrayBuffer. */
export function dataOf(bytes: Uint8Array<ArrayBuffer>, element: ElementType): TypedArray | ArrayBuffer {
  if (isStruct(element)) return bytes.buffer;
  const holder = HOLDERS[scalarOf(element)];
  return new holder(bytes.buffer, 0, bytes.byteLength / holder.BYTES_PER_ELEMENT);
}
