// SPDX-License-Identifier: Apache-2.0
// Pipe utilisation: where the time of each pipe goes, as stacked bars; with many cores a heat table shows who differs.

const PARTS = ["busy", "memory", "flag", "empty"];
const PART_NAMES = { busy: "busy", memory: "waits for memory", flag: "waits for a flag", empty: "queue empty" };
const FEW_CORES = 4;

/** {"AIV": {"MTE2": {busy, memory, flag, empty, total, instructions, bytes}}}: means over the cores of a type. */
function pipeMeans(launch) {
  const means = {};
  for (const core of launch.cores) {
    for (const [pipe, each] of Object.entries(core.pipes)) {
      const mean = ((means[core.type] ??= {})[pipe] ??= {
        busy: 0,
        memory: 0,
        flag: 0,
        empty: 0,
        active: 0,
        total: 0,
        instructions: 0,
        bytes: 0,
        cores: 0,
      });
      for (const part of PARTS) mean[part] += each[`${part}_us`];
      mean.active += each.active_us;
      mean.total += core.end_us - core.start_us;
      mean.instructions += each.instructions;
      mean.bytes += each.bytes;
      mean.cores += 1;
    }
  }
  for (const type of Object.values(means)) {
    for (const mean of Object.values(type)) for (const part of [...PARTS, "active", "total"]) mean[part] /= mean.cores;
  }
  return means;
}

function inOrder(pipes) {
  return Object.entries(pipes).sort(([a], [b]) => PIPE_ORDER.indexOf(a) - PIPE_ORDER.indexOf(b));
}

/** A bar of the four parts; `full` is the time of its whole width. */
function stack(parts, full) {
  const spoken = PARTS.map((part) => `${PART_NAMES[part]} ${percent(parts[part] / full)}`).join(", ");
  return element(
    "span",
    { class: "stack", role: "img", "aria-label": spoken, title: spoken },
    PARTS.map((part) => element("i", { class: part, style: `width:${(parts[part] / full) * 100}%` })),
  );
}

function pipeLegend() {
  return element(
    "ul",
    { class: "legend" },
    PARTS.map((part) => element("li", {}, element("i", { class: part }), PART_NAMES[part])),
  );
}

function pipeTable(caption, prefix, pipes) {
  const rows = inOrder(pipes).map(([pipe, mean]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, pipe),
      element("td", {}, stack(mean, mean.total)),
      PARTS.map((part) =>
        shown(`${prefix}.${pipe}.${part}_us`, mean[part], percent(mean[part] / mean.total), "td", {
          class: "num",
          title: time(mean[part], true),
        }),
      ),
      element("td", { class: "num" }, digits(mean.instructions)),
      element("td", { class: "num" }, mean.bytes ? bytes(mean.bytes) : ""),
    ),
  );
  const heads = ["Pipe", "Core time", ...["Busy", "Memory", "Flag", "Empty", "Instructions", "Bytes"].map(numeric)];
  return element("div", { class: "scroll" }, table(caption, heads, rows, { class: "pipes" }));
}

function corePipes(core) {
  const total = core.end_us - core.start_us;
  return Object.fromEntries(
    Object.entries(core.pipes).map(([pipe, each]) => [
      pipe,
      {
        busy: each.busy_us,
        memory: each.memory_us,
        flag: each.flag_us,
        empty: each.empty_us,
        total,
        instructions: each.instructions,
        bytes: each.bytes,
      },
    ]),
  );
}

/** One cell a core and pipe: busy and memory time as a share of the core's time. */
function heatTable(type, cores) {
  const pipes = PIPE_ORDER.filter((pipe) => cores.some((core) => pipe in core.pipes));
  const rows = pipes.map((pipe) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, pipe),
      cores.map((core) => {
        const each = core.pipes[pipe];
        if (!each) return element("td", {}, "");
        const share = (each.busy_us + each.memory_us) / (core.end_us - core.start_us);
        const ink = share > 0.55 ? "color:var(--on-pipe)" : "";
        const style = `background:color-mix(in srgb, var(--part-busy) ${Math.round(share * 100)}%, var(--grid));${ink}`;
        return shown(`core.${core.name}.${pipe}.working`, share, String(Math.round(share * 100)), "td", {
          style,
          title: `${core.name} block ${core.block}, ${pipe}: ${percent(share)}`,
        });
      }),
    ),
  );
  const heads = [
    element("th", { scope: "col" }, ""),
    ...cores.map((core) => element("th", { scope: "col", title: core.name }, core.name.replace(/^\D+/, "") || core.name)),
  ];
  return [
    element("h3", {}, `${type} by core`),
    element("p", { class: "hint" }, "Busy or moving data, percent of the core's time."),
    element("div", { class: "scroll" }, table(`${type}: working time by core, percent`, heads, rows, { class: "heat" })),
  ];
}

function showPipes(launch) {
  const means = pipeMeans(launch),
    parts = [pipeLegend()];
  for (const [type, pipes] of Object.entries(means)) {
    const cores = launch.cores.filter((core) => core.type === type);
    parts.push(
      element("h3", {}, cores.length === 1 ? cores[0].name : `${type}, mean of ${cores.length} cores`),
      pipeTable(`Pipes of ${type}`, `mean.${type}`, pipes),
    );
    if (cores.length === 1) continue;
    if (cores.length <= FEW_CORES)
      for (const core of cores)
        parts.push(element("h3", {}, core.name), pipeTable(`Pipes of ${core.name}`, `core.${core.name}`, corePipes(core)));
    else parts.push(...heatTable(type, cores));
  }
  fill("pipes", parts);
}
