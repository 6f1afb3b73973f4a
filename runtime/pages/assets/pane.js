// One run of a chart: its canvas, what is in view, and what the pointer and the keys do there.

const rulerHeight = 36, overviewHeight = 30, textFont = '11px system-ui, sans-serif';
const transferKind = /^(file|transfer|receiving)/i, idleKind = /^(held|copy|dump|restart)/i;

// Round steps of a ruler, in seconds.
function rulerStep(least) {
  if (least <= 30) {
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map(times => times * power).find(step => step >= least * 0.9999);
    if (step < 60) return step;
  }
  const steps = [10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
  const step = steps.find(step => step >= least * 0.9999);
  if (step) return step;
  const power = 86400 * 10 ** Math.floor(Math.log10(least / 86400));
  return [1, 2, 5, 10].map(times => times * power).find(step => step >= least * 0.9999) || power * 10;
}

class Pane {
  constructor(chart, run) {
    this.chart = chart;
    this.run = run;
    this.view = { t0: run.from, t1: run.to, f0: 0, f1: 1 };  // seconds; shares of the height of all lanes
    this.hits = null;         // 1 where a bar is a hit
    this.hitBars = [];        // in order of time
    this.hitAt = -1;
    this.current = -1;        // the bar that keys are at
    this.selected = -1;       // the bar of the details
    this.related = null;
    this.box = null;          // drawn with Shift: x0, y0, x1, y1
    this.pointers = new Map();
    this.canvas = element('canvas', { tabindex: '0', role: 'application', 'aria-roledescription': 'Gantt chart' });
    this.context = this.canvas.getContext('2d');
    this.frame = element('div', { class: 'canvas' }, this.canvas);
    this.live = element('p', { class: 'tell', role: 'status', 'aria-live': 'polite' });
    this.heading = element('h4', {}, element('bdi', {}, run.title));
    this.root = element('div', { class: 'pane' }, this.heading, this.frame, this.live);
    this.listen();
    this.resized = new ResizeObserver(() => { if (this.painted !== this.sizeNow()) this.paint(); });
    this.resized.observe(this.frame);
  }

  get tops() {
    return this.chart.equalLanes ? this.run.topByLanes : this.run.topByRows;
  }
  get total() {
    return this.tops[this.tops.length - 1];
  }

  describe() {
    const { run } = this;
    this.canvas.setAttribute('aria-label', 'Gantt chart of ' + run.title + ': ' + countText(run.bars) + ' bars on ' +
      countText(run.lanes.length) + ' lanes, from ' + durationText(run.from) + ' to ' + durationText(run.to) +
      '. Keys are explained below the chart; the same bars are in the table behind it.');
  }

  // The first height of the canvas: 18 pixels a row, within what a screen shows.
  shape() {
    const wanted = rulerHeight + overviewHeight + 18 * this.run.topByRows[this.run.lanes.length];
    this.frame.style.height = Math.round(clamped(wanted, 170, innerWidth < 600 ? 380 : Math.max(380, Math.min(620, innerHeight * 0.6)))) + 'px';
  }

  // ---- Views ----

  fullTime() {
    return this.chart.fullTime(this);
  }

  setView(view, fromOther) {
    const [from, to] = this.fullTime();
    const full = Math.max(to - from, this.run.tick);
    const span = clamped(view.t1 - view.t0, Math.min(full, Math.max(this.run.tick * 5, full * 1e-9)), full);
    const t0 = clamped(span === view.t1 - view.t0 ? view.t0 : (view.t0 + view.t1 - span) / 2, from, to - span);
    const tallest = clamped(this.geometry().height / (60 * this.total), 0, 1);  // rows need not be higher than 60 pixels
    const share = clamped(view.f1 - view.f0, Math.min(tallest, 0.999), 1);
    const f0 = clamped(share === view.f1 - view.f0 ? view.f0 : (view.f0 + view.f1 - share) / 2, 0, 1 - share);
    this.view = { t0, t1: t0 + span, f0, f1: f0 + share };
    this.canvas.style.touchAction = share < 1 ? 'none' : 'pan-y';
    if (!fromOther) this.chart.viewChanged(this);
    this.chart.repaint();
  }

  // Zooms by factors, around a place given as shares of what is in view.
  zoom(timeFactor, laneFactor, atTime = 0.5, atLane = 0.5) {
    const { t0, t1, f0, f1 } = this.view;
    const t = t0 + (t1 - t0) * atTime, f = f0 + (f1 - f0) * atLane;
    this.setView({ t0: t - (t - t0) * timeFactor, t1: t + (t1 - t) * timeFactor,
                   f0: f - (f - f0) * laneFactor, f1: f + (f1 - f) * laneFactor });
  }

  // Zooms around the bar that keys are at, or the selected one, which stays where it is; around the middle where that bar
  // is not in view.
  zoomHere(timeFactor, laneFactor) {
    const bar = this.current >= 0 ? this.current : this.selected;
    if (bar < 0) return this.zoom(timeFactor, laneFactor);
    const { t0, t1, f0, f1 } = this.view;
    const share = (low, high, from, to) => (clamped(low, from, to) + clamped(high, from, to) - 2 * from) / (2 * (to - from));
    const { from, to } = barTimes(this.run, bar), [y0, y1] = this.barRows(bar).map(y => y / this.total);
    if (to < t0 || from > t1 || y1 < f0 || y0 > f1) return this.zoom(timeFactor, laneFactor);
    this.zoom(timeFactor, laneFactor, share(from, to, t0, t1), share(y0, y1, f0, f1));
  }

  // Moves by shares of what is in view.
  pan(time, lanes) {
    const { t0, t1, f0, f1 } = this.view;
    const by = (t1 - t0) * time, down = (f1 - f0) * lanes;
    this.setView({ t0: t0 + by, t1: t1 + by, f0: f0 + down, f1: f1 + down });
  }

  home() {
    const [from, to] = this.fullTime();
    this.setView({ t0: from, t1: to, f0: 0, f1: 1 });
  }

  // Brings a bar into view, as near as the view is now.
  reveal(bar) {
    const { run, view, tops } = this;
    const { from, to } = barTimes(run, bar);
    const next = { ...view };
    const span = view.t1 - view.t0;
    if (from < view.t0 || to > view.t1) {
      const middle = to - from > span ? from + span * 0.4 : (from + to) / 2;
      next.t0 = middle - span / 2;
      next.t1 = middle + span / 2;
    }
    const [y0, y1] = this.barRows(bar).map(y => y / this.total);
    const share = view.f1 - view.f0;
    if (y0 < view.f0 || y1 > view.f1) {
      next.f0 = (y0 + y1) / 2 - share / 2;
      next.f1 = next.f0 + share;
    }
    this.setView(next);
  }

  // Where a bar lies in the units of tops.
  barRows(bar) {
    const { run, tops } = this;
    const lane = run.lane[bar];
    const unit = (tops[lane + 1] - tops[lane]) / run.cores[lane];
    const top = tops[lane] + unit * run.row[bar];
    return [top, Math.min(tops[lane + 1], top + unit * run.rows[bar])];
  }

  // ---- Geometry ----

  geometry() {
    const width = this.frame.clientWidth, height = this.frame.clientHeight;
    if (!this.gutterWidth) {
      this.context.font = textFont;
      let widest = 0;
      const lanes = this.run.lanes;
      const step = Math.max(1, Math.floor(lanes.length / 300));
      for (let i = 0; i < lanes.length; i += step) widest = Math.max(widest, this.context.measureText(lanes[i].name.slice(0, 60)).width);
      this.gutterWidth = Math.max(38, Math.ceil(widest) + 12);
    }
    const left = Math.min(this.gutterWidth, Math.max(44, Math.min(180, width * 0.25)));
    return { left, top: rulerHeight, width: Math.max(10, width - left - 1), height: Math.max(10, height - rulerHeight - overviewHeight),
             fullWidth: width, fullHeight: height };
  }

  sizeNow() {
    return this.frame.clientWidth + ' ' + this.frame.clientHeight;
  }

  xOf(time, geometry) {
    return geometry.left + (time - this.view.t0) / (this.view.t1 - this.view.t0) * geometry.width;
  }
  yOf(unit, geometry) {
    return geometry.top + (unit / this.total - this.view.f0) / (this.view.f1 - this.view.f0) * geometry.height;
  }

  // The box of a bar on the canvas: [x0, y0, x1, y1].
  boxOf(bar, geometry) {
    const { from, to } = barTimes(this.run, bar);
    const [y0, y1] = this.barRows(bar);
    return [this.xOf(from, geometry), this.yOf(y0, geometry), this.xOf(to, geometry), this.yOf(y1, geometry)];
  }

  // The bar at a place of the canvas, or -1: hits first, then works, then what belongs to none; the nearest one.
  barAt(x, y) {
    const { run, tops } = this;
    const geometry = this.geometry();
    if (x < geometry.left || y < geometry.top || y > geometry.top + geometry.height) return -1;
    const perPixel = (this.view.t1 - this.view.t0) / geometry.width / run.tick;
    const t = (this.view.t0 - run.from) / run.tick + (x - geometry.left) * perPixel;
    const perRow = (this.view.f1 - this.view.f0) * this.total / geometry.height;
    const unit = this.view.f0 * this.total + (y - geometry.top) * perRow;
    let best = -1, bestScore = -Infinity;
    for (let lane = laneAt(tops, unit - perRow); lane <= laneAt(tops, unit + perRow); ++lane) {
      const scale = run.cores[lane] / (tops[lane + 1] - tops[lane]);
      const row = (unit - tops[lane]) * scale, slack = perRow * scale * 0.75;
      const [from, to] = barsBetween(run, lane, t - 2 * perPixel, t + 2 * perPixel);
      for (let i = from; i < to; ++i) {
        const away = Math.max(0, run.start[i] - t, t - run.end[i]) / perPixel;
        const beside = Math.max(0, run.row[i] - row, row - run.row[i] - run.rows[i]);
        if (away > 2 || beside > slack) continue;
        const score = (this.hits && this.hits[i] ? 100 : 0) + (hasWork(run, i) ? 10 : 0) - away - beside;
        if (score > bestScore) {
          best = i;
          bestScore = score;
        }
      }
    }
    return best;
  }

  // ---- Colours and hits ----

  recolour() {
    const { chart, run } = this;
    this.colours = barColours(run, chart.scheme);
    this.relight();
  }

  relight() {
    let lit = null;
    if (this.hitBars.length) {
      lit = this.hits;
    } else if (this.chart.highlighted !== null) {
      lit = this.colours.map(colour => colour === this.chart.highlighted ? 1 : 0);
    }
    this.classes = barClasses(this.run, this.colours, lit);
  }

  search(test) {
    const { run } = this;
    this.hits = null;
    this.hitBars = [];
    this.hitAt = -1;
    if (test) {
      const hits = new Uint8Array(run.bars);
      const found = test(run);
      const bars = [];
      for (let i = 0; i < run.bars; ++i) {
        if (!found(i)) continue;
        hits[i] = 1;
        bars.push(i);
      }
      this.hits = hits;
      this.hitBars = Int32Array.from(bars).sort((one, other) => run.start[one] - run.start[other] || one - other);
    }
    this.relight();
  }

  goToHit(step) {
    const count = this.hitBars.length;
    if (!count) return this.say(this.hits ? 'no hits' : 'nothing is searched for: type a name in the search box');
    if (this.hitAt < 0) {
      // The first hit in view, or after it.
      const from = (this.view.t0 - this.run.from) / this.run.tick;
      const next = this.hitBars.findIndex(bar => this.run.start[bar] >= from);
      this.hitAt = step > 0 ? Math.max(0, next) : (next < 0 ? count : next) - 1;
      if (this.hitAt < 0) this.hitAt = count - 1;
    } else {
      this.hitAt = (this.hitAt + step + count) % count;
    }
    const bar = this.hitBars[this.hitAt];
    this.reveal(bar);
    this.chart.select(this, bar);
    this.say('hit ' + countText(this.hitAt + 1) + ' of ' + countText(count) + ': ' + this.barText(bar));
  }

  goToBar(bar) {
    this.current = bar;
    this.reveal(bar);
    this.say(this.barText(bar));
  }

  say(text) {
    this.live.textContent = text;
  }

  barText(bar) {
    const { run } = this;
    const { from, to, length } = barTimes(run, bar);
    const words = Object.keys(run.dictionaries).map(name => wordOf(run, name, bar)).filter(word => word);
    return [barName(run, bar) + ' on ' + run.lanes[run.lane[bar]].name, ...words,
            durationText(from, 3) + ' to ' + durationText(to, 3) + ', ' + durationText(length)].join('; ');
  }

  // From bar to bar with keys: step in the lane, or lanes up or down at the same time.
  walk(step, lanes) {
    const { run } = this;
    if (!run.bars) return;
    if (this.current < 0) {
      const geometry = this.geometry();
      return this.goToBar(this.nearest(laneAt(this.tops, (this.view.f0 + this.view.f1) / 2 * this.total), (this.view.t0 + this.view.t1) / 2));
    }
    const lane = run.lane[this.current];
    if (!lanes) {
      const next = this.current + step;
      if (next < run.first[lane] || next >= run.first[lane + 1]) return this.say('the ' + (step < 0 ? 'first' : 'last') + ' bar of ' + run.lanes[lane].name);
      return this.goToBar(next);
    }
    const { from, to } = barTimes(run, this.current);
    const found = this.nearest(lane + lanes, (from + to) / 2, lanes);
    if (found < 0) this.say('no more lanes with bars');
    else this.goToBar(found);
  }

  // The bar of a lane that is nearest to a time; where the lane has none, of the next lanes.
  nearest(lane, time, step = 1) {
    const { run } = this;
    while (lane >= 0 && lane < run.lanes.length && run.first[lane] === run.first[lane + 1]) lane += step;
    if (lane < 0 || lane >= run.lanes.length) return step > 0 && this.current < 0 ? 0 : -1;
    const t = (time - run.from) / run.tick;
    let best = -1, bestAway = Infinity;
    for (let i = run.first[lane]; i < run.first[lane + 1]; ++i) {
      const away = Math.max(0, run.start[i] - t, t - run.end[i]);
      if (away < bestAway) {
        best = i;
        bestAway = away;
      }
    }
    return best;
  }

  // ---- What belongs to a work ----

  // For each work: the bar that stands for it, the last one of that kind, and how good these are.
  mainBars() {
    const { run } = this;
    if (run.mainOf) return run.mainOf;
    const first = new Int32Array(run.names.length).fill(-1), last = first.slice(), ranks = new Uint8Array(run.names.length);
    const kind = run.dictionaries.kind;
    const rankOf = kind ? kind.names.map(name => transferKind.test(name) ? 1 : idleKind.test(name) ? 2 : 3) : [3];
    for (let i = 0; i < run.bars; ++i) {
      const work = run.work[i];
      if (work >= run.names.length) continue;
      const rank = run.lanes[run.lane[i]].kind === 'link' ? 1 : rankOf[kind ? kind.of[i] : 0];
      if (rank > ranks[work]) {
        ranks[work] = rank;
        first[work] = last[work] = i;
      } else if (rank === ranks[work]) {
        if (run.start[i] < run.start[first[work]]) first[work] = i;
        if (run.end[i] > run.end[last[work]]) last[work] = i;
      }
    }
    return run.mainOf = { first, last };
  }

  workNamed(name) {
    const { run } = this;
    if (!run.workOf) {
      run.workOf = new Map();
      run.names.forEach((name, i) => { if (!run.workOf.has(name)) run.workOf.set(name, i); });
    }
    return run.workOf.get(name);
  }

  select(bar) {
    const { run } = this;
    this.selected = bar;
    this.related = null;
    if (bar < 0 || !hasWork(run, bar)) return;
    const work = run.work[bar], { first, last } = this.mainBars();
    const related = this.related = { own: [], transfers: [], parents: [], children: [] };
    for (let i = 0; i < run.bars; ++i) {
      if (run.work[i] !== work) continue;
      related.own.push(i);
      if (run.lanes[run.lane[i]].kind === 'link' || transferKind.test(wordOf(run, 'kind', i) || '')) related.transfers.push(i);
    }
    for (let e = 0; e < run.parents.length; ++e) {
      if (run.children[e] === work) related.parents.push(run.parents[e]);
      if (run.parents[e] === work) related.children.push(run.children[e]);
    }
    related.first = first[work];
    related.last = last[work];
  }

  // ---- Painting ----

  paint() {
    const { context, run, view, chart } = this;
    const geometry = this.geometry();
    if (geometry.fullWidth < 20 || !this.classes) return;
    const ratio = devicePixelRatio || 1;
    this.painted = this.sizeNow();
    const width = Math.round(geometry.fullWidth * ratio), height = Math.round(geometry.fullHeight * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const palette = chart.palette;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colourText(palette.paper);
    context.fillRect(0, 0, geometry.fullWidth, geometry.fullHeight);
    this.paintBack(geometry, palette);
    context.save();
    context.beginPath();
    context.rect(geometry.left, geometry.top, geometry.width, geometry.height);
    context.clip();
    const way = paintBars(context, run, this.tops, {
      left: geometry.left, top: geometry.top, width: geometry.width, height: geometry.height, ratio,
      t0: (view.t0 - run.from) / run.tick, t1: (view.t1 - run.from) / run.tick,
      y0: view.f0 * this.total, y1: view.f1 * this.total,
    }, { classes: this.classes, palette, hits: this.hitBars.length ? this.hits : null });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintMarks(geometry, palette);
    context.restore();
    this.paintLanes(geometry, palette);
    this.paintRuler(geometry, palette);
    this.paintOverview(geometry, palette);
    if (this.box) {
      const [x0, y0, x1, y1] = this.box;
      context.fillStyle = colourText(palette.accent, 0.2);
      context.strokeStyle = colourText(palette.accent);
      context.fillRect(x0, y0, x1 - x0, y1 - y0);
      context.strokeRect(x0, y0, x1 - x0, y1 - y0);
    }
    // Tests read what is seen from here.
    Object.assign(this.root.dataset, { from: view.t0, to: view.t1, top: view.f0, bottom: view.f1, way,
      hits: this.hits ? this.hitBars.length : '', current: this.current, selected: this.selected });
  }

  paintBack(geometry, palette) {
    const { context, tops, view } = this;
    const first = laneAt(tops, view.f0 * this.total), last = laneAt(tops, view.f1 * this.total - 1e-9);
    if (geometry.height / Math.max(1, last - first + 1) < 5) return;
    context.fillStyle = colourText(palette.stripe);
    for (let lane = first; lane <= last; ++lane) {
      if (lane % 2) continue;
      const y0 = Math.max(geometry.top, this.yOf(tops[lane], geometry));
      const y1 = Math.min(geometry.top + geometry.height, this.yOf(tops[lane + 1], geometry));
      context.fillRect(geometry.left, y0, geometry.width, y1 - y0);
    }
  }

  ticks(geometry) {
    const { t0, t1 } = this.view;
    const step = rulerStep((t1 - t0) / Math.max(2, geometry.width / 95));
    const first = Math.ceil(t0 / step - 1e-9);
    // Far from the beginning, labels tell the time since a round one.
    const round = [60, 3600, 86400].find(size => step < size && size >= step * 5);
    const base = round && t0 >= round ? Math.floor(t0 / round) * round : 0;
    const found = [];
    for (let i = first; i * step <= t1 && found.length < 100; ++i) {
      const time = exactNumber(i * step);
      const since = exactNumber(time - base);
      found.push([time, base ? '+' + durationText(since, 3) : durationText(time, 3)]);
    }
    return { found, base };
  }

  paintRuler(geometry, palette) {
    const { context, view } = this;
    context.fillStyle = colourText(palette.paper);
    context.fillRect(0, 0, geometry.fullWidth, geometry.top);
    context.font = textFont;
    context.textBaseline = 'alphabetic';
    context.textAlign = 'left';
    const { found, base } = this.ticks(geometry);
    context.fillStyle = colourText(palette.muted);
    const inView = durationText(Number((view.t1 - view.t0).toPrecision(3))) + ' in view';
    context.fillText((base ? 'from ' + durationText(base, 4) + ': ' : '') + inView, geometry.left + 4, 12);
    context.strokeStyle = colourText(palette.line);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(geometry.left, geometry.top - 0.5);
    context.lineTo(geometry.fullWidth, geometry.top - 0.5);
    let free = -Infinity;
    for (const [time, text] of found) {
      const x = Math.round(this.xOf(time, geometry)) + 0.5;
      context.moveTo(x, geometry.top - 6);
      context.lineTo(x, geometry.top);
      const wide = context.measureText(text).width;
      const at = clamped(x - wide / 2, geometry.left, geometry.fullWidth - wide - 2);
      if (at < free) continue;
      context.fillText(text, at, geometry.top - 9);
      free = at + wide + 10;
    }
    context.stroke();
  }

  paintLanes(geometry, palette) {
    const { context, run, tops, view } = this;
    context.fillStyle = colourText(palette.paper);
    context.fillRect(0, geometry.top, geometry.left, geometry.height);
    context.fillRect(0, geometry.top + geometry.height, geometry.fullWidth, overviewHeight);
    context.save();
    context.beginPath();
    context.rect(0, geometry.top, geometry.left, geometry.height);
    context.clip();
    context.font = textFont;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    context.fillStyle = colourText(palette.ink);
    const first = laneAt(tops, view.f0 * this.total), last = laneAt(tops, view.f1 * this.total - 1e-9);
    let free = -Infinity;
    for (let lane = first; lane <= last; ++lane) {
      const y0 = Math.max(geometry.top, this.yOf(tops[lane], geometry));
      const y1 = Math.min(geometry.top + geometry.height, this.yOf(tops[lane + 1], geometry));
      const y = y1 - y0 < 12 ? clamped((y0 + y1) / 2, geometry.top + 6, geometry.top + geometry.height - 6) : (y0 + y1) / 2;
      if (y - 6 < free) continue;
      context.fillText(fitted(context, run.lanes[lane].name, geometry.left - 10) || '…', geometry.left - 6, y);
      free = y + 8;
    }
    context.restore();
    context.strokeStyle = colourText(palette.line);
    context.lineWidth = 1;
    context.strokeRect(geometry.left - 0.5, geometry.top - 0.5, geometry.width + 1, geometry.height + 1);
  }

  // Hosts at work over the whole time, and which part is in view.
  paintOverview(geometry, palette) {
    const { context, run, view } = this;
    const [from, to] = this.fullTime();
    const top = geometry.top + geometry.height + 6, height = overviewHeight - 8;
    const x = time => geometry.left + (time - from) / (to - from || 1) * geometry.width;
    context.fillStyle = colourText(palette.stripe);
    context.fillRect(geometry.left, top, geometry.width, height);
    context.fillStyle = colourText(palette.muted, 0.55);
    const left = x(run.from), wide = (x(run.to) - left) / run.busy.length;
    context.beginPath();
    context.moveTo(left, top + height);
    run.busy.forEach((share, bin) => {
      const y = top + height - Math.min(1, share / Math.max(run.busiest, 1e-9)) * (height - 2);
      context.lineTo(left + bin * wide, y);
      context.lineTo(left + (bin + 1) * wide, y);
    });
    context.lineTo(x(run.to), top + height);
    context.fill();
    const a = x(view.t0), b = Math.max(a + 2, x(view.t1));
    context.strokeStyle = colourText(palette.accent);
    context.lineWidth = 2;
    context.strokeRect(a + 1, top + 1, Math.max(1, b - a - 2), height - 2);
    context.font = textFont;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillStyle = colourText(palette.muted);
    context.fillText('busy', geometry.left - 6, top + height / 2);
    // Where the lanes in view are among all.
    if (view.f1 - view.f0 < 1) {
      context.fillStyle = colourText(palette.accent);
      context.fillRect(geometry.fullWidth - 4, geometry.top + view.f0 * geometry.height, 4, Math.max(3, (view.f1 - view.f0) * geometry.height));
    }
  }

  // The moment of parting, the selected work and its relatives, the current bar.
  paintMarks(geometry, palette) {
    const { context, chart, run } = this;
    const parting = chart.partingSeen();
    if (parting !== null) {
      const x = Math.round(this.xOf(parting, geometry)) + 0.5;
      if (x >= geometry.left && x <= geometry.left + geometry.width) {
        context.strokeStyle = colourText(palette.ink);
        context.lineWidth = 1.5;
        context.setLineDash([6, 3]);
        context.beginPath();
        context.moveTo(x, geometry.top);
        context.lineTo(x, geometry.top + geometry.height);
        context.stroke();
        context.setLineDash([]);
        context.font = textFont;
        const text = 'they part', wide = context.measureText(text).width;
        const at = x + wide + 10 > geometry.left + geometry.width ? x - wide - 6 : x + 4;
        context.fillStyle = colourText(palette.paper, 0.85);
        context.fillRect(at - 2, geometry.top + 2, wide + 4, 14);
        context.fillStyle = colourText(palette.ink);
        context.textAlign = 'left';
        context.textBaseline = 'top';
        context.fillText(text, at, geometry.top + 4);
      }
    }
    if (this.related) {
      const { own, transfers, parents, children, first, last } = this.related;
      const mains = this.mainBars();
      const limit = 400;
      if (first >= 0) {
        for (const work of parents.slice(0, limit)) this.paintLink(mains.last[work], first, geometry, palette, false);
        for (const work of children.slice(0, limit)) this.paintLink(last, mains.first[work], geometry, palette, false);
        for (const bar of transfers.slice(0, limit)) {
          if (bar === first) continue;
          if (run.end[bar] <= run.start[last] || run.start[bar] < run.start[first]) this.paintLink(bar, first, geometry, palette, true);
          else this.paintLink(last, bar, geometry, palette, true);
        }
      }
      for (const bar of own.slice(0, 2000)) this.paintFrame(bar, geometry, colourText(palette.accent), 2, palette);
    } else if (this.selected >= 0) {
      this.paintFrame(this.selected, geometry, colourText(palette.accent), 2, palette);
    }
    if (this.current >= 0) this.paintFrame(this.current, geometry, colourText(palette.ink), 2, palette);
  }

  paintFrame(bar, geometry, colour, width, palette) {
    const { context } = this;
    const [x0, y0, x1, y1] = this.boxOf(bar, geometry);
    const right = geometry.left + geometry.width, below = geometry.top + geometry.height;
    if (x1 < geometry.left || x0 > right || y1 < geometry.top || y0 > below) return;
    const left = clamped(x0 - 1, geometry.left + 1, right - 5), top = clamped(y0 - 1, geometry.top + 1, below - 5);
    const box = [left, top, clamped(x1 + 1 - left, 4, right - 1 - left), clamped(y1 + 1 - top, 4, below - 1 - top)];
    context.lineWidth = width + 2;
    context.strokeStyle = colourText(palette.paper, 0.8);
    context.strokeRect(...box);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.strokeRect(...box);
  }

  // A line from the end of one bar to the start of another.
  paintLink(from, to, geometry, palette, dashed) {
    if (from < 0 || to < 0 || from === undefined || to === undefined) return;
    const { context } = this;
    const [, a0, x0, a1] = this.boxOf(from, geometry), [x1, b0, , b1] = this.boxOf(to, geometry);
    const far = 4 * geometry.width;
    const left = clamped(x0, -far, far), right = clamped(x1, -far, far), bend = clamped(Math.abs(right - left) / 2, 14, 120);
    const ya = (a0 + a1) / 2, yb = (b0 + b1) / 2;
    for (const [width, colour] of [[4, colourText(palette.paper, 0.75)], [1.6, colourText(palette.accent)]]) {
      context.lineWidth = width;
      context.strokeStyle = context.fillStyle = colour;
      context.setLineDash(dashed ? [5, 3] : []);
      context.beginPath();
      context.moveTo(left, ya);
      context.bezierCurveTo(left + bend, ya, right - bend, yb, right - 4, yb);
      context.stroke();
    }
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(right, yb);
    context.lineTo(right - 7, yb - 4);
    context.lineTo(right - 7, yb + 4);
    context.fill();
  }

  // ---- Pointer and keys ----

  listen() {
    const { canvas, chart, pointers } = this;
    let moved = 0, drag = null, spread = 0;
    const placeOf = event => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const shares = (x, y) => {
      const geometry = this.geometry();
      return [clamped((x - geometry.left) / geometry.width, 0, 1), clamped((y - geometry.top) / geometry.height, 0, 1)];
    };
    const toOverview = x => {
      const [from, to] = this.fullTime(), geometry = this.geometry();
      const middle = from + (to - from) * (x - geometry.left) / geometry.width, span = this.view.t1 - this.view.t0;
      this.setView({ ...this.view, t0: middle - span / 2, t1: middle + span / 2 });
    };
    canvas.addEventListener('focus', () => { chart.active = this; });
    canvas.addEventListener('pointerdown', event => {
      if (event.button > 0) return;
      chart.active = this;
      const [x, y] = placeOf(event);
      pointers.set(event.pointerId, [x, y]);
      canvas.setPointerCapture(event.pointerId);
      moved = pointers.size > 1 ? 100 : 0;
      const geometry = this.geometry();
      drag = pointers.size > 1 ? 'pinch' : y > geometry.top + geometry.height ? 'overview' : event.shiftKey ? 'box' : 'pan';
      if (drag === 'box') this.box = [x, y, x, y];
      if (drag === 'overview') toOverview(x);
      spread = 0;
      hideTooltip();
    });
    canvas.addEventListener('pointermove', event => {
      const [x, y] = placeOf(event);
      const before = pointers.get(event.pointerId);
      if (!before) return this.hover(x, y, event);
      pointers.set(event.pointerId, [x, y]);
      moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
      const geometry = this.geometry();
      if (drag === 'pinch' && pointers.size > 1) {
        const [one, other] = [...pointers.values()];
        const now = Math.hypot(one[0] - other[0], one[1] - other[1]);
        if (spread && now > 5) this.zoom(spread / now, 1, ...shares((one[0] + other[0]) / 2, (one[1] + other[1]) / 2));
        spread = now;
      } else if (drag === 'overview') {
        toOverview(x);
      } else if (drag === 'box') {
        this.box = [this.box[0], this.box[1], x, y];
        chart.repaint();
      } else if (drag === 'pan' && moved > 3) {
        this.pan((before[0] - x) / geometry.width, (before[1] - y) / geometry.height);
      }
    });
    const released = event => {
      if (!pointers.delete(event.pointerId)) return;
      const [x, y] = placeOf(event);
      if (drag === 'box' && this.box) {
        const [x0, y0] = this.box;
        this.box = null;
        const [a, c] = shares(Math.min(x0, x), Math.min(y0, y)), [b, d] = shares(Math.max(x0, x), Math.max(y0, y));
        const { t0, t1, f0, f1 } = this.view;
        const tall = Math.abs(y - y0) > 12;  // a flat box is one of time
        if (Math.abs(x - x0) > 5) {
          this.setView({ t0: t0 + (t1 - t0) * a, t1: t0 + (t1 - t0) * b,
                         f0: tall ? f0 + (f1 - f0) * c : f0, f1: tall ? f0 + (f1 - f0) * d : f1 });
        } else chart.repaint();
      } else if (drag === 'pan' && moved <= 3 && event.type === 'pointerup') {
        const bar = this.barAt(x, y);
        chart.select(this, bar);
      }
      if (!pointers.size) drag = null;
    };
    canvas.addEventListener('pointerup', released);
    canvas.addEventListener('pointercancel', released);
    canvas.addEventListener('pointerleave', hideTooltip);
    canvas.addEventListener('dblclick', event => this.zoom(event.shiftKey ? 2 : 0.5, 1, ...shares(...placeOf(event))));
    canvas.addEventListener('wheel', event => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;  // the page scrolls
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1;
      if (!event.shiftKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        return this.pan(event.deltaX * unit / this.geometry().width, 0);
      }
      const factor = Math.exp(clamped((event.deltaY || event.deltaX) * unit, -300, 300) * (event.ctrlKey ? 0.006 : 0.0025));
      const at = shares(...placeOf(event));
      if (event.shiftKey) this.zoom(1, factor, ...at);
      else this.zoom(factor, 1, ...at);
    }, { passive: false });
    canvas.addEventListener('keydown', event => this.key(event));
  }

  hover(x, y, event) {
    const geometry = this.geometry();
    const { run } = this;
    if (x < geometry.left && y > geometry.top && y < geometry.top + geometry.height) {
      const at = laneAt(this.tops, (this.view.f0 + (this.view.f1 - this.view.f0) * (y - geometry.top) / geometry.height) * this.total);
      const lane = run.lanes[at];
      return showTooltip(lane.name + '\n' + [lane.kind, lane.cores > 1 ? countText(lane.cores) + ' rows' : ''].filter(Boolean).join(', '), event.clientX, event.clientY);
    }
    const bar = this.barAt(x, y);
    if (bar < 0) return hideTooltip();
    const { from, to, length, wait } = barTimes(run, bar);
    const lines = [barName(run, bar), 'on ' + run.lanes[run.lane[bar]].name + (run.rows[bar] > 1 ? ', ' + countText(run.rows[bar]) + ' rows' : '')];
    for (const name in run.dictionaries) if (wordOf(run, name, bar)) lines.push(name + ': ' + wordOf(run, name, bar));
    lines.push(durationText(from, 3) + ' to ' + durationText(to, 3) + ' (' + durationText(length) + ')');
    if (wait !== null) lines.push('waited ' + durationText(wait));
    showTooltip(lines.join('\n'), event.clientX, event.clientY);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = event.shiftKey ? 0.5 : 0.1;
    const actions = {
      ArrowLeft: () => this.pan(-step, 0), ArrowRight: () => this.pan(step, 0),
      ArrowUp: () => this.pan(0, -step), ArrowDown: () => this.pan(0, step),
      PageUp: () => this.pan(0, -0.9), PageDown: () => this.pan(0, 0.9),
      '+': () => this.zoomHere(0.7, 1), '=': () => this.zoomHere(0.7, 1),
      '-': () => this.zoomHere(1 / 0.7, 1), _: () => this.zoomHere(1 / 0.7, 1),
      ']': () => this.zoomHere(1, 0.7), '[': () => this.zoomHere(1, 1 / 0.7),
      Home: () => this.home(), 0: () => this.home(),
      n: () => this.goToHit(1), p: () => this.goToHit(-1),
      h: () => this.walk(-1, 0), l: () => this.walk(1, 0), j: () => this.walk(0, 1), k: () => this.walk(0, -1),
      Enter: () => {
        if (this.current < 0) this.walk(0, 0);
        if (this.current >= 0) this.chart.select(this, this.current);
      },
      Escape: () => {
        this.current = -1;
        this.chart.select(this, -1);
      },
      '/': () => this.chart.searchBox.focus(),
      g: () => this.chart.goToParting(),
    };
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
