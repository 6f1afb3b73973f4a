// Tables that sort and filter, 200 rows in the page at first. All rows stay data: what is sorted and filtered are numbers
// of rows.

const rowsAtFirst = 200, rowsMore = 500;

// A value of the data of a page: { n: "inf" } stands for what JSON cannot say.
function plainValue(value) {
  if (value && typeof value === 'object') return value.n === 'inf' ? Infinity : value.n === '-inf' ? -Infinity : NaN;
  return value;
}

function shownValue(value) {
  if (value == null || Number.isNaN(value)) return '–';
  return typeof value === 'number' ? numberText(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

// The order in which kinds of cells are sorted: numbers first, then texts, then what is absent.
function comparedValues(values, falling) {
  const texts = new Set();
  for (const value of values) if (typeof value === 'string') texts.add(value);
  let rank;
  if (texts.size && texts.size <= 20000) {
    const order = new Intl.Collator('en', { numeric: true }).compare;
    rank = new Map([...texts].sort((one, other) => order(one, other) || (one < other ? -1 : 1)).map((text, i) => [text, i]));
  }
  const sign = falling ? -1 : 1;
  const group = value => value == null ? 3 : typeof value === 'string' ? 1 : Number.isNaN(value) ? 2 : 0;
  const groups = Uint8Array.from(values, group);
  const keys = values.map(value => typeof value === 'string' ? (rank ? rank.get(value) : value) : Number(value));
  return (one, other) => {
    if (groups[one] !== groups[other]) return groups[one] - groups[other];
    if (groups[one] > 1 || keys[one] === keys[other]) return one - other;
    return (keys[one] < keys[other] ? -1 : 1) * sign;
  };
}

// A filter as a function of row numbers. Words must all be in a row; `name:text` and `name<number` (also > <= >= =) look
// at one column.
function rowFilter(text, source) {
  const tests = [];
  for (const word of text.trim().match(/[^\s"]*"[^"]*"|\S+/g) || []) {
    const said = /^([^<>=:]+)(<=|>=|<|>|=|:)(.+)$/.exec(word);
    const at = said ? source.columns.findIndex(column => column.name.toLowerCase() === said[1].replace(/"/g, '').toLowerCase()) : -1;
    const wanted = (at >= 0 ? said[3] : word).replace(/"/g, '').toLowerCase();
    const bound = Number(wanted);
    if (at >= 0 && said[2] !== ':' && !Number.isNaN(bound)) {
      const holds = { '<': x => x < bound, '>': x => x > bound, '<=': x => x <= bound, '>=': x => x >= bound, '=': x => x === bound }[said[2]];
      tests.push(row => {
        const value = source.value(row, at);
        return typeof value === 'number' && holds(value);
      });
    } else if (at >= 0) {
      tests.push(row => source.shown(row, at).toLowerCase().includes(wanted));
    } else {
      tests.push(row => source.columns.some((_, i) => source.shown(row, i).toLowerCase().includes(wanted)));
    }
  }
  return row => tests.every(test => test(row));
}

// Makes the table of `place` live. `source` has columns ({ name, unit, numeric }), count, value(row, column),
// shown(row, column), file, and may have row(number) for rows that are there already, best(row, column), note.
function liveTable(place, source) {
  let scroll = place.querySelector('.scroll');
  if (!scroll) {
    const label = source.label || 'table';
    scroll = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
      element('table', {}, element('thead', {}, element('tr', {}, ...source.columns.map(column =>
        element('th', { scope: 'col', class: column.numeric ? 'n' : null }, column.name + (column.unit ? ' (' + column.unit + ')' : ''))))),
      element('tbody', {})));
    place.append(scroll);
  }
  scroll.classList.toggle('long', source.count > 15);  // it will have a scroll bar, which must not make cells narrower
  const body = scroll.querySelector('tbody');
  const heads = [...scroll.querySelectorAll('thead th')];
  const all = Uint32Array.from({ length: source.count }, (_, i) => i);
  let rows = all, sortedBy = -1, falling = false, limit = rowsAtFirst, kept = null;

  const filter = element('input', { type: 'search', placeholder: 'filter rows', 'aria-label': 'filter rows', spellcheck: 'false',
    title: 'words that a row must have; name:text or name>number look at one column', input: refresh });
  const told = element('span', { class: 'count', role: 'status', 'aria-live': 'polite' });
  const more = button('show ' + rowsMore + ' more', () => { limit += rowsMore; fill(); }, { class: 'more' });
  const save = chosen => download(source.file || 'table.csv', 'text/csv', csv(chosen));
  const saveThese = button('download these rows', () => save(rows));
  place.insertBefore(element('div', { class: 'tools' }, filter, told, button('download CSV', () => save(ordered())), saveThese), scroll);
  scroll.after(more);

  heads.forEach((head, at) => {
    const sort = button('', () => {
      falling = sortedBy === at ? !falling : false;
      sortedBy = at;
      heads.forEach((other, i) => {
        if (i === at) other.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
        else other.removeAttribute('aria-sort');
      });
      kept = null;
      refresh();
    });
    sort.append(...head.childNodes);
    head.append(sort);
  });

  function ordered() {
    if (sortedBy < 0) return all;
    const values = Array.from(all, row => source.value(row, sortedBy));
    return kept = kept || all.slice().sort(comparedValues(values, falling));
  }
  function refresh() {
    limit = rowsAtFirst;
    rows = filter.value.trim() ? ordered().filter(rowFilter(filter.value, source)) : ordered();
    fill();
  }
  function fill() {
    const shown = Math.min(limit, rows.length);
    const lines = [];
    for (let i = 0; i < shown; ++i) lines.push((source.row && source.row(rows[i])) || made(rows[i]));
    body.replaceChildren(...lines);
    say();
  }
  function say() {
    const shown = Math.min(limit, rows.length);
    const matching = rows.length === source.count ? '' : countText(rows.length) + ' of ';
    told.textContent = matching + countText(source.count) + (source.count === 1 ? ' row' : ' rows') +
      (rows.length > shown ? ', ' + countText(shown) + ' shown' : '') + (source.note ? '; ' + source.note : '');
    more.hidden = rows.length <= shown;
    saveThese.hidden = rows.length === source.count;
    place.dataset.rows = rows.length;
    place.dataset.shown = shown;
  }
  function made(row) {
    return element('tr', {}, ...source.columns.map((column, at) => {
      const best = source.best && source.best(row, at);
      const kinds = [column.numeric && 'n', best && 'best'].filter(Boolean).join(' ');
      const text = source.shown(row, at) + (best ? '*' : ''), tone = source.tone && source.tone(row, at), link = source.link && source.link(row, at);
      const said = tone ? element('span', { class: 'verdict ' + tone }, text) : text;
      return element('td', { class: kinds || null }, link ? element('a', { href: '#' + link }, said) : said);
    }));
  }
  function csv(chosen) {
    const lines = [source.columns.map(column => csvCell(column.name)).join(',')];
    for (const row of chosen) lines.push(source.columns.map((_, at) => csvCell(source.value(row, at))).join(','));
    return [lines.join('\r\n') + '\r\n'];
  }
  if (body.rows.length) say();
  else fill();
}

function startTable(figure) {
  const data = pageData(figure);
  const lines = [...figure.querySelectorAll('tbody tr')];  // as they were written, for the first rows
  const best = new Set((data.best || []).map(([row, at]) => row + ' ' + at));
  liveTable(figure, {
    columns: data.columns.map((name, i) => ({ name, unit: (data.units || [])[i], numeric: (data.numeric || [])[i] })),
    count: data.rows.length, file: data.file,
    value: (row, at) => plainValue(data.rows[row][at]),
    shown: (row, at) => shownValue(plainValue(data.rows[row][at])),
    row: number => lines[number],
    best: (row, at) => best.has(row + ' ' + at),
    link: data.links && ((row, at) => at === 0 && data.links[row]),
    tone: data.tones && ((row, at) => at === data.tones.column && data.tones.of[row]),
    note: data.left_out > 0 ? countText(data.left_out) + ' more are not in this page' : '',
  });
}
