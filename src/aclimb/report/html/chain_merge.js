// SPDX-License-Identifier: Apache-2.0
// Launches one after another, as if they were one: a core has one lane for each pipe, and one above them that says which kernel runs.

/** A profile with one launch; where it has one already, itself. */
function mergedLaunches(profile) {
  const { launches } = profile;
  if (launches.length < 2) return profile;
  const order = [...launches].sort((a, b) => a.start_us - b.start_us),
    { lanes, numbers } = mergedLanes(profile, order),
    names = [...profile.names],
    columns = Object.fromEntries(Object.keys(profile.slices).map((key) => [key, []])),
    place = new Int32Array(profile.slices.lane.length); // old number of a slice -> new one
  const put = (row) => Object.entries(row).forEach(([key, value]) => columns[key].push(value));
  lanes.forEach((lane, number) => {
    if (lane.pipe === "SK")
      for (const launch of order)
        for (const { start_us, end_us } of launch.cores.filter((each) => each.name === lane.core))
          put({ lane: number, name: nameNumber(names, launch.kernel), site: -1, start_us, dur_us: end_us - start_us, bytes: 0 });
    for (const [first, count] of numbers[number])
      for (let i = first; i < first + count; i += 1) {
        place[i] = columns.lane.length;
        put({ ...Object.fromEntries(Object.entries(profile.slices).map(([key, values]) => [key, values[i]])), lane: number });
      }
  });
  const start = order[0].start_us,
    end = Math.max(...order.map((each) => each.start_us + each.task_us));
  return {
    ...profile,
    names,
    lanes,
    slices: columns,
    flows: profile.flows.map(([from, to]) => [place[from], place[to]]),
    launches: [{ ...order[0], start_us: start, task_us: end - start, kernel: "separate launches" }],
  };
}

function nameNumber(names, name) {
  if (!names.includes(name)) names.push(name);
  return names.indexOf(name);
}

/** The lanes of all launches by core and pipe, and for each where its slices lie: [first, count] in order of time. */
function mergedLanes(profile, order) {
  const model = new Model(profile),
    lanes = [],
    numbers = [],
    known = new Map();
  const laneOf = (core, pipe) => {
    if (!known.has(`${core} ${pipe}`)) {
      known.set(`${core} ${pipe}`, lanes.length);
      lanes.push({ launch: order[0].id, core, pipe });
      numbers.push([]);
    }
    return known.get(`${core} ${pipe}`);
  };
  for (const launch of order)
    for (const number of model.lanesInOrder) {
      const { launch: id, core, pipe, series } = model.lanes[number];
      if (id !== launch.id) continue;
      laneOf(core, "SK");
      numbers[laneOf(core, pipe)].push([series.first, series.count]);
    }
  return { lanes, numbers };
}
