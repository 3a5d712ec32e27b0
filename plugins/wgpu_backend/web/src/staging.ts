/** Memory from which the host reads: buffers that are mapped, and used again. */

const LEAST = 4096;
const MAX_KEPT = 8;
const MAX_KEPT_NBYTES = 64 << 20;

/** @internal */
export class Staging {
  readonly #device: GPUDevice;
  #free: GPUBuffer[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** A buffer of at least so many bytes, to which commands copy. */
  take(nbytes: number): GPUBuffer {
    const at = this.#free.findIndex((buffer) => buffer.size >= nbytes && buffer.size <= 4 * Math.max(nbytes, LEAST));
    if (at >= 0) return this.#free.splice(at, 1)[0]!;
    const size = nbytes <= LEAST ? LEAST : Math.ceil(nbytes / LEAST) * LEAST;
    return this.#device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  }

  /** The first bytes of a buffer, once the commands have run, and the buffer back. */
  async read(buffer: GPUBuffer, nbytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const padded = Math.ceil(nbytes / 4) * 4;
    try {
      await buffer.mapAsync(GPUMapMode.READ, 0, padded);
    } catch (error) {
      buffer.destroy();
      throw error;
    }
    const bytes = new Uint8Array(buffer.getMappedRange(0, padded).slice(0, nbytes));
    buffer.unmap();
    this.#give(buffer);
    return bytes;
  }

  destroy(): void {
    for (const buffer of this.#free) buffer.destroy();
    this.#free = [];
  }

  #give(buffer: GPUBuffer): void {
    this.#free.push(buffer);
    let nbytes = this.#free.reduce((sum, each) => sum + each.size, 0);
    while (this.#free.length > MAX_KEPT || (nbytes > MAX_KEPT_NBYTES && this.#free.length)) {
      const oldest = this.#free.shift()!;
      nbytes -= oldest.size;
      oldest.destroy();
    }
  }
}
