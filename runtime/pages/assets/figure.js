// Figures: the SVG is complete as it is; this adds tooltips, keys, highlighted series and downloads.

function startFigure(figure) {
  const picture = figure.querySelector('svg');
  if (!picture) return;
  const marks = [...picture.querySelectorAll('.mark')];
  const told = new Map();  // mark -> its text; browsers would show <title> as a second tooltip
  for (const mark of marks) {
    const title = [...mark.children].find(child => child.nodeName.toLowerCase() === 'title');
    told.set(mark, title ? title.textContent : '');
    if (title) title.remove();
  }
  const serial = [...picture.querySelectorAll('.series')];
  const keys = [...picture.querySelectorAll('.key[data-name]')];
  const caption = figure.querySelector('figcaption');
  const live = element('p', { class: 'tell', role: 'status', 'aria-live': 'polite' });
  let current = -1, held = null;

  const place = figure.querySelector('.scroll') || figure;
  if (marks.length) {
    place.setAttribute('tabindex', '0');
    place.setAttribute('role', 'group');
    place.setAttribute('aria-label', (caption ? caption.textContent + ': ' : '') + 'figure with ' + countText(marks.length) +
      ' marks' + (serial.length ? ' in ' + countText(serial.length) + ' series' : '') + '; arrow keys go from mark to mark');
  }

  // A ring around the mark that is told about. It is drawn over all others, as a mark may be a wide line that is not seen.
  const ring = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ring.setAttribute('class', 'ring');
  function show(mark, x, y) {
    const box = mark.getBoundingClientRect(), into = picture.getScreenCTM();
    if (into) {
      const inverse = into.inverse();
      const from = new DOMPoint(box.left, box.top).matrixTransform(inverse), to = new DOMPoint(box.right, box.bottom).matrixTransform(inverse);
      for (const [name, value] of [['x', from.x - 3], ['y', from.y - 3], ['width', to.x - from.x + 6], ['height', to.y - from.y + 6]]) ring.setAttribute(name, value);
      picture.append(ring);
    }
    showTooltip(told.get(mark), x, y);
  }
  function leave() {
    ring.remove();
    hideTooltip();
  }
  function goTo(at) {
    if (at < 0 || at >= marks.length) return;
    current = at;
    const box = marks[at].getBoundingClientRect();
    show(marks[at], box.left + box.width / 2, box.top + box.height / 2);
    live.textContent = told.get(marks[at]);
    figure.dataset.mark = at;
  }
  function highlight(name) {
    serial.forEach(one => one.classList.toggle('faint', name !== null && one.dataset.name !== name));
    keys.forEach(one => one.classList.toggle('faint', name !== null && one.dataset.name !== name));
    figure.dataset.highlighted = name === null ? '' : name;
  }
  function hold(name) {
    held = held === name ? null : name;
    highlight(held);
    live.textContent = held === null ? 'all series' : 'series ' + held;
  }
  const markOf = event => event.target.closest && event.target.closest('.mark');
  const keyOf = event => event.target.closest && event.target.closest('.key[data-name]');

  picture.addEventListener('pointermove', event => {
    const mark = markOf(event);
    if (mark && told.get(mark)) show(mark, event.clientX, event.clientY);
    else leave();
    const key = keyOf(event);
    highlight(key ? key.dataset.name : held);
  });
  picture.addEventListener('pointerleave', () => { leave(); highlight(held); });
  picture.addEventListener('click', event => {
    const key = keyOf(event);
    if (key) hold(key.dataset.name);
    const mark = markOf(event);
    if (mark) goTo(marks.indexOf(mark));
  });
  place.addEventListener('blur', leave);
  place.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const seriesAt = at => serial.findIndex(one => one.contains(marks[at]));
    const beside = step => {  // the mark at the same place of the next series
      const here = seriesAt(current);
      const next = serial[here + step];
      if (current < 0 || !next) return goTo(clamped(current + step, 0, marks.length - 1));
      const place = marks.filter(mark => serial[here].contains(mark)).indexOf(marks[current]);
      const there = marks.filter(mark => next.contains(mark));
      goTo(marks.indexOf(there[Math.min(place, there.length - 1)]));
    };
    const keysOf = {
      ArrowRight: () => goTo(clamped(current + 1, 0, marks.length - 1)), ArrowLeft: () => goTo(clamped(current - 1, 0, marks.length - 1)),
      ArrowDown: () => beside(1), ArrowUp: () => beside(-1), Home: () => goTo(0), End: () => goTo(marks.length - 1),
      Enter: () => { const at = seriesAt(current); if (at >= 0) hold(serial[at].dataset.name); },
      Escape: () => { leave(); held = null; highlight(null); live.textContent = ''; },
    };
    if (!keysOf[event.key]) return;
    event.preventDefault();
    keysOf[event.key]();
  });

  const data = figure.dataset.source && document.getElementById(figure.dataset.source) ? pageData(figure) : {};
  const file = (data.file || (caption ? caption.textContent : '') || 'figure').trim().replace(/\.(csv|svg)$/, '').replace(/[^\w.-]+/g, '_').slice(0, 60) || 'figure';
  const tools = element('div', { class: 'tools' }, button('download SVG', () => {
    download(file + '.svg', 'image/svg+xml', [standalonePicture(picture, marks, told)]);
  }));
  place.after(tools, live);
  if (data.columns) {
    tools.append(button('download CSV', () => {
      const lines = [data.columns, ...data.rows].map(row => row.map(value => csvCell(plainValue(value))).join(','));
      download(file + '.csv', 'text/csv', [lines.join('\r\n') + '\r\n']);
    }));
  }
}

// The picture as a file of its own: light, with the titles that tooltips were made of.
function standalonePicture(picture, marks, told) {
  const root = document.documentElement, theme = root.dataset.theme;
  const copy = picture.cloneNode(true);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const copies = [...copy.querySelectorAll('.mark')];
  marks.forEach((mark, i) => {
    if (!told.get(mark)) return;
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    title.textContent = told.get(mark);
    copies[i].prepend(title);
  });
  copy.querySelectorAll('.ring').forEach(one => one.remove());
  copy.querySelectorAll('.faint').forEach(one => one.classList.remove('faint'));
  // Colours and fonts that the page's style sheet gives are written into the file.
  root.dataset.theme = 'light';
  const originals = [picture, ...picture.querySelectorAll('*:not(.ring)')];
  const written = [copy, ...copy.querySelectorAll('*:not(title)')];
  const plain = originals.filter(one => one.nodeName.toLowerCase() !== 'title');
  plain.forEach((one, i) => {
    const style = getComputedStyle(one);
    const names = /^(text|tspan|svg)$/.test(one.nodeName) ? ['color', 'font-family', 'font-size', 'font-weight', 'fill', 'text-anchor'] :
      one.hasAttribute('class') || i === 0 ? ['color', 'fill', 'stroke', 'stroke-width', 'opacity'] : [];
    for (const name of names) {
      if (name === 'fill' && one.nodeName === 'svg') continue;
      if (written[i]) written[i].setAttribute(name, style.getPropertyValue(name));
    }
  });
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  const box = picture.viewBox.baseVal;
  if (box && box.width) {
    copy.setAttribute('width', box.width);
    copy.setAttribute('height', box.height);
  }
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy) + '\n';
}
