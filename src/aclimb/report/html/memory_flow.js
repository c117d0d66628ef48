// SPDX-License-Identifier: Apache-2.0
// Memory flow as a picture: memories from far to near, and an arrow for each way that bytes went, as wide as its share of the fastest.

const FLOW_WIDTH = 640;
const FLOW_ROW = 96; // from the top of a box to the top of the one below
const FLOW_BOX = 36; // height of a box
const WIDEST = 22;
// Row from the top, and left and right edge: with both kinds of cores, and with one.
const MEMORIES = {
  HBM: { row: 0 },
  L2: { row: 1 },
  UB: { row: 2, core: "AIV", both: [0, 236], one: [0, 640] },
  Vector: { row: 3, core: "AIV", both: [0, 236], one: [0, 640] },
  L1: { row: 2, core: "AIC", both: [276, 500], one: [40, 430] },
  L0A: { row: 3, core: "AIC", both: [276, 378], one: [40, 210] },
  L0B: { row: 3, core: "AIC", both: [398, 500], one: [260, 430] },
  L0C: { row: 3, core: "AIC", both: [540, 640], one: [480, 640] },
  Cube: { row: 4, core: "AIC", both: [276, 640], one: [40, 640] },
};

/** The boxes of a launch by name: {x0, x1, y0, y1}. */
function flowBoxes(launch) {
  const kinds = new Set(launch.cores.map((core) => core.type)),
    boxes = {};
  for (const [name, { row, core, ...edges }] of Object.entries(MEMORIES)) {
    if (core && !kinds.has(core)) continue;
    const [x0, x1] = core ? (kinds.size > 1 ? edges.both : edges.one) : [0, FLOW_WIDTH],
      y0 = 1 + row * FLOW_ROW;
    boxes[name] = { x0, x1, y0, y1: y0 + FLOW_BOX };
  }
  return boxes;
}

/** The way from one box to another: points, and where its figures stand. Null for ways that the picture does not have. */
function flowWay({ from, to }, boxes) {
  const a = boxes[from],
    b = boxes[to];
  if (!a || !b || from === to) return null;
  const isUp = a.y0 > b.y0,
    near = isUp ? a : b; // the lower box is the narrower one
  if (from === "L0C" && to === "L1") {
    const x = near.x0 + 12,
      y = (b.y0 + b.y1) / 2;
    return { points: [[x, a.y0], [x, y], [b.x1, y]], label: [x, (b.y1 + a.y0) / 2] }; // prettier-ignore
  }
  const share = from === "L0C" ? 0.87 : to.startsWith("L0") ? 0.25 : isUp ? 0.6 : 0.16; // down on the left, up on the right
  const x = near.x0 + (near.x1 - near.x0) * share;
  return isUp
    ? { points: [[x, a.y0], [x, b.y1]], label: [x, (b.y1 + boxBelow(b)) / 2], isLeft: from === "L0C" } // prettier-ignore
    : { points: [[x, a.y1], [x, b.y0]], label: [x, (a.y1 + b.y0) / 2] }; // prettier-ignore
}

/** The top of the row of boxes below one. */
function boxBelow(box) {
  return box.y0 + FLOW_ROW;
}

function flowArrow({ points, label, isLeft }, wide, lines, title) {
  const [tip, before] = [points.at(-1), points.at(-2)],
    dx = Math.sign(tip[0] - before[0]),
    dy = Math.sign(tip[1] - before[1]),
    head = Math.min(14, wide / 2 + 6),
    half = wide / 2 + 4;
  const end = [tip[0] - dx * head, tip[1] - dy * head],
    line = [...points.slice(0, -1), end].map((point) => point.join()).join(" ");
  const corners = [tip, [end[0] - dy * half, end[1] - dx * half], [end[0] + dy * half, end[1] + dx * half]];
  return svg(
    "g",
    {},
    svg("title", {}, title),
    svg("polyline", { points: line, class: "way", "stroke-width": wide }),
    svg("polygon", { points: corners.map((point) => point.join()).join(" "), class: "tip-of-way" }),
    ...lines.map((text, i) => {
      const [x, anchor] = isLeft ? [label[0] - wide / 2 - 9, "end"] : [label[0] + wide / 2 + 9, "start"];
      return svg("text", { x, y: label[1] + 15 * i - 2, "text-anchor": anchor, class: i ? "" : "strong" }, text);
    }),
  );
}

/** What stands in a box, after its name. */
function boxWords(name, profile, launch) {
  const { bandwidth } = launch,
    level = launch.roofline.find((each) => each.level === name);
  const of = (gbs, peak) => `${digits(gbs)} of ${digits(peak)} GB/s (${percent(gbs / peak)})`;
  if (name === "HBM") return of(bandwidth.hbm_gbs, profile.peaks.hbm_gbs);
  if (name === "L2") return `${of(bandwidth.l2_gbs, profile.peaks.l2_gbs)}, ${percent(bandwidth.l2_hit_rate)} of reads hit`;
  return level?.gbs_peak ? `${percent(level.bytes / launch.task_us / 1e3 / level.gbs_peak)} of peak` : "";
}

/** The units between what is counted: thin lines without figures. */
function thinWays(boxes) {
  const down = (from, to) => {
    const x = (boxes[from].x0 + boxes[from].x1) / 2;
    return svg("line", { x1: x, x2: x, y1: boxes[from].y1, y2: boxes[to].y0, class: "thin" });
  };
  return boxes.Cube ? ["L0A", "L0B", "L0C"].map((name) => down(name, "Cube")) : [];
}

function flowPicture(profile, launch) {
  const boxes = flowBoxes(launch),
    most = Math.max(...launch.memory_flow.map((each) => each.gbs), 1e-9);
  const parts = thinWays(boxes);
  for (const each of launch.memory_flow) {
    const way = flowWay(each, boxes);
    const figures = [bytes(each.bytes), `${digits(each.gbs)} GB/s`];
    if (way) parts.push(flowArrow(way, 2 + (WIDEST - 2) * (each.gbs / most), figures, `${each.from} to ${each.to}: ${figures.join(", ")}`));
  }
  for (const [name, { x0, x1, y0, y1 }] of Object.entries(boxes)) {
    parts.push(svg("rect", { x: x0 + 0.5, y: y0, width: x1 - x0 - 1, height: y1 - y0, rx: 5, class: "memory-box" }));
    const words = boxWords(name, profile, launch),
      text = svg("text", { x: x0 + 12, y: (y0 + y1) / 2 + 4 }, svg("tspan", { class: "strong" }, name));
    if (words) text.append(svg("tspan", { dx: 10 }, words));
    parts.push(text);
  }
  const height = Math.max(...Object.values(boxes).map((box) => box.y1)) + 1,
    spoken = launch.memory_flow.map((each) => `${each.from} to ${each.to} ${bytes(each.bytes)}`).join("; ");
  const box = { viewBox: `0 0 ${FLOW_WIDTH} ${height}`, role: "img", "aria-label": `Memory flow. ${spoken}`, class: "flow" };
  return svg("svg", box, ...parts);
}

function showMemoryFlow(profile, launch) {
  const flows = launch.memory_flow ?? [];
  document.getElementById("memory-card").hidden = !flows.length;
  if (!flows.length) return;
  const rows = flows.map((each) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${each.from} → ${each.to}`),
      shown(`flow.${each.from}.${each.to}.bytes`, each.bytes, bytes(each.bytes), "td", { class: "num" }),
      shown(`flow.${each.from}.${each.to}.gbs`, each.gbs, `${digits(each.gbs)} GB/s`, "td", { class: "num" }),
    ),
  );
  fill(
    "memory",
    element("div", { class: "picture" }, flowPicture(profile, launch)),
    element("div", { class: "scroll" }, table("Memory flow", ["Way", numeric("Bytes"), numeric("Over the task")], rows)),
  );
}
