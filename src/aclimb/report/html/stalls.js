// SPDX-License-Identifier: Apache-2.0
// The stall table. Each row leads to the line that waits and to the line that sets.

const FIRST_STALLS = 12;

function stallCause(stall) {
  return stall.kind === "empty" ? "Queue empty" : stall.kind === "memory" ? `Memory: ${stall.cause}` : `Flag ${stall.cause}`;
}

function stallRow(stall, number, total, jump) {
  const at = stall.at ? placeLink(stall.at, jump) : "";
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, stall.pipe),
    element("td", { class: "what" }, stallCause(stall), stall.advice ? element("small", {}, stall.advice) : null),
    element(
      "td",
      { class: "num", "data-head": "Time" },
      shown(`stall.${number}.us`, stall.us, time(stall.us)),
      element("span", { class: "meter" }, element("i", { class: stall.kind, style: `width:${Math.min(100, (stall.us / total) * 100)}%` })),
    ),
    element("td", { class: "num", "data-head": "Share" }, percent(stall.us / total)),
    element("td", { class: "num", "data-head": "Times" }, shown(`stall.${number}.count`, stall.count, digits(stall.count))),
    element("td", { "data-head": "At" }, at),
    element("td", { "data-head": "Set by" }, stall.set_by ? placeLink(stall.set_by, jump) : ""),
  );
}

function showStalls(launch, jump, all = false) {
  const total = launch.cores.reduce((sum, core) => sum + core.end_us - core.start_us, 0) || 1;
  const chosen = all ? launch.stalls : launch.stalls.slice(0, FIRST_STALLS);
  const rows = chosen.map((stall, number) => stallRow(stall, number, total, jump));
  const heads = [
    "Pipe",
    "Waits for",
    numeric("Time"),
    element("th", { scope: "col", class: "num", title: "Share of the time of all cores" }, "Share"),
    numeric("Times"),
    "At",
    "Set by",
  ];
  const more =
    launch.stalls.length > chosen.length &&
    element("button", { type: "button", onclick: () => showStalls(launch, jump, true) }, `Show all ${launch.stalls.length}`);
  fill("stalls", rows.length ? table("Stalls", heads, rows, { class: "blocks" }) : element("p", {}, "Nothing waits."), more);
}
