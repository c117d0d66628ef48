// SPDX-License-Identifier: Apache-2.0
// Which rows a timeline has: host lanes, then each core's pipes. A collapsed core keeps its pipes as thin strips in one line, so that
// everything that works on a row works on them too.

const HEIGHTS = { tall: 17, compact: 5 };
const FOLDED = { tall: { height: 18, gap: 4 }, compact: { height: 8, gap: 1 } }; // of a whole core, and the space below it
const HEADING = 20;

function foldKey({ launch, core }) {
  return `${launch} ${core}`;
}

/** Sets rows, rowOfLane, tops and contentHeight. */
function layRows(timeline) {
  const { model, launches, size } = timeline,
    rows = [],
    rowOfLane = new Map();
  let y = 0;
  const add = (row, height, gap = 0) => {
    rows.push({ ...row, y, height });
    y += height + gap;
  };
  if (timeline.withHost)
    for (const lane of model.host) add({ core: lane.name, pipe: "host", series: lane.series, lane, opens: true }, HEIGHTS.tall);
  let before = null;
  for (const group of coreGroups(model, launches)) {
    const [{ lane: first }] = group,
      launch = model.launch(first.launch),
      isClosed = launches.length > 1 && timeline.folded.has(`launch ${launch.id}`);
    if (launches.length > 1 && before !== launch.id)
      add({ heading: `${launch.kernel} (launch ${launch.id})`, launch: launch.id, isFolded: isClosed }, HEADING);
    before = launch.id;
    if (isClosed) continue;
    const isFolded = timeline.folded.has(foldKey(first)),
      { height, gap } = FOLDED[size];
    group.forEach(({ lane, number }, i) => {
      rowOfLane.set(number, rows.length);
      const row = { core: lane.core, pipe: lane.pipe, series: lane.series, lane, number, launch: lane.launch, opens: i === 0, isFolded };
      if (!isFolded) add(row, HEIGHTS[size]);
      else add(row, (height - gap) / group.length, i + 1 < group.length ? 0 : gap);
    });
  }
  Object.assign(timeline, { rows, rowOfLane, tops: Float64Array.from(rows, (row) => row.y), contentHeight: y });
}

/** The lanes of these launches, core by core. */
function coreGroups(model, launches) {
  const groups = [];
  for (const number of model.lanesInOrder) {
    const lane = model.lanes[number];
    if (!launches.includes(lane.launch)) continue;
    if (groups.length && foldKey(groups.at(-1)[0].lane) === foldKey(lane)) groups.at(-1).push({ lane, number });
    else groups.push([{ lane, number }]);
  }
  return groups;
}

/** Collapses the core of a row, or a launch by its heading; a second time expands it. False for host lanes. */
function toggleFold(timeline, row) {
  if (!row || row.pipe === "host") return false;
  const key = row.heading ? `launch ${row.launch}` : foldKey(row);
  if (!timeline.folded.delete(key)) timeline.folded.add(key);
  timeline.relay();
  return true;
}

/** All cores of the launches in view. */
function foldAll(timeline, isFolded) {
  timeline.folded.clear();
  if (isFolded) for (const [{ lane }] of coreGroups(timeline.model, timeline.launches)) timeline.folded.add(foldKey(lane));
  timeline.relay();
}

/** Expands what hides a lane; whether anything changed. */
function unfold(timeline, number) {
  const lane = timeline.model.lanes[number];
  const changed = [timeline.folded.delete(foldKey(lane)), timeline.folded.delete(`launch ${lane.launch}`)].includes(true);
  if (changed) timeline.relay();
  return changed;
}
