// SPDX-License-Identifier: Apache-2.0
// The kernel's source with its words coloured, and beside each line the time its instructions take and the time spent waiting there.

const WORDS = new Set(
  `alignas alignof auto bool break case catch char class const consteval constexpr const_cast continue decltype default delete
   do double else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr
   operator private protected public return short signed sizeof static static_assert static_cast reinterpret_cast struct switch
   template this true try typedef typename union unsigned using virtual void volatile while half bfloat16_t int8_t int16_t
   int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t`.split(/\s+/),
);
const MACROS = /^(__\w+__|GM_ADDR|ASCEND_IS_AI[CV]|KERNEL_TASK_TYPE\w*|REGISTER_TILING\w*|TILING_KEY\w*|GET_TILING_DATA\w*)$/;
const TOKEN =
  /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(^[ \t]*#[^\n]*)|(\b\d[\w.']*)|([A-Za-z_]\w*)/gm;

/** Lines of C++, each a list of strings and spans. */
function highlight(text) {
  const lines = [[]];
  const put = (piece, kind) =>
    piece.split("\n").forEach((part, i) => {
      if (i) lines.push([]);
      if (part) lines.at(-1).push(kind ? element("span", { class: kind }, part) : part);
    });
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [word, comment, string, directive, number] = match;
    put(text.slice(at, match.index), null);
    at = match.index + word.length;
    put(word, comment ? "c" : string ? "s" : directive ? "m" : number ? "n" : wordKind(word, text, at));
  }
  put(text.slice(at), null);
  return lines;
}

function wordKind(word, text, behind) {
  if (WORDS.has(word)) return "k";
  if (MACROS.test(word)) return "m";
  return /^[A-Z]\w*$/.test(word) && /^\s*[(<]/.test(text.slice(behind, behind + 8)) ? "a" : null;
}

class Source {
  constructor(model) {
    this.model = model;
    this.files = Object.keys(model.profile.sources);
  }

  /** Shows the file in which the launch spends most time. */
  show(launch) {
    this.times = this.model.lineTimes(launch.id);
    const byFile = {};
    for (const [where, { busy, wait }] of Object.entries(this.times)) {
      const file = where.slice(0, where.lastIndexOf(":"));
      byFile[file] = (byFile[file] ?? 0) + busy + wait;
    }
    this.open([...this.files].sort((a, b) => (byFile[b] ?? 0) - (byFile[a] ?? 0))[0]);
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
      fill("source", element("p", { class: "hint" }, "The profile holds no source."));
      return;
    }
    const lines = highlight(this.model.profile.sources[file].replace(/\r\n?/g, "\n").replace(/\n$/, ""));
    const most = Math.max(1e-12, ...lines.map((_, i) => this.times[`${file}:${i + 1}`]?.busy ?? 0));
    const rows = lines.map((pieces, i) => this.#row(file, i + 1, pieces, most));
    const heads = [numeric("Line"), numeric("Works"), numeric("Waits"), element("th", { scope: "col" }, "Code")];
    fill("source", table(`Source of ${file}`, heads, rows));
  }

  #row(file, line, pieces, most) {
    const { busy = 0, wait = 0 } = this.times[`${file}:${line}`] ?? {},
      hot = busy > most * 0.25 ? " hot" : "";
    const cell = (kind, us) =>
      us
        ? shown(`line.${file}:${line}.${kind}_us`, us, time(us), "td", { class: `us${kind === "busy" ? hot : ""}` })
        : element("td", { class: "us" });
    return element(
      "tr",
      { "data-line": line, class: busy ? "warm" : null, style: busy ? `--heat:${(busy / most) * 100}%` : null },
      element("th", { scope: "row", class: "at" }, busy ? this.#lineButton(file, line) : String(line)),
      cell("busy", busy),
      cell("wait", wait),
      element("td", { class: "code" }, pieces),
    );
  }

  #lineButton(file, line) {
    const title = "Search the timeline for this line";
    return element("button", { type: "button", class: "plain", title, onclick: () => this.onLine?.({ file, line }) }, String(line));
  }

  /** Opens the file, marks the line and brings it into view. */
  jump(site) {
    if (site.file !== this.file && this.files.includes(site.file)) this.open(site.file);
    const holder = document.getElementById("source");
    holder.querySelectorAll(".found").forEach((each) => each.classList.remove("found"));
    const row = this.file === site.file && holder.querySelector(`tr[data-line="${site.line}"]`);
    if (!row) return;
    row.classList.add("found");
    holder.scrollTop = row.offsetTop - holder.clientHeight / 2;
    holder.focus({ preventScroll: true });
    holder.scrollIntoView({ block: "nearest" });
  }
}
