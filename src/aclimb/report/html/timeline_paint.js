// SPDX-License-Identifier: Apache-2.0
// Paints a timeline: grid, lanes, flags, labels. A lane with more slices than it has room for becomes a density.

const PIPE_NAMES = ["S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "host"];

function paint(timeline) {
  const { context, width, height, ratio } = timeline;
  timeline.colours ??= readColours();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = timeline.colours.card;
  context.fillRect(0, 0, width, height);
  context.textBaseline = "middle";
  paintGrid(timeline);
  context.save();
  context.beginPath();
  context.rect(0, AXIS, width, height - AXIS);
  context.clip();
  const first = Math.max(0, above(timeline.tops, timeline.scroll, 0, timeline.rows.length) - 1);
  timeline.visibleRows = [];
  timeline.density ??= new Density();
  timeline.density.begin(timeline.plotWidth, Math.ceil(height / HEIGHTS.compact) + 1);
  for (let i = first; i < timeline.rows.length && timeline.rows[i].y < timeline.scroll + height - AXIS; i += 1) {
    timeline.visibleRows.push(i);
    paintRow(timeline, timeline.rows[i], AXIS + timeline.rows[i].y - timeline.scroll);
  }
  timeline.density.draw(context, timeline.gutter);
  paintFlows(timeline);
  paintChosen(timeline);
  context.restore();
  paintGutter(timeline);
  paintScrollbar(timeline);
}

function readColours() {
  const found = { pipes: {}, pale: {} }; // pale: every second slice, so that neighbours can be told apart
  for (const name of ["card", "text", "quiet", "line", "grid", "accent", "flow", "on-pipe", "back"]) found[name] = colour(name);
  for (const name of PIPE_NAMES) {
    found.pipes[name] = colour(`pipe-${name}`);
    found.pale[name] = mixed(found.pipes[name], found.card, 0.2);
  }
  return found;
}

/** "#rrggbb" with a share of another. Opaque, because slices may lie over each other. */
function mixed(one, other, share) {
  const part = (hex, at) => parseInt(hex.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) => Math.round(part(one, at) * (1 - share) + part(other, at) * share));
  return `rgb(${parts.join(" ")})`;
}

/** Round times about 110 px apart: 1, 2 or 5 times a power of ten. */
function tickStep(timeline) {
  const least = ((timeline.t1 - timeline.t0) / timeline.plotWidth) * 110;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((each) => each * power >= least) ?? 10);
}

function paintGrid(timeline) {
  const { context, colours, origin, height } = timeline;
  const step = tickStep(timeline),
    places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  for (let n = Math.ceil((timeline.t0 - origin) / step); n * step + origin < timeline.t1; n += 1) {
    const x = Math.round(timeline.x(n * step + origin));
    if (x < timeline.gutter) continue;
    context.fillStyle = colours.grid;
    context.fillRect(x, 0, 1, height);
    context.fillStyle = colours.quiet;
    const text = `${(n * step).toFixed(places)} µs`;
    if (x + 4 + text.length * 6.8 < timeline.width) context.fillText(text, x + 4, AXIS / 2);
  }
  context.fillStyle = colours.line;
  context.fillRect(0, AXIS - 1, timeline.width, 1);
}

function paintRow(timeline, row, y) {
  const { context, colours } = timeline;
  if (row.heading || row.opens) {
    context.fillStyle = row.heading ? colours.back : colours.grid;
    context.fillRect(0, Math.round(y), timeline.width, row.heading ? row.height : 1);
  }
  if (!row.series) return;
  const [from, to] = row.series.range(timeline.t0, timeline.t1);
  const pipe = row.pipe in colours.pipes ? row.pipe : "host";
  context.fillStyle = colours.pipes[pipe];
  const inset = row.height > 8 ? 2 : 0.5,
    top = y + inset,
    tall = row.height - 2 * inset + (row.height > 8 ? 1 : 0);
  if (to - from > timeline.plotWidth / 4)
    timeline.density.add(row.series, from, to, timeline.t0, timeline.t1, colours.pipes[pipe], top, tall);
  else paintSlices(timeline, row.series, from, to, top, tall, pipe);
}

function paintSlices(timeline, series, from, to, top, tall, pipe) {
  const { context, gutter, colours } = timeline,
    edge = gutter + timeline.plotWidth;
  const labels = [];
  let drawn = -1; // right edge of what has been drawn: slices thinner than a pixel that fall behind it add nothing
  for (let i = from; i < to; i += 1) {
    const left = Math.max(gutter, timeline.x(series.starts[i])),
      right = Math.min(edge, timeline.x(series.end(i)));
    if (right < gutter || (right <= drawn && right - left < 1)) continue;
    const wide = Math.max(1, right - left - (right - left > 4 ? 1 : 0));
    context.fillStyle = wide > 3 && i % 2 ? colours.pale[pipe] : colours.pipes[pipe];
    context.fillRect(left, top, wide, tall);
    drawn = left + wide;
    const free = i + 1 < to ? Math.min(wide, timeline.x(series.starts[i + 1]) - left) : wide; // the next may lie over this one's end
    if (free > 30 && tall > 9) labels.push(i, left, free);
  }
  if (!labels.length) return;
  context.fillStyle = colours["on-pipe"];
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  for (let n = 0; n < labels.length; n += 3) {
    const text = series.label(labels[n]).slice(0, Math.floor((labels[n + 2] - 8) / 6.3));
    context.fillText(text, labels[n + 1] + 4, top + tall / 2 + 0.5);
  }
}

function rowMiddle(timeline, slice) {
  const row = timeline.rows[timeline.rowOfLane.get(timeline.model.profile.slices.lane[slice])];
  return row ? AXIS + row.y - timeline.scroll + row.height / 2 : null;
}

function paintArrow(timeline, [from, to], strong) {
  const { context, model } = timeline,
    middle = rowMiddle(timeline, from),
    y1 = rowMiddle(timeline, to);
  const y0 = middle + Math.sign(y1 - middle) * 6; // leaves at the edge, where no name stands
  if (middle === null || y1 === null || Math.max(y0, y1) < 0 || Math.min(y0, y1) > timeline.height) return;
  const x0 = timeline.x(model.starts[from] + model.durations[from]),
    x1 = timeline.x(model.starts[to]);
  const bend = Math.max(10, Math.abs(x1 - x0) / 2);
  context.lineWidth = strong ? 2 : 1;
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - 6, y1 - 3);
  context.lineTo(x1 - 6, y1 + 3);
  context.fill();
}

/** How many arrows can be told apart: one in 16 px along each core in view. More are a carpet, not information. */
function arrowRoom(timeline) {
  return Math.min(250, (timeline.plotWidth / 16) * Math.max(1, timeline.visibleRows.length / 4));
}

function paintFlows(timeline) {
  const { context, model, colours, chosen } = timeline;
  if (timeline.size !== "tall") return;
  context.save();
  context.beginPath();
  context.rect(timeline.gutter, AXIS, timeline.plotWidth, timeline.height);
  context.clip();
  context.strokeStyle = context.fillStyle = colours.flow;
  const [first, last] = model.flowsBetween(timeline.t0, timeline.t1),
    shown = new Set(timeline.visibleRows),
    seen = [];
  const rowOf = (slice) => timeline.rowOfLane.get(model.profile.slices.lane[slice]);
  const room = arrowRoom(timeline),
    few = last - first < 10000; // of which most lie on cores out of view
  for (let i = first; i < last && few && seen.length <= room; i += 1) {
    const flow = model.flows[i];
    if (model.starts[flow[1]] >= timeline.t0 && (shown.has(rowOf(flow[0])) || shown.has(rowOf(flow[1])))) seen.push(flow);
  }
  context.globalAlpha = 0.55;
  timeline.arrows = seen.length <= room ? seen.length : 0;
  if (timeline.arrows) seen.forEach((flow) => paintArrow(timeline, flow, false));
  const slice = chosen ? timeline.rows[chosen.row].series.first + chosen.index : -1;
  context.globalAlpha = 1;
  if (chosen && timeline.rows[chosen.row].series.first >= 0) model.flowsOf(slice).forEach((flow) => paintArrow(timeline, flow, true));
  context.restore();
}

function paintChosen(timeline) {
  if (!timeline.chosen) return;
  const { context, colours } = timeline,
    { row, index } = timeline.chosen,
    { series, y, height } = timeline.rows[row];
  const left = Math.max(timeline.gutter, timeline.x(series.starts[index])),
    right = timeline.x(series.end(index));
  if (right < timeline.gutter) return;
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.strokeRect(left, AXIS + y - timeline.scroll + 1, Math.max(2, right - left), height - 1);
}

function paintGutter(timeline) {
  const { context, colours, gutter } = timeline;
  context.fillStyle = colours.card;
  context.fillRect(0, 0, gutter, timeline.height);
  context.fillStyle = colours.line;
  context.fillRect(gutter - 1, 0, 1, timeline.height);
  context.save();
  context.beginPath();
  context.rect(0, AXIS, timeline.width, timeline.height - AXIS);
  context.clip();
  let labelled = -Infinity;
  for (const number of timeline.visibleRows) {
    const row = timeline.rows[number],
      y = AXIS + row.y - timeline.scroll,
      middle = y + row.height / 2 + 0.5;
    context.textAlign = "left";
    context.fillStyle = colours.text;
    context.font = "600 11.5px system-ui, sans-serif";
    if (row.heading) context.fillText(row.heading, 10, middle);
    else if (row.opens && y - labelled >= 13) {
      context.fillText(row.core, 10, row.height > 8 ? middle : y + 7);
      labelled = y;
    }
    if (row.heading || row.pipe === "host" || row.height < 9) continue;
    context.textAlign = "right";
    context.fillStyle = colours.quiet;
    context.font = "11px system-ui, sans-serif";
    context.fillText(row.pipe, gutter - 10, middle);
  }
  context.restore();
}

function paintScrollbar(timeline) {
  const room = timeline.height - AXIS;
  if (timeline.contentHeight <= room) return;
  const { context, colours } = timeline,
    size = Math.max(24, (room * room) / timeline.contentHeight);
  context.globalAlpha = 0.45;
  context.fillStyle = colours.quiet;
  context.fillRect(timeline.width - 5, AXIS + ((room - size) * timeline.scroll) / (timeline.contentHeight - room), 4, size);
  context.globalAlpha = 1;
}
