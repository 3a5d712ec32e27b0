// A driver of gpucore in the page: commands of Python for the low-level queue. Devices, memories, pipelines and marks
// have Python's numbers; commands come in batches, in order.

import { openDevice } from "./gpucore.js";

const drivers = new Map();

const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

class Driver {
  memories = new Map();
  pipelines = new Map();
  marks = new Map();
  failed = null;

  constructor(device) {
    this.device = device;
    this.queue = device.queue;
  }

  placed(part) {
    return typeof part === "number" ? this.memories.get(part) : [this.memories.get(part[0]), part[1], part[2]];
  }

  allocate(id, nbytes) {
    this.memories.set(id, this.queue.allocate(nbytes));
  }

  release(id) {
    this.queue.release(this.memories.get(id));
    this.memories.delete(id);
  }

  write(id, offset, data) {
    this.queue.write(this.memories.get(id), offset, fromBase64(data));
  }

  copy(from, to, nbytes) {
    this.queue.copy(this.placed(from), this.placed(to), nbytes);
  }

  dispatch(pipeline, buffers, scalars, workgroups) {
    const parts = buffers.map((part) => this.placed(part));
    this.queue.dispatch(this.pipelines.get(pipeline), parts, fromBase64(scalars), workgroups);
  }

  mark(id) {
    const mark = { time: 0, isDone: false };
    this.marks.set(id, mark);
    this.queue.finish().catch((error) => (this.failed ??= error.message)).then(() => {
      Object.assign(mark, { time: performance.now(), isDone: true });
    });
  }

  async compile(id, source) {
    try {
      this.pipelines.set(id, await this.queue.compileAsync({ ...source, tables: fromBase64(source.tables) }));
      return "";
    } catch (error) {
      return error.message;
    }
  }

  async read(id, offset, nbytes) {
    return toBase64(await this.queue.read(this.memories.get(id), offset, nbytes));
  }

  // Whether a mark is done, when, and what failed since the last question.
  ask(id) {
    const error = this.failed;
    this.failed = null;
    return { ...this.marks.get(id), error };
  }
}

window.perform = (id, commands) => {
  const driver = drivers.get(id);
  for (const [name, ...values] of commands) {
    try {
      driver[name](...values);
    } catch (error) {
      driver.failed ??= error.message;
    }
  }
};

window.call = (id, name, values) => drivers.get(id)[name](...values);

window.openDriver = async (id) => drivers.set(id, new Driver(await openDevice())) && null;

window.closeDriver = (id) => {
  drivers.get(id).device.destroy();
  drivers.delete(id);
};

window.opened = async () => {
  const device = await openDevice();
  const limits = {};
  for (const name in device.limits) limits[name] = device.limits[name];
  const { subgroupMinSize = 0, subgroupMaxSize = 0 } = device.gpu.adapterInfo ?? {};
  const facts = {
    limits, features: [...device.features], info: device.info, subgroups: [subgroupMinSize, subgroupMaxSize],
  };
  device.destroy();
  return facts;
};
window.ready = true;
