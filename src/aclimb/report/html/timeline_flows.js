// SPDX-License-Identifier: Apache-2.0
// Flags as arrows, from the end of what sets to the start of what waits, as long as they can be told apart.

const FLOWS_LOOKED_AT = 10000; // of which most lie on cores out of view

function rowOf(timeline, slice) {
  return timeline.rows[timeline.rowOfLane.get(timeline.model.profile.slices.lane[slice])];
}

function rowMiddle(timeline, slice) {
  const row = rowOf(timeline, slice);
  return row ? AXIS + row.y - timeline.scroll + row.height / 2 : null;
}

function paintArrow(timeline, flow, strong) {
  const { context, model } = timeline,
    from = model.flowFrom[flow],
    to = model.flowTo[flow],
    middle = rowMiddle(timeline, from),
    y1 = rowMiddle(timeline, to);
  if (middle === null || y1 === null || Math.max(middle, y1) < 0 || Math.min(middle, y1) > timeline.height) return;
  const y0 = middle + Math.sign(y1 - middle) * Math.min(6, rowOf(timeline, from).height / 2); // leaves at the edge
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
  timeline.arrows = 0;
  if (timeline.size !== "tall") return;
  context.save();
  context.beginPath();
  context.rect(timeline.gutter, AXIS, timeline.plotWidth, timeline.height);
  context.clip();
  context.strokeStyle = context.fillStyle = colours.flow;
  const seen = timeline.emphasis || timeline.hideFlows ? [] : flowsInView(timeline);
  context.globalAlpha = 0.55;
  timeline.arrows = seen.length;
  seen.forEach((flow) => paintArrow(timeline, flow, false));
  const slice = chosen ? timeline.rows[chosen.row].series.first + chosen.index : -1;
  context.globalAlpha = 1;
  if (chosen && timeline.rows[chosen.row].series.first >= 0)
    [...model.flowsInto(slice), ...model.flowsOutOf(slice)].forEach((flow) => paintArrow(timeline, flow, true));
  context.restore();
}

/** Those with an end in a row in view; none where they are too many to tell apart. */
function flowsInView(timeline) {
  const { model, rowOfLane } = timeline,
    { lane } = model.profile.slices,
    shown = new Set(timeline.visibleRows),
    room = arrowRoom(timeline),
    seen = [];
  const isShown = (slice) => shown.has(rowOfLane.get(lane[slice]));
  const all = model.eachFlow(timeline.t0, timeline.t1, FLOWS_LOOKED_AT, (flow) => {
    if (isShown(model.flowFrom[flow]) || isShown(model.flowTo[flow])) seen.push(flow);
    return seen.length <= room;
  });
  return all ? seen : [];
}
