// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and the one helper that makes elements.

/** Microseconds with a unit that fits: 850 ns, 12.35 µs, 4.2 ms. `fixed` keeps µs, for columns. */
function time(us, fixed = false) {
  if (fixed || (Math.abs(us) >= 1 && Math.abs(us) < 1000) || us === 0) return `${digits(us)} µs`;
  return Math.abs(us) < 1 ? `${digits(us * 1000)} ns` : `${digits(us / 1000)} ms`;
}

const FORMATS = []; // by number of places: making one takes longer than all else that a redraw writes

function withPlaces(value, places) {
  FORMATS[places] ??= new Intl.NumberFormat("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
  return FORMATS[places].format(value);
}

/** A point in time, to the nanosecond: 185.903 µs. Points are subtracted from each other, so they all have the same digits. */
function instant(us) {
  return `${withPlaces(us, 3)} µs`;
}

/** Four significant digits, thousands separated, no exponent; integers stay whole. */
function digits(value) {
  if (!Number.isFinite(value)) return "n/a";
  const size = Math.abs(value);
  if (size === 0) return "0";
  const places = size >= 1000 || Number.isInteger(value) ? 0 : Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))));
  return withPlaces(value, places);
}

function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (Math.abs(count) >= 1024 && unit < units.length - 1) {
    count /= 1024;
    unit += 1;
  }
  return `${unit ? digits(count) : count} ${units[unit]}`;
}

function percent(part) {
  if (!Number.isFinite(part)) return "n/a";
  return `${(part * 100).toFixed(1)} %`;
}

/** file:line, as a key. */
function place(site) {
  return site ? `${site.file}:${site.line}` : "";
}

/** The same without folders, as people read it. */
function shortPlace(site) {
  return site ? `${fileName(site.file)}:${site.line}` : "";
}

function fileName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** element("td", {class: "num"}, "text", child, ...). Children that are null or false are left out. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A shown number: its text for people, its full value for scripts (window.aclimb.numbers). */
function shown(key, value, text, tag = "span", attributes = {}) {
  return element(tag, { ...attributes, "data-number": key, "data-value": String(value) }, text);
}

function fill(id, ...children) {
  const target = document.getElementById(id);
  target.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return target;
}

function table(caption, heads, rows, attributes = {}) {
  const head = element(
    "tr",
    {},
    heads.map((text) => (typeof text === "string" ? element("th", { scope: "col" }, text) : text)),
  );
  return element("table", { "aria-label": caption, ...attributes }, element("thead", {}, head), element("tbody", {}, rows));
}

function numeric(text) {
  return element("th", { scope: "col", class: "num" }, text);
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Every number the page shows now, by its key. */
function shownNumbers() {
  const found = {};
  for (const each of document.querySelectorAll("[data-number]")) found[each.dataset.number] = Number(each.dataset.value);
  return found;
}

/** Runs the page; a script may wait for window.aclimb.ready. */
function start(run) {
  try {
    run(JSON.parse(document.getElementById("profile-data").textContent));
    window.aclimb.ready = true;
  } catch (problem) {
    document
      .querySelector("main")
      .prepend(element("p", { class: "card", role: "alert" }, `This report cannot be drawn: ${problem.message}`));
    throw problem;
  }
}
