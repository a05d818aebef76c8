'use strict';
// The page of many tests: figures, a table that sorts, what became otherwise since the last run.

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  function h(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else if (key === 'class') element.className = value;
      else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }
  const RANK = ['failed', 'error', 'flaky', 'skipped', 'passed'], SIGN = { passed: '✓', failed: '✗', error: '!', flaky: '≈', skipped: '–' };
  const duration = (ms) => (ms < 1000 ? `${ms} ms` : ms < 100000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`);
  const of = (status) => data.tests.filter((test) => test.status === status);
  const isBad = (status) => status === 'failed' || status === 'error';
  const longest = Math.max(1, ...data.tests.map((test) => test.millis));

  /** What became otherwise since the last run. */
  function trend({ status, millis, before }) {
    if (!before) return ['new', '', 0];
    if (isBad(status) && !isBad(before.status)) return ['was passing', 'turned-bad', -1];
    if (!isBad(status) && isBad(before.status)) return ['is mended', 'turned-good', 1];
    if (status === 'flaky' && before.status === 'passed') return ['became flaky', 'turned-warn', -0.9];
    if (status === 'passed' && before.status === 'flaky') return ['no longer flaky', 'turned-good', 0.9];
    if (!before.millis) return ['', '', 0];
    const share = millis / before.millis - 1, rounded = Math.round(share * 100);
    if (Math.abs(share) < 0.1) return ['as before', '', share];
    return [`${rounded > 0 ? '+' : '−'}${Math.abs(rounded)} %`, share > 0 ? 'up' : 'down', share];
  }
  /** The last runs as bars: as high as each took long, coloured by how it ended. */
  function runs({ status, millis, earlier }) {
    const shown = [...(earlier ?? []), { status, millis }];
    if (shown.length < 3) return null;
    const most = Math.max(1, ...shown.map((run) => run.millis));
    const told = RANK.map((it) => [shown.filter((run) => run.status === it).length, it]).filter(([many]) => many).map(([many, it]) => `${many} ${it}`);
    return h('div', { class: 'runs', role: 'img', 'aria-label': `The last ${shown.length} runs: ${told.join(', ')}`, title: `The last ${shown.length} runs: ${told.join(', ')}` }, shown.map((run) => {
      const bar = h('i', { class: run.status });
      bar.style.height = `${Math.max(15, (run.millis / most) * 100)}%`;
      return bar;
    }));
  }
  const COLUMNS = [
    ['Test', (test) => test.name], ['Result', (test) => RANK.indexOf(test.status)], ['Time', (test) => -test.millis], ['Since the last run', (test) => -trend(test)[2]], ['Attempts', (test) => -test.attempts],
  ];
  let sorted = 1, isTurned = false;
  const body = h('tbody'), heads = COLUMNS.map(([name], i) => h('th', { scope: 'col' }, h('button', { type: 'button', onclick: () => { isTurned = sorted === i && !isTurned; sorted = i; fill(); } }, name)));
  const search = h('input', { type: 'search', placeholder: 'Search tests', 'aria-label': 'Search tests', oninput: () => fill() });
  let shown = '';
  function fill() {
    heads.forEach((head, i) => (i === sorted ? head.setAttribute('aria-sort', isTurned ? 'ascending' : 'descending') : head.removeAttribute('aria-sort')));
    const by = COLUMNS[sorted][1], order = (a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : a.name < b.name ? -1 : 1) * (isTurned ? -1 : 1);
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (test) => (!shown || test.status === shown) && words.every((word) => `${test.name} ${test.tags.join(' ')} ${test.message}`.toLowerCase().includes(word));
    const rows = data.tests.filter(fits).sort(order);
    if (!rows.length) return body.replaceChildren(h('tr', {}, h('td', { class: 'dim empty', colspan: COLUMNS.length }, data.tests.length ? 'No test is like that.' : 'No test was run.')));
    body.replaceChildren(...rows.map((test) => {
      const [said, cls] = trend(test), bar = h('i', { class: test.status });
      bar.style.width = `${Math.max(3, (test.millis / longest) * 100)}%`;
      // A page beside this one, and nothing else.
      const isBeside = test.report && !/^\/|[:\\]/.test(test.report);
      return h('tr', {},
        h('th', { scope: 'row' }, isBeside ? h('a', { href: test.report.split('/').map(encodeURIComponent).join('/') }, test.name) : test.name, test.tags.map((tag) => h('span', { class: 'tag quiet' }, tag)), test.message && test.status !== 'passed' ? h('pre', { class: 'why' }, test.message) : null),
        h('td', {}, h('span', { class: `status ${test.status}` }, h('span', { 'aria-hidden': 'true' }, SIGN[test.status]), test.status), test.verdict && test.verdict !== test.status ? h('span', { class: 'dim' }, test.verdict) : null),
        h('td', { class: 'number' }, duration(test.millis), h('div', { class: 'length', 'aria-hidden': 'true' }, bar)),
        h('td', { class: `trend ${cls}` }, said, runs(test)), h('td', { class: 'number' }, String(test.attempts)));
    }));
  }
  const bad = of('failed').length + of('error').length, flaky = of('flaky').length;
  const before = data.tests.filter((test) => test.before), was = before.reduce((sum, test) => sum + test.before.millis, 0), is = before.reduce((sum, test) => sum + test.millis, 0);
  const turned = data.tests.filter((test) => trend(test)[1].startsWith('turned'));
  const tile = (cls, number, words) => h('div', { class: `card tile ${cls}` }, h('b', {}, number), h('span', { class: 'dim' }, words));
  const share = h('div', { class: 'share', role: 'img', 'aria-label': RANK.map((status) => `${of(status).length} ${status}`).join(', ') }, RANK.filter((status) => of(status).length).map((status) => {
    const part = h('i', { class: status });
    part.style.flexGrow = of(status).length;
    return part;
  }));
  const chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Show' }, ['', ...RANK].map((status) => h('button', { type: 'button', 'aria-pressed': String(status === ''), disabled: status !== '' && !of(status).length, onclick: (event) => {
    shown = status;
    chips.querySelectorAll('button').forEach((button) => button.setAttribute('aria-pressed', String(button === event.currentTarget)));
    fill();
  } }, `${status || 'all'} `, h('span', {}, String(status ? of(status).length : data.tests.length)))));
  function turnTheme() {
    const root = document.documentElement;
    root.dataset.theme = getComputedStyle(root).colorScheme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('dashcam-theme', root.dataset.theme); } catch { /* A file may have no storage. */ }
  }
  try { document.documentElement.dataset.theme = localStorage.getItem('dashcam-theme') ?? ''; } catch { /* as above */ }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input') || !['/', 't'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 't') turnTheme();
    else search.focus();
  });
  document.body.append(
    h('header', { class: 'top' }, h('span', { class: 'logo', 'aria-hidden': 'true' }), h('div', { class: 'who' }, h('h1', {}, data.name), h('p', {}, data.started.slice(0, 16).replace('T', ' '))),
      h('span', { class: `pill ${bad ? 'bad' : flaky ? 'warn' : 'good'}` }, bad ? `${bad} of ${data.tests.length} failed` : flaky ? `${flaky} of ${data.tests.length} flaky` : `all ${data.tests.length} passed`),
      h('div', { class: 'tools' }, h('button', { type: 'button', class: 'tool', title: 'Dark or light (t)', 'aria-label': 'Dark or light', onclick: turnTheme }, '◐'))),
    h('main', { class: 'suite' },
      h('div', { class: 'tiles' }, tile('good', String(of('passed').length), 'passed'), tile(bad ? 'bad' : '', String(bad), 'failed'), tile(flaky ? 'warn' : '', String(flaky), 'flaky'), tile('', duration(data.millis), 'in all'),
        was ? tile(is > was * 1.1 ? 'warn' : '', `${is >= was ? '+' : '−'}${Math.abs(Math.round((is / was - 1) * 100))} %`, 'time against the last run') : null),
      share,
      turned.length ? h('section', { class: 'card' }, h('h2', { class: 'unseen' }, 'Since the last run'), h('p', {}, turned.map((test, i) => [i ? ', ' : '', h('b', {}, test.name), ` ${trend(test)[0]}`]))) : null,
      h('section', { class: 'card tests', 'aria-label': 'Tests' }, h('div', { class: 'finder' }, h('label', { class: 'search' }, search), chips), h('table', {}, h('thead', {}, h('tr', {}, heads)), body))));
  fill();
  document.documentElement.dataset.ready = 'true';
})();
