// SPDX-License-Identifier: Apache-2.0
// The box to search in: what is found stands out on the timeline, Enter goes from one to the next.

class SearchBox {
  /** onFound(found or null) is told what stands out from now on. */
  constructor(timeline, model, onFound) {
    Object.assign(this, { timeline, model, onFound, found: null, at: -1 });
    this.input = element("input", {
      type: "search",
      id: "search",
      "aria-label": "Search slices",
      placeholder: "DataCopy, add.cpp:22, MTE2, AIV 3 …",
      title: "A call, a line, a pipe, a core, or several of them. Enter: next, Shift Enter: previous, Escape: end",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.#look(),
      onkeydown: (event) => this.#key(event),
    });
    this.told = element("output", { for: "search", class: "told", "aria-live": "polite" });
    const button = (text, label, by) =>
      element("button", { type: "button", "aria-label": label, title: label, disabled: true, onclick: () => this.step(by) }, text);
    this.buttons = [button("‹", "Previous match", -1), button("›", "Next match", 1)];
    const still = { role: "search", class: "search", onsubmit: (event) => event.preventDefault() };
    this.form = element("form", still, this.input, this.buttons, this.told);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      event.preventDefault();
      this.input.focus();
      this.input.select();
    });
  }

  /** As if it had been typed. */
  search(query) {
    this.input.value = query;
    this.#look();
  }

  /** Once more, after other launches are shown. */
  again() {
    this.#look();
  }

  step(by) {
    if (!this.found?.count) return;
    this.at = this.found.step(this.at, by);
    this.timeline.reveal(this.at);
    this.#tell();
  }

  #key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.search("");
      this.timeline.canvas.focus();
    }
  }

  #look() {
    const found = new Found(this.model, this.timeline.launches, this.input.value);
    this.found = found.terms.length ? found : null;
    this.at = -1;
    this.buttons.forEach((each) => {
      each.disabled = !found.count;
    });
    this.#tell();
    this.onFound(this.found);
  }

  #tell() {
    const { found } = this;
    if (!found) this.told.replaceChildren();
    else if (!found.count) this.told.replaceChildren(`Nothing: ${found.spoken}`);
    else {
      const place = this.at < 0 ? "" : `${digits(found.rank(this.at) + 1)} of `;
      const many = `${place}${digits(found.count)} ${found.count === 1 ? "slice" : "slices"}, `;
      const numbers = [shown("search.count", found.count, many), shown("search.us", found.us, time(found.us))];
      this.told.replaceChildren(...numbers, element("span", { class: "quiet" }, `  ${found.spoken}`));
    }
  }
}
