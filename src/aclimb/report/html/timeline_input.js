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

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    if (fingers.size === 1) moved = 0;
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
      return;
    }
    timeline.pan((before.x - now.x) / timeline.plotWidth);
    timeline.scrollBy(before.y - now.y);
  });

  const release = (event) => {
    if (fingers.delete(event.pointerId) && moved < 4 && event.type === "pointerup") timeline.choose(timeline.hit(at(event).x, at(event).y));
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    timeline.tip.hidden = true;
  });
  canvas.addEventListener("keydown", (event) => press(timeline, event));
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
    escape: () => timeline.choose(null),
  }[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
}

function hover(timeline, { x, y }) {
  const found = timeline.hit(x, y);
  timeline.canvas.style.cursor = found ? "pointer" : "";
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
  return [
    button("+", "Zoom in", () => all[0].zoomAt(0.5)),
    button("−", "Zoom out", () => all[0].zoomAt(2)),
    button("◀", "Earlier", () => all[0].pan(-0.3)),
    button("▶", "Later", () => all[0].pan(0.3)),
    button("Fit", "Show the whole launch", () => all[0].fit()),
    compact,
  ];
}

/** What is known about the chosen slice, with links to its source line and to the slices its flags come from and go to. */
function showDetails(choice, jump) {
  if (!choice) {
    fill("details");
    return;
  }
  const { timeline, slice, site, bytes: size, dur_us, start_us } = choice,
    { model, origin } = timeline;
  const fact = (name, ...value) => element("div", {}, element("span", {}, name), ...value);
  const link = (target) =>
    element(
      "a",
      {
        href: "#timeline-title",
        onclick: (event) => {
          event.preventDefault();
          timeline.reveal(target);
        },
      },
      `${model.profile.names[model.profile.slices.name[target]]} on ${model.laneOf(target).core} ${model.laneOf(target).pipe}`,
    );
  const flows = slice < 0 ? [] : model.flowsOf(slice);
  const waits = flows.filter((flow) => flow[1] === slice).map((flow) => link(flow[0])),
    sets = flows.filter((flow) => flow[0] === slice).map((flow) => link(flow[1]));
  const comma = (links) => links.flatMap((each, i) => (i ? [", ", each] : [each]));
  const cycles = dur_us * model.profile.clock_mhz;
  fill(
    "details",
    fact("Instruction", element("strong", {}, choice.name)),
    fact("Where", choice.pipe === "host" ? choice.core : `${choice.core}, ${choice.pipe}`),
    fact("Start", time(start_us - origin, true)),
    fact("Duration", time(dur_us), slice < 0 ? "" : ` (${digits(Math.round(cycles))} cycles)`),
    size ? fact("Moves", `${bytes(size)} at ${digits(size / dur_us / 1e3)} GB/s`) : null,
    site ? fact("Source", jump ? placeLink(site, jump) : element("code", { title: place(site) }, shortPlace(site))) : null,
    waits.length ? fact("Waits for", ...comma(waits)) : null,
    sets.length ? fact("Followed by", ...comma(sets)) : null,
  );
}

function placeLink(site, jump) {
  const go = (event) => {
    event.preventDefault();
    jump(site);
  };
  return element("a", { href: "#source-title", onclick: go }, element("code", { title: place(site) }, shortPlace(site)));
}
