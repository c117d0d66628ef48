// SPDX-License-Identifier: Apache-2.0
// A timeline: which rows there are, which part of the time is seen, which slice and which range are chosen. Rows, painting
// and input live beside it.

const AXIS = 24; // height of the time axis, px

class Timeline {
  /** options: label, origin (time shown as zero), onChoose(choice), onView(t0, t1) with times relative to the origin. */
  constructor(holder, model, options = {}) {
    this.model = model;
    this.options = options;
    this.canvas = element("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label": options.label ?? "Timeline",
      "aria-describedby": "timeline-hint",
    });
    this.tip = element("div", { class: "tip", hidden: true });
    holder.replaceChildren(this.canvas, this.tip);
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.origin = options.origin ?? 0;
    this.redraws = []; // milliseconds of each redraw
    this.limits = model.whole();
    [this.t0, this.t1] = this.limits;
    this.scroll = 0;
    this.size = "tall";
    this.chosen = null; // {row, index}
    this.range = null; // {t0, t1, lanes: Set of lane numbers}, see range.js
    this.emphasis = null; // Map of lane number to a Series: the slices that stand out, see search.js and path.js
    this.path = null; // the CriticalPath to draw
    this.folded = new Set(); // keys of cores that are collapsed
    this.afterDraw = []; // called after each redraw: what shows the same window elsewhere
    this.rows = [];
    new ResizeObserver(() => this.resize()).observe(holder);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colours = null;
      this.later();
    });
    listen(this);
  }

  /** Host lanes, then the cores of these launches. */
  show(launches, { host = true } = {}) {
    this.launches = launches;
    this.withHost = host;
    this.chosen = null;
    this.scroll = 0;
    layRows(this);
    this.resize();
  }

  /** The rows anew, after some were collapsed or expanded: what was chosen stays chosen, and the row at the top stays there. */
  relay() {
    const top = this.rows[this.rowAt(AXIS)],
      chosen = this.chosen && this.rows[this.chosen.row].series;
    layRows(this);
    if (chosen) {
      const row = this.rows.findIndex((each) => each.series === chosen);
      this.chosen = row < 0 ? null : { row, index: this.chosen.index };
    }
    const same = this.rows.find((each) => each.series === top?.series && each.heading === top?.heading);
    this.scroll = Math.min(same?.y ?? 0, Math.max(0, this.contentHeight - (this.height - AXIS)));
    this.later();
  }

  setSize(size) {
    this.size = size;
    this.scroll = 0;
    layRows(this);
    this.draw();
  }

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    if (!box.width) return;
    this.width = Math.round(box.width) - 2;
    this.height = Math.round(box.height) - 2;
    this.gutter = this.width < 560 ? 84 : 112;
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.width = this.width * this.ratio;
    this.canvas.height = this.height * this.ratio;
    this.draw();
  }

  get plotWidth() {
    return this.width - this.gutter - 8; // the scroll bar's
  }

  x(t) {
    return this.gutter + ((t - this.t0) / (this.t1 - this.t0)) * this.plotWidth;
  }

  t(x) {
    return this.t0 + ((x - this.gutter) / this.plotWidth) * (this.t1 - this.t0);
  }

  /** Shows [t0, t1]; the window stays within a little more than the profile and no narrower than a picosecond or so. */
  view(t0, t1, tell = true) {
    const [low, high] = this.limits,
      room = (high - low) * 0.05;
    const span = Math.min(Math.max(t1 - t0, 1e-5), high - low + 2 * room);
    this.t0 = Math.min(Math.max(t0, low - room), high + room - span);
    this.t1 = this.t0 + span;
    if (tell) this.options.onView?.(this.t0 - this.origin, this.t1 - this.origin);
  }

  zoomAt(factor, t = (this.t0 + this.t1) / 2) {
    this.view(t - (t - this.t0) * factor, t + (this.t1 - t) * factor);
    this.later();
  }

  pan(fraction) {
    const by = (this.t1 - this.t0) * fraction;
    this.view(this.t0 + by, this.t1 + by);
    this.later();
  }

  scrollBy(pixels) {
    this.scroll = Math.min(Math.max(0, this.scroll + pixels), Math.max(0, this.contentHeight - (this.height - AXIS)));
    this.later();
  }

  fit() {
    this.view(...(this.launches.length === 1 ? this.aroundLaunch() : this.limits));
    this.later();
  }

  aroundLaunch() {
    const [low, high] = this.model.span(this.launches),
      room = (high - low) * 0.01;
    return [low - room, high + room];
  }

  /** The row at a height of the canvas, -1 beyond the last. */
  rowAt(y) {
    const at = y - AXIS + this.scroll;
    return at < 0 || at >= this.contentHeight ? -1 : above(this.tops, at, 0, this.rows.length) - 1;
  }

  /** Row and slice under a point of the canvas. */
  hit(x, y) {
    if (x < this.gutter || y < AXIS) return null;
    const row = this.rowAt(y),
      series = this.rows[row]?.series;
    if (!series) return null;
    const index = series.at(this.t(x), ((this.t1 - this.t0) / this.plotWidth) * 1.5);
    return index < 0 ? null : { row, index };
  }

  choose(choice) {
    this.chosen = choice;
    this.options.onChoose?.(choice && this.describe(choice));
    this.later();
  }

  /** Measures from t0 to t1 on some lanes; null ends it. */
  setRange(range) {
    this.range = range;
    this.options.onRange?.(range);
    this.later();
  }

  /** The chosen slice becomes the range, on its own lane. */
  measureChosen() {
    const row = this.chosen && this.rows[this.chosen.row];
    if (!row || row.number === undefined) return;
    const { series, number } = row,
      { index } = this.chosen;
    this.setRange({ t0: series.starts[index], t1: series.end(index), lanes: new Set([number]) });
  }

  /** What a person looks at now: the range, the chosen slice, or the whole. */
  interest() {
    if (this.range) return [this.range.t0, this.range.t1];
    if (!this.chosen) return this.aroundLaunch();
    const { series } = this.rows[this.chosen.row];
    return [series.starts[this.chosen.index], series.end(this.chosen.index)];
  }

  zoomTo(t0, t1) {
    const room = Math.max((t1 - t0) * 0.05, 1e-5);
    this.view(t0 - room, t1 + room);
    this.later();
  }

  /** The next or previous slice of the chosen lane, or the first in view. */
  step(by) {
    const { row, index } = this.chosen ?? { row: this.rows.findIndex((each) => each.series?.count && each.pipe !== "host"), index: -1 };
    const series = this.rows[row]?.series;
    if (!series) return;
    const next = this.chosen
      ? Math.min(Math.max(0, index + by), series.count - 1)
      : Math.min(series.range(this.t0, this.t1)[0], series.count - 1);
    const middle = (series.starts[next] + series.end(next)) / 2,
      half = (this.t1 - this.t0) / 2;
    if (middle < this.t0 || middle > this.t1) this.view(middle - half, middle + half);
    this.choose({ row, index: next });
  }

  describe({ row, index }) {
    const { series, lane, pipe, core } = this.rows[row];
    const common = {
      name: series.label(index),
      start_us: series.starts[index],
      dur_us: series.durations[index],
      pipe,
      core,
      timeline: this,
    };
    if (series.first < 0) return { ...common, slice: -1, bytes: lane.items[index].bytes, site: null };
    const slice = series.first + index;
    return { ...common, slice, bytes: this.model.profile.slices.bytes[slice], site: this.model.siteOf(slice), launch: lane.launch };
  }

  /** Chooses a slice by its number in the profile and brings it into view. */
  reveal(slice) {
    const lane = this.model.profile.slices.lane[slice];
    unfold(this, lane);
    const row = this.rowOfLane.get(lane);
    if (row === undefined) return;
    const { series, y } = this.rows[row],
      index = slice - series.first;
    const long = Math.max(series.durations[index], 1e-4),
      middle = (series.starts[index] + series.end(index)) / 2;
    let half = Math.max((this.t1 - this.t0) / 2, long);
    if ((long / half) * this.plotWidth < 8) half = (long * this.plotWidth) / 40; // about 20 px of it, where it would be a hair
    this.view(middle - half, middle + half);
    if (y < this.scroll || y > this.scroll + this.height - AXIS - 20) this.scrollBy(y - this.scroll - this.height / 3);
    this.choose({ row, index });
  }

  /** Scrolls until some lanes are in view, the middle of them in the middle. */
  bringIn(lanes) {
    const tops = Array.from(new Set(lanes), (lane) => this.rows[this.rowOfLane.get(lane)]?.y).filter((y) => y !== undefined);
    const [low, high] = [Math.min(...tops), Math.max(...tops)],
      room = this.height - AXIS - HEIGHTS.tall;
    if (tops.length && (low < this.scroll || high > this.scroll + room)) this.scrollBy((low + high) / 2 - this.scroll - room / 2);
  }

  later() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.draw();
    });
  }

  draw() {
    if (!this.width) return;
    const began = performance.now();
    paint(this);
    for (const tell of this.afterDraw) tell();
    if (this.waitForPixels) this.context.getImageData(0, 0, 1, 1); // counts the rasteriser's work too, not only our calls
    this.redraws.push(performance.now() - began);
    if (this.redraws.length > 5000) this.redraws.splice(0, 2500);
  }
}
