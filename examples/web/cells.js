// Small parts of tables.

export function cell(row, text, kind = "") {
  const made = row.insertCell();
  made.textContent = text;
  made.className = kind;
  return made;
}

export function enabled(selector, is) {
  for (const each of document.querySelectorAll(selector)) each.disabled = !is;
}

export function ms(time) {
  return time.toFixed(time < 10 ? 2 : 0);
}
