// SPDX-License-Identifier: Apache-2.0
// The critical path in words: what it is made of, longest first, and a walk along it on the timeline.

const FIRST_GROUPS = 10;

class PathPanel {
  /** onShow(path or null) is told which path lies over the timeline from now on. */
  constructor(timeline, jump, onShow) {
    Object.assign(this, { timeline, jump, onShow, path: null, at: -1, isShown: false });
    this.button = element(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        title: "The chain of instructions and waits that makes the time",
        onclick: () => this.#press(),
      },
      "Critical path",
    );
    timeline.walk = (by) => this.step(by);
  }

  show(path) {
    this.path = path;
    this.at = -1;
    document.getElementById("path-card").hidden = !path;
    this.button.disabled = !path;
    if (!path) this.toggle(false);
    else this.onShow(this.isShown ? path : null);
    this.#fill();
  }

  toggle(isShown = !this.isShown) {
    this.isShown = isShown && Boolean(this.path);
    this.button.setAttribute("aria-pressed", String(this.isShown));
    this.onShow(this.isShown ? this.path : null);
  }

  #press() {
    this.toggle();
    if (this.isShown) this.timeline.bringIn(this.path.lanes);
  }

  /** To the next or previous step that has a slice, with the path drawn. */
  step(by) {
    if (!this.path) return;
    const { steps } = this.path;
    let next = this.at < 0 && by < 0 ? steps.length - 1 : this.at + by;
    while (steps[next] && steps[next].slice < 0) next += by;
    if (steps[next]) this.go(next);
  }

  go(index) {
    const { slice, lane, start, end } = this.path.steps[index];
    this.at = index;
    if (!this.isShown) this.toggle(true);
    if (slice >= 0) this.timeline.reveal(slice);
    else if (lane >= 0) {
      const half = Math.max((this.timeline.t1 - this.timeline.t0) / 2, end - start);
      this.timeline.view((start + end) / 2 - half, (start + end) / 2 + half);
      this.timeline.later();
    }
    this.#tell();
  }

  #tell() {
    const { steps } = this.path,
      step = steps[this.at];
    if (!step) {
      fill("path-step", `${digits(steps.length)} steps`);
      return;
    }
    const number = shown("path.step", this.at + 1, `step ${digits(this.at + 1)}`);
    fill("path-step", number, ` of ${digits(steps.length)}: ${step.why || "works"}, ${time(step.us)}`);
  }

  #fill(all = false) {
    if (!this.path) return;
    const { path } = this,
      { groups } = path;
    const rows = (all ? groups : groups.slice(0, FIRST_GROUPS)).map((group, number) => this.#row(group, number));
    const walk = (text, label, by) =>
      element("button", { type: "button", "aria-label": label, title: label, onclick: () => this.step(by) }, text);
    fill("path-walk", walk("◀", "Previous step", -1), walk("▶", "Next step", 1), element("span", { id: "path-step" }));
    this.#tell();
    const note = path.isGuess
      ? "Followed back from the last instruction by flags and the order of each pipe; waits for other cores and the scalar unit are gaps."
      : `What the time of ${path.launch.critical_path.core}, which ends last, is made of. What is not on it can take longer without harm.`;
    const heads = ["Pipe", "Instruction", numeric("Time"), numeric("Share"), numeric("Steps"), "At"],
      more = element("button", { type: "button", onclick: () => this.#fill(true) }, `Show all ${groups.length}`);
    fill(
      "path",
      element("p", { class: "hint" }, note),
      element("div", { class: "scroll" }, table("Critical path", heads, rows, { class: "blocks" })),
      groups.length > rows.length ? more : null,
    );
  }

  #row({ first, pipe, name, why, us, share, count, site }, number) {
    const words = name || { "launch and set-up": "Before the first instruction", "between two steps": "Wait" }[why] || why,
      step = this.path.steps[first];
    const go = { type: "button", class: "plain", title: "Show the first of them", onclick: () => this.go(first) };
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, pipe),
      element(
        "td",
        { class: "what" },
        step && step.lane >= 0 ? element("button", go, words) : words,
        why && why !== words ? element("small", {}, why) : null,
      ),
      element(
        "td",
        { class: "num", "data-head": "Time" },
        shown(`path.${number}.us`, us, time(us)),
        element("span", { class: "meter" }, element("i", { class: "path", style: `width:${Math.min(100, share * 100)}%` })),
      ),
      shown(`path.${number}.share`, share, percent(share), "td", { class: "num", "data-head": "Share" }),
      element("td", { class: "num", "data-head": "Steps" }, digits(count)),
      element("td", { "data-head": "At" }, site ? placeLink(site, this.jump) : ""),
    );
  }
}
