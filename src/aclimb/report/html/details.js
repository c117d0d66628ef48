// SPDX-License-Identifier: Apache-2.0
// What is known about one slice, below the timeline, with links to its source line and to the slices it waits for.

/** What is known about the chosen slice, with links to its source line and to the slices its flags come from and go to. */
function showDetails(choice, jump) {
  if (!choice) {
    fill("details");
    return;
  }
  const { timeline, slice, site, bytes: size, dur_us, start_us } = choice,
    { model, origin } = timeline;
  const fact = (name, ...value) => element("div", {}, element("span", {}, name), ...value);
  const link = (target) =>
    element(
      "a",
      {
        href: "#timeline-title",
        onclick: (event) => {
          event.preventDefault();
          timeline.reveal(target);
        },
      },
      `${model.profile.names[model.profile.slices.name[target]]} on ${model.laneOf(target).core} ${model.laneOf(target).pipe}`,
    );
  const waits = slice < 0 ? [] : Array.from(model.flowsInto(slice), (flow) => link(model.flowFrom[flow])),
    sets = slice < 0 ? [] : Array.from(model.flowsOutOf(slice), (flow) => link(model.flowTo[flow]));
  const comma = (links) => links.flatMap((each, i) => (i ? [", ", each] : [each]));
  const cycles = dur_us * model.profile.clock_mhz;
  fill(
    "details",
    fact("Instruction", element("strong", {}, choice.name)),
    fact("Where", choice.pipe === "host" ? choice.core : `${choice.core}, ${choice.pipe}`),
    fact("Start", instant(start_us - origin)),
    fact("Duration", time(dur_us), slice < 0 ? "" : ` (${digits(Math.round(cycles))} cycles)`),
    size ? fact("Moves", `${bytes(size)} at ${digits(size / dur_us / 1e3)} GB/s`) : null,
    site ? fact("Source", jump ? placeLink(site, jump) : element("code", { title: place(site) }, shortPlace(site))) : null,
    waits.length ? fact("Waits for", ...comma(waits)) : null,
    sets.length ? fact("Followed by", ...comma(sets)) : null,
  );
}

function placeLink(site, jump) {
  const go = (event) => {
    event.preventDefault();
    jump(site);
  };
  return element("a", { href: "#source-title", onclick: go }, element("code", { title: place(site) }, shortPlace(site)));
}
