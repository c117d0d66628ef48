// SPDX-License-Identifier: Apache-2.0
// The one helper that makes elements of a drawing.

/** svg("text", {x: 4, class: "strong"}, "HBM") */
function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
