// SPDX-License-Identifier: Apache-2.0
// What a person does with a timeline: wheel, drag, pinch, click, keys, buttons.

function listen(timeline) {
  const { canvas } = timeline;
  const fingers = new Map(); // pointer id -> {x, y}, in canvas pixels
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x } = at(event),
        step = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
      if (x < timeline.gutter || event.shiftKey) timeline.scrollBy(step || event.deltaX);
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) timeline.pan(event.deltaX / timeline.plotWidth);
      else timeline.zoomAt(Math.exp(Math.min(Math.max(step, -200), 200) * 0.0025), timeline.t(x));
    },
    { passive: false },
  );

  let hand = null; // what a drag does: measures, or moves an end of what was measured; null: pans

  canvas.addEventListener("pointerdown", (event) => {
    const now = at(event);
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, now);
    if (fingers.size > 1) return;
    moved = 0;
    hand = rangeHand(timeline, now, event.shiftKey);
  });

  canvas.addEventListener("pointermove", (event) => {
    const now = at(event),
      before = fingers.get(event.pointerId);
    if (!before) {
      hover(timeline, now);
      return;
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (moved < 4) return;
    timeline.tip.hidden = true;
    if (other) {
      const factor = Math.max(12, Math.abs(before.x - other.x)) / Math.max(12, Math.abs(now.x - other.x));
      timeline.zoomAt(factor, timeline.t((now.x + other.x) / 2));
    } else if (hand) hand(now);
    else {
      timeline.pan((before.x - now.x) / timeline.plotWidth);
      timeline.scrollBy(before.y - now.y);
    }
  });

  const release = (event) => {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    if (hand && moved >= 4) timeline.setRange(timeline.range);
    else if (moved < 4 && event.type === "pointerup") click(timeline, at(event));
    hand = null;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    timeline.tip.hidden = true;
  });
  canvas.addEventListener("keydown", (event) => press(timeline, event));
}

/** A click on a core's name collapses or expands it; anywhere else it chooses what lies there. */
function click(timeline, { x, y }) {
  if (x < timeline.gutter && y >= AXIS && toggleFold(timeline, timeline.rows[timeline.rowAt(y)])) return;
  timeline.choose(timeline.hit(x, y));
}

/** What a drag from here does to the range: moves the end that lies here, or begins one with Shift, on the axis and in measuring mode. */
function rangeHand(timeline, { x, y }, withShift) {
  const { range } = timeline,
    edge = range && [range.t0, range.t1].find((t) => Math.abs(timeline.x(t) - x) <= 4 && x > timeline.gutter);
  if (edge == null && !(withShift || timeline.isMeasuring || (y < AXIS && x > timeline.gutter))) return null;
  const fixed = edge == null ? snapped(timeline, x, y) : edge === range.t0 ? range.t1 : range.t0,
    lanes = edge == null ? null : range.lanes;
  return (now) => {
    const t = snapped(timeline, now.x, now.y);
    timeline.range = { t0: Math.min(fixed, t), t1: Math.max(fixed, t), lanes: lanes ?? lanesBetween(timeline, y, now.y) };
    timeline.later();
  };
}

function press(timeline, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = {
    w: () => timeline.zoomAt(0.7),
    "+": () => timeline.zoomAt(0.7),
    s: () => timeline.zoomAt(1 / 0.7),
    "-": () => timeline.zoomAt(1 / 0.7),
    a: () => timeline.pan(-0.15),
    arrowleft: () => timeline.pan(-0.15),
    d: () => timeline.pan(0.15),
    arrowright: () => timeline.pan(0.15),
    arrowup: () => timeline.scrollBy(-51),
    arrowdown: () => timeline.scrollBy(51),
    pageup: () => timeline.scrollBy(-300),
    pagedown: () => timeline.scrollBy(300),
    f: () => timeline.fit(),
    home: () => timeline.fit(),
    ",": () => timeline.step(-1),
    ".": () => timeline.step(1),
    m: () => timeline.measureChosen(),
    z: () => timeline.zoomTo(...timeline.interest()),
    c: () => foldAll(timeline, timeline.folded.size === 0),
    "[": () => timeline.walk?.(-1),
    "]": () => timeline.walk?.(1),
    escape: () => (timeline.chosen ? timeline.choose(null) : timeline.setRange(null)),
  }[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
}

function hover(timeline, { x, y }) {
  const found = timeline.hit(x, y);
  const canFold = x < timeline.gutter && y >= AXIS && timeline.rows[timeline.rowAt(y)]?.pipe !== "host" && timeline.rowAt(y) >= 0;
  const isMeasuring = x > timeline.gutter && (timeline.isMeasuring || y < AXIS);
  timeline.canvas.style.cursor = canFold || found ? "pointer" : isMeasuring ? "crosshair" : "";
  timeline.tip.hidden = !found;
  if (!found) return;
  const { name, dur_us, core, pipe, site } = timeline.describe(found);
  const where = pipe === "host" ? core : `${core} ${pipe}`;
  timeline.tip.textContent = [name, time(dur_us), where, shortPlace(site)].filter(Boolean).join("  ");
  timeline.tip.style.left = `${Math.min(x + 12, Math.max(0, timeline.width - timeline.tip.offsetWidth - 4))}px`;
  timeline.tip.style.top = `${y + 18 + timeline.tip.offsetHeight > timeline.height ? y - 12 - timeline.tip.offsetHeight : y + 18}px`;
}

/** Buttons for those who have no wheel and no keys; `all` are the timelines they steer. */
function timelineButtons(...all) {
  const button = (text, label, action) => element("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
  const compact = button("Compact", "Low rows: more cores at once", () => {
    const size = all[0].size === "tall" ? "compact" : "tall";
    compact.setAttribute("aria-pressed", String(size === "compact"));
    all.forEach((each) => each.setSize(size));
  });
  compact.setAttribute("aria-pressed", "false");
  const fold = button("Collapse", "Collapse or expand all cores; a click on the name of a core does it for one", () => {
    const isFolded = all[0].folded.size === 0;
    all.forEach((each) => foldAll(each, isFolded));
  });
  const showFold = () => fold.setAttribute("aria-pressed", String(all[0].folded.size > 0));
  all[0].afterDraw.push(showFold);
  const ruler = button("Measure", "Dragging measures a range; Shift and drag does so at any time", () => {
    const isMeasuring = !all[0].isMeasuring;
    ruler.setAttribute("aria-pressed", String(isMeasuring));
    all.forEach((each) => Object.assign(each, { isMeasuring }));
  });
  ruler.setAttribute("aria-pressed", "false");
  return [
    button("+", "Zoom in", () => all[0].zoomAt(0.5)),
    button("−", "Zoom out", () => all[0].zoomAt(2)),
    button("◀", "Earlier", () => all[0].pan(-0.3)),
    button("▶", "Later", () => all[0].pan(0.3)),
    button("Fit", "Show the whole launch", () => all[0].fit()),
    compact,
    fold,
    ruler,
  ];
}
