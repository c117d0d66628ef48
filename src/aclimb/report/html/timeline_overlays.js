// SPDX-License-Identifier: Apache-2.0
// What lies over the lanes: the critical path as one line from start to end, and the range that is measured.

const PATH_STEPS_DRAWN = 1500; // more are drawn pixel by pixel: which rows the path visits there

function paintPath(timeline) {
  const { context, path, colours } = timeline;
  if (!path) return;
  const [from, to] = path.range(timeline.t0, timeline.t1);
  context.save();
  context.beginPath();
  context.rect(timeline.gutter, AXIS, timeline.plotWidth, timeline.height);
  context.clip();
  context.strokeStyle = colours.hot;
  context.lineJoin = "round";
  context.lineWidth = timeline.size === "tall" ? 2 : 1.5;
  context.beginPath();
  if (to - from > PATH_STEPS_DRAWN) tracePixels(timeline, path, from, to);
  else traceSteps(timeline, path, from, to);
  context.stroke();
  context.restore();
}

/** Below the names: along the lower edge of the row of a step. Null where its core is not in view. */
function pathHeight(timeline, lane) {
  const row = timeline.rows[timeline.rowOfLane.get(lane)];
  return row ? AXIS + row.y - timeline.scroll + row.height - (row.height > 8 ? 1.5 : row.height / 2) : null;
}

function traceSteps(timeline, path, from, to) {
  const { context } = timeline;
  let before = null;
  for (let i = from; i < to; i += 1) {
    const y = pathHeight(timeline, path.lanes[i]);
    if (y !== null) {
      const x = timeline.x(path.starts[i]);
      if (before === null) context.moveTo(x, y);
      else if (before !== y) {
        context.lineTo(x, before);
        context.lineTo(x, y);
      }
      context.lineTo(timeline.x(path.ends[i]), y);
    }
    before = y;
  }
}

/** One vertical stroke a pixel, from the highest to the lowest row that the path visits there. */
function tracePixels(timeline, path, from, to) {
  const { context } = timeline;
  const draw = (x, low, high) => {
    context.moveTo(x, low - 1);
    context.lineTo(x, high + 1);
  };
  let column = -1,
    low = Infinity,
    high = -Infinity;
  for (let i = from; i < to; i += 1) {
    const y = pathHeight(timeline, path.lanes[i]);
    if (y === null) continue;
    const x = Math.round(timeline.x(path.starts[i]));
    if (x !== column && column >= 0) {
      draw(column, low, high);
      low = Infinity;
      high = -Infinity;
    }
    column = x;
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  if (column >= 0) draw(column, low, high);
}

function paintRange(timeline) {
  const { context, range, colours, gutter, height } = timeline;
  if (!range) return;
  const edge = gutter + timeline.plotWidth,
    left = Math.max(gutter, timeline.x(range.t0)),
    right = Math.min(edge, timeline.x(range.t1));
  if (right < gutter || left > edge) return;
  context.fillStyle = colours.accent;
  context.globalAlpha = 0.12;
  for (const [top, bottom] of rangeBands(timeline)) context.fillRect(left, top, right - left, bottom - top);
  context.globalAlpha = 1;
  for (const t of [range.t0, range.t1]) {
    const x = timeline.x(t);
    if (x >= gutter && x <= edge) context.fillRect(x - 0.5, 0, 1, height);
  }
  context.fillRect(left, AXIS - 4, Math.max(1, right - left), 3);
  paintRangeLabel(timeline);
}

/** [top, bottom] of neighbouring rows in view that belong to the range: few rectangles, however many rows. */
function rangeBands(timeline) {
  const bands = [];
  for (const number of timeline.visibleRows) {
    const row = timeline.rows[number],
      y = AXIS + row.y - timeline.scroll;
    if (!timeline.range.lanes.has(row.number)) continue;
    const top = Math.max(AXIS, y);
    if (bands.length && top - bands.at(-1)[1] < 6) bands.at(-1)[1] = y + row.height;
    else bands.push([top, y + row.height]);
  }
  return bands;
}

/** Where the length of the range stands on the axis: {x, half, text}, in the middle of it as far as that is in view. */
function rangeLabel(timeline) {
  const { context, range, gutter } = timeline,
    edge = gutter + timeline.plotWidth,
    left = Math.max(gutter, timeline.x(range.t0)),
    right = Math.min(edge, timeline.x(range.t1)),
    text = time(range.t1 - range.t0);
  context.font = "600 11.5px system-ui, sans-serif";
  const half = context.measureText(text).width / 2 + 6;
  return { x: Math.min(Math.max((left + right) / 2, gutter + half), edge - half), half, text };
}

function paintRangeLabel(timeline) {
  const { context, colours } = timeline,
    { x, half, text } = rangeLabel(timeline);
  context.fillStyle = colours.accent;
  context.fillRect(x - half, 2, 2 * half, AXIS - 6);
  context.fillStyle = colours.card;
  context.textAlign = "center";
  context.fillText(text, x, AXIS / 2 - 0.5);
}
