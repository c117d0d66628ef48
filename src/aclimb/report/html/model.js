// SPDX-License-Identifier: Apache-2.0
// The profile, arranged for drawing: one Series for each lane, flows in order of time, time by source line.

const FLOW_BLOCK = 256;
const PIPE_ORDER = ["S", "MTE2", "MTE1", "V", "M", "FIX", "MTE3"]; // as data passes them

/** Slices of one lane, in order of their start. They may overlap: a copy is visible later than its pipe is free. */
class Series {
  constructor(starts, durations, first, label) {
    this.starts = starts;
    this.durations = durations;
    this.first = first; // index of slice 0 in the profile, -1 for host lanes
    this.label = label; // index -> what stands in the slice
    this.count = starts.length;
    this.latest = new Float64Array(this.count); // the latest end up to and with slice i: rises, so it can be searched
    this.covered = new Float64Array(this.count); // time covered by any slice before slice i starts
    let latest = -Infinity,
      covered = 0;
    for (let i = 0; i < this.count; i += 1) {
      if (i) covered += Math.max(0, Math.min(starts[i], latest) - starts[i - 1]);
      latest = Math.max(latest, starts[i] + durations[i]);
      this.latest[i] = latest;
      this.covered[i] = covered;
    }
  }

  end(i) {
    return this.starts[i] + this.durations[i];
  }

  /** [i, j): the slices that may be seen between t0 and t1. */
  range(t0, t1) {
    return [above(this.latest, t0, 0, this.count), above(this.starts, t1, 0, this.count)];
  }

  /** Time covered up to t, where slice i is the last that starts at or before t; i = -1 when none does. */
  coveredUntil(t, i) {
    return i < 0 ? 0 : this.covered[i] + Math.max(0, Math.min(t, this.latest[i]) - this.starts[i]);
  }

  /** The slice at t, the last one that starts when several overlap; -1 when none. `slack` helps to hit thin ones. */
  at(t, slack) {
    for (let i = above(this.starts, t + slack, 0, this.count) - 1; i >= 0 && this.latest[i] >= t - slack; i -= 1) {
      if (this.end(i) >= t - slack) return i;
    }
    return -1;
  }
}

/** The first index in [low, high) whose value is above the limit; high when none is. */
function above(values, limit, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** value -> the positions that have it, for values from 0 to `limit`: two columns instead of a list for each. */
function grouped(values, limit) {
  const ends = new Int32Array(limit + 1),
    order = new Int32Array(values.length);
  for (const value of values) ends[value + 1] += 1;
  for (let i = 0; i < limit; i += 1) ends[i + 1] += ends[i];
  const next = ends.slice();
  values.forEach((value, i) => {
    order[next[value]] = i;
    next[value] += 1;
  });
  return (value) => order.subarray(ends[value], ends[value + 1]);
}

class Model {
  constructor(profile) {
    this.profile = profile;
    this.starts = Float64Array.from(profile.slices.start_us);
    this.durations = Float64Array.from(profile.slices.dur_us);
    this.lanes = this.#lanes();
    this.lanesInOrder = this.#inOrder();
    this.host = this.#host();
    this.#flows();
  }

  #lanes() {
    const { lanes, names, slices } = this.profile;
    const label = (i) => names[slices.name[i]];
    let at = 0;
    return lanes.map((lane, number) => {
      const first = at;
      while (at < slices.lane.length && slices.lane[at] === number) at += 1;
      return {
        ...lane,
        series: new Series(this.starts.subarray(first, at), this.durations.subarray(first, at), first, (i) => label(first + i)),
      };
    });
  }

  /** Numbers of the lanes: launches and cores as the profile has them, the pipes of a core in the order in which data passes them. */
  #inOrder() {
    const rank = new Map(),
      key = ({ launch, core }) => `${launch} ${core}`;
    for (const lane of this.lanes) if (!rank.has(key(lane))) rank.set(key(lane), rank.size);
    const order = ({ launch, core, pipe }) => rank.get(key({ launch, core })) * 16 + PIPE_ORDER.indexOf(pipe) + 1;
    return this.lanes.map((_, number) => number).sort((a, b) => order(this.lanes[a]) - order(this.lanes[b]));
  }

  #host() {
    const byLane = new Map();
    for (const each of this.profile.host) {
      if (!byLane.has(each.lane)) byLane.set(each.lane, []);
      byLane.get(each.lane).push(each);
    }
    return [...byLane].map(([name, items]) => {
      items.sort((a, b) => a.start_us - b.start_us);
      const starts = Float64Array.from(items, (each) => each.start_us),
        durations = Float64Array.from(items, (each) => each.dur_us);
      return { name, items, series: new Series(starts, durations, -1, (i) => items[i].name) };
    });
  }

  /** Flows as columns, in the order in which their flags are set; of each block of them the latest arrival, to pass over blocks by. */
  #flows() {
    const { flows } = this.profile,
      set = Float64Array.from(flows, ([from]) => this.starts[from] + this.durations[from]),
      order = Uint32Array.from(flows.keys()).sort((a, b) => set[a] - set[b]);
    this.flowFrom = Int32Array.from(order, (i) => flows[i][0]);
    this.flowTo = Int32Array.from(order, (i) => flows[i][1]);
    this.flowSet = Float64Array.from(order, (i) => set[i]);
    this.flowBlocks = new Float64Array(Math.ceil(flows.length / FLOW_BLOCK)).fill(-Infinity);
    this.flowTo.forEach((slice, i) => {
      const block = Math.floor(i / FLOW_BLOCK);
      this.flowBlocks[block] = Math.max(this.flowBlocks[block], this.starts[slice]);
    });
  }

  /** Calls `take` with each flow between t0 and t1 until it returns false; false when it did, or when more than `most` were looked at. */
  eachFlow(t0, t1, most, take) {
    const end = above(this.flowSet, t1, 0, this.flowSet.length);
    for (let from = 0; from < end; from += FLOW_BLOCK) {
      if (this.flowBlocks[from / FLOW_BLOCK] < t0) continue;
      for (let i = from; i < Math.min(end, from + FLOW_BLOCK); i += 1) {
        most -= 1;
        if (most < 0 || (this.starts[this.flowTo[i]] >= t0 && !take(i))) return false;
      }
    }
    return true;
  }

  /** Flows that lead into a slice: those it waits for. */
  flowsInto(slice) {
    this.intoIndex ??= grouped(this.flowTo, this.starts.length);
    return this.intoIndex(slice);
  }

  flowsOutOf(slice) {
    this.outOfIndex ??= grouped(this.flowFrom, this.starts.length);
    return this.outOfIndex(slice);
  }

  launch(id) {
    return this.profile.launches.find((each) => each.id === id);
  }

  laneOf(slice) {
    return this.lanes[this.profile.slices.lane[slice]];
  }

  siteOf(slice) {
    const site = this.profile.slices.site[slice] ?? -1;
    return site < 0 ? null : this.profile.sites[site];
  }

  span(ids) {
    const chosen = this.profile.launches.filter((each) => ids.includes(each.id));
    const ends = chosen.map((each) => each.start_us + each.task_us);
    return [Math.min(...chosen.map((each) => each.start_us)), Math.max(...ends)];
  }

  whole() {
    let [low, high] = this.profile.launches.length ? this.span(this.profile.launches.map((each) => each.id)) : [0, 1];
    for (const each of this.profile.host) {
      low = Math.min(low, each.start_us);
      high = Math.max(high, each.start_us + each.dur_us);
    }
    return [low, high];
  }

  /** {"file:line": {busy, wait}} in microseconds over all cores of a launch: its slices, and the stalls noted there. */
  lineTimes(id) {
    const { slices, sites } = this.profile,
      busy = new Float64Array(sites.length),
      lines = {};
    for (const lane of this.lanes) {
      if (lane.launch !== id) continue;
      const { first, count, durations } = lane.series;
      for (let i = 0; i < count; i += 1) if (slices.site[first + i] >= 0) busy[slices.site[first + i]] += durations[i];
    }
    const line = (site) => (lines[place(site)] ??= { busy: 0, wait: 0 });
    busy.forEach((us, i) => {
      if (us) line(sites[i]).busy += us;
    });
    for (const stall of this.launch(id).stalls) if (stall.at && stall.kind !== "empty") line(stall.at).wait += stall.us;
    return lines;
  }
}

/** The slices of one lane with these numbers, as a Series to draw. */
function chosenSeries(model, slices) {
  const label = (i) => model.profile.names[model.profile.slices.name[slices[i]]];
  const take = (column) => Float64Array.from(slices, (slice) => column[slice]);
  return new Series(take(model.starts), take(model.durations), -1, label);
}
