// SPDX-License-Identifier: Apache-2.0
// A critical path for profiles that have none: what can be known from the order of each pipe and from flags.

/**
 * From the slice that ends last, each time to what held the start of a slice back: the slice before it on its pipe, or the one whose
 * flag it waited for, whichever was ready later. It knows order and flags only, so a wait for another core or for the scalar unit stays a
 * gap.
 */
function followBack(model, launch) {
  let at = lastSlice(model, launch.id);
  if (at < 0) return [];
  const steps = [];
  let end = model.starts[at] + model.durations[at];
  while (at >= 0) {
    const [before, why] = heldBy(model, at);
    const start = model.starts[at],
      lane = model.profile.slices.lane[at];
    const ready = before < 0 ? launch.start_us : Math.min(start, model.starts[before] + model.durations[before]);
    steps.push({ lane, slice: at, start, end, us: end - start, why });
    // What lies between the two belongs to the one that waits: a flag under way, or a wait of another sort.
    const gap = { slice: -1, start: ready, end: start, us: start - ready };
    if (before < 0) steps.push({ ...gap, lane: -1, why: "launch and set-up" });
    else if (gap.us > 1e-9) steps.push({ ...gap, lane, why: "between two steps" });
    end = ready;
    at = before;
  }
  return steps.reverse();
}

function lastSlice(model, launch) {
  let last = -1,
    latest = -Infinity;
  for (const { launch: id, pipe, series } of model.lanes) {
    if (id !== launch || pipe === "SK" || !series.count || series.latest[series.count - 1] <= latest) continue;
    latest = series.latest[series.count - 1];
    let i = series.count - 1;
    while (series.end(i) < latest) i -= 1;
    last = series.first + i;
  }
  return last;
}

/** [the slice that a slice had to wait for, why]; [-1, ""] for the first one. */
function heldBy(model, slice) {
  const { series } = model.laneOf(slice),
    start = model.starts[slice];
  let best = slice > series.first ? slice - 1 : -1,
    ready = best < 0 ? -Infinity : Math.min(start, model.starts[best] + model.durations[best]),
    why = "its pipe was busy";
  for (const flow of model.flowsInto(slice)) {
    const from = model.flowFrom[flow];
    if (model.flowSet[flow] < ready - 1e-9 || model.flowSet[flow] > start + 1e-9) continue;
    best = from;
    ready = model.flowSet[flow];
    why = `waits for ${model.laneOf(from).pipe}`;
  }
  return best < 0 ? [-1, "first"] : [best, why];
}
