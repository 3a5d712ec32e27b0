/* gpucore 0.1.0, Apache-2.0. Built from plugins/wgpu_backend/web; do not edit. */
/// <reference types="@webgpu/types" />
/**
 * Runs the kernels that gpucore wrote for a page, by WebGPU.
 *
 * ```js
 * import * as gpucore from "./gpucore.js";
 *
 * const device = await gpucore.openDevice();
 * const module = await device.load("kernels.json");
 * const x = device.array(new Float32Array([1, 2, 3]));
 * const y = device.empty("f32", 3);
 * module.kernels.saxpy({ a: 2, x, y });
 * console.log(await y.read());
 * ```
 */
/** Arrays on a device. */
/** What an array is made of, or is written with: a typed array, bytes, or for an array of structs plain objects. */
type ArrayData = TypedArray | ArrayBufferLike | DataView | readonly StructValue[];
/** A shape: the length of each axis, or the only length. */
type Shape = number | readonly number[];
/**
 * An array on a device. `device.array` and `device.empty` make one.
 *
 * ```js
 * const x = device.array(new Float32Array([1, 2, 3, 4]), { shape: [2, 2] });
 * module.kernels.double({ x });
 * console.log(await x.read()); // Float32Array [2, 4, 6, 8]
 * x.destroy();
 * ```
 *
 * The memory of an array that the page no longer refers to is freed by the garbage collector, at some time: large ones
 * are better freed by `destroy`.
 */
declare class DeviceArray<E extends ElementType = ElementType> {
    #private;
    readonly device: Device;
    readonly element: E;
    readonly shape: readonly number[];
    /** The number of elements. */
    readonly size: number;
    readonly nbytes: number;
    /** Whether `destroy` was called. */
    get isDestroyed(): boolean;
    /** The number of the array's memory in `device.queue`. */
    get memory(): number;
    /**
     * Waits for what was queued, and copies the elements from the device: numbers as a typed array, structs as an
     * `ArrayBuffer`, see `gpucore.unpack`.
     *
     * Throws a `KernelError` if a kernel in debug mode has failed, and a `DeviceError` for what the device did not do.
     */
    read(): Promise<DataOf<E>>;
    /** Replaces all elements; what was queued before sees the old ones. */
    write(data: ArrayData): void;
    /** Frees the memory, once what was queued with it has run. */
    destroy(): void;
    /** "f32 [2, 3]". */
    toString(): string;
}
/** Devices: opening one, making arrays on it, and waiting for it. */
/** What `openDevice` may be told. */
interface OpenOptions {
    /** Which of several GPUs. */
    powerPreference?: "low-power" | "high-performance";
    /** Features of WebGPU that the page cannot do without, such as "shader-f16"; without them opening fails. */
    features?: readonly string[];
    /** Takes the lines that kernels in debug mode print; by default `console.log`. */
    print?: (line: string) => void;
    /** How many lines and failures of a dispatch in debug mode are kept, from 1; by default 1 MiB of them. */
    debugRecords?: number;
}
/** What the browser tells of a device. Browsers may keep some of it empty. */
interface DeviceInfo {
    vendor: string;
    architecture: string;
    device: string;
    description: string;
    /** Whether it is a program that does the work of a GPU on the CPU. */
    isFallback: boolean;
}
/** The element type of what typed arrays give without `element`. */
type ElementOf<D> = D extends Float32Array ? "f32" : D extends Int32Array ? "i32" : D extends Uint32Array ? "u32" : D extends Uint8Array | Uint8ClampedArray ? "u8" : D extends Int8Array ? "i8" : D extends Uint16Array ? "u16" : D extends Int16Array ? "i16" : D extends BigInt64Array ? "i64" : D extends BigUint64Array ? "u64" : D extends Float64Array ? "f64" : ElementType;
/**
 * Opens a device, with all the limits that the GPU has, and with "shader-f16", "subgroups" and "timestamp-query" where
 * the browser offers them.
 *
 * ```js
 * const device = await gpucore.openDevice({ powerPreference: "high-performance" });
 * ```
 *
 * Throws a `DeviceError` that says what to enable if there is no WebGPU.
 */
declare function openDevice(options?: OpenOptions): Promise<Device>;
/** A device of the browser. {@link openDevice} opens one. */
declare class Device {
    #private;
    /** The device of WebGPU itself, to share it with other code of the page. */
    readonly gpu: GPUDevice;
    readonly info: DeviceInfo;
    /** The features of WebGPU that the device was opened with. */
    readonly features: ReadonlySet<string>;
    readonly limits: GPUSupportedLimits;
    /** Tells when the device is gone: the GPU was reset, or `destroy` was called. */
    readonly lost: Promise<GPUDeviceLostInfo>;
    /** What kernels are run with, on plain numbers and bytes. */
    readonly queue: Queue;
    /**
     * An array with the elements of a typed array; by default of one axis.
     *
     * ```js
     * device.array(new Float32Array(12), { shape: [3, 4] });
     * device.array(new Float32Array(12), { element: "f32x4" });        // three vectors
     * device.array([{ position: [0, 1], mass: 2 }], { element: module.structs.Particle });
     * device.array(new Uint16Array(4), { element: "f16" });            // of the bits of f16
     * ```
     */
    array<D extends TypedArray>(data: D, options?: {
        shape?: Shape;
    }): DeviceArray<ElementOf<D>>;
    array<E extends ElementType>(data: ArrayData, options: {
        element: E;
        shape?: Shape;
    }): DeviceArray<E>;
    /** An array of zeros: `device.empty("f32", [480, 640])`. */
    empty<E extends ElementType>(element: E, shape: Shape): DeviceArray<E>;
    /**
     * Loads the kernels that gpucore wrote for the page: from a URL, a `Response`, or the parsed content.
     *
     * ```js
     * const module = await device.load("kernels.json");
     * ```
     */
    load(source: Source): Promise<Module>;
    /** Waits until everything that was queued has run. Throws what failed: a `KernelError` or a `DeviceError`. */
    finish(): Promise<void>;
    /**
     * Keeps what `work` queues, instead of running it: calls of kernels and sequences, and writes to arrays. A replay
     * makes none of the checks, and takes the arrays with what is in them then.
     *
     * ```js
     * const step = device.record(() => {
     *   module.kernels.move({ particles, dt: 0.01 });
     *   module.kernels.draw({ particles, image });
     * });
     * for (let n = 0; n < 100; n++) step.replay();
     * ```
     */
    record(work: () => void): Recording;
    /**
     * Measures what `work` queues, in milliseconds, by the device's clock where it has timestamps.
     *
     * ```js
     * const { ms, clock } = await device.time(() => module.kernels.saxpy({ a: 2, x, y }));
     * ```
     */
    time(work: () => void | Promise<void>): Promise<Elapsed>;
    /** Frees the device with all its arrays. */
    destroy(): void;
}
/** Work that was recorded by {@link Device.record}. */
declare class Recording {
    #private;
    /** How many launches and writes it has. */
    get length(): number;
    /** Queues the work again. */
    replay(): void;
}
/** The elements of arrays: their names, their sizes, and the typed arrays of JavaScript that hold them. */
/** The name of a scalar. Kernels for WebGPU compute with i32, u32, f32, bool and, where the device has it, f16; the
 * others may be stored in arrays that such kernels convert. */
type ScalarName = "bool" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "bf16" | "f32" | "f64";
/** A vector of 2, 3 or 4 scalars, packed without gaps: "f32x3" has 12 bytes. */
type VectorName = `${ScalarName}x${2 | 3 | 4}`;
/** A field of a struct, and the byte at which it begins. */
interface StructField {
    name: string;
    offset: number;
    element: ElementType;
}
/** A struct as memory holds it. `module.structs` has those of a file. */
interface StructType {
    struct: string;
    nbytes: number;
    fields: StructField[];
}
/** The type of the elements of an array: "f32", "f32x4", or a struct. */
type ElementType = ScalarName | VectorName | StructType;
/** Any typed array. */
type TypedArray = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;
type Of<S extends ScalarName> = S | `${S}x${2 | 3 | 4}`;
/** The typed array that holds elements: `Float32Array` for "f32" and its vectors, an `ArrayBuffer` for structs. Those
 * of "f16" are in a `Float16Array` where the browser has it, else in a `Uint16Array` with their bits. */
type DataOf<E> = E extends Of<"f32"> ? Float32Array : E extends Of<"i32"> ? Int32Array : E extends Of<"u32"> ? Uint32Array : E extends Of<"u8" | "bool"> ? Uint8Array : E extends Of<"i8"> ? Int8Array : E extends Of<"u16" | "bf16"> ? Uint16Array : E extends Of<"i16"> ? Int16Array : E extends Of<"i64"> ? BigInt64Array : E extends Of<"u64"> ? BigUint64Array : E extends Of<"f64"> ? Float64Array : E extends StructType ? ArrayBuffer : TypedArray;
/** The errors of the runtime, and the words that several of them share. */
/** The base class of what this module throws. */
declare class GpucoreError extends Error {
    name: string;
}
/** A call with wrong arguments, or a file that is not what it should be. Nothing was sent to the device. */
declare class ArgumentError extends GpucoreError {
    name: string;
}
/** The device, or the browser: no WebGPU, no memory left, a kernel that the browser does not compile, a lost device. */
declare class DeviceError extends GpucoreError {
    name: string;
}
/** What a kernel in debug mode found out: see {@link KernelError.kind}. */
interface Failure {
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
declare class KernelError extends GpucoreError implements Failure {
    name: string;
    readonly kind: Failure["kind"];
    readonly kernel: string;
    readonly file: string;
    readonly line: number;
    readonly invocation: [number, number, number] | null;
    readonly array: string;
    readonly index: number[];
    readonly extents: number[];
}
/** Numbers of 16 bits, for browsers with and without Float16Array. */
/** Grids: rounding of invocations to workgroups, and folding to fit the limits of a dispatch. */
/** One to three numbers, along x, y and z. */
type Counts = number | readonly number[];
/** Numbers along x, y and z. */
type Triple = [x: number, y: number, z: number];
/** Kernels: the checks of a call, the choice of a form, and the launch. */
/** What a kernel takes: an array, a number, the components of a vector, or the fields of a struct. */
type Argument = DeviceArray | Scalar | string | ArrayLike<number> | StructValue;
/** How many invocations to run, or how many workgroups of them. */
interface GridOptions {
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
interface Kernel {
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
/** What a page loads: kernels, structs and sequences. */
/** Where kernels are loaded from. */
type Source = string | URL | Response | Manifest | object;
/**
 * Kernels, structs and sequences by name. A kernel with types or constants is named as in Python,
 * `module.kernels["scale[T=f32,n=4]"]`, and by its own name if there is only one of that name.
 */
interface Module {
    readonly kernels: {
        readonly [name: string]: Kernel;
    };
    readonly sequences: {
        readonly [name: string]: Sequence;
    };
    /** Of several with one name, the second is `Params_2`, the third `Params_3`. */
    readonly structs: {
        readonly [name: string]: StructType;
    };
    /** The version of gpucore that wrote it. */
    readonly version: string;
    /** Compiles everything now, instead of each kernel at its first call. Throws what the browser does not compile. */
    compile(): Promise<void>;
}
/** The file that `gpucore` writes for a page: its kernels, pipelines, memories and sequences, and how it is checked. */
/** A parameter of a kernel, as Python declares it. */
type Parameter = {
    name: string;
    kind: "array";
    mode: "in" | "out" | "inout";
    element: ElementType;
    rank: number;
} | {
    name: string;
    kind: "scalar";
    element: ElementType;
} | {
    name: string;
    kind: "struct";
    element: StructType;
} | {
    name: string;
    kind: "const";
    value: number | boolean | string;
};
/** A place in the Python source. */
interface Place {
    file: string;
    line: number;
    text: string;
}
/** A kernel as the browser gets it. */
interface Form {
    folded: boolean;
    fallback: boolean;
    text: string;
    entry: string;
    workgroup_size: [number, number, number];
    writes: boolean[];
    scalars_nbytes: number;
    workgroup_memory: number;
    /** Places in the Python code, and for each line of the text the number of its place, or -1. */
    places?: string[];
    lines?: number[];
}
/** A memory by its number, or a part of it: the number, the first byte, the number of bytes. */
type Part = number | [memory: number, offset: number, nbytes: number];
/** An array of a sequence: where it is, and its shape. */
interface Bound {
    memory: number;
    element: ElementType;
    shape: number[];
    offset?: number;
}
/** What `kernels.json` has. Its content is for the runtime; a page loads it with `device.load`. */
interface Manifest {
    format: string;
    version: number;
    gpucore?: string;
}
/** Memory of a device, its parts, and the bind groups that are kept with it. */
/** Numbers by value: what may be passed for a scalar, and how it is written to memory. */
/** A number that is passed by value. */
type Scalar = number | bigint | boolean;
/** The packed scalars of a launch, and whether it satisfies what its kernel assumes. */
/** Compiled kernels: pipelines with their layouts and their bind groups, and the errors of the browser's compiler. */
/** What a pipeline is made of. Its arrays are bound from 0 on, then the scalars, then the constant arrays. */
interface PipelineSource {
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
/** The queue of a device, on plain numbers and bytes: what kernels and sequences are run with.
 *
 * Commands are collected and submitted together: after 128 dispatches, when the host waits for results, or else when
 * the script that issued them returns to the browser. The scalars of the dispatches are in one uniform buffer, each
 * block at its own dynamic offset.
 */
/** A time, and whether the device's clock or the host's measured it. */
interface Elapsed {
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
declare class Queue {
    #private;
    /** New memory, of zeros. */
    allocate(nbytes: number): number;
    /** Frees memory, once the commands that use it have run. */
    release(memory: number): void;
    /** A pipeline. If the browser does not compile it, the next wait throws a DeviceError. */
    compile(source: PipelineSource): number;
    /** A pipeline that is compiled beside what else the page does, and others. */
    compileAsync(source: PipelineSource): Promise<number>;
    /** Runs a pipeline. `buffers` are memories, or parts of them, which begin at multiples of
     * `limits.minStorageBufferOffsetAlignment`: 256 suits every device. */
    dispatch(pipeline: number, buffers: readonly Part[], scalars: Uint8Array, workgroups: Readonly<Triple>): void;
    /** Copies bytes, up to whole words. */
    copy(from: Part, to: Part, nbytes: number): void;
    /** Writes bytes from the host. The last word is filled up with zeros. */
    write(memory: number, offset: number, data: Uint8Array<ArrayBuffer>): void;
    /** The bytes of memory, after all that was queued before this call. */
    read(memory: number, offset: number, nbytes: number): Promise<Uint8Array<ArrayBuffer>>;
    /** Submits what was queued; it does not wait. */
    flush(): void;
    /** Waits until everything has run. Throws a DeviceError for what failed since the last wait. */
    finish(): Promise<void>;
    /** Measures what `work` queues. */
    time(work: () => void | Promise<void>): Promise<Elapsed>;
}
/** Reports of kernels in debug mode: each dispatch has a buffer, which is read when the page waits for results.
 *
 * Words 0 to 3 of the buffer are the number of invocations that failed, of prints, of slots in each half, and of
 * failures; from word 4 on stands the first word of the marks of each plane, or 0. Then follow the records of failures,
 * those of prints, and the marks: a bit for each element of an output that was written. A record is the number of its
 * report, the workgroup id, the local id, and the values.
 */
/** Sequences: launches that Python recorded, such as those of a sort, with the memory that they share. */
/**
 * A sequence of launches. A call queues them, and returns the outputs at once, as new arrays unless given.
 *
 * ```js
 * const { result } = module.sequences.sort_1m({ keys });
 * module.sequences.sort_1m({ keys }, { result });        // into an array that there is
 * ```
 */
interface Sequence {
    (inputs: Record<string, DeviceArray>, outputs?: Record<string, DeviceArray>): Record<string, DeviceArray>;
    readonly sequenceName: string;
    readonly doc: string;
    /** The shapes and elements that it takes. */
    readonly inputs: Readonly<Record<string, Bound>>;
    readonly outputs: Readonly<Record<string, Bound>>;
}
/** Values as Python's print shows them. */
/** Memory from which the host reads: buffers that are mapped, and used again. */
/** Structs as plain objects, and as memory holds them. */
/** A struct as a plain object: a number for a scalar, an array of numbers for a vector, an object for a struct. */
interface StructValue {
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
declare function pack(type: StructType, values: readonly StructValue[]): ArrayBuffer;
/** The structs in bytes that an array of structs was read to: `gpucore.unpack(Particle, await particles.read())`. */
declare function unpack(type: StructType, data: ArrayBufferLike | ArrayBufferView): StructValue[];
/** Elements of an output that no invocation wrote: how many, and which, as gpucore says it in Python. */
export { openDevice, Device, Recording };
export type { DeviceInfo, ElementOf, OpenOptions };
export { DeviceArray };
export type { ArrayData, Shape };
export type { DataOf, ElementType, ScalarName, StructField, StructType, TypedArray, VectorName };
export { ArgumentError, DeviceError, GpucoreError, KernelError };
export type { Failure };
export type { Counts, Triple };
export type { Argument, GridOptions, Kernel };
export type { Module, Source };
export type { Bound, Form, Manifest, Parameter, Part, Place };
export type { Scalar };
export { Queue };
export type { Elapsed };
export type { PipelineSource };
export type { Sequence };
export { pack, unpack };
export type { StructValue };
