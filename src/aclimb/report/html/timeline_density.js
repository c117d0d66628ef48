// SPDX-License-Identifier: Apache-2.0
// Lanes with more slices than they have pixels. Each pixel asks how much time is covered between its edges, so the cost follows the
// pixels and not the slices. All such lanes become one small image, a row of pixels each, which is then stretched to their heights:
// tens of thousands of small rectangles would take the rasteriser longer than everything else together.

const SHADES = [0, 0.4, 0.5, 0.6, 0.72, 0.86, 1].map((share) => Math.round(share * 255)); // opacity by share of a pixel that is covered

class Density {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true }); // stays in memory: written on every redraw, read once
    this.rows = []; // where each row of pixels is to go: [top, height]
  }

  /** Room for so many lanes of so many pixels. */
  begin(width, lanes) {
    this.rows.length = 0;
    if (this.canvas.width !== width || this.canvas.height < lanes) {
      this.canvas.width = width;
      this.canvas.height = Math.max(lanes, 1);
      this.image = this.context.createImageData(width, this.canvas.height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
  }

  /** One lane: its slices [from, to) between t0 and t1, in "#rrggbb". */
  add(series, from, to, t0, t1, hex, top, height) {
    const width = this.canvas.width,
      perPixel = (t1 - t0) / width,
      inks = shadesOf(hex);
    let at = this.rows.length * width,
      next = above(series.starts, t0, 0, to), // the first slice that starts behind the pixel's right edge
      before = series.coveredUntil(t0, next - 1);
    next = Math.max(next, from);
    for (let pixel = 1; pixel <= width; pixel += 1) {
      const t = t0 + pixel * perPixel;
      // From slice to slice where they are few a pixel, by search where they are many.
      let steps = 8;
      while (next < to && steps && series.starts[next] <= t) {
        next += 1;
        steps -= 1;
      }
      if (!steps) next = above(series.starts, t, next, to);
      const covered = series.coveredUntil(t, next - 1),
        share = (covered - before) / perPixel;
      before = covered;
      this.pixels[at] = share <= 1e-9 ? 0 : inks[Math.min(6, 1 + Math.floor(share * 5.999))];
      at += 1;
    }
    this.rows.push([top, height]);
  }

  draw(context, left) {
    if (!this.rows.length) return;
    const width = this.canvas.width;
    this.context.putImageData(this.image, 0, 0, 0, 0, width, this.rows.length);
    context.imageSmoothingEnabled = false;
    this.rows.forEach(([top, height], row) => context.drawImage(this.canvas, 0, row, width, 1, left, top, width, height));
  }
}

/** The colour at each opacity, as the bytes r g b a of a pixel. */
function shadesOf(hex) {
  const ink = [1, 3, 5].reduce((sum, at, byte) => sum | (parseInt(hex.slice(at, at + 2), 16) << (8 * byte)), 0);
  return SHADES.map((alpha) => (ink | (alpha << 24)) >>> 0);
}
