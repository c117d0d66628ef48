// SPDX-License-Identifier: Apache-2.0
// The profile, arranged for drawing: one Series for each lane, flows in order of time, time by source line.

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

  /** Flows in the order in which their flags are set, to be searched by time. */
  #flows() {
    const set = (flow) => this.starts[flow[0]] + this.durations[flow[0]];
    this.flows = [...this.profile.flows].sort((a, b) => set(a) - set(b));
    this.flowSet = Float64Array.from(this.flows, set);
    this.longestFlow = this.flows.reduce((most, flow, i) => Math.max(most, this.starts[flow[1]] - this.flowSet[i]), 0);
  }

  flowsBetween(t0, t1) {
    const first = above(this.flowSet, t0 - this.longestFlow, 0, this.flows.length);
    return [first, above(this.flowSet, t1, first, this.flows.length)];
  }

  /** Flows that lead into and out of one slice. */
  flowsOf(slice) {
    if (!this.flowIndex) {
      this.flowIndex = new Map();
      for (const flow of this.flows) for (const end of flow) this.flowIndex.set(end, [...(this.flowIndex.get(end) ?? []), flow]);
    }
    return this.flowIndex.get(slice) ?? [];
  }

  launch(id) {
    return this.profile.launches.find((each) => each.id === id);
  }

  laneOf(slice) {
    return this.lanes[this.profile.slices.lane[slice]];
  }

  siteOf(slice) {
    const site = this.profile.slices.site[slice];
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
