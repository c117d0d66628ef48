// SPDX-License-Identifier: Apache-2.0
// Range measurement: from when to when, on which lanes; what ran there, by pipe, by line and one by one.

const SNAP = 7; // px within which an end of a range catches the edge of a slice
const LISTED = 100;

/** The time at x, or the edge of a slice of this row when one is near. */
function snapped(timeline, x, y) {
  const t = timeline.t(Math.min(Math.max(x, timeline.gutter), timeline.gutter + timeline.plotWidth)),
    series = timeline.rows[timeline.rowAt(y)]?.series,
    reach = ((timeline.t1 - timeline.t0) / timeline.plotWidth) * SNAP;
  if (!series) return t;
  let best = t,
    off = reach;
  const [from, to] = series.range(t - reach, t + reach);
  for (let i = from; i < Math.min(to, from + 64); i += 1)
    for (const edge of [series.starts[i], series.end(i)]) {
      if (Math.abs(edge - t) >= off) continue;
      off = Math.abs(edge - t);
      best = edge;
    }
  return best;
}

/** The numbers of the lanes between two heights of the canvas; on the time axis, all lanes. */
function lanesBetween(timeline, y0, y1) {
  const rows = timeline.rows.filter((row) => row.number !== undefined);
  if (Math.min(y0, y1) < AXIS) return new Set(rows.map((row) => row.number));
  const top = Math.min(y0, y1) - AXIS + timeline.scroll,
    bottom = Math.max(y0, y1) - AXIS + timeline.scroll;
  return new Set(rows.filter((row) => row.y + row.height > top && row.y <= bottom).map((row) => row.number));
}

/** By kind of core and pipe: lanes, slices, time covered, bytes; only what lies inside the range counts, bytes by share of the slice. */
function measure(model, { t0, t1, lanes }) {
  const found = new Map();
  for (const number of lanes) {
    const { core, pipe, series } = model.lanes[number],
      [from, to] = series.range(t0, t1);
    const key = `${core.replace(/\s*\d+$/, "")} ${pipe}`,
      sum = found.get(key) ?? { key, pipe, lanes: 0, count: 0, us: 0, bytes: 0 };
    const until = (t) => series.coveredUntil(t, above(series.starts, t, 0, series.count) - 1);
    sum.lanes += 1;
    sum.us += until(t1) - until(t0);
    for (let i = from; i < to; i += 1) {
      if (series.end(i) <= t0 || series.starts[i] >= t1) continue;
      sum.count += 1;
      const size = model.profile.slices.bytes[series.first + i];
      if (size) sum.bytes += (size * (Math.min(t1, series.end(i)) - Math.max(t0, series.starts[i]))) / (series.durations[i] || 1);
    }
    found.set(key, sum);
  }
  return [...found.values()].filter((each) => each.count).sort((a, b) => b.us / b.lanes - a.us / a.lanes);
}

/** Calls `take` with each slice in the range, lane by lane; at most `most` of a lane. */
function eachInRange(model, { t0, t1, lanes }, most, take) {
  for (const number of lanes) {
    const { series } = model.lanes[number],
      [from, to] = series.range(t0, t1);
    for (let i = from, left = most; i < to && left; i += 1) {
      if (series.end(i) <= t0 || series.starts[i] >= t1) continue;
      left -= 1;
      take(series.first + i, number);
    }
  }
}

/** The first `most` slices of a range, in order of time. */
function listRange(model, range, most) {
  const found = [];
  eachInRange(model, range, most, (slice) => found.push(slice));
  return found.sort((a, b) => model.starts[a] - model.starts[b] || a - b).slice(0, most);
}

/** The slices of a range by pipe, call and line, longest first: [{slice, pipe, count, us, bytes}]. */
function groupRange(model, range) {
  const { slices, sites, lanes } = model.profile,
    pipes = [...new Set(lanes.map((lane) => lane.pipe))],
    found = new Map();
  eachInRange(model, range, Infinity, (slice, lane) => {
    const key = (slices.name[slice] * (sites.length + 1) + slices.site[slice] + 1) * pipes.length + pipes.indexOf(lanes[lane].pipe);
    let sum = found.get(key);
    if (!sum) found.set(key, (sum = { slice, pipe: lanes[lane].pipe, count: 0, us: 0, bytes: 0 }));
    sum.count += 1;
    sum.us += model.durations[slice];
    sum.bytes += slices.bytes[slice];
  });
  return [...found.values()].sort((a, b) => b.us - a.us);
}
