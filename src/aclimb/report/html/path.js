// SPDX-License-Identifier: Apache-2.0
// The critical path of a launch: read from the profile where it has one (trace/document.py says how), else followed back in path_guess.js.

const LINK_WORDS = {
  works: "",
  memory: "waits for memory",
  "hands over": "a flag is handed over",
  issues: "the scalar unit issues",
  waits: "waits for another core",
};

class CriticalPath {
  /** steps: [{lane, slice, start, end, us, why}] in order of time; lane and slice -1 where there is none. */
  constructor(model, launch, steps, groups, isGuess) {
    Object.assign(this, { model, launch, steps, groups, isGuess });
    this.drawn = steps.filter((each) => each.lane >= 0).sort((a, b) => a.start - b.start); // to be searched by time
    this.starts = Float64Array.from(this.drawn, (each) => each.start);
    this.ends = Float64Array.from(this.drawn, (each) => each.end);
    this.lanes = Int32Array.from(this.drawn, (each) => each.lane);
  }

  static of(model, launch) {
    if (launch.critical_path) {
      const steps = readLinks(model, launch);
      return new CriticalPath(model, launch, steps, readParts(model, launch, steps), false);
    }
    const steps = followBack(model, launch);
    return steps.length ? new CriticalPath(model, launch, steps, groupSteps(model, launch, steps), true) : null;
  }

  /** [i, j): the drawn steps between two times. */
  range(t0, t1) {
    return [Math.max(0, above(this.starts, t0, 0, this.starts.length) - 1), above(this.starts, t1, 0, this.starts.length)];
  }

  /** Its slices as one Series a lane: what stands out while the path is shown. */
  get emphasis() {
    if (!this.series) {
      const byLane = new Map();
      for (const { lane, slice } of this.drawn) {
        if (slice < 0) continue;
        if (!byLane.has(lane)) byLane.set(lane, new Set());
        byLane.get(lane).add(slice);
      }
      const series = (slices) => chosenSeries(this.model, Int32Array.from(slices).sort());
      this.series = new Map([...byLane].map(([lane, slices]) => [lane, series(slices)]));
    }
    return this.series;
  }
}

/** The links of the profile's path as steps. */
function readLinks(model, launch) {
  const { core, links } = launch.critical_path,
    lanes = new Map(model.lanes.map((lane, number) => [`${lane.launch} ${lane.core} ${lane.pipe}`, number]));
  let before = null;
  return links.pipe.map((pipe, i) => {
    const kind = links.kind[i],
      start = links.start_us[i],
      end = start + links.dur_us[i],
      lane = lanes.get(`${launch.id} ${core} ${pipe}`) ?? -1;
    const hasSlice = lane >= 0 && ["works", "memory", "waits"].includes(kind),
      slice = hasSlice ? linkSlice(model.lanes[lane].series, start, end, before) : -1;
    before = { kind, pipe, lane, slice, start, end, us: end - start, why: LINK_WORDS[kind] ?? kind };
    return before;
  });
}

/** The slice that a link is of: the one that begins with it, the one of the link before when this one only goes on, or what lies there. */
function linkSlice(series, start, end, before) {
  const near = 1e-5, // of times that went through text
    first = above(series.starts, start - near, 0, series.count);
  if (first < series.count && series.starts[first] <= start + near) return series.first + first;
  const isSame = before && before.slice >= series.first && before.slice < series.first + series.count;
  if (isSame && Math.abs(before.end - start) <= near) return before.slice;
  const index = series.at((start + end) / 2, 0);
  return index < 0 ? -1 : series.first + index;
}

/** Rows of the table: [{pipe, name, why, us, share, count, site, first}], first the number of a step to look at, -1 for none. */
function readParts(model, launch, steps) {
  const isThere = (slice, at) => slice < 0 || !at || place(model.siteOf(slice)) === place(at);
  const isOf = (part) => (step) => step.kind === part.kind && step.pipe === part.pipe && isThere(step.slice, part.at);
  return launch.critical_path.parts.map((part) => ({
    ...part,
    why: LINK_WORDS[part.kind] ?? part.kind,
    site: part.at,
    first: steps.findIndex(isOf(part)),
  }));
}

/** The same from the steps themselves: those of one instruction at one line for one reason. */
function groupSteps(model, launch, steps) {
  const { lanes, slices, names } = model.profile,
    found = new Map();
  steps.forEach(({ lane, slice, why, us }, first) => {
    const key = [lanes[lane]?.pipe, slices.name[slice], slices.site[slice], why].join("|"),
      name = slice < 0 ? "" : names[slices.name[slice]];
    if (!found.has(key)) found.set(key, { pipe: lanes[lane]?.pipe ?? "", name, why, us: 0, count: 0, site: model.siteOf(slice), first });
    const group = found.get(key);
    group.count += 1;
    group.us += us;
  });
  return [...found.values()].map((each) => ({ ...each, share: each.us / launch.task_us })).sort((a, b) => b.us - a.us);
}
