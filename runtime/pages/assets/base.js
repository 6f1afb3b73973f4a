'use strict';
// Helpers of all parts of a page: elements, numbers and times as text, the theme, the tooltip, downloads.
// The parts are plain scripts that are put together in one order (see README.md) and run as one.

// An element with attributes and children. Functions become listeners, strings become text nodes: nothing is ever
// read as markup.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter(child => child != null && child !== false));
  return made;
}

function button(text, pressed, attributes) {
  return element('button', { type: 'button', click: pressed, ...attributes }, text);
}

// A control with its label.
function labelled(text, control) {
  return element('label', {}, element('span', {}, text), control);
}

function clamped(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

// ---- Numbers and times ----

// 1234567 as 1,234,567.
function countText(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

// Short for reading: five significant digits or so, as results::short_number writes tables.
function numberText(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  if (size >= 1e8 || size < 1e-4) {
    const [digits, exponent] = value.toExponential(3).split('e');
    return withoutZeros(digits) + 'e' + exponent[0] + exponent.slice(1).padStart(2, '0');
  }
  return withoutZeros(value.toFixed(clamped(4 - Math.floor(Math.log10(size)), 0, 20)));
}

function withoutZeros(digits) {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

// A time from ticks: 15 digits take away what binary fractions add to them.
function exactNumber(value) {
  return Number(value.toPrecision(15));
}

const timeUnits = [[86400, 'd'], [3600, 'h'], [60, 'min']];

// "1 d 3 h", "2 min 5.5 s", "30 ms": the largest units that say it, at most `parts` of them.
function durationText(seconds, parts = 2) {
  if (seconds < 0) return '-' + durationText(-seconds, parts);
  if (seconds === 0) return '0 s';
  if (seconds < 1) {
    for (const [scale, unit] of [[1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']]) {
      if (seconds >= scale * 0.9999 || unit === 'ns') return Number((seconds / scale).toPrecision(4)) + ' ' + unit;
    }
  }
  const said = [];
  let rest = seconds;
  // The last part is rounded: carry into the larger units is right when the whole is rounded first.
  const largest = timeUnits.find(([size]) => seconds >= size);
  const finest = largest ? timeUnits[timeUnits.indexOf(largest) + parts - 1] : undefined;
  if (finest) rest = Math.round(rest / finest[0]) * finest[0];
  for (const [size, unit] of timeUnits) {
    if (rest < size && !said.length) continue;
    if (said.length === parts) break;
    const count = Math.floor(rest / size + 1e-9);
    rest = Math.max(0, rest - count * size);
    said.push(count + ' ' + unit);
  }
  if (said.length < parts) said.push(Number(rest.toPrecision(said.length ? 4 : 5)) + ' s');
  while (said.length > 1 && /^0 /.test(said[said.length - 1])) said.pop();
  return said.join(' ');
}

// A duration both readable and exact, where the two differ.
function timeText(seconds) {
  const short = durationText(seconds);
  const long = exactNumber(seconds) + ' s';
  return /^[-\d.]+ s$/.test(short) ? long : short + ' (' + long + ')';
}

function percentText(share) {
  return share > 0 && share < 0.0005 ? '< 0.1 %' : (share * 100).toFixed(share < 0.1 ? 1 : 0) + ' %';
}

// ---- Theme ----

// Called when colours have changed. Each gets true where it has to paint at once, as before printing.
const themeListeners = [];

function themeChanged(atOnce) {
  for (const listener of themeListeners) listener(atOnce);
}

function prefersDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function startTheme() {
  const root = document.documentElement;
  const name = () => (prefersDark() ? 'light' : 'dark') + ' colours';
  const toggle = button(name(), () => {
    root.dataset.theme = prefersDark() ? 'light' : 'dark';
    toggle.textContent = name();
    themeChanged(false);
  }, { class: 'theme', title: 'Switch between light and dark colours' });
  (document.querySelector('header') || document.body).append(toggle);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    toggle.textContent = name();
    themeChanged(false);
  });
  // A canvas keeps its pixels in print: it has to be painted in light colours before, at once.
  let before;
  addEventListener('beforeprint', () => {
    if (before === undefined) before = root.dataset.theme || '';
    root.dataset.theme = 'light';
    themeChanged(true);
  });
  addEventListener('afterprint', () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    before = undefined;
    themeChanged(true);
  });
}

// The value of a colour of page.css, as [red, green, blue].
function pageColour(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const digits = /^#([0-9a-f]{6})$/i.exec(text);
  const value = digits ? parseInt(digits[1], 16) : 0x808080;
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function mixed(one, other, share) {
  return one.map((part, i) => Math.round(part + (other[i] - part) * share));
}

function colourText(colour, alpha = 1) {
  return 'rgba(' + colour.join(',') + ',' + alpha + ')';
}

// ---- Tooltip ----

let tooltip;

function showTooltip(text, x, y) {
  if (!tooltip) {
    tooltip = element('div', { class: 'tooltip', 'aria-hidden': 'true' });
    document.body.append(tooltip);
  }
  tooltip.textContent = text;
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth ? x - 10 - box.width : x + 14;
  const top = y + 18 + box.height > innerHeight ? y - 10 - box.height : y + 18;
  tooltip.style.left = Math.max(2, left) + 'px';
  tooltip.style.top = Math.max(2, top) + 'px';
}

function hideTooltip() {
  if (tooltip) tooltip.hidden = true;
}

// ---- Downloads ----

function download(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

function csvCell(value) {
  if (value == null) return '';
  const text = typeof value === 'number' && !Number.isFinite(value) ? numberText(value) : String(value);
  return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

// ---- Data ----

function pageData(item) {
  const source = item.dataset.source && document.getElementById(item.dataset.source);
  if (!source) throw new Error('its data are not in this page');
  return JSON.parse(source.textContent);
}
