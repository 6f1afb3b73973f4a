// Data of charts: base64 of gzip of columns, each byte-shuffled (all lowest bytes first).

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function unpacked(base64) {
  if (!base64) return new Uint8Array(0);
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('this browser cannot unpack its data (it has no DecompressionStream: browsers since 2023 do)');
  }
  let bytes;
  try {
    const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip'));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new Error('its data are damaged (' + error.message + ')');
  }
  return bytes;
}

function column(bytes, at, count, width) {
  const made = width === 1 ? new Uint8Array(count) : width === 2 ? new Uint16Array(count) : new Uint32Array(count);
  const low = bytes.subarray(at, at + count), second = bytes.subarray(at + count, at + 2 * count);
  const third = bytes.subarray(at + 2 * count, at + 3 * count), high = bytes.subarray(at + 3 * count, at + 4 * count);
  if (width === 1) made.set(low);
  else if (width === 2) for (let i = 0; i < count; ++i) made[i] = low[i] | second[i] << 8;
  else if (width === 4) for (let i = 0; i < count; ++i) made[i] = low[i] | second[i] << 8 | third[i] << 16 | high[i] << 24;
  return made;
}

function texts(bytes, separator) {
  return bytes.length ? new TextDecoder().decode(bytes).split(separator) : [];
}

// The columns of `widths` ({ name: "u32", ... }, in their order).
function columnsOf(bytes, widths, count) {
  const columns = {};
  let at = 0;
  for (const name in widths) {
    const width = parseInt(/\d+$/.exec(widths[name]), 10) / 8;
    columns[name] = column(bytes, at, count, width);
    at += width * count;
  }
  if (at !== bytes.length) throw new Error('its data are damaged (' + bytes.length + ' bytes instead of ' + at + ')');
  return columns;
}

const noWait = 4294967295;

// A run as its chart needs it: bars sorted by lane, start and end in typed arrays, times in ticks from run.from.
async function decodedRun(packed) {
  const lanes = packed.lanes.length ? packed.lanes : [{ name: 'nothing', cores: 1 }];
  const [bytes, names, edges, whys] =
    await Promise.all([packed.data, packed.names, packed.edges, packed.whys].map(unpacked));
  const count = packed.bars;
  const columns = columnsOf(bytes, packed.columns, count);
  const edgeCount = packed.edge_count || 0;
  const edgeColumns = columnsOf(edges, { parent: 'u32', child: 'u32' }, edgeCount);
  const run = {
    title: packed.title, from: packed.from, to: packed.to, tick: packed.tick, lanes, bars: count,
    leftOut: packed.left_out || 0, edgesLeftOut: packed.edges_left_out || 0, leftOutText: packed.left_out_text || '', whyText: packed.why_text || '',
    names: texts(names, '\n'), parents: edgeColumns.parent, children: edgeColumns.child,
    lane: columns.lane, start: columns.start, end: new Uint32Array(count), work: columns.work,
    row: columns.row || new Uint16Array(count), rows: columns.rows || new Uint16Array(count).fill(1),
    wait: columns.wait || new Uint32Array(count).fill(noWait), hatched: columns.hatched || new Uint8Array(count),
    first: new Uint32Array(lanes.length + 1),  // the first bar of each lane, and one beyond the last
    reach: new Uint32Array(count),                    // the latest end so far in the lane: it never falls
    workless: new Uint8Array(lanes.length),    // 1: the lane has bars that belong to no work
    dictionaries: {}, whys: new Map(), whyWorks: packed.why_works || [],
  };
  while (run.names.length < (packed.works || 0)) run.names.push('');  // one empty name is no bytes at all
  const whyTexts = texts(whys, '\0');
  run.whyWorks.forEach((work, i) => { if (i < whyTexts.length) run.whys.set(work, whyTexts[i]); });
  for (const name in packed.dictionaries) {
    if (columns[name]) run.dictionaries[name] = { names: packed.dictionaries[name], of: columns[name] };
  }

  // Differences become values.
  const { lane, start, end, work, reach, first } = run;
  const length = columns.length;
  let laneNow = 0, workNow = 0, endNow = 0, reachNow = 0, filled = 0;
  for (let i = 0; i < count; ++i) {
    if (lane[i] || !i) {
      laneNow += lane[i];
      if (laneNow >= run.lanes.length) throw new Error('its data are damaged (a bar of lane ' + laneNow + ')');
      endNow = reachNow = 0;
      while (filled <= laneNow) first[filled++] = i;
    }
    lane[i] = laneNow;
    const gap = start[i];
    start[i] = endNow + ((gap >>> 1) ^ -(gap & 1));
    endNow = end[i] = start[i] + length[i];
    if (endNow > reachNow) reachNow = endNow;
    reach[i] = reachNow;
    const step = work[i];
    workNow = (workNow + ((step >>> 1) ^ -(step & 1))) >>> 0;
    work[i] = workNow;
    if (workNow >= run.names.length) run.workless[laneNow] = 1;
  }
  while (filled <= run.lanes.length) first[filled++] = count;
  measureLanes(run);
  return run;
}

// Where each lane lies, in rows, when all rows are equally high and when all lanes are; and how busy hosts are over time.
function measureLanes(run) {
  const count = run.lanes.length;
  run.cores = Uint32Array.from(run.lanes, lane => Math.max(1, lane.cores || 1));
  run.topByRows = new Float64Array(count + 1);
  run.topByLanes = new Float64Array(count + 1);
  for (let i = 0; i < count; ++i) {
    run.topByRows[i + 1] = run.topByRows[i] + run.cores[i];
    run.topByLanes[i + 1] = i + 1;
  }
  const bins = run.busy = new Float64Array(400);
  const counted = run.lanes.map(lane => lane.kind !== 'link');
  const all = !counted.includes(true);
  let rows = 0;
  for (let i = 0; i < count; ++i) if (all || counted[i]) rows += run.cores[i];
  const extent = Math.max(1, (run.to - run.from) / run.tick);
  const scale = bins.length / extent;
  let most = 0;
  for (let i = 0; i < run.bars; ++i) {
    if (run.work[i] >= run.names.length || !(all || counted[run.lane[i]])) continue;
    const from = run.start[i] * scale, to = Math.min(bins.length, run.end[i] * scale);
    const firstBin = Math.floor(from);
    for (let bin = firstBin; bin < to; ++bin) bins[bin] += run.rows[i] * (Math.min(to, bin + 1) - Math.max(from, bin));
  }
  for (let bin = 0; bin < bins.length; ++bin) most = Math.max(most, bins[bin] /= rows || 1);
  run.busiest = most;
}

// The bars of a lane that may be seen between two times (in ticks): [first, one beyond the last].
function barsBetween(run, lane, from, to) {
  const end = run.first[lane + 1];
  let low = run.first[lane], high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.reach[middle] < from) low = middle + 1;
    else high = middle;
  }
  const begin = low;
  high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.start[middle] <= to) low = middle + 1;
    else high = middle;
  }
  return [begin, low];
}

function hasWork(run, bar) {
  return run.work[bar] < run.names.length;
}

function barName(run, bar) {
  return hasWork(run, bar) ? run.names[run.work[bar]] : wordOf(run, 'kind', bar) || wordOf(run, 'state', bar) || 'no work';
}

function wordOf(run, dictionary, bar) {
  const found = run.dictionaries[dictionary];
  return found ? found.names[found.of[bar]] : undefined;
}

function barTimes(run, bar) {
  const from = exactNumber(run.from + run.start[bar] * run.tick);
  const to = exactNumber(run.from + run.end[bar] * run.tick);
  return { from, to, length: exactNumber((run.end[bar] - run.start[bar]) * run.tick),
           wait: run.wait[bar] === noWait ? null : exactNumber(run.wait[bar] * run.tick) };
}
