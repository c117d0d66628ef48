// SPDX-License-Identifier: Apache-2.0
// One chain of kernels in several ways: separate launches, fused, fused with early start. Times, what each boundary saves, and all
// timelines over one axis.

window.aclimb = { ready: false, numbers: shownNumbers };

const SHORT_US = (us) => `${us.toFixed(2)} µs`;

function timesTable(modes) {
  const [first] = modes,
    longest = Math.max(...modes.map((each) => each.us));
  const rows = modes.map(({ mode, us, formula_us }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, mode),
      element(
        "td",
        { class: "num" },
        shown(`${mode}.us`, us, SHORT_US(us)),
        element("span", { class: "meter" }, element("i", { class: "empty", style: `width:${(us / longest) * 100}%` })),
      ),
      shown(`${mode}.formula_us`, formula_us, SHORT_US(formula_us), "td", { class: "num" }),
      shown(`${mode}.factor`, us / first.us, `× ${(us / first.us).toFixed(2)}`, "td", { class: "num" }),
    ),
  );
  return table("Times", ["Way", numeric("Simulated"), numeric("By formula"), numeric(`Against ${first.mode}`)], rows);
}

function boundariesTable(boundaries) {
  const cell = (us) => element("td", { class: "num" }, SHORT_US(us));
  const rows = boundaries.map((each) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${each.before} → ${each.after}`),
      ...[each.dispatch_saved, each.head_hidden, each.skew, each.latency].map(cell),
    ),
  );
  const heads = ["Boundary", ...["Dispatch saved", "Head hidden", "Barrier: skew", "Barrier: latency"].map(numeric)];
  return table("Boundaries", heads, rows);
}

start(({ names, modes, boundaries, notes }) => {
  const best = modes.reduce((least, each) => (each.us < least.us ? each : least));
  const ends = ({ launches }) => launches.map((each) => each.start_us + each.task_us);
  const title = names.length > 4 ? `${names.length} kernels, ${names[0]} to ${names.at(-1)}` : names.join(" → ");
  fill("kernel", title);
  document.title = `${title} - aclimb`;
  fill("subtitle", `${best.mode} takes ${SHORT_US(best.us)}, ${modes[0].mode} launches take ${SHORT_US(modes[0].us)}.`);
  fill("badges", element("span", { class: "badge" }, modes[0].profile.soc));
  fill("notes", notes.join(" "));
  fill("times", timesTable(modes));
  fill("spans", spansChart(modes));
  fill("boundaries", boundaries.length ? boundariesTable(boundaries) : element("p", {}, "There is one kernel only."));
  fill("footer", "aclimb timelines. Modelled time, not measured on an NPU.");
  const holder = ({ mode }, i) => [element("h3", {}, mode), element("div", { id: `timeline-${i}`, class: "timeline short" })];
  fill("timelines", modes.flatMap(holder));

  const longest = Math.max(...modes.map(({ profile }) => Math.max(...ends(profile)) - profile.launches[0].start_us));
  const timelines = modes.map(({ mode, profile }, i) => {
    const follow = (t0, t1) =>
      timelines.forEach((other, j) => {
        if (i === j) return;
        other.view(t0 + other.origin, t1 + other.origin, false);
        other.later();
      });
    const made = new Timeline(document.getElementById(`timeline-${i}`), new Model(mergedLaunches(profile)), {
      label: `Timeline: ${mode}`,
      origin: profile.launches[0].start_us,
      onView: follow,
      onChoose: (choice) => showDetails(choice, null),
    });
    made.limits = [made.origin, made.origin + longest];
    made.show([profile.launches[0].id], { host: false });
    return made;
  });
  const zoom = (t0, t1) =>
    timelines.forEach((each) => {
      each.view(each.origin + t0, each.origin + t1, false);
      each.draw();
    });
  timelines.forEach((each) => {
    each.fit = () => zoom(0, longest);
    foldAll(each, true); // the whole chain at a glance; a click expands a core
  });
  fill("timeline-controls", timelineButtons(...timelines));
  Object.assign(window.aclimb, { timelines, redraws: timelines[0].redraws, zoom });
  zoom(0, longest);
});
