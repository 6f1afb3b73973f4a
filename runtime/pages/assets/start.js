// Starts everything. The last part: it needs all others.

// Starts one item; one that fails says so in its place and leaves the others alone.
async function startItem(item, start, what) {
  try {
    await start(item);
  } catch (error) {
    const place = item.querySelector('.chart-place') || item;
    const said = element('p', { class: 'failed' }, 'This ' + what + ' cannot be ' + (what === 'chart' ? 'drawn' : 'made interactive') + ': ' + error.message + '.');
    if (place === item) place.append(said);
    else place.replaceChildren(said);
    document.documentElement.dataset.failed = Number(document.documentElement.dataset.failed || 0) + 1;
  }
}

// A text to download, such as the replay card: { name, text }.
function startDownload(item) {
  const { name, text } = pageData(item);
  const label = item.textContent;
  item.replaceChildren(button(label, () => download(name, 'text/plain', [text])));
}

async function startPage() {
  startTheme();
  const all = selector => [...document.querySelectorAll(selector)];
  const charts = all('figure.chart').map(item => startItem(item, startChart, 'chart'));
  all('figure.table').forEach(item => startItem(item, startTable, 'table'));
  all('figure.plot').forEach(item => startItem(item, startFigure, 'figure'));
  all('.download[data-source]').forEach(item => startItem(item, startDownload, 'download'));
  await Promise.all(charts);
  performance.mark('ready');
  document.documentElement.dataset.ready = '1';
}

startPage();
