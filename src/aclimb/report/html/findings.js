// SPDX-License-Identifier: Apache-2.0
// The report of a check: findings, the source with both places and the gap between them, and the timeline where a profile was taken.

window.aclimb = { ready: false };

/** Of others only the host program's line is known. */
function isInKernel(access) {
  return access.pipe !== "host" && access.pipe !== "task";
}

/** The rows of a finding's accesses, as the terminal shows them. */
function accessRows(finding) {
  const apart = new Set(finding.accesses.map((each) => `${each.core} ${each.kernel}`)).size > 1;
  return finding.accesses.map((each) =>
    element(
      "tr",
      {},
      [apart ? each.core : "", each.pipe, isInKernel(each) ? each.role : each.call, each.tensor, shortPlace(each.file ? each : null), each.text].map((text) =>
        element("td", {}, text),
      ),
    ),
  );
}

function paragraph(word, text, kind = null) {
  return text ? element("p", { class: kind }, element("b", {}, word), text) : null;
}

/** "3 errors, 1 warning": as the last line of the terminal. */
function counted(counts) {
  const parts = Object.entries(counts)
    .filter(([, count]) => count)
    .map(([severity, count]) => `${count} ${severity}${count === 1 ? "" : "s"}`);
  return parts.join(", ") || "nothing found";
}

class Findings {
  constructor(report, onChoose) {
    this.report = report;
    this.onChoose = onChoose;
    this.items = report.findings.map((finding, number) => this.#item(finding, number));
    fill("findings", this.items.length ? this.items : element("li", {}, "Nothing found."));
  }

  #item(finding, number) {
    const queued = finding.accesses.filter((each) => isInKernel(each) && each.launched_at).map((each) => shortPlace(each.launched_at));
    const places = queued.length ? [...new Set(queued)].join(" and ") : shortPlace(finding.launch_place);
    const launched = places ? `launched at ${places}` : "";
    const often = finding.count > 1 ? `${finding.count} times` : "";
    return element(
      "li",
      { class: `finding ${finding.severity}`, "data-finding": number },
      element("span", { class: "rule", title: finding.rule_name }, finding.rule),
      element("h3", {}, element("button", { type: "button", onclick: () => this.choose(number) }, finding.headline)),
      element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, accessRows(finding)))),
      finding.details.map((each) => element("p", {}, each)),
      paragraph("missing: ", [finding.missing, finding.existing].filter(Boolean).join("; ")),
      paragraph(finding.missing ? "smallest change: " : finding.rule.startsWith("A") ? "try: " : "", finding.fix, "fix"),
      paragraph("replay: ", finding.replay),
      paragraph("", [often, launched].filter(Boolean).join(", "), "hint"),
    );
  }

  choose(number) {
    this.chosen = number;
    this.items.forEach((item, i) => item.setAttribute("aria-current", String(i === number)));
    this.onChoose(this.report.findings[number]);
  }
}

function showAsides(report) {
  const lines = [
    ...report.ignored.map((each) => `ignored at ${shortPlace(each.ignored_at)}: ${each.rule} ${each.headline}; ${each.reason}`),
    ...report.baseline.known.map((each) => `in the baseline: ${each.rule} ${each.headline}`),
    ...report.unused.map((each) => `unused: ${shortPlace(each)} ignore[${each.rule}] ${each.reason}`),
    ...report.baseline.stale.map((each) => `stale: the baseline has ${each.rule} ${each.where}`),
    ...report.remarks,
    ...report.notes,
  ];
  document.getElementById("asides-card").hidden = !lines.length;
  fill("asides", element("ul", {}, lines.map((line) => element("li", {}, line))));
}

start(({ report, sources, profile }) => {
  const listing = new Listing(sources);
  const marks = profile?.slices.lane.length ? new Marks(profile) : null;
  const findings = new Findings(report, (finding) => {
    listing.show(finding);
    marks?.show(finding);
  });
  const launches = report.launches === null ? "" : `${report.launches} ${report.launches === 1 ? "launch" : "launches"}, `;
  fill("subtitle", `${launches}${counted(report.counts)}`);
  fill("badges", report.could_not ? element("span", { class: "badge warn" }, report.could_not) : null);
  fill("footer", `aclimb check, format ${report.version}, aclimb ${report.aclimb}.${profile ? " Modelled time, not measured on an NPU." : ""}`);
  showAsides(report);
  Object.assign(window.aclimb, { findings, listing, marks, choose: (number) => findings.choose(number) });
  if (report.findings.length) findings.choose(0);
  else listing.show(null);
});
