// SPDX-License-Identifier: Apache-2.0
// Search over slices: words that each say a call, a line, a pipe or a core; a slice is found when it fits all of them.
//
//   DataCopy        a call, or a part of its name           add.cpp:22  line 22  :22  22    a line
//   MTE2            a pipe                                  AIV 3  core 3  AIV              a core
//   xLocal          where no call has that name: lines whose text has it; "in quotes" always means the text

const PLACE = /^(?:(.+):|:)?(\d+)(?:-(\d+))?$/; // file:line, line, line-line
const WORD = /"[^"]*"|(?:line|core|pipe|call|text)[ :]+\S+|AI[CV]\s*\d+|\S+/gi;

/** Terms of a query: [{kind, value, spoken}]. `known` has names, pipes and files of the profile. */
function parseQuery(query, known) {
  return (query.match(WORD) ?? []).map((word) => parseWord(word, known)).filter(Boolean);
}

function parseWord(word, known) {
  const [, kind, rest] = word.match(/^(line|core|pipe|call|text)[ :]+(.+)$/i) ?? [];
  const text = (rest ?? word).toLowerCase();
  if (word.startsWith('"')) return word.length > 2 ? textTerm(word.replaceAll('"', "").toLowerCase()) : null;
  if (kind) return termOf(kind.toLowerCase(), text);
  const core = word.match(/^(AI[CV])\s*(\d+)?$/i);
  if (core) return termOf("core", `${core[1]} ${core[2] ?? ""}`.trim().toLowerCase());
  const place = word.match(PLACE);
  if (place) return termOf("line", text);
  if (known.pipes.has(text)) return termOf("pipe", text);
  if (known.names.some((name) => name.includes(text))) return termOf("call", text);
  if (known.files.includes(text)) return termOf("file", text);
  return textTerm(text);
}

function textTerm(text) {
  return { kind: "text", spoken: `lines with “${text}”`, site: (_site, line) => line.includes(text) };
}

function termOf(kind, text) {
  switch (kind) {
    case "call":
      return { kind, spoken: `calls “${text}”`, name: (name) => name.includes(text) };
    case "pipe":
      return { kind, spoken: `pipe ${text.toUpperCase()}`, lane: (lane) => lane.pipe.toLowerCase() === text };
    case "core": {
      const isOne = /\d$/.test(text),
        end = /^\d+$/.test(text) ? ` ${text}` : text;
      const fits = (core) => (/^\d+$/.test(text) ? core.endsWith(end) : isOne ? core === text : core.startsWith(text));
      return { kind, spoken: `${isOne ? "core" : "cores"} ${text.toUpperCase()}`, lane: (lane) => fits(lane.core.toLowerCase()) };
    }
    case "file":
      return { kind, spoken: `file ${text}`, site: (site) => site.file.toLowerCase() === text };
    case "line": {
      const [, file = "", first, last = first] = text.match(PLACE) ?? [];
      if (first === undefined) return textTerm(text);
      const inFile = (site) => fileName(site.file).toLowerCase().includes(file);
      return {
        kind,
        spoken: `${last === first ? "line" : "lines"} ${file ? `${file}:` : ""}${first}${last === first ? "" : `-${last}`}`,
        site: (site) => inFile(site) && site.line >= Number(first) && site.line <= Number(last),
      };
    }
    default:
      return textTerm(text);
  }
}

/** What a query finds in some launches: a Series and the slice numbers of each lane that has matches. */
class Found {
  constructor(model, launches, query) {
    const { profile } = model;
    const known = {
      files: [...new Set(profile.sites.map((site) => fileName(site.file).toLowerCase()))],
      names: profile.names.map((name) => name.toLowerCase()),
      pipes: new Set(profile.lanes.map((lane) => lane.pipe.toLowerCase())),
    };
    this.terms = parseQuery(query, known);
    this.model = model;
    this.lanes = new Map(); // lane number -> slice numbers, rising
    this.emphasis = new Map(); // lane number -> Series, to draw
    this.count = 0;
    this.us = 0;
    if (this.terms.length) this.#collect(launches, known);
  }

  #collect(launches, known) {
    const { profile, lanes, durations } = this.model,
      { name, site } = profile.slices;
    const has = (kind) => this.terms.map((term) => term[kind]).filter(Boolean);
    const names = Uint8Array.from(known.names, (each) => has("name").every((fits) => fits(each)));
    const texts = lineTexts(profile);
    const sites = Uint8Array.from(profile.sites, (each, i) => has("site").every((fits) => fits(each, texts[i])));
    const anySite = has("site").length === 0;
    lanes.forEach((lane, number) => {
      if (!launches.includes(lane.launch) || !has("lane").every((fits) => fits(lane))) return;
      const { first, count } = lane.series,
        found = [];
      for (let i = first; i < first + count; i += 1) {
        if (!names[name[i]] || !(anySite || (site[i] >= 0 && sites[site[i]]))) continue;
        found.push(i);
        this.us += durations[i];
      }
      if (!found.length) return;
      this.count += found.length;
      this.lanes.set(number, Int32Array.from(found));
      this.emphasis.set(number, chosenSeries(this.model, found));
    });
  }

  get spoken() {
    return this.terms.map((term) => term.spoken).join(", ");
  }

  /** How many come before a slice, in order of time and then of lanes. */
  rank(slice) {
    const at = this.model.starts[slice],
      own = this.model.profile.slices.lane[slice];
    let before = 0;
    for (const [lane, slices] of this.lanes) {
      const { starts } = this.emphasis.get(lane);
      if (lane === own) before += above(slices, slice - 1, 0, slices.length);
      else before += above(starts, lane < own ? at : prior(at), 0, starts.length);
    }
    return before;
  }

  /** The next match in time behind a slice, or the last before it; from either end around to the other. -1: nothing was found. */
  step(slice, by) {
    const near = [];
    for (const [lane, slices] of this.lanes) {
      if (slice < 0) near.push(slices[by > 0 ? 0 : slices.length - 1]);
      else {
        const own = this.model.profile.slices.lane[slice],
          at = this.model.starts[slice],
          { starts } = this.emphasis.get(lane);
        // Of lanes above, those at the same time come before; of lanes below, behind.
        const behind = lane === own ? above(slices, slice, 0, slices.length) : above(starts, lane < own ? at : prior(at), 0, starts.length);
        const index = by > 0 ? behind : (lane === own ? above(slices, slice - 1, 0, slices.length) : behind) - 1;
        if (index >= 0 && index < slices.length) near.push(slices[index]);
      }
    }
    if (!near.length) return slice < 0 ? -1 : this.step(-1, by);
    const { starts, profile } = this.model,
      order = (a, b) => starts[a] - starts[b] || profile.slices.lane[a] - profile.slices.lane[b];
    return near.reduce((best, each) => (order(each, best) * by < 0 ? each : best));
  }
}

/** The largest number below: "before or at it" becomes "before it" for a search with `above`. */
function prior(value) {
  return value - Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE);
}

/** The text of each site's line, in small letters. */
function lineTexts(profile) {
  const files = Object.fromEntries(Object.entries(profile.sources).map(([file, text]) => [file, text.toLowerCase().split(/\r\n?|\n/)]));
  return profile.sites.map(({ file, line }) => files[file]?.[line - 1] ?? "");
}
