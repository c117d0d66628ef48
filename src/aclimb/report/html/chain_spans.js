// SPDX-License-Identifier: Apache-2.0
// Each kernel of a chain as a bar from its start to its last effect, for every way of running it, over one time axis.

const SPAN_ROW = 20;
const SPAN_INKS = ["pipe-MTE2", "pipe-V", "pipe-MTE1", "pipe-M", "pipe-FIX", "pipe-MTE3"];

function spansChart(modes) {
  const left = 108,
    width = 900,
    right = 70,
    end = Math.max(...modes.flatMap(({ spans }) => spans.map((span) => span[2]))),
    x = (us) => left + (us / end) * (width - left - right),
    parts = [];
  let y = 6;
  for (const { mode, spans, us } of modes) {
    parts.push(svg("text", { x: 0, y: y + 14, class: "strong" }, mode), svg("text", { x: 0, y: y + 30 }, time(us)));
    spans.forEach(([name, from, to], i) => {
      const top = y + i * SPAN_ROW,
        words = `${name}: ${time(from, true)} to ${time(to, true)}`;
      const bar = svg("rect", {
        x: x(from),
        y: top + 3,
        width: Math.max(1, x(to) - x(from)),
        height: SPAN_ROW - 6,
        rx: 2,
        style: `fill:var(--${SPAN_INKS[i % SPAN_INKS.length]})`,
      });
      bar.append(svg("title", {}, words));
      const isWide = x(to) - x(from) > name.length * 7 + 12;
      const place = isWide ? { x: x(from) + 6, style: "fill:var(--on-pipe)" } : nameBeside(x(from), x(to), name, width);
      parts.push(bar, svg("text", { ...place, y: top + 14 }, name));
    });
    y += Math.max(2, spans.length) * SPAN_ROW + 14;
  }
  const box = { viewBox: `0 0 ${width} ${y + 26}`, role: "img", "aria-label": "Kernels over time", class: "spans" };
  return svg("svg", box, ...axisOf(x, end, y, left), ...parts);
}

/** Behind the bar, or before it where there is no room behind. */
function nameBeside(from, to, name, width) {
  return to + 6 + name.length * 7 < width ? { x: to + 6 } : { x: from - 6, "text-anchor": "end" };
}

function axisOf(x, end, bottom, left) {
  const power = 10 ** Math.floor(Math.log10(end / 4)),
    step = power * ([1, 2, 5].find((each) => each * power >= end / 6) ?? 10),
    parts = [];
  for (let t = 0; t <= end * 1.001; t += step) {
    parts.push(svg("line", { x1: x(t), x2: x(t), y1: 0, y2: bottom, stroke: "var(--grid)" }));
    parts.push(svg("text", { x: x(t), y: bottom + 16, "text-anchor": "middle" }, `${Number(t.toPrecision(6))} µs`));
  }
  parts.push(svg("line", { x1: left, x2: x(end), y1: bottom, y2: bottom, stroke: "var(--line)" }));
  return parts;
}
