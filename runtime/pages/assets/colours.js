// The colours of bars: Okabe and Ito's for the seven names with the most time, grey for all others.

const okabeIto = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#f0e442'];
const otherColour = 7;     // names beyond the seven
const worklessColour = 8;  // bars that belong to no work, such as maintenance
const colourCount = 9;

function rgb(text) {
  const value = parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const firstDictionaries = ['user', 'kind', 'state', 'queue', 'policy'];  // the first with more than one entry gives the colours

// Dictionaries that tell bars apart: those with more than one entry in some run.
function colourings(runs) {
  const names = [];
  for (const run of runs) {
    for (const name in run.dictionaries) {
      if (!names.includes(name) && run.dictionaries[name].names.length > 1) names.push(name);
    }
  }
  const rank = name => (firstDictionaries.indexOf(name) + 100) % 100;
  return names.sort((one, other) => rank(one) - rank(other));
}

// The colours by one dictionary, the same in all runs that are seen: { of: name -> colour, entries: the legend }. An entry
// has a share of the time of each run: rows times seconds.
function colouring(runs, dictionary) {
  const time = new Map();    // name -> time in each run
  const totals = runs.map(() => 0);
  const neutral = !['kind', 'state'].includes(dictionary);  // of these, bars without a work have names of their own
  runs.forEach((run, at) => {
    const found = run.dictionaries[dictionary];
    const sums = new Float64Array(found ? found.names.length : 1);
    let workless = 0;
    for (let i = 0; i < run.bars; ++i) {
      const spent = (run.end[i] - run.start[i]) * run.rows[i] * run.tick;
      if (neutral && run.work[i] >= run.names.length) workless += spent;
      else sums[found ? found.of[i] : 0] += spent;
      totals[at] += spent;
    }
    const add = (name, spent) => {
      if (!time.has(name)) time.set(name, runs.map(() => 0));
      time.get(name)[at] += spent;
    };
    if (found) found.names.forEach((name, i) => { if (sums[i] > 0 || !neutral) add(name, sums[i]); });
    else if (sums[0] > 0) add('work', sums[0]);
    if (workless > 0) add(null, workless);
  });
  const ranked = [...time.keys()].filter(name => name !== null)
    .map(name => [name, time.get(name).reduce((one, other) => one + other, 0)])
    .filter(([, spent]) => spent > 0)
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const of = new Map();
  const shares = names => totals.map((total, at) =>
    total > 0 ? names.reduce((sum, name) => sum + time.get(name)[at], 0) / total : 0);
  const entries = [];
  ranked.slice(0, okabeIto.length).forEach(([name], i) => {
    of.set(name, i);
    entries.push({ colour: i, name: name === '' ? '(none)' : name, shares: shares([name]) });
  });
  const others = ranked.slice(okabeIto.length).map(([name]) => name);
  for (const name of others) of.set(name, otherColour);
  if (others.length) {
    entries.push({ colour: otherColour, name: others.length === 1 ? others[0] : countText(others.length) + ' others',
                   shares: shares(others) });
  }
  if (time.has(null)) entries.push({ colour: worklessColour, name: 'no work', shares: shares([null]) });
  return { dictionary, neutral, of, entries };
}

// The colour of each bar of a run; and whether it is hatched.
function barColours(run, scheme) {
  const found = run.dictionaries[scheme.dictionary];
  const ofEntry = found ? found.names.map(name => scheme.of.has(name) ? scheme.of.get(name) : otherColour) : [scheme.of.get('work')];
  const colours = new Uint8Array(run.bars);
  for (let i = 0; i < run.bars; ++i) {
    colours[i] = scheme.neutral && run.work[i] >= run.names.length ? worklessColour : ofEntry[found ? found.of[i] : 0];
  }
  return colours;
}

// The colours of page.css that canvases use, and those of bars: red, green and blue.
function canvasColours() {
  const named = name => pageColour('--' + name);
  const bars = okabeIto.map(rgb);
  bars[otherColour] = named('other');
  bars[worklessColour] = named('workless');
  return { paper: named('paper'), ink: named('ink'), muted: named('muted'), line: named('line'), stripe: named('stripe'),
           accent: named('accent'), bars };
}
