// SPDX-License-Identifier: Apache-2.0
// Paints a timeline: grid, lanes, flags, labels. A lane with more slices than it has room for becomes a density. Labels come after the
// flags, each on a plate of its slice's colour, so that no arrow runs through a name.

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
  timeline.visibleRows = rowsInView(timeline);
  timeline.labels = [];
  paintRows(timeline, false);
  if (timeline.emphasis) paintRows(timeline, true);
  paintFlows(timeline);
  paintPath(timeline);
  paintLabels(timeline);
  paintChosen(timeline);
  context.restore();
  paintRange(timeline);
  paintGutter(timeline);
  paintScrollbar(timeline);
}

function rowsInView(timeline) {
  const found = [];
  const { rows, scroll, height } = timeline;
  for (let i = Math.max(0, above(timeline.tops, scroll, 0, rows.length) - 1); i < rows.length && rows[i].y < scroll + height - AXIS; i += 1)
    found.push(i);
  return found;
}

/** All slices, pale where some are to stand out; then those, in full colour. */
function paintRows(timeline, isEmphasis) {
  timeline.density ??= new Density();
  timeline.density.begin(timeline.plotWidth, timeline.visibleRows.length);
  for (const number of timeline.visibleRows) {
    const row = timeline.rows[number],
      y = AXIS + row.y - timeline.scroll;
    const series = isEmphasis ? timeline.emphasis.get(row.number) : row.series;
    if (!isEmphasis) paintRowBack(timeline, row, y);
    if (series) paintRow(timeline, row, series, y, isEmphasis || !timeline.emphasis);
  }
  timeline.density.draw(timeline.context, timeline.gutter);
}

function readColours() {
  const found = { pipes: {}, pale: {}, faded: {} }; // pale: every second slice, so that neighbours can be told apart; faded: behind others
  for (const name of ["card", "text", "quiet", "line", "grid", "accent", "flow", "on-pipe", "back", "hot", "mark"])
    found[name] = colour(name);
  for (const name of PIPE_NAMES) {
    found.pipes[name] = colour(`pipe-${name}`);
    found.pale[name] = mixed(found.pipes[name], found.card, 0.2);
    found.faded[name] = mixed(found.pipes[name], found.card, 0.8);
  }
  return found;
}

/** "#rrggbb" with a share of another. Opaque, because slices may lie over each other. */
function mixed(one, other, share) {
  const part = (hex, at) => parseInt(hex.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) => Math.round(part(one, at) * (1 - share) + part(other, at) * share));
  return `#${parts.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
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
    places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
    taken = timeline.range ? rangeLabel(timeline) : { x: -1e9, half: 0 };
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  for (let n = Math.ceil((timeline.t0 - origin) / step); n * step + origin < timeline.t1; n += 1) {
    const x = Math.round(timeline.x(n * step + origin));
    if (x < timeline.gutter) continue;
    context.fillStyle = colours.grid;
    context.fillRect(x, 0, 1, height);
    context.fillStyle = colours.quiet;
    const text = `${(n * step).toFixed(places)} µs`;
    const end = x + 4 + text.length * 6.8;
    if (end < timeline.width && (end < taken.x - taken.half || x > taken.x + taken.half)) context.fillText(text, x + 4, AXIS / 2);
  }
  context.fillStyle = colours.line;
  context.fillRect(0, AXIS - 1, timeline.width, 1);
}

function paintRowBack(timeline, row, y) {
  if (!row.heading && !row.opens) return;
  timeline.context.fillStyle = row.heading ? timeline.colours.back : timeline.colours.grid;
  timeline.context.fillRect(0, Math.round(y), timeline.width, row.heading ? row.height : 1);
}

function paintRow(timeline, row, series, y, isStrong) {
  const { colours } = timeline;
  const [from, to] = series.range(timeline.t0, timeline.t1);
  const pipe = row.pipe in colours.pipes ? row.pipe : "host";
  const inset = row.height > 8 ? 2 : row.height > 4 ? 0.5 : 0.25,
    top = y + inset,
    tall = row.height - 2 * inset + (row.height > 8 ? 1 : 0);
  const inks = isStrong ? [colours.pipes[pipe], colours.pale[pipe]] : [colours.faded[pipe], colours.faded[pipe]];
  if (to - from > timeline.plotWidth / 4) timeline.density.add(series, from, to, timeline.t0, timeline.t1, inks[0], top, tall);
  else paintSlices(timeline, series, from, to, top, tall, inks, isStrong);
}

function paintSlices(timeline, series, from, to, top, tall, inks, isStrong) {
  const { context, gutter } = timeline,
    edge = gutter + timeline.plotWidth;
  let drawn = -1; // right edge of what has been drawn: slices thinner than a pixel that fall behind it add nothing
  for (let i = from; i < to; i += 1) {
    const left = Math.max(gutter, timeline.x(series.starts[i])),
      right = Math.min(edge, timeline.x(series.end(i)));
    if (right < gutter || (right <= drawn && right - left < 1)) continue;
    const wide = Math.max(1, right - left - (right - left > 4 ? 1 : 0)),
      ink = inks[wide > 3 && i % 2 ? 1 : 0];
    context.fillStyle = ink;
    context.fillRect(left, top, wide, tall);
    drawn = left + wide;
    const free = i + 1 < to ? Math.min(wide, timeline.x(series.starts[i + 1]) - left) : wide; // the next may lie over this one's end
    if (isStrong && free > 30 && tall > 9) timeline.labels.push({ text: series.label(i), left, top, tall, free, ink });
  }
}

const LABEL_FONT = "11px system-ui, sans-serif";

function paintLabels(timeline) {
  const { context, colours, labels } = timeline;
  context.font = LABEL_FONT;
  context.textAlign = "left";
  for (const label of labels) {
    const { left, top, tall, free, ink } = label,
      text = shortened(timeline, label.text, free - 8);
    label.width = Math.min(free, textWidth(timeline, text) + 6);
    context.fillStyle = ink;
    context.fillRect(left + 1, top, label.width, tall);
    context.fillStyle = colours["on-pipe"];
    context.fillText(text, left + 4, top + tall / 2 + 0.5);
  }
}

/** Measured once for each text: measuring takes longer than drawing. */
function textWidth(timeline, text) {
  timeline.textWidths ??= new Map();
  if (!timeline.textWidths.has(text)) timeline.textWidths.set(text, timeline.context.measureText(text).width);
  return timeline.textWidths.get(text);
}

/** As many letters as have room. */
function shortened(timeline, text, room) {
  let length = text.length;
  while (length > 1 && textWidth(timeline, text.slice(0, length)) > room) length -= 1;
  return text.slice(0, length);
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
    const name = row.heading ?? (row.opens && y - labelled >= 13 ? row.core : null),
      at = row.height > 8 ? middle : y + (row.isFolded && timeline.size === "tall" ? 8 : 7);
    if (name !== null) {
      context.fillText(name, 17, at);
      if (row.pipe !== "host") paintChevron(context, 10, at - 0.5, row.isFolded);
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

/** What a click there collapses or expands. */
function paintChevron(context, x, y, isFolded) {
  context.beginPath();
  const points = isFolded ? [[-2, -3.5], [2, 0], [-2, 3.5]] : [[-3.5, -2], [0, 2], [3.5, -2]]; // prettier-ignore
  points.forEach(([dx, dy], i) => (i ? context.lineTo(x + dx, y + dy) : context.moveTo(x + dx, y + dy)));
  context.closePath();
  context.fill();
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
