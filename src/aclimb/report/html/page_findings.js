// SPDX-License-Identifier: Apache-2.0
// Findings of a check in the report of a profile, when it has some: `findings` of the profile, a list as the JSON of a check has it. Used
// of each are rule, severity, headline, accesses ({file, line, text, core, pipe, role, tensor}), missing and fix. A check has a page of its
// own, in findings*.js; this is the card that leads from a finding to its lines and slices here.

function showFindings(findings, show) {
  document.getElementById("findings-card").hidden = !findings?.length;
  if (!findings?.length) return;
  const items = findings.map((each) => findingItem(each, show));
  fill("findings", element("ul", { class: "findings" }, items));
}

function findingItem({ rule, severity = "error", headline, accesses = [], missing, fix }, show) {
  return element(
    "li",
    { class: severity },
    element("strong", {}, headline),
    rule ? element("span", { class: "badge" }, rule) : null,
    element(
      "ul",
      {},
      accesses.map((each) => accessItem(each, show)),
    ),
    missing ? element("small", {}, `missing: ${missing}. `) : null,
    fix ? element("small", {}, fix) : null,
  );
}

/** What it is, where, and a way to its slices on the timeline. */
function accessItem({ file, line, text = "", core = "", pipe = "", role = "", tensor = "" }, show) {
  const what = [core, pipe, role, tensor].filter(Boolean).join(" "),
    site = { file: fileName(file ?? ""), line };
  const query = [`${site.file}:${line}`, core, pipe].filter(Boolean).join(" ");
  const look = (event) => {
    event.preventDefault();
    show.search(query);
  };
  const slices = element("a", { href: "#timeline-title", title: `Search the timeline: ${query}`, onclick: look }, "slices");
  const where = file ? [placeLink(site, show.jump), " ", element("code", {}, text), " ", slices] : null;
  return element("li", {}, what ? `${what}  ` : null, where);
}
