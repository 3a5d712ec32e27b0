// The Python of a kernel beside the WGSL that gpucore made of it; of a sequence the call, and its kernels.

export function showSources(manifest) {
  const choice = document.getElementById("kernel");
  const texts = new Map();
  for (const [name, kernel] of Object.entries(manifest.kernels)) {
    texts.set(name, [kernel.python, kernel.forms[0].text]);
  }
  for (const [name, sequence] of Object.entries(manifest.sequences)) {
    const used = [...new Set(sequence.steps.filter((step) => "dispatch" in step).map((step) => step.dispatch))];
    const wgsl = used.map((at) => `// ---- ${manifest.pipelines[at].entry}\n\n${manifest.pipelines[at].text}`);
    texts.set(name, [callOf(name, sequence), wgsl.join("\n")]);
  }
  for (const name of texts.keys()) choice.add(new Option(name));
  const show = () => {
    const [python, wgsl] = texts.get(choice.value);
    document.getElementById("python").textContent = python;
    document.getElementById("wgsl").textContent = wgsl;
  };
  choice.onchange = show;
  show();
}

function callOf(name, sequence) {
  const [what, kind] = name.split("_");
  const inputs = Object.entries(sequence.inputs).map(
    ([input, { element, shape }]) => `${input} = gp.empty(${shape.length > 1 ? `(${shape.join(", ")})` : shape[0]}, gp.${element})`);
  const call = what === "sort" ? `gp.sort(keys${name.endsWith("down") ? ", descending=True" : ""})`
    : `gp.matmul(a, b, variant="${name.slice(7, name.lastIndexOf("_"))}")`;
  return [...inputs, `result = ${call}  # ${sequence.steps.length} ${sequence.steps.length > 1 ? "steps" : "step"}`].join("\n");
}
