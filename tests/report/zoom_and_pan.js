// SPDX-License-Identifier: Apache-2.0
// Zooms in to a hundredth of a percent and out again, pans along at five zooms, scrolls through the lanes; returns milliseconds of each redraw,
// with the rasteriser's work counted.
(() => {
  const { timeline } = window.aclimb,
    [low, high] = timeline.limits,
    span = high - low;
  timeline.waitForPixels = true;
  timeline.redraws.length = 0;
  const draw = (t0, t1) => window.aclimb.zoom(t0, t1);
  for (let i = 0; i <= 40; i += 1) draw(low + span * 0.3 * (i / 40), high - span * 0.6 * (i / 40) * 0.9999);
  for (let i = 0; i <= 60; i += 1) {
    const half = (span / 2) * 0.86 ** i;
    draw(low + span * 0.4 - half, low + span * 0.4 + half);
  }
  for (const share of [1, 0.2, 0.05, 0.01, 0.001]) {
    for (let i = 0; i < 30; i += 1) {
      const at = low + span * (0.1 + 0.02 * i);
      draw(at, at + span * share);
    }
  }
  for (const share of [1, 0.05]) {
    for (let i = 0; i < 30; i += 1) {
      timeline.scroll = (i / 30) * Math.max(0, timeline.contentHeight - timeline.height);
      draw(low, low + span * share);
    }
  }
  timeline.waitForPixels = false;
  timeline.scroll = 0;
  return timeline.redraws.slice();
})();
