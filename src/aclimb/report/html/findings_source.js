// SPDX-License-Identifier: Apache-2.0
// The source beside a finding: both lines marked, what lies between them shaded, the change where it belongs.

class Listing {
  constructor(sources) {
    this.sources = sources;
    this.files = Object.keys(sources);
  }

  /** Shows the file of the finding's first access; without a finding, any. */
  show(finding) {
    this.finding = finding;
    this.open(finding?.accesses.find((each) => each.file in this.sources)?.file ?? this.files[0]);
  }

  open(file) {
    this.file = file;
    fill(
      "source-files",
      this.files.map((each) =>
        element(
          "button",
          { type: "button", "aria-pressed": String(each === file), title: each, onclick: () => this.open(each) },
          fileName(each),
        ),
      ),
    );
    if (file === undefined) {
      fill("source", element("p", { class: "hint" }, "No source is known."));
      return;
    }
    const lines = highlight(this.sources[file].replace(/\r\n?/g, "\n").replace(/\n$/, ""));
    const rows = lines.flatMap((pieces, i) => this.#rows(i + 1, pieces));
    const heads = [numeric("Line"), element("th", { scope: "col" }, "Access"), element("th", { scope: "col" }, "Code")];
    fill("source", table(`Source of ${file}`, heads, rows));
    this.#bringIntoView();
  }

  /** Lines of the two accesses that lie in this file. */
  sides() {
    return (this.finding?.accesses ?? []).filter((each) => each.file === this.file);
  }

  /** [first, last] of the lines between the two accesses, without those. */
  gap() {
    const lines = this.sides().map((each) => each.line);
    return lines.length === 2 ? [Math.min(...lines) + 1, Math.max(...lines) - 1] : [0, -1];
  }

  #rows(line, pieces) {
    const here = this.sides().filter((each) => each.line === line);
    const [first, last] = this.gap();
    const kind = here.length ? "side" : line >= first && line <= last ? "gap" : null;
    const who = here.map((each) => [each.core, each.pipe, each.role, each.tensor].filter(Boolean).join(" ")).join("; ");
    const row = element(
      "tr",
      { "data-line": line, class: kind },
      element("th", { scope: "row", class: "at" }, String(line)),
      element("td", { class: "who" }, who),
      element("td", { class: "code" }, pieces),
    );
    return this.#changesBehind(line) ? [row, this.#change()] : [row];
  }

  /** The change stands behind the line it has to follow, else before the one it has to precede. */
  #changesBehind(line) {
    const place = this.finding?.fix_lines;
    if (!place || place.file !== this.file) return false;
    return place.after_line ? line === place.after_line : line === place.before_line - 1;
  }

  #change() {
    return element(
      "tr",
      { class: "change" },
      element("th", { scope: "row", class: "at" }, "+"),
      element("td", { class: "who" }, "the change"),
      element("td", { class: "code" }, this.finding.fix),
    );
  }

  #bringIntoView() {
    const holder = document.getElementById("source"),
      row = holder.querySelector("tr.side");
    holder.scrollTop = row ? row.offsetTop - holder.clientHeight / 3 : 0;
  }
}
