// Life, Mandelbrot and bodies, drawn from the results of the examples' kernels.

export async function showPictures(device, module) {
  showLife(device, module);
  showBodies(device, module);
  await showMandelbrot(device, module);
}

// A picture whose pixels `paint` sets, and a button that starts and stops its steps.
function animated(name, step) {
  const button = document.getElementById(`run-${name}`), state = document.getElementById(`${name}-state`);
  let count = 0, running = false, isBusy = false;
  const show = () => {
    button.textContent = running ? "Stop" : "Start";
    button.setAttribute("aria-pressed", String(running));
  };
  const frame = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await step();
      state.textContent = `step ${++count}`;
    } catch (error) {
      running = false;
      state.textContent = error.message;
      state.className = "bad";
      show();
    } finally {
      isBusy = false;
    }
    if (running) requestAnimationFrame(frame);
  };
  button.onclick = () => {
    running = !running;
    show();
    if (running) frame();
  };
  return frame;
}

function painter(canvas, width, height) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d"), image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  return [pixels, () => context.putImageData(image, 0, 0)];
}

function showLife(device, module) {
  const rows = 256, columns = 256;
  const cells = Int32Array.from({ length: rows * columns }, () => (Math.random() < 0.3 ? 1 : 0));
  let now = device.array(cells, { shape: [rows, columns] }), then = device.empty("i32", [rows, columns]);
  const [pixels, put] = painter(document.getElementById("life"), columns, rows);
  const step = async () => {
    module.kernels.generation({ before: now, after: then }, { invocations: [columns, rows] });
    [now, then] = [then, now];
    (await now.read()).forEach((alive, at) => (pixels[at] = alive ? 0xff9be36b : 0xff20160f));
    put();
  };
  animated("life", step)();
}

async function showMandelbrot(device, module) {
  const canvas = document.getElementById("mandelbrot"), state = document.getElementById("mandelbrot-state");
  const width = 384, height = 256, most = 400;
  const image = device.empty("i32", [height, width]);
  const [pixels, put] = painter(canvas, width, height);
  let view = { x: -0.7, y: 0, span: 3 };
  const draw = async () => {
    const pixel = view.span / width;
    const corner = { re: view.x - view.span / 2, im: view.y - (pixel * height) / 2 };
    module.kernels.draw({ corner, pixel, most, image }, { invocations: [width, height] });
    (await image.read()).forEach((steps, at) => (pixels[at] = colour(steps, most)));
    put();
    state.textContent = `${(3 / view.span).toPrecision(2)} times`;
  };
  const zoom = (x, y, factor) => {
    view = { x, y, span: Math.min(3, Math.max(2e-4, view.span * factor)) };
    return draw();
  };
  canvas.onclick = (event) => {
    const place = canvas.getBoundingClientRect();
    const x = view.x + ((event.clientX - place.left) / place.width - 0.5) * view.span;
    const y = view.y + ((event.clientY - place.top) / place.height - 0.5) * ((view.span * height) / width);
    zoom(x, y, event.shiftKey ? 2 : 0.5);
  };
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.onkeydown = (event) => {
    const [dx, dy] = keys[event.key] ?? [0, 0];
    const factor = event.key === "Enter" ? 0.5 : event.key === "Backspace" ? 2 : 1;
    if (!dx && !dy && factor === 1) return;
    event.preventDefault();
    zoom(view.x + dx * view.span * 0.1, view.y + dy * view.span * 0.1, factor);
  };
  await draw();
}

function colour(steps, most) {
  if (steps >= most) return 0xff000000;
  const t = Math.sqrt(steps / most);
  const [red, green, blue] = [9 * (1 - t) * t ** 3, 15 * (1 - t) ** 2 * t ** 2, 8.5 * (1 - t) ** 3 * t].map((part) =>
    Math.min(255, Math.round(255 * part + 20)));
  return 0xff000000 | (blue << 16) | (green << 8) | red;
}

function showBodies(device, module) {
  const count = 2000, side = 256, { Body } = module.structs;
  const bodies = Array.from({ length: count }, () => {
    const angle = Math.random() * 2 * Math.PI, radius = Math.sqrt(Math.random());
    const [x, y] = [Math.cos(angle) * radius, Math.sin(angle) * radius], speed = 0.9 * Math.sqrt(radius);
    return { position: [x, y, (Math.random() - 0.5) * 0.1, 0], velocity: [-speed * (y / radius), speed * (x / radius), 0, 0], mass: 1 / count };
  });
  let now = device.array(bodies, { element: Body }), then = device.empty(Body, count);
  const words = Body.nbytes / 4;
  const [pixels, put] = painter(document.getElementById("nbody"), side, side);
  const step = async () => {
    module.kernels.step({ before: now, after: then, seconds: 0.01, softening: 0.05 }, { invocations: count });
    [now, then] = [then, now];
    const found = await now.read(), places = new Float32Array(found.buffer ?? found, found.byteOffset ?? 0);
    pixels.forEach((pixel, at) => (pixels[at] = 0xff000000 | (((pixel >> 16) & 255) * 0.8) << 16 | (((pixel >> 8) & 255) * 0.7) << 8));
    for (let at = 0; at < count; at++) {
      const x = Math.round((places[at * words] / 3 + 0.5) * side), y = Math.round((places[at * words + 1] / 3 + 0.5) * side);
      if (x >= 0 && x < side && y >= 0 && y < side) pixels[y * side + x] = 0xffffe0a0;
    }
    put();
  };
  animated("nbody", step)();
}
