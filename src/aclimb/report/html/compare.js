// SPDX-License-Identifier: Apache-2.0
// Two profiles side by side: times and ratios, both timelines over one time axis, pipe bars, stalls.

window.aclimb = { ready: false, numbers: shownNumbers };

/** B as a factor of A, coloured by whether less is better; null where neither is. */
function ratio(a, b, less = true) {
  if (!a) return element("td", { class: "num" }, b ? "new" : "");
  const factor = b / a,
    same = Math.abs(factor - 1) < 0.005;
  return element(
    "td",
    { class: `num ${same || less === null ? "" : factor < 1 === less ? "better" : "worse"}` },
    same ? "same" : `× ${factor.toFixed(2)}`,
  );
}

function verdict(a, b) {
  const factor = a.task_us / b.task_us;
  if (Math.abs(factor - 1) < 0.005) return `B takes as long as A: ${time(a.task_us)}.`;
  const times = factor > 1 ? `${factor.toFixed(2)} times as fast` : `${(1 / factor).toFixed(2)} times as slow`;
  return `B takes ${time(b.task_us)}, A takes ${time(a.task_us)}: B is ${times}.`;
}

function timesRows(a, b) {
  const row = (name, key, of, text, less) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      shown(`a.${key}`, of(a), text(of(a)), "td", { class: "num" }),
      shown(`b.${key}`, of(b), text(of(b)), "td", { class: "num" }),
      ratio(of(a), of(b), less),
    );
  const words = (name, of) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", { class: "num" }, of(a)),
      element("td", { class: "num" }, of(b)),
      element("td", {}),
    );
  const rate = (value) => `${digits(value)} GB/s`;
  return [
    row("Task time", "task_us", (each) => each.task_us, time, true),
    row("Mean core time", "core_us", (each) => each.core_us, time, true),
    words("Bound by", (each) => each.bound),
    words("Cores", (each) => String(each.cores.length)),
    row("Blocks", "num_blocks", (each) => each.num_blocks, digits, null),
    row("Instructions", "instructions", (each) => each.instructions, digits, null),
    row("HBM achieved", "hbm_gbs", (each) => each.bandwidth.hbm_gbs, rate, false),
    row("L2 achieved", "l2_gbs", (each) => each.bandwidth.l2_gbs, rate, false),
    row("L2 hits", "l2_hit_rate", (each) => each.bandwidth.l2_hit_rate, percent, false),
    row("Read from HBM", "hbm_read_bytes", (each) => each.bandwidth.hbm_read_bytes, bytes, true),
    row("Written to HBM", "hbm_write_bytes", (each) => each.bandwidth.hbm_write_bytes, bytes, true),
  ];
}

/** Bars share one scale, so that a shorter run has shorter bars. */
function pipeRows(a, b) {
  const left = pipeMeans(a),
    right = pipeMeans(b),
    rows = [];
  const all = [left, right].flatMap((means) => Object.values(means)).flatMap((pipes) => Object.values(pipes));
  const full = Math.max(...all.map((mean) => mean.total));
  const bar = (mean, key) => {
    if (!mean) return element("td", {}, "none");
    const working = shown(`${key}.busy_us`, mean.busy, `busy ${time(mean.busy)} of ${time(mean.total)}`, "small");
    return element("td", {}, element("div", { style: `width:${(mean.total / full) * 100}%` }, stack(mean, mean.total)), working);
  };
  for (const type of new Set([...Object.keys(left), ...Object.keys(right)])) {
    for (const [pipe] of inOrder({ ...left[type], ...right[type] })) {
      const [one, other] = [left[type]?.[pipe], right[type]?.[pipe]];
      rows.push(
        element(
          "tr",
          {},
          element("th", { scope: "row" }, `${type} ${pipe}`),
          bar(one, `a.${type}.${pipe}`),
          bar(other, `b.${type}.${pipe}`),
        ),
      );
    }
  }
  return rows;
}

/** Stalls of both, matched by pipe, cause and the text of the line: line numbers move between versions. */
function stallRows(sides) {
  const found = new Map();
  sides.forEach(({ profile, launch }, side) => {
    for (const stall of launch.stalls) {
      const text = stall.at && (profile.sources[stall.at.file]?.split("\n")[stall.at.line - 1] ?? "").trim();
      const key = [stall.pipe, stall.kind, stall.cause, text || place(stall.at)].join("|");
      if (!found.has(key)) found.set(key, { stall, text, us: [0, 0], at: ["", ""] });
      const row = found.get(key);
      row.us[side] += stall.us;
      row.at[side] = shortPlace(stall.at);
    }
  });
  const rows = [...found.values()].sort((a, b) => Math.abs(b.us[1] - b.us[0]) - Math.abs(a.us[1] - a.us[0])).slice(0, 20);
  return rows.map(({ stall, text, us, at }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, stall.pipe),
      element("td", { class: "what" }, stallCause(stall), text ? element("small", {}, element("code", {}, text)) : null),
      element("td", { class: "num", "data-head": "A" }, us[0] ? time(us[0]) : "none"),
      element("td", { class: "num", "data-head": "B" }, us[1] ? time(us[1]) : "none"),
      ratio(us[0], us[1]),
      element("td", { "data-head": "At in A" }, element("code", {}, at[0])),
      element("td", { "data-head": "At in B" }, element("code", {}, at[1])),
    ),
  );
}

start(({ a, b, names }) => {
  const sides = [a, b].map((profile) => ({ profile, model: new Model(profile), launch: profile.launches[0] }));
  // The same kernel first, where both have one.
  const longest = [...a.launches].sort((x, y) => y.task_us - x.task_us);
  const common = longest.find((each) => b.launches.some((other) => other.kernel === each.kernel)) ?? longest[0];
  sides[0].launch = common;
  sides[1].launch = b.launches.find((each) => each.kernel === common?.kernel) ?? b.launches[0];
  fill("footer", "aclimb comparison. Modelled time, not measured on an NPU.");
  if (sides.some((side) => !side.launch)) {
    fill("subtitle", "One of the two profiles holds no launch: there is nothing to compare.");
    return;
  }

  sides.forEach((side, i) => {
    const follow = (t0, t1) => {
      const other = sides[1 - i].timeline;
      other.view(t0 + other.origin, t1 + other.origin, false);
      other.later();
    };
    side.timeline = new Timeline(document.getElementById(`timeline-${"ab"[i]}`), side.model, {
      label: `Timeline of ${names[i]}`,
      onView: follow,
      onChoose: (choice) => showDetails(choice, null),
    });
  });

  function zoom(t0, t1) {
    for (const { timeline } of sides) {
      timeline.view(t0 + timeline.origin, t1 + timeline.origin, false);
      timeline.draw();
    }
  }

  function show() {
    const [one, other] = sides.map((side) => side.launch),
      longer = Math.max(one.task_us, other.task_us);
    fill("kernel", one.kernel === other.kernel ? one.kernel : `${one.kernel} and ${other.kernel}`);
    fill("subtitle", verdict(one, other));
    document.title = `${one.kernel}: ${names[0]} and ${names[1]} - aclimb`;
    fill("times", table("Times", ["", numeric("A"), numeric("B"), numeric("B / A")], timesRows(one, other)));
    fill(
      "pipes",
      pipeLegend(),
      element("div", { class: "scroll" }, table("Pipes", ["Pipe", "A", "B"], pipeRows(one, other), { class: "sides" })),
    );
    fill(
      "stalls",
      table("Stalls", ["Pipe", "Waits for", numeric("A"), numeric("B"), numeric("B / A"), "At in A", "At in B"], stallRows(sides), {
        class: "blocks",
      }),
    );
    sides.forEach(({ timeline, launch, profile }, i) => {
      timeline.origin = launch.start_us;
      timeline.limits = [launch.start_us, launch.start_us + longer]; // the same room on both, so that the axis is common
      timeline.show([launch.id], { host: false });
      fill(`name-${"ab"[i]}`, `${"AB"[i]}: ${names[i]}, ${profile.soc}, ${time(launch.task_us)}`);
    });
    zoom(0, longer);
    showDetails(null);
  }

  const choose = sides.map((side, i) =>
    element(
      "select",
      {
        "aria-label": `Launch of ${names[i]}`,
        onchange: (event) => {
          side.launch = side.model.launch(Number(event.target.value));
          show();
        },
      },
      side.profile.launches.map((each) =>
        element(
          "option",
          { value: each.id, selected: each.id === side.launch.id },
          `${"AB"[i]}: ${names[i]}, ${each.kernel} (launch ${each.id})`,
        ),
      ),
    ),
  );
  fill("choose", choose);
  fill(
    "badges",
    [a, b].flatMap((profile, i) => [
      element("span", { class: "badge" }, `${"AB"[i]}: ${profile.soc}`),
      profile.mode === "full" ? null : modeBadge(profile, `${"AB"[i]}: `),
    ]),
  );
  const [first, second] = sides.map((side) => side.timeline);
  first.fit = second.fit = () => zoom(0, Math.max(...sides.map((side) => side.launch.task_us)));
  fill("timeline-controls", timelineButtons(first, second));
  Object.assign(window.aclimb, { timelines: [first, second], redraws: first.redraws, zoom });
  show();
});
