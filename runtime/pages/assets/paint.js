// Paints the bars of one run into a canvas. Two ways: where few bars are in view, each is a rectangle; where many are,
// pixels are computed one by one. Both keep one rule for what is narrower than a pixel: the pixel has the colour that has
// the most time in it, and is paler the more of it is empty.

const levels = 8;            // of paleness
const rectangleLimit = 6000; // bars in view; beyond, pixels are computed
const pairLimit = 1.2e6;     // pairs of a bar and a strip; beyond, strips are made higher

// Colour classes of bars: colour, hatched or not, dimmed or not. Only those in use are numbered.
function barClasses(run, colours, lit) {
  const numbers = new Int16Array(colourCount * 4).fill(-1);
  const classes = [];
  const of = new Uint8Array(run.bars);
  for (let i = 0; i < run.bars; ++i) {
    const key = colours[i] * 4 + (run.hatched[i] ? 2 : 0) + (lit && !lit[i] ? 1 : 0);
    if (numbers[key] < 0) {
      numbers[key] = classes.length;
      classes.push({ colour: colours[i], hatched: !!run.hatched[i], dimmed: !!(lit && !lit[i]) });
    }
    of[i] = numbers[key];
  }
  return { of, classes };
}

function classColour(kind, palette) {
  const full = kind.hatched ? mixed(palette.bars[kind.colour], palette.paper, 0.35) : palette.bars[kind.colour];
  return kind.dimmed ? mixed(full, palette.paper, 0.8) : full;
}

const scratch = { bar: new Int32Array(0) };

function room(name, size, Kind) {
  if (!scratch[name] || scratch[name].length < size) scratch[name] = new Kind(Math.ceil(size * 1.3) + 64);
  return scratch[name];
}

// `place` tells where the bars of `run` go: left, top, width, height (in CSS pixels), t0 and t1 (ticks), y0 and y1
// (in the units of `tops`), ratio (device pixels in a CSS pixel). `look` has classes, palette and hits (1 where a bar is a
// hit, or null). Returns what was done, for tests.
function paintBars(context, run, tops, place, look) {
  const first = laneAt(tops, place.y0), last = laneAt(tops, place.y1 - 1e-9);
  let inView = 0;
  for (let lane = first; lane <= last && inView <= rectangleLimit; ++lane) {
    const [from, to] = barsBetween(run, lane, place.t0, place.t1);
    for (let i = from; i < to && inView <= rectangleLimit; ++i) if (run.end[i] >= place.t0) ++inView;
  }
  let thinnest = Infinity;  // row, in device pixels
  const scale = place.height / (place.y1 - place.y0) * place.ratio;
  for (let lane = first; lane <= last; ++lane) {
    thinnest = Math.min(thinnest, (tops[lane + 1] - tops[lane]) / run.cores[lane] * scale);
  }
  const pixels = inView > rectangleLimit || thinnest < 2;
  (pixels ? paintPixels : paintRectangles)(context, run, tops, place, look, first, last);
  return pixels ? 'pixels' : 'rectangles';
}

function laneAt(tops, y) {
  let low = 0, high = tops.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle] <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

// ---- Pixel by pixel ----

// The way there is cut into functions that are called once for each lane or row of pixels: browsers make such functions
// fast sooner than one long one.
function paintPixels(context, run, tops, place, look, firstLane, lastLane) {
  const width = Math.max(1, Math.round(place.width)), height = Math.max(1, Math.round(place.height));
  // The picture is computed in strips. Where all rows of lanes are higher than a pixel, these are the strips; else the rows
  // of pixels are, or some of them together where there is too much to do.
  const perUnit = height / (place.y1 - place.y0);
  let edges = rowEdges(run, tops, place, perUnit, height, firstLane, lastLane);
  const boxes = boxesInView(run, tops, place, look.classes.of, width, height, firstLane, lastLane, edges !== null);
  if (!edges) {
    const step = Math.max(1, Math.ceil(boxes.pairs / pairLimit));
    edges = Int32Array.from({ length: Math.ceil(height / step) + 1 }, (_, i) => Math.min(height, i * step));
  }
  const strips = edges.length - 1;
  const { firstPair, pair } = boxesOfStrips(boxes, edges, height);
  const shades = shadesOf(look.classes.classes, look.palette);
  const kinds = look.classes.classes.length;
  const sums = room('sums', width * kinds + kinds, Float32Array);
  const best = room('best', width + 1, Float32Array), total = room('total', width + 1, Float32Array);
  const winner = room('winner', width + 1, Uint8Array);
  const image = imageOf(context, width, height);
  const out = image.words.fill(0);
  for (let strip = 0; strip < strips; ++strip) {
    const from = strip ? firstPair[strip] : 0, to = firstPair[strip + 1];
    if (from === to) continue;
    sums.fill(0, 0, width * kinds);
    best.fill(0, 0, width);
    total.fill(0, 0, width);
    const y0 = edges[strip], y1 = edges[strip + 1], line = y0 * width;
    for (let p = from; p < to; ++p) addBox(boxes, pair[p], y0, y1, width, sums, best, total, winner);
    writeStrip(out, line, width, total, winner, shades);
    for (let y = y0 + 1; y < y1; ++y) out.copyWithin(y * width, line, line + width);
  }
  const { bars, left, right, top, bottom, count } = boxes;
  if (look.hits) {
    const ink = wordOfColour(look.palette.ink);
    for (let k = 0; k < count; ++k) {
      if (look.hits[bars[k]]) markHit(out, width, height, left[k], right[k], top[k], bottom[k], ink);
    }
  }
  image.context.putImageData(image.data, 0, 0, 0, 0, width, height);
  context.imageSmoothingEnabled = false;
  context.drawImage(image.canvas, 0, 0, width, height, place.left, place.top, place.width, place.height);

  // Hatches and edges of bars that are large enough for them; nothing is drawn over hits.
  if (look.hits) return;
  context.fillStyle = hatchPattern(context, look.palette.paper, place.ratio);
  for (let k = 0, most = 3000; k < count && most > 0; ++k) {
    if (!look.classes.classes[boxes.kind[k]].hatched || right[k] - left[k] < 6 || bottom[k] - top[k] < 3) continue;
    context.fillRect(place.left + left[k], place.top + top[k], right[k] - left[k], bottom[k] - top[k]);
    --most;
  }
  if (count < 20000) {
    context.fillStyle = colourText(look.palette.paper, 0.7);
    for (let k = 0; k < count; ++k) {
      if (right[k] - left[k] < 4 || bottom[k] - top[k] < 4) continue;
      context.fillRect(place.left + Math.round(left[k]), place.top + top[k], 0.8, bottom[k] - top[k]);
      if (top[k] > 0) context.fillRect(place.left + left[k], place.top + Math.round(top[k]), right[k] - left[k], 0.8);
    }
  }
}

// The edges of the rows in view in whole pixels, from 0 to the height; null where some row is not even 1.5 pixels high.
function rowEdges(run, tops, place, perUnit, height, firstLane, lastLane) {
  const edges = [0];
  for (let lane = firstLane; lane <= lastLane; ++lane) {
    const unit = (tops[lane + 1] - tops[lane]) / run.cores[lane] * perUnit, top = (tops[lane] - place.y0) * perUnit;
    if (unit < 1.5) return null;
    for (let row = Math.max(0, Math.floor(-top / unit)); row <= run.cores[lane] && top + row * unit < height; ++row) {
      const edge = Math.round(top + row * unit);
      if (edge > edges[edges.length - 1] && edge < height) edges.push(edge);
    }
  }
  edges.push(height);
  return Int32Array.from(edges);
}

// The bars in view and where they lie, in pixels; at whole rows of pixels where `snapped`.
function boxesInView(run, tops, place, of, width, height, firstLane, lastLane, snapped) {
  let most = 0;
  const ranges = [];
  for (let lane = firstLane; lane <= lastLane; ++lane) {
    const range = barsBetween(run, lane, place.t0, place.t1);
    ranges.push(range);
    most += range[1] - range[0];
  }
  const boxes = {
    bars: room('bar', most, Int32Array), left: room('left', most, Float64Array), right: room('right', most, Float64Array),
    top: room('top', most, Float32Array), bottom: room('bottom', most, Float32Array), kind: room('kind', most, Uint8Array),
    weight: room('weight', most, Float32Array),  // a work wins over a reservation around it of as much time
    count: 0, pairs: 0,
  };
  const perUnit = height / (place.y1 - place.y0);
  for (let lane = firstLane; lane <= lastLane; ++lane) {
    const unit = (tops[lane + 1] - tops[lane]) / run.cores[lane] * perUnit;
    boxesOfLane(boxes, run, ranges[lane - firstLane], (tops[lane] - place.y0) * perUnit, unit, run.cores[lane], place, of, width, height, snapped);
  }
  return boxes;
}

function boxesOfLane(boxes, run, [from, to], laneTop, unit, cores, place, of, width, height, snapped) {
  const { bars, left, right, top, bottom, kind, weight } = boxes;
  const { start, end, row, rows, work } = run;
  const perTick = width / (place.t1 - place.t0), t0 = place.t0, works = run.names.length, laneBottom = laneTop + unit * cores;
  let k = boxes.count, pairs = 0;
  for (let i = from; i < to; ++i) {
    if (end[i] < t0) continue;
    let y0 = laneTop + row[i] * unit, y1 = Math.min(laneBottom, y0 + rows[i] * unit);
    if (snapped) {
      y0 = Math.round(y0);
      y1 = Math.round(y1);
    }
    if (y1 <= 0 || y0 >= height) continue;
    const x0 = (start[i] - t0) * perTick;
    bars[k] = i;
    left[k] = x0 > 0 ? x0 : 0;
    right[k] = Math.min(width, Math.max((end[i] - t0) * perTick, x0 + 1e-3));
    top[k] = y0 > 0 ? y0 : 0;
    bottom[k] = y1 < height ? y1 : height;
    kind[k] = of[i];
    weight[k] = work[i] < works ? 1 : 0.99;
    pairs += bottom[k] - top[k] + 1;
    ++k;
  }
  boxes.count = k;
  boxes.pairs += pairs;
}

// For each strip, the boxes in it: those of strip i are pair[firstPair[i]] (0 for the first) to
// pair[firstPair[i + 1] - 1].
function boxesOfStrips(boxes, edges, height) {
  const { top, bottom, count } = boxes;
  const strips = edges.length - 1;
  const stripAt = room('stripAt', height + 1, Int32Array);  // of each row of pixels
  for (let strip = 0; strip < strips; ++strip) stripAt.fill(strip, edges[strip], edges[strip + 1]);
  const firstPair = room('firstPair', strips + 2, Int32Array).fill(0, 0, strips + 2);
  for (let k = 0; k < count; ++k) {
    const to = stripAt[Math.ceil(bottom[k]) - 1];
    for (let strip = stripAt[top[k] | 0]; strip <= to; ++strip) ++firstPair[strip + 2];
  }
  for (let strip = 2; strip < strips + 2; ++strip) firstPair[strip] += firstPair[strip - 1];
  const pair = room('pair', firstPair[strips + 1], Int32Array);
  for (let k = 0; k < count; ++k) {
    const to = stripAt[Math.ceil(bottom[k]) - 1];
    for (let strip = stripAt[top[k] | 0]; strip <= to; ++strip) pair[firstPair[strip + 1]++] = k;
  }
  return { firstPair, pair };
}

// Adds a box to the sums of each class in a strip, and keeps the best of them up to date.
function addBox(boxes, k, y0, y1, width, sums, best, total, winner) {
  const kind = boxes.kind[k], base = kind * width;
  const share = (Math.min(y1, boxes.bottom[k]) - Math.max(y0, boxes.top[k])) * boxes.weight[k] / (y1 - y0);
  const x0 = boxes.left[k], x1 = boxes.right[k];
  const a = x0 | 0, b = x1 | 0;
  // The first pixel, those in between, the last one: the same three lines each time, as calls cost too much here.
  let part = (a === b ? x1 - x0 : a + 1 - x0) * share;
  let sum = sums[base + a] += part;
  total[a] += part;
  if (sum > best[a]) {
    best[a] = sum;
    winner[a] = kind;
  }
  for (let x = a + 1; x < b; ++x) {
    sum = sums[base + x] += share;
    total[x] += share;
    if (sum > best[x]) {
      best[x] = sum;
      winner[x] = kind;
    }
  }
  if (a === b || x1 === b) return;
  part = (x1 - b) * share;
  sum = sums[base + b] += part;
  total[b] += part;
  if (sum > best[b]) {
    best[b] = sum;
    winner[b] = kind;
  }
}

function writeStrip(out, line, width, total, winner, shades) {
  const scale = levels - 1e-3;
  for (let x = 0; x < width; ++x) {
    const share = total[x];
    if (share > 0) out[line + x] = shades[winner[x] * levels + (share < 1 ? (share * scale) | 0 : levels - 1)];
  }
}

// A hit is drawn over all others, two pixels wide and high at least; a large one as a frame, so that its colour is seen.
function markHit(out, width, height, x0, x1, y0, y1, ink) {
  const a = Math.min(width - 2, Math.max(0, Math.floor(x0))), b = Math.min(width, Math.max(a + 2, Math.ceil(x1)));
  const c = Math.min(height - 2, Math.max(0, Math.floor(y0))), d = Math.min(height, Math.max(c + 2, Math.ceil(y1)));
  const frame = b - a > 7 && d - c > 7;
  for (let y = Math.max(0, c); y < d; ++y) {
    const line = y * width, hollow = frame && y >= c + 2 && y < d - 2;
    for (let x = Math.max(0, a); x < b; ++x) {
      if (hollow && x === a + 2) x = b - 2;
      out[line + x] = ink;
    }
  }
}

function wordOfColour(colour) {
  return (255 << 24 | colour[2] << 16 | colour[1] << 8 | colour[0]) >>> 0;
}

function shadesOf(classes, palette) {
  const shades = new Uint32Array(classes.length * levels);
  classes.forEach((kind, at) => {
    const full = classColour(kind, palette);
    for (let level = 0; level < levels; ++level) {
      shades[at * levels + level] = wordOfColour(mixed(full, palette.paper, 0.65 * (1 - level / (levels - 1))));
    }
  });
  return shades;
}

const images = new WeakMap();  // context -> pixels beside it

function imageOf(context, width, height) {
  let image = images.get(context);
  if (!image || image.canvas.width !== width || image.canvas.height !== height) {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const inside = canvas.getContext('2d');
    const data = inside.createImageData(width, height);
    image = { canvas, context: inside, data, words: new Uint32Array(data.data.buffer) };
    images.set(context, image);
  }
  return image;
}

// ---- Rectangle by rectangle ----

function paintRectangles(context, run, tops, place, look, firstLane, lastLane) {
  const ratio = place.ratio;
  const width = place.width * ratio;
  const perTick = width / (place.t1 - place.t0), perUnit = place.height * ratio / (place.y1 - place.y0);
  const { of, classes } = look.classes;
  const kinds = classes.length;
  const boxes = [];   // of each class and level: x, y, width, height, ... in device pixels from place.left, place.top
  const edges = [], hatches = [], hits = [], labels = [];
  const box = (kind, level, x, y, w, h) => {
    const list = boxes[kind * levels + level] || (boxes[kind * levels + level] = []);
    list.push(x, y, w, h);
  };
  for (let lane = firstLane; lane <= lastLane; ++lane) {
    const unit = (tops[lane + 1] - tops[lane]) / run.cores[lane] * perUnit;
    const laneTop = (tops[lane] - place.y0) * perUnit;
    const rowFrom = Math.max(0, Math.floor(-laneTop / unit));
    const rowTo = Math.min(run.cores[lane], Math.ceil((place.height * ratio - laneTop) / unit));
    if (rowTo <= rowFrom) continue;
    const y = r => Math.round(laneTop + r * unit);
    const gap = unit >= 5 * ratio ? Math.round(ratio) : 0;
    // The column of pixels that each row is in, and the time of each class in it.
    const columns = new Int32Array(rowTo - rowFrom).fill(-1);
    const sums = new Float32Array((rowTo - rowFrom) * kinds);
    const flush = r => {
      let best = 0, winner = 0, total = 0;
      for (let kind = 0, at = r * kinds; kind < kinds; ++kind, ++at) {
        total += sums[at];
        if (sums[at] > best) {
          best = sums[at];
          winner = kind;
        }
        sums[at] = 0;
      }
      const from = y(rowFrom + r);
      if (best > 0) box(winner, Math.min(levels - 1, (total * levels) | 0), columns[r], from, 1, Math.max(1, y(rowFrom + r + 1) - from - gap));
    };
    const add = (r0, r1, x, kind, share) => {
      for (let r = r0; r < r1; ++r) {
        if (columns[r] !== x) {
          if (columns[r] >= 0) flush(r);
          columns[r] = x;
        }
        sums[r * kinds + kind] += share;
      }
    };
    const [from, to] = barsBetween(run, lane, place.t0, place.t1);
    // Bars without a work lie below those that have one.
    for (let pass = run.workless[lane] ? 0 : 1; pass < 2; ++pass) {
      for (let i = from; i < to; ++i) {
        if (run.end[i] < place.t0 || (run.workless[lane] && (hasWork(run, i) ? 1 : 0) !== pass)) continue;
        const r0 = Math.max(rowFrom, run.row[i]), r1 = Math.min(rowTo, run.row[i] + run.rows[i]);
        if (r1 <= r0) continue;
        const begun = (run.start[i] - place.t0) * perTick;
        const x0 = Math.max(0, begun), x1 = Math.min(width, Math.max((run.end[i] - place.t0) * perTick, begun + 1e-3));
        const kind = of[i];
        const a = Math.ceil(x0), b = Math.floor(x1);
        const y0 = y(r0), h = Math.max(1, y(r1) - y0 - gap);
        if (b > a) box(kind, levels - 1, a, y0, b - a, h);
        if (b < a) {
          add(r0 - rowFrom, r1 - rowFrom, b, kind, x1 - x0);
        } else {
          if (x0 < a) add(r0 - rowFrom, r1 - rowFrom, a - 1, kind, a - x0);
          if (x1 > b) add(r0 - rowFrom, r1 - rowFrom, b, kind, x1 - b);
        }
        if (x1 - x0 >= 4 * ratio) {
          if (begun > 0) edges.push(Math.round(x0), y0, h);
          if (run.hatched[i] && h > 2 * ratio) hatches.push(x0, y0, x1 - x0, h);
          if (h >= 11 * ratio && x1 - x0 >= 40 * ratio) labels.push(i, x0, y0, x1 - x0, h);
        }
        if (look.hits && look.hits[i]) hits.push(x0, y0, x1, y0 + h);
      }
      for (let r = 0; r < columns.length; ++r) {
        if (columns[r] >= 0) flush(r);
        columns[r] = -1;
      }
    }
  }

  context.save();
  context.setTransform(1, 0, 0, 1, Math.round(place.left * ratio), Math.round(place.top * ratio));
  const shades = classes.map(kind => classColour(kind, look.palette));
  boxes.forEach((list, at) => {
    const level = at % levels;
    context.fillStyle = colourText(mixed(shades[Math.floor(at / levels)], look.palette.paper, 0.65 * (1 - level / (levels - 1))));
    for (let k = 0; k < list.length; k += 4) context.fillRect(list[k], list[k + 1], list[k + 2], list[k + 3]);
  });
  if (hatches.length) {
    context.fillStyle = hatchPattern(context, look.palette.paper, ratio);
    for (let k = 0; k < hatches.length; k += 4) context.fillRect(hatches[k], hatches[k + 1], hatches[k + 2], hatches[k + 3]);
  }
  context.fillStyle = colourText(look.palette.paper, 0.8);
  for (let k = 0; k < edges.length; k += 3) context.fillRect(edges[k], edges[k + 1], Math.ceil(ratio * 0.8), edges[k + 2]);
  paintLabels(context, run, labels, look, shades, ratio);
  paintHits(context, hits, look.palette.ink, ratio);
  context.restore();
}

function paintLabels(context, run, labels, look, shades, ratio) {
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (let k = 0; k < labels.length && k < 5 * 400; k += 5) {
    const [i, x, y, w, h] = labels.slice(k, k + 5);
    const size = Math.min(12, Math.floor(h / ratio) - 2);
    if (size < 8) continue;
    const colour = shades[look.classes.of[i]];
    const light = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 135;
    context.font = size * ratio + 'px sans-serif';
    const text = fitted(context, barName(run, i), w - 8 * ratio);
    if (!text) continue;
    context.fillStyle = light ? '#111' : '#fff';
    context.fillText(text, x + 4 * ratio, y + h / 2 + ratio * 0.5);
  }
}

// The text, or its beginning and an ellipsis, or nothing where not even three letters fit.
function fitted(context, text, width) {
  if (text.length > 300) text = text.slice(0, 300) + '…';
  if (context.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + '…').width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 3 ? '' : text.slice(0, low) + '…';
}

function paintHits(context, hits, ink, ratio) {
  context.fillStyle = context.strokeStyle = colourText(ink);
  context.lineWidth = 2 * ratio;
  for (let k = 0; k < hits.length; k += 4) {
    const x0 = Math.floor(hits[k]), y0 = hits[k + 1];  // whole pixels, so that the thinnest hit has the full colour
    const w = Math.max(Math.ceil(2 * ratio), Math.ceil(hits[k + 2]) - x0), h = Math.max(Math.ceil(2 * ratio), hits[k + 3] - y0);
    if (w > 7 * ratio && h > 7 * ratio) context.strokeRect(x0 + ratio, y0 + ratio, w - 2 * ratio, h - 2 * ratio);
    else context.fillRect(x0, y0, w, h);
  }
}

function hatchPattern(context, paper, ratio) {
  const size = Math.round(7 * ratio);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const inside = canvas.getContext('2d');
  inside.strokeStyle = colourText(paper, 0.85);
  inside.lineWidth = 2 * ratio;
  inside.beginPath();
  for (let shift = -size; shift <= size; shift += size) {
    inside.moveTo(shift - ratio, size + ratio);
    inside.lineTo(shift + size + ratio, -ratio);
  }
  inside.stroke();
  return context.createPattern(canvas, 'repeat');
}
