// SPDX-License-Identifier: Apache-2.0
// What was measured, below the timeline: the length of the range, its pipes, and its instructions as sums or one by one.

class RangePanel {
  constructor(timeline, model, jump) {
    Object.assign(this, { timeline, model, jump, isList: false, most: LISTED });
  }

  show(range) {
    this.range = range;
    this.most = LISTED;
    document.getElementById("range").hidden = !range;
    if (range) this.#fill();
    else fill("range");
  }

  #fill() {
    const { range, model, timeline } = this,
      us = range.t1 - range.t0,
      fact = (name, ...value) => element("div", {}, element("span", {}, name), ...value),
      button = (text, action) => element("button", { type: "button", onclick: action }, text);
    const buttons = element(
      "div",
      { class: "controls" },
      button("Zoom to range", () => timeline.zoomTo(range.t0, range.t1)),
      button("End", () => timeline.setRange(null)),
    );
    const pipes = measure(model, range),
      count = pipes.reduce((sum, each) => sum + each.count, 0);
    fill(
      "range",
      element("div", { class: "bar" }, element("h3", {}, "Range"), buttons),
      element(
        "div",
        { class: "facts" },
        fact("Length", shown("range.us", us, time(us)), ` (${digits(Math.round(us * model.profile.clock_mhz))} cycles)`),
        fact("From", shown("range.t0", range.t0, instant(range.t0 - timeline.origin))),
        fact("To", shown("range.t1", range.t1, instant(range.t1 - timeline.origin))),
        fact("Lanes", digits(range.lanes.size)),
        fact("Instructions", shown("range.count", count, digits(count))),
      ),
      count ? this.#pipes(pipes, us) : element("p", { class: "hint" }, "Nothing runs in this range."),
      count ? this.#instructions(count) : null,
    );
  }

  #pipes(pipes, us) {
    const rows = pipes.map(({ key, lanes, count, us: covered, bytes: size }) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, key),
        element("td", { class: "num" }, digits(lanes)),
        element("td", { class: "num" }, digits(count)),
        shown(`range.${key}.us`, covered / lanes, time(covered / lanes), "td", { class: "num" }),
        element("td", { class: "num" }, percent(covered / lanes / us)),
        shown(`range.${key}.bytes`, size, size ? bytes(Math.round(size)) : "", "td", { class: "num" }),
        element("td", { class: "num" }, size ? `${digits(size / us / 1e3)} GB/s` : ""),
      ),
    );
    const heads = ["Pipe", ...["Lanes", "Instructions", "Active a lane", "Of range", "Bytes", "Together"].map(numeric)];
    return element("div", { class: "scroll" }, table("Pipes in the range", heads, rows));
  }

  #instructions(count) {
    const choice = (text, isList) =>
      element(
        "button",
        {
          type: "button",
          "aria-pressed": String(this.isList === isList),
          onclick: () => {
            this.isList = isList;
            this.#fill();
          },
        },
        text,
      );
    const choices = element("div", { class: "controls" }, choice("By line", false), choice("One by one", true)),
      head = element("div", { class: "bar" }, element("h3", {}, "Instructions of the range"), choices);
    return element("div", { id: "instructions" }, head, this.isList ? this.#list(count) : this.#groups());
  }

  #show(slice) {
    const { slices, names } = this.model.profile;
    const go = { type: "button", class: "plain", title: "Show it on the timeline", onclick: () => this.timeline.reveal(slice) };
    return element("button", go, names[slices.name[slice]]);
  }

  #place(slice) {
    const site = this.model.siteOf(slice);
    return element("td", {}, site ? placeLink(site, this.jump) : "");
  }

  #groups() {
    const rows = groupRange(this.model, this.range)
      .slice(0, this.most)
      .map(({ slice, pipe, count, us, bytes: size }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, pipe),
          element("td", { class: "what" }, this.#show(slice)),
          element("td", { class: "num" }, digits(count)),
          element("td", { class: "num" }, time(us)),
          element("td", { class: "num" }, size ? bytes(size) : ""),
          this.#place(slice),
        ),
      );
    const heads = ["Pipe", "Instruction", numeric("Times"), numeric("Time"), numeric("Bytes"), "At"];
    return element("div", { class: "scroll tall" }, table("Instructions of the range by line", heads, rows));
  }

  #list(count) {
    const { model, timeline } = this;
    const rows = listRange(model, this.range, this.most).map((slice) => {
      const size = model.profile.slices.bytes[slice],
        lane = model.laneOf(slice);
      return element(
        "tr",
        {},
        element("td", { class: "num" }, instant(model.starts[slice] - timeline.origin)),
        element("th", { scope: "row" }, `${lane.core} ${lane.pipe}`),
        element("td", { class: "what" }, this.#show(slice)),
        element("td", { class: "num" }, time(model.durations[slice])),
        element("td", { class: "num" }, size ? bytes(size) : ""),
        this.#place(slice),
      );
    });
    const more = () => {
      this.most *= 4;
      this.#fill();
    };
    const heads = [numeric("Start"), "Where", "Instruction", numeric("Duration"), numeric("Bytes"), "At"],
      button = element("button", { type: "button", onclick: more }, `${digits(rows.length)} of ${digits(count)}: show more`);
    return [
      element("div", { class: "scroll tall" }, table("Instructions of the range", heads, rows)),
      rows.length < count ? button : null,
    ];
  }
}
