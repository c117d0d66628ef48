// SPDX-License-Identifier: Apache-2.0
// The whole time in a strip above the timeline: how active each kind of pipe is, and the window that the timeline shows, to be dragged.

const MAP_ROW = 5; // px of a pipe
const GRIP = 6; // px on either side of an edge of the window that take hold of it

class Minimap {
  constructor(holder, timeline) {
    Object.assign(this, { holder, timeline });
    const title = "Drag the window to move it, its edges to zoom";
    this.canvas = element("canvas", { "aria-label": `Overview. ${title}`, title });
    holder.replaceChildren(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.picture = document.createElement("canvas");
    timeline.afterDraw.push(() => this.draw());
    this.#listen();
  }

  get span() {
    return this.timeline.launches?.length === 1 ? this.timeline.aroundLaunch() : this.timeline.limits;
  }

  x(t) {
    const [low, high] = this.span;
    return this.timeline.gutter + ((t - low) / (high - low)) * this.timeline.plotWidth;
  }

  t(x) {
    const [low, high] = this.span;
    return low + ((x - this.timeline.gutter) / this.timeline.plotWidth) * (high - low);
  }

  draw() {
    const { timeline, context } = this,
      key = [timeline.width, timeline.ratio, timeline.launches, timeline.colours.card, timeline.colours.text].join();
    if (key !== this.key) this.#paintPicture();
    this.key = key;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.picture, 0, 0);
    context.setTransform(timeline.ratio, 0, 0, timeline.ratio, 0, 0);
    this.#paintMarks();
    this.#paintWindow();
  }

  #paintPicture() {
    const { timeline } = this,
      { width, ratio, colours } = timeline,
      rows = mapRows(timeline);
    this.height = Math.max(24, rows.length * MAP_ROW + 12);
    for (const canvas of [this.canvas, this.picture]) {
      canvas.width = width * ratio;
      canvas.height = this.height * ratio;
    }
    this.canvas.style.height = `${this.height}px`;
    const context = this.picture.getContext("2d", { alpha: false });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.card;
    context.fillRect(0, 0, width, this.height);
    context.font = "9.5px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "right";
    rows.forEach((row, i) => this.#paintRow(context, row, 4 + i * MAP_ROW));
    context.fillStyle = colours.quiet;
    context.fillText("overview", timeline.gutter - 10, this.height / 2);
  }

  #paintRow(context, { pipe, shares }, y) {
    const { timeline } = this,
      inks = shadesOf(timeline.colours.pipes[pipe] ?? timeline.colours.pipes.host);
    const strip = document.createElement("canvas");
    strip.width = shares.length;
    strip.height = 1;
    const brush = strip.getContext("2d"),
      image = brush.createImageData(shares.length, 1),
      pixels = new Uint32Array(image.data.buffer);
    shares.forEach((share, i) => {
      pixels[i] = share < 1e-6 ? 0 : inks[Math.min(6, 1 + Math.floor(share * 5.999))];
    });
    brush.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(strip, timeline.gutter, y, timeline.plotWidth, MAP_ROW - 1);
  }

  /** Matches of a search as ticks at the foot, and the range that is measured. */
  #paintMarks() {
    const { context, timeline, height } = this,
      { range, colours } = timeline;
    context.fillStyle = colours.hot;
    for (const x of this.ticks()) context.fillRect(x, height - 6, 1, 4);
    if (!range) return;
    context.fillStyle = colours.accent;
    context.globalAlpha = 0.3;
    context.fillRect(this.x(range.t0), 2, Math.max(1, this.x(range.t1) - this.x(range.t0)), height - 4);
    context.globalAlpha = 1;
  }

  /** Pixels with a match, each once. */
  ticks() {
    const { timeline } = this;
    if (timeline.emphasis !== this.ticked || this.key !== this.tickedKey) {
      const found = new Set();
      for (const series of (timeline.path ? null : timeline.emphasis)?.values() ?? [])
        for (let i = 0; i < series.count; i += 1) found.add(Math.round(this.x(series.starts[i])));
      Object.assign(this, { ticked: timeline.emphasis, tickedKey: this.key, tickList: [...found] });
    }
    return this.tickList;
  }

  #paintWindow() {
    const { context, timeline, height } = this,
      { gutter, plotWidth, colours } = timeline;
    const left = Math.max(gutter, this.x(timeline.t0)),
      right = Math.max(left + 2, Math.min(gutter + plotWidth, this.x(timeline.t1)));
    context.fillStyle = colours.back;
    context.globalAlpha = 0.65;
    context.fillRect(gutter, 0, left - gutter, height);
    context.fillRect(right, 0, gutter + plotWidth - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 1.25, right - left - 1.5, height - 2.5);
  }

  #listen() {
    const { canvas, timeline } = this;
    let held = null; // {part, from, t0, t1}: what was taken hold of, where, and the window then
    const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
    const partAt = (x) => {
      const left = this.x(timeline.t0),
        right = this.x(timeline.t1);
      if (Math.abs(x - left) <= GRIP) return "left";
      if (Math.abs(x - right) <= GRIP) return "right";
      return x > left && x < right ? "window" : "outside";
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const x = at(event),
        part = partAt(x);
      if (part === "outside") {
        const half = (timeline.t1 - timeline.t0) / 2;
        timeline.view(this.t(x) - half, this.t(x) + half);
        timeline.later();
      }
      held = { part: part === "outside" ? "window" : part, from: x, t0: timeline.t0, t1: timeline.t1 };
    });
    canvas.addEventListener("pointermove", (event) => {
      const x = at(event);
      if (!held) {
        canvas.style.cursor = { left: "ew-resize", right: "ew-resize", window: "grab", outside: "pointer" }[partAt(x)];
        return;
      }
      const by = this.t(x) - this.t(held.from);
      if (held.part === "left") timeline.view(Math.min(held.t0 + by, held.t1 - 1e-5), held.t1);
      else if (held.part === "right") timeline.view(held.t0, Math.max(held.t1 + by, held.t0 + 1e-5));
      else timeline.view(held.t0 + by, held.t1 + by);
      timeline.later();
    });
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, () => {
        held = null;
      });
  }
}

/** For each pipe the share of time that is covered in each step along the strip, as a mean over the cores that have it. */
function mapRows(timeline) {
  const { model, launches } = timeline,
    [low, high] = launches.length === 1 ? timeline.aroundLaunch() : timeline.limits,
    steps = Math.min(600, timeline.plotWidth),
    byPipe = new Map();
  for (const lane of model.lanes) {
    if (!launches.includes(lane.launch) || lane.pipe === "SK" || !lane.series.count) continue;
    if (!byPipe.has(lane.pipe)) byPipe.set(lane.pipe, { pipe: lane.pipe, shares: new Float64Array(steps), lanes: 0 });
    addShares(lane.series, low, high, byPipe.get(lane.pipe));
  }
  const rows = [...byPipe.values()].sort((a, b) => PIPE_ORDER.indexOf(a.pipe) - PIPE_ORDER.indexOf(b.pipe));
  for (const row of rows) row.shares = row.shares.map((share) => share / row.lanes);
  return rows;
}

function addShares(series, low, high, row) {
  const steps = row.shares.length,
    step = (high - low) / steps;
  let next = 0,
    before = 0;
  for (let i = 0; i < steps; i += 1) {
    const t = low + (i + 1) * step;
    next = above(series.starts, t, next, series.count);
    const covered = series.coveredUntil(t, next - 1);
    row.shares[i] += (covered - before) / step;
    before = covered;
  }
  row.lanes += 1;
}
