// SPDX-License-Identifier: Apache-2.0
// The roofline, one roof and one point for each memory level: how far from the peak, and whether bytes or arithmetic set the limit.

const LEVEL_COLOURS = { HBM: "pipe-V", L2: "pipe-MTE2", UB: "pipe-MTE1", L1: "pipe-M" };
const BOX = { left: 64, right: 16, top: 14, bottom: 44, width: 620, height: 360 };

/** Maps a value to a pixel on a logarithmic scale over whole powers of ten. */
function logScale(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values))),
    high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const scale = (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  scale.powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return scale;
}

function roofs(launch) {
  return launch.roofline
    .filter((each) => each.bytes > 0 && each.ops > 0 && each.gops > 0)
    .map((each) => ({
      ...each,
      intensity: each.ops / each.bytes,
      roof: Math.min(each.gops_peak, (each.ops / each.bytes) * each.gbs_peak),
    }));
}

function axes(x, y) {
  const short = (value) => (value >= 1e6 ? `${value / 1e6} M` : value >= 1e3 ? `${value / 1e3} k` : String(Number(value.toPrecision(3))));
  const parts = [],
    floor = BOX.height - BOX.bottom;
  for (const power of x.powers) {
    parts.push(svg("line", { x1: x(power), x2: x(power), y1: BOX.top, y2: floor, stroke: "var(--grid)" }));
    parts.push(svg("text", { x: x(power), y: floor + 17, "text-anchor": "middle" }, short(power)));
  }
  for (const power of y.powers) {
    parts.push(svg("line", { x1: BOX.left, x2: BOX.width - BOX.right, y1: y(power), y2: y(power), stroke: "var(--grid)" }));
    parts.push(svg("text", { x: BOX.left - 8, y: y(power) + 4, "text-anchor": "end" }, short(power)));
  }
  parts.push(svg("text", { x: (BOX.left + BOX.width) / 2, y: BOX.height - 6, "text-anchor": "middle" }, "operations per byte"));
  parts.push(svg("text", { x: 14, y: BOX.height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${BOX.height / 2})` }, "Gop/s"));
  return parts;
}

function rooflineChart(points) {
  const ridges = points.map((each) => each.gops_peak / each.gbs_peak);
  const x = logScale(
    [...points.flatMap((each) => [each.intensity / 2, each.intensity]), ...ridges.flatMap((each) => [each / 3, each * 3])],
    BOX.left,
    BOX.width - BOX.right,
  );
  const y = logScale([...points.map((each) => each.gops / 8), ...points.map((each) => each.gops_peak)], BOX.height - BOX.bottom, BOX.top);
  const [lowX, highX, lowY] = [x.powers[0], x.powers.at(-1), y.powers[0]],
    marks = [],
    labels = [];
  for (const point of points) {
    const ink = `var(--${LEVEL_COLOURS[point.level] ?? "pipe-S"})`,
      ridge = point.gops_peak / point.gbs_peak;
    const from = Math.max(lowX, lowY / point.gbs_peak);
    const line = [
      [from, Math.min(from * point.gbs_peak, point.gops_peak)], // never above the roof, wherever the axis begins
      [Math.max(ridge, from), point.gops_peak],
      [highX, point.gops_peak],
    ]
      .map(([a, b]) => `${x(a)},${y(b)}`)
      .join(" ");
    marks.push(svg("polyline", { points: line, fill: "none", stroke: ink, "stroke-width": 2 }));
    marks.push(
      svg("line", {
        x1: x(point.intensity),
        x2: x(point.intensity),
        y1: y(point.gops),
        y2: y(point.roof),
        stroke: ink,
        "stroke-dasharray": "3 3",
      }),
    );
    marks.push(svg("circle", { cx: x(point.intensity), cy: y(point.gops), r: 5, fill: ink, stroke: "var(--card)", "stroke-width": 1.5 }));
    labels.push({ x: x(point.intensity), y: y(point.gops) + 21, level: point.level, ink });
  }
  labels.sort((one, other) => one.x - other.x);
  labels.forEach((label, i) => {
    // side by side, or below each other where there is no room
    while (labels.slice(0, i).some((other) => Math.abs(other.x - label.x) < 34 && Math.abs(other.y - label.y) < 14)) label.y += 15;
    marks.push(svg("text", { x: label.x, y: label.y, class: "strong", style: `fill:${label.ink}`, "text-anchor": "middle" }, label.level));
  });
  const spoken = points.map((each) => `${each.level}: ${percent(each.gops / each.roof)} of its roof`).join("; ");
  return svg(
    "svg",
    { viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img", "aria-label": `Roofline. ${spoken}` },
    ...axes(x, y),
    ...marks,
  );
}

function showRoofline(launch) {
  const points = roofs(launch);
  const rows = launch.roofline.map((each) => {
    const roof = Math.min(each.gops_peak, each.bytes ? (each.ops / each.bytes) * each.gbs_peak : Infinity);
    const limit = roof < each.gops_peak ? "bytes" : "arithmetic";
    const swatch = element("i", { class: "swatch", style: `background:var(--${LEVEL_COLOURS[each.level] ?? "pipe-S"})` });
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, swatch, each.level),
      shown(`roofline.${each.level}.bytes`, each.bytes, bytes(each.bytes), "td", { class: "num" }),
      element("td", { class: "num" }, each.bytes ? digits(each.ops / each.bytes) : ""),
      shown(`roofline.${each.level}.gops`, each.gops, digits(each.gops), "td", { class: "num" }),
      element("td", { class: "num" }, digits(roof)),
      element("td", { class: "num" }, roof ? percent(each.gops / roof) : ""),
      element("td", {}, limit),
    );
  });
  const heads = ["Level", numeric("Bytes"), numeric("Op/byte"), numeric("Gop/s"), numeric("Roof"), numeric("Of roof"), "Limit"];
  const chart = points.length
    ? rooflineChart(points)
    : element("p", { class: "hint" }, "No arithmetic was counted in this launch: it only moves data, so there is no point to draw.");
  fill("roofline", element("div", {}, chart), element("div", { class: "scroll" }, table("Roofline by memory level", heads, rows)));
}
