// The interactive Gantt chart of one or two runs: controls, legend, search, views locked together, details, and the table
// of the same bars.

const pageCharts = [];

const chartKeys = [
  ['drag, arrow keys', 'move (with Shift, arrow keys move further)'],
  ['Ctrl + wheel, or wheel after a click, pinch, + and -', 'zoom time; keys and buttons zoom around the bar that you are at'],
  ['Shift + wheel, ] and [', 'make lanes higher and lower'],
  ['Shift + drag', 'zoom into a box'],
  ['double click', 'zoom in (with Shift: out)'],
  ['Home', 'show everything'],
  ['click', 'details of a bar, its dependencies and transfers'],
  ['h and l, j and k', 'go to the bar before and after, to the lane below and above'],
  ['Enter, Esc', 'details of the bar that keys are at; none'],
  ['/ , n and p', 'search; next and previous hit'],
  ['g', 'go to where the runs part'],
  ['Page Up, Page Down', 'a page of lanes up and down'],
];

class Chart {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.place = figure.querySelector('.chart-place') || figure.appendChild(element('div', { class: 'chart-place' }));
    this.decoded = [];
    this.shown = data.runs.length > 1 ? [0, 1] : [0];
    this.panes = [];
    this.active = null;
    this.locked = true;
    this.highlighted = null;
    this.pending = false;
    this.palette = canvasColours();
  }

  async start() {
    await this.decode();
    this.equalLanes = this.panesUnequal();
    this.build();
    this.showRuns();
    themeListeners.push(atOnce => {
      this.palette = canvasColours();
      this.showLegend();
      if (atOnce) this.paint();
      else this.repaint();
    });
    addEventListener('resize', () => this.repaint());
  }

  async decode() {
    await Promise.all(this.shown.map(async at => {
      if (!this.decoded[at]) this.decoded[at] = await decodedRun(this.data.runs[at]);
    }));
  }

  // Lanes are equally high where rows of small ones would vanish beside those of large ones.
  panesUnequal() {
    return this.shown.some(at => {
      const cores = this.decoded[at].cores;
      return cores.reduce((one, other) => Math.max(one, other), 1) > 64 * cores.reduce((one, other) => Math.min(one, other), Infinity);
    });
  }

  // ---- Controls ----

  build() {
    const { data } = this;
    const several = data.runs.length > 1;
    const runSelect = at => element('select', { 'aria-label': at ? 'second run' : 'first run', change: event => this.chooseRun(at, Number(event.target.value)) },
      at ? element('option', { value: '-1' }, '(none)') : null,
      ...data.runs.map((run, i) => element('option', { value: String(i) }, run.title)));
    this.runSelects = several ? [runSelect(0), runSelect(1)] : [];
    this.colourSelect = element('select', { change: () => { this.highlighted = null; this.recolour(); } });
    this.searchBox = element('input', { type: 'search', spellcheck: 'false', placeholder: 'name, or user:ann, host:new.1',
      title: 'part of a name; or part of a word after host:, user:, state: and so on',
      input: () => this.search(), keydown: event => {
        if (event.key === 'Enter') {
          event.preventDefault();
          this.goToHit(event.shiftKey ? -1 : 1);
        } else if (event.key === 'Escape' && this.active) this.active.canvas.focus();
      } });
    this.hitCount = element('span', { class: 'count', role: 'status', 'aria-live': 'polite' });
    const lock = element('input', { type: 'checkbox', checked: true, change: event => {
      this.locked = event.target.checked;
      if (this.locked) this.viewChanged(this.activePane());
      else this.panes.forEach(pane => pane.setView(pane.view));
      this.repaint();
    } });
    this.lockLabel = element('label', {}, lock, ' views locked together');
    const equal = element('input', { type: 'checkbox', checked: this.equalLanes, change: event => {
      this.equalLanes = event.target.checked;
      this.repaint();
    } });
    const unequalCores = data.runs.some(run => run.lanes.some(lane => lane.cores !== run.lanes[0].cores));
    const zoom = (text, label, action) => button(text, () => action(this.activePane()), { 'aria-label': label, title: label });
    this.colourLabel = labelled('colours by', this.colourSelect);
    this.legend = element('div', { class: 'legend', role: 'group', 'aria-label': 'colours' });
    this.parting = element('div', { class: 'parting' });
    this.paneRow = element('div', { class: 'panes' });
    this.details = element('div', { class: 'details', 'aria-label': 'details', role: 'region' });
    this.notes = element('div', { class: 'notes' });
    this.behind = element('div', { class: 'behind' });
    this.place.replaceChildren(
      element('div', { class: 'tools' },
        several && labelled('runs', this.runSelects[0]), several && labelled('and', this.runSelects[1]),
        this.colourLabel,
        element('span', { class: 'search' }, labelled('search', this.searchBox),
          button('‹', () => this.goToHit(-1), { 'aria-label': 'previous hit', title: 'previous hit (p)' }),
          button('›', () => this.goToHit(1), { 'aria-label': 'next hit', title: 'next hit (n)' }), this.hitCount),
        element('span', { class: 'zooms' }, zoom('+', 'zoom in', pane => pane.zoomHere(0.6, 1)), zoom('−', 'zoom out', pane => pane.zoomHere(1 / 0.6, 1)),
          zoom('taller', 'make lanes higher', pane => pane.zoomHere(1, 0.6)), zoom('lower', 'make lanes lower', pane => pane.zoomHere(1, 1 / 0.6)),
          zoom('all', 'show everything', pane => pane.home())),
        several && this.lockLabel,
        unequalCores && element('label', {}, equal, ' lanes equally high')),
      this.legend, this.parting, this.paneRow, this.details, this.notes,
      element('details', { class: 'help' }, element('summary', {}, 'keys and mouse'),
        element('table', {}, element('tbody', {}, ...chartKeys.map(([key, does]) => element('tr', {}, element('th', { scope: 'row' }, key), element('td', {}, does)))))),
      this.behind);
  }

  async chooseRun(at, run) {
    if (at && run < 0) this.shown = this.shown.slice(0, 1);
    else this.shown[at] = run;
    try {
      await this.decode();
      this.showRuns();
    } catch (error) {
      this.paneRow.replaceChildren(element('p', { class: 'failed' }, 'This run cannot be drawn: ' + error.message + '.'));
    }
  }

  showRuns() {
    const view = this.panes.length && this.locked ? this.panes[0].view : null;
    this.panes.forEach(pane => pane.resized.disconnect());
    this.panes = this.shown.map(at => new Pane(this, this.decoded[at]));
    this.panes[0].heading.hidden = this.decoded.length === 1;  // the caption says it
    this.active = this.panes[0];
    this.figure.dataset.runs = this.shown.join(' ');
    this.runSelects.forEach((select, i) => { select.value = String(this.shown[i] === undefined ? -1 : this.shown[i]); });
    this.lockLabel.hidden = this.panes.length < 2;
    this.paneRow.replaceChildren(...this.panes.map(pane => pane.root));
    this.paneRow.classList.toggle('two', this.panes.length > 1);
    this.panes.forEach(pane => {
      pane.shape();
      pane.describe();
      const [from, to] = this.fullTime(pane);
      pane.view = view ? { ...view } : { t0: from, t1: to, f0: 0, f1: 1 };
    });
    const height = Math.max(...this.panes.map(pane => pane.frame.clientHeight));
    this.panes.forEach(pane => { pane.frame.style.height = height + 'px'; });
    const names = colourings(this.panes.map(pane => pane.run));
    const chosen = this.colourSelect.value;
    this.colourSelect.replaceChildren(...names.map(name => element('option', { value: name }, name)));
    if (names.includes(chosen)) this.colourSelect.value = chosen;
    this.colourLabel.hidden = names.length < 2;
    this.highlighted = null;
    this.showParting();
    this.showNotes();
    this.showTables();
    this.showDetails();
    this.recolour();
    this.search();
    this.paint();
  }

  activePane() {
    return this.panes.includes(this.active) ? this.active : this.panes[0];
  }

  // ---- Views ----

  // All time that a pane can show: that of both runs where views are locked together.
  fullTime(pane) {
    const runs = this.locked ? this.panes.map(each => each.run) : [pane.run];
    return [Math.min(...runs.map(run => run.from)), Math.max(...runs.map(run => run.to))];
  }

  viewChanged(changed) {
    if (!this.locked) return;
    for (const pane of this.panes) if (pane !== changed) pane.setView(changed.view, true);
  }

  repaint() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { if (this.pending) this.paint(); });
  }

  paint() {
    this.pending = false;
    for (const pane of this.panes) pane.paint();
  }

  // ---- Colours ----

  recolour() {
    const runs = this.panes.map(pane => pane.run);
    this.scheme = colouring(runs, this.colourSelect.value || 'work');
    this.figure.dataset.colour = this.colourSelect.value;
    this.panes.forEach(pane => pane.recolour());
    this.showLegend();
    this.repaint();
  }

  showLegend() {
    const hatched = this.panes.some(pane => pane.run.hatched.includes(1));
    this.legend.replaceChildren(...this.scheme.entries.map(entry => {
      const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = colourText(this.palette.bars[entry.colour]);
      return element('button', { type: 'button', 'aria-pressed': String(this.highlighted === entry.colour),
        title: 'share of the time of all bars' + (entry.shares.length > 1 ? ', in each run' : '') + '; click to highlight',
        click: () => this.highlight(entry.colour) },
      swatch, element('bdi', {}, entry.name), ' ', element('span', { class: 'share' }, entry.shares.map(percentText).join(' · ')));
    }), ...(hatched ? [element('span', { class: 'hatchkey' }, element('span', { class: 'swatch hatch', 'aria-hidden': 'true' }), 'hatched: ' + this.hatchedWords())] : []));
  }

  // Words for what is hatched: states of which all bars are, and kinds of the other hatched bars.
  hatchedWords() {
    const words = new Set();
    for (const { run } of this.panes) {
      const told = new Uint8Array(run.bars);
      for (const name of ['state', 'kind']) {
        const found = run.dictionaries[name];
        if (!found) continue;
        const plain = new Set();
        for (let i = 0; i < run.bars; ++i) if (!run.hatched[i]) plain.add(found.of[i]);
        for (let i = 0; i < run.bars; ++i) {
          if (!run.hatched[i] || told[i] || plain.has(found.of[i])) continue;
          told[i] = 1;
          words.add(found.names[found.of[i]]);
        }
      }
    }
    return [...words].join(', ') || 'not done';
  }

  highlight(colour) {
    this.highlighted = this.highlighted === colour ? null : colour;
    this.panes.forEach(pane => pane.relight());
    this.showLegend();
    this.repaint();
  }

  // ---- Search ----

  // The search as a function of a run that gives a function of a bar: part of a name, or dictionary:part.
  searched() {
    const text = this.searchBox.value.trim().toLowerCase();
    if (!text) return null;
    const colon = text.indexOf(':');
    const place = colon > 0 ? text.slice(0, colon) : '', wanted = text.slice(colon + 1).trim();
    return run => {
      if (['host', 'lane', 'link'].includes(place)) {
        const lanes = run.lanes.map(lane => lane.name.toLowerCase().includes(wanted));
        return bar => lanes[run.lane[bar]];
      }
      const found = run.dictionaries[place];
      if (found) {
        const words = found.names.map(name => name.toLowerCase().includes(wanted));
        return bar => words[found.of[bar]];
      }
      run.lowered = run.lowered || run.names.map(name => name.toLowerCase());
      const works = Uint8Array.from(run.lowered, name => name.includes(text) ? 1 : 0);
      return bar => works[run.work[bar]] === 1;
    };
  }

  search() {
    const test = this.searched();
    this.panes.forEach(pane => pane.search(test));
    this.hitCount.textContent = test ? this.panes.map(pane => countText(pane.hitBars.length)).join(' and ') +
      (this.panes.length === 1 && this.panes[0].hitBars.length === 1 ? ' hit' : ' hits') : '';
    this.repaint();
  }

  goToHit(step) {
    let pane = this.activePane();
    if (!pane.hitBars.length) pane = this.panes.find(each => each.hitBars.length) || pane;
    pane.goToHit(step);
  }

  // ---- Where two runs part ----

  partingSeen() {
    return this.panes.length === 2 && this.shown[0] + this.shown[1] === 1 && this.data.parting != null ? this.data.parting : null;
  }

  // A sentence where two runs are seen of which the page does not know it: it is told of the first two alone.
  partingUntold() {
    const [one, other] = this.shown;
    if (this.shown.length < 2 || one === other || one + other === 1) return '';
    const [first, second] = this.data.runs;
    return 'Where these two part is not in the page. It is for the first two runs: ' + first.title + ' and ' + second.title + '.';
  }

  showParting() {
    const at = this.partingSeen();
    const told = this.shown.length === 2 && this.shown[0] + this.shown[1] === 1 && this.data.parting_text;
    const untold = this.partingUntold();
    this.parting.hidden = at === null && !told && !untold;
    this.parting.replaceChildren(
      ...(untold ? [element('p', {}, untold)] : []),
      ...(at !== null ? [element('p', {}, 'These runs part at ' + timeText(at) + '. ', button('go to where they part', () => this.goToParting()))] : []),
      ...(told ? [element('pre', {}, told)] : []));
  }

  goToParting() {
    const at = this.partingSeen();
    if (at === null) return this.activePane().say(this.partingUntold() || 'there is no moment where two runs part');
    const pane = this.activePane();
    const [from, to] = this.fullTime(pane);
    const span = Math.min(pane.view.t1 - pane.view.t0, (to - from) / 20);
    const other = this.panes.find(each => each !== pane);
    pane.setView({ ...pane.view, t0: at - span / 2, t1: at + span / 2 });
    if (!this.locked) other.setView({ ...other.view, t0: at - span / 2, t1: at + span / 2 });
    pane.say('the runs part at ' + timeText(at));
  }

  // ---- Details ----

  // Selects a bar, and the work of the same name in the other run.
  select(pane, bar) {
    pane.select(bar);
    pane.current = bar >= 0 ? bar : -1;
    for (const other of this.panes) {
      if (other === pane) continue;
      const work = bar >= 0 && hasWork(pane.run, bar) ? other.workNamed(barName(pane.run, bar)) : undefined;
      other.current = -1;
      other.select(work === undefined ? -1 : other.mainBars().first[work]);
    }
    if (bar >= 0) pane.say(pane.barText(bar));
    this.showDetails();
    this.repaint();
  }

  showDetails() {
    const chosen = this.panes.filter(pane => pane.selected >= 0);
    const any = chosen.length > 0;
    this.details.replaceChildren(...(any ? this.panes.map(pane => this.detailsOf(pane)) : [
      element('p', { class: 'hint' }, 'Click a bar, or press Enter, to read about it here.')]));
    this.details.classList.toggle('two', any && this.panes.length > 1);
  }

  detailsOf(pane) {
    const { run, selected: bar, related } = pane;
    const title = this.panes.length > 1 ? element('h5', {}, element('bdi', {}, run.title)) : null;
    if (bar < 0) return element('div', {}, title, element('p', {}, 'No such work in this run.'));
    const facts = element('dl', { class: 'facts' });
    const fact = (name, ...values) => facts.append(element('dt', {}, name), element('dd', {}, ...values));
    const { from, to, length, wait } = barTimes(run, bar);
    const worked = hasWork(run, bar);
    fact(worked ? 'name' : 'what', element('bdi', {}, barName(run, bar)));
    fact(run.lanes[run.lane[bar]].kind || 'host', element('bdi', {}, run.lanes[run.lane[bar]].name));
    if (run.rows[bar] > 1 || run.cores[run.lane[bar]] > 1) fact('rows', countText(run.rows[bar]) + ' of ' + countText(run.cores[run.lane[bar]]));
    for (const name in run.dictionaries) if (wordOf(run, name, bar)) fact(name, element('bdi', {}, wordOf(run, name, bar)));
    let firstStart = from;
    if (related) for (const one of related.own) firstStart = Math.min(firstStart, barTimes(run, one).from);
    const main = related && related.first >= 0 ? barTimes(run, related.first).from : firstStart;
    if (wait !== null) fact('submitted', timeText(exactNumber(main - wait)));
    fact('started', timeText(from));
    fact('ended', timeText(to));
    fact('took', timeText(length));
    if (wait !== null) fact('waited', timeText(wait));
    if (related && related.own.length > 1) {
      fact('bars of this work', ...this.listOf(related.own.filter(one => one !== bar), pane, one =>
        [wordOf(run, 'kind', one), 'on ' + run.lanes[run.lane[one]].name + ' at ' + durationText(barTimes(run, one).from, 3)].filter(Boolean).join(' '), one => one));
    }
    const mains = related ? pane.mainBars() : null;
    const relatives = works => this.listOf(works, pane, work => run.names[work], work => mains.first[work]);
    if (related && related.parents.length) fact('needs', ...relatives(related.parents));
    if (related && related.children.length) fact('needed by', ...relatives(related.children));
    const why = worked ? run.whys.get(run.work[bar]) : undefined;
    const ask = worked ? 'r:why(' + JSON.stringify(barName(run, bar)) + ')' : '';
    return element('div', {}, title, facts, why !== undefined ? element('pre', { class: 'why' }, why) :
      worked ? element('p', { class: 'why' }, (run.whyText ? run.whyText.replace(/[.\s]*$/, '. ') : '') + 'Ask why it started then: ', element('code', {}, ask)) : null);
  }

  // Buttons that lead to bars, 12 at most.
  listOf(items, pane, name, barOf) {
    const most = 12;
    const made = items.slice(0, most).map(item => {
      const bar = barOf(item);
      if (bar === undefined || bar < 0) return element('span', {}, element('bdi', {}, name(item)), ' ');
      return button(name(item), () => {
        pane.reveal(bar);
        this.select(pane, bar);
      }, { class: 'link' });
    });
    if (items.length > most) made.push(' and ' + countText(items.length - most) + ' more');
    return made;
  }

  // ---- Sentences and tables ----

  showNotes() {
    const sentences = ['Bars narrower than a pixel are drawn together: each pixel shows the colour that has most time in it, paler where part of it is empty; search hits are always drawn.'];
    for (const { run } of this.panes) {
      const of = this.panes.length > 1 ? run.title + ': ' : '';
      if (run.leftOut > 0) sentences.push(of + (run.leftOutText || countText(run.leftOut) + ' bars are not in this page.'));
    }
    for (const { run } of this.panes) {
      if (run.edgesLeftOut > 0) sentences.push((this.panes.length > 1 ? run.title + ': ' : '') + countText(run.edgesLeftOut) + ' dependencies are not in this page.');
    }
    const steps = [...new Set(this.panes.map(pane => durationText(pane.run.tick)))];
    sentences.push('Times are drawn and told in steps of ' + steps.join(' and ') + '.');
    this.notes.replaceChildren(...sentences.map(text => element('p', {}, text)));
  }

  showTables() {
    this.behind.replaceChildren(...this.panes.map(({ run }) => {
      const details = element('details', {}, element('summary', {}, 'table of these bars' + (this.panes.length > 1 ? ': ' : ''),
        this.panes.length > 1 && element('bdi', {}, run.title), ' (' + countText(run.bars) + (run.bars === 1 ? ' row)' : ' rows)')));
      details.addEventListener('toggle', () => {
        if (details.open && !details.dataset.rows) liveTable(details, barRows(run, this.data.file));
      });
      return details;
    }));
  }
}

// The bars of a run as a table.
function barRows(run, file) {
  const text = (name, value) => ({ name, unit: '', numeric: false, value });
  const number = (name, unit, value) => ({ name, unit, numeric: true, value });
  const columns = [
    text('name', bar => hasWork(run, bar) ? run.names[run.work[bar]] : null), text('lane', bar => run.lanes[run.lane[bar]].name),
    ...Object.keys(run.dictionaries).map(name => text(name, bar => wordOf(run, name, bar))),
    number('start', 's', bar => exactNumber(run.from + run.start[bar] * run.tick)),
    number('end', 's', bar => exactNumber(run.from + run.end[bar] * run.tick)),
    number('time', 's', bar => exactNumber((run.end[bar] - run.start[bar]) * run.tick)),
    number('wait', 's', bar => run.wait[bar] === noWait ? null : exactNumber(run.wait[bar] * run.tick)),
    number('row', '', bar => run.row[bar]), number('rows', '', bar => run.rows[bar]),
  ];
  return { columns, count: run.bars, label: 'bars of ' + run.title, file: ((file ? file + '_' : '') + run.title).replace(/[^\w.-]+/g, '_').slice(0, 80) + '_bars.csv',
           value: (row, at) => columns[at].value(row),
           shown: (row, at) => { const value = columns[at].value(row); return value == null ? '' : String(value); } };
}

async function startChart(figure) {
  const chart = new Chart(figure, pageData(figure));
  await chart.start();
  pageCharts.push(chart);
}
