// SPDX-License-Identifier: Apache-2.0
// A finding on the timeline: the slices of its two accesses, and the gap between them, laid over the canvas.

class Marks {
  constructor(profile) {
    this.model = new Model(profile);
    document.getElementById("timeline-card").hidden = false;
    this.timeline = new Timeline(document.getElementById("timeline"), this.model, {});
    this.layer = element("div", { class: "marks", "aria-hidden": "true" });
    document.getElementById("timeline").append(this.layer);
    const draw = this.timeline.draw.bind(this.timeline);
    this.timeline.draw = () => {
      draw();
      this.place();
    };
    this.pair = [];
    fill("timeline-controls", timelineButtons(this.timeline));
  }

  /** Numbers of the two slices: the first one of each side, the second side's not before the first's. */
  slicesOf(finding) {
    const launch = this.model.profile.launches.find((each) => finding.accesses.some((side) => side.kernel === each.kernel));
    if (!launch) return [];
    this.launch = launch.id;
    const [first, second] = finding.accesses;
    const one = first && this.#slice(first, -Infinity);
    const start = one === undefined || one < 0 ? -Infinity : this.model.starts[one];
    const two = second ? this.#slice(second, start, one) : -1;
    return [one, two].filter((each) => each !== undefined && each >= 0);
  }

  #slice(side, from, other = -1) {
    for (const lane of this.model.lanes) {
      if (lane.launch !== this.launch || lane.core !== side.core || lane.pipe !== side.pipe) continue;
      for (let i = 0; i < lane.series.count; i += 1) {
        const slice = lane.series.first + i,
          site = this.model.siteOf(slice);
        const isHere = site && site.line === side.line && fileName(site.file) === fileName(side.file);
        if (isHere && slice !== other && lane.series.starts[i] >= from) return slice;
      }
    }
    return -1;
  }

  show(finding) {
    this.pair = this.slicesOf(finding);
    if (this.launch === undefined) this.launch = this.model.profile.launches[0].id;
    this.timeline.show([this.launch], { host: false });
    this.timeline.view(...(this.pair.length ? this.#around() : this.timeline.aroundLaunch()));
    this.#scrollTo();
    this.timeline.draw();
  }

  /** Start and end of what lies between the two: where the second begins before the first has ended, their overlap. */
  gap() {
    if (this.pair.length < 2) return null;
    const [one, two] = this.pair,
      end = this.model.starts[one] + this.model.durations[one],
      start = this.model.starts[two];
    return [Math.min(end, start), Math.max(end, start)];
  }

  #around() {
    const starts = this.pair.map((each) => this.model.starts[each]),
      ends = this.pair.map((each, i) => starts[i] + this.model.durations[each]);
    const low = Math.min(...starts),
      high = Math.max(...ends),
      room = Math.max((high - low) * 0.5, 1e-3);
    return [low - room, high + room];
  }

  #row(slice) {
    return this.timeline.rows[this.timeline.rowOfLane.get(this.model.profile.slices.lane[slice])];
  }

  #scrollTo() {
    const top = Math.min(...this.pair.map((each) => this.#row(each)?.y ?? 0));
    if (Number.isFinite(top)) this.timeline.scroll = Math.max(0, Math.min(top - 40, this.timeline.contentHeight - (this.timeline.height - AXIS)));
  }

  place() {
    const { timeline } = this;
    const left = (t) => Math.min(Math.max(timeline.x(t), timeline.gutter), timeline.width);
    const box = (kind, t0, t1, y0, y1, text = null) =>
      element(
        "div",
        { class: kind, style: `left:${left(t0)}px;width:${Math.max(2, left(t1) - left(t0))}px;top:${y0}px;height:${y1 - y0}px` },
        text,
      );
    const rows = this.pair.map((each) => this.#row(each)),
      top = (row) => AXIS + row.y - timeline.scroll;
    if (rows.some((row) => !row)) return this.layer.replaceChildren();
    const made = this.pair.map((each, i) => {
      const start = this.model.starts[each];
      return box("side", start, start + this.model.durations[each], top(rows[i]), top(rows[i]) + rows[i].height);
    });
    const gap = this.gap();
    if (gap) made.push(box("between", ...gap, Math.min(...rows.map(top)), Math.max(...rows.map((row) => top(row) + row.height))));
    return this.layer.replaceChildren(...made);
  }
}
