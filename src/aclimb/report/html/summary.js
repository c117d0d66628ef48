// SPDX-License-Identifier: Apache-2.0
// The head of the page: what ran, on which chip, in which mode, how long, bound by what; the list of launches; the model.

const MODES = {
  full: ["", "All cores computed and timed."],
  "timing-only": ["Timing only", "Arithmetic was skipped: times are those of a full run, results are not."],
  sampled: ["Sampled", "One representative core was run with its share of the bandwidth; the others are taken to behave like it."],
};

function modeBadge(profile, prefix = "") {
  const [label, meaning] = MODES[profile.mode] ?? [profile.mode, ""];
  return label
    ? element("span", { class: "badge warn", title: meaning }, prefix + label)
    : element("span", { class: "badge", title: meaning }, "Full run");
}

function showHead(profile, launch) {
  document.title = `${launch.kernel} on ${profile.soc} (modelled) - aclimb`;
  fill("kernel", launch.kernel);
  fill(
    "subtitle",
    `${profile.soc}, modelled at ${digits(profile.clock_mhz)} MHz. ${launch.num_blocks} ${launch.num_blocks === 1 ? "block" : "blocks"}, ` +
      `${launch.kernel_type}, device ${launch.device}, stream ${launch.stream}.`,
  );
  const changed = Object.keys(profile.model.overrides).length;
  fill(
    "badges",
    element("span", { class: "badge" }, profile.soc),
    modeBadge(profile),
    changed ? element("span", { class: "badge" }, `${changed} ${changed === 1 ? "parameter" : "parameters"} overridden`) : null,
  );
  const meaning = profile.mode === "full" ? [] : [MODES[profile.mode]?.[1] ?? ""];
  fill("notes", [...meaning, ...profile.notes].filter(Boolean).join(" "));
}

function showTiles(profile, launch) {
  const { bandwidth } = launch;
  const tile = (name, value, more) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value, more ? element("small", {}, more) : null));
  const share = (achieved, peak) => (peak ? `${percent(achieved / peak)} of ${digits(peak)} GB/s` : "");
  fill(
    "tiles",
    tile("Task time", shown("task_us", launch.task_us, time(launch.task_us)), `from ${time(launch.start_us, true)}`),
    tile("Mean core time", shown("core_us", launch.core_us, time(launch.core_us)), `${launch.cores.length} cores`),
    tile("Bound by", launch.bound, ""),
    tile("HBM", shown("hbm_gbs", bandwidth.hbm_gbs, `${digits(bandwidth.hbm_gbs)} GB/s`), share(bandwidth.hbm_gbs, profile.peaks.hbm_gbs)),
    tile("L2", shown("l2_gbs", bandwidth.l2_gbs, `${digits(bandwidth.l2_gbs)} GB/s`), [
      shown("l2_hit_rate", bandwidth.l2_hit_rate, percent(bandwidth.l2_hit_rate)),
      " hits",
    ]),
    tile(
      "Instructions",
      shown("instructions", launch.instructions, digits(launch.instructions)),
      `${bytes(bandwidth.gm_read_bytes)} in, ${bytes(bandwidth.gm_write_bytes)} out`,
    ),
  );
}

function showLaunches(profile, chosen, choose) {
  document.getElementById("launches").hidden = profile.launches.length < 2;
  const longest = Math.max(...profile.launches.map((each) => each.task_us));
  const rows = profile.launches.map((each) =>
    element(
      "tr",
      { class: each.id === chosen ? "chosen" : null },
      element("td", {}, String(each.id)),
      element(
        "th",
        { scope: "row" },
        element("button", { type: "button", "aria-pressed": String(each.id === chosen), onclick: () => choose(each.id) }, each.kernel),
      ),
      element(
        "td",
        { class: "num" },
        shown(`launch.${each.id}.task_us`, each.task_us, time(each.task_us)),
        element("span", { class: "meter" }, element("i", { class: "empty", style: `width:${(each.task_us / longest) * 100}%` })),
      ),
      element("td", {}, each.bound),
      element("td", {}, each.kernel_type),
      element("td", { class: "num" }, digits(each.num_blocks)),
      element("td", { class: "num" }, String(each.stream)),
      element("td", { class: "num" }, time(each.start_us, true)),
    ),
  );
  const heads = ["Launch", "Kernel", numeric("Time"), "Bound by", "Type", numeric("Blocks"), numeric("Stream"), numeric("Start")];
  fill("launch-table", table("Launches", heads, rows));
}

function parameterRow(name, parameter, overrides) {
  const isSet = name in overrides;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("code", {}, name)),
    element("td", { class: "num" }, shown(`parameter.${name}`, parameter.value, String(parameter.value))),
    element("td", {}, parameter.unit),
    element("td", {}, parameter.grade),
    element("td", {}, isSet ? "set by hand for this run" : parameter.source),
  );
}

function showModel(profile) {
  const { parameters, overrides } = profile.model,
    all = Object.entries(parameters);
  const assumed = all.filter(([, each]) => each.grade === "D"),
    known = all.filter(([, each]) => each.grade !== "D");
  const part = (title, rows) =>
    rows.length &&
    element(
      "details",
      {},
      element("summary", {}, `${title} (${rows.length})`),
      element(
        "div",
        { class: "scroll" },
        table(
          title,
          ["Parameter", numeric("Value"), "Unit", "Grade", "Source"],
          rows.map(([name, each]) => parameterRow(name, each, overrides)),
        ),
      ),
    );
  const count = `${assumed.length} of ${all.length} parameters are assumptions: nothing is published for them.`;
  fill(
    "model",
    element("p", {}, `Times come from a model of ${profile.soc}, not from a measurement. ${count}`),
    element("p", { class: "hint" }, "Grades: A published and measured, B published by the vendor, C fitted to measurements, D assumed."),
    part("Assumptions", assumed),
    part("Other parameters", known),
  );
}
