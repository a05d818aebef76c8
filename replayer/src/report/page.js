// The page: a list of steps, drawn as far as it is seen, and one step with its windows, tree, messages and decisions.

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const ROW = 56;
  // What is empty is not written.
  for (const shape of data.shapes) shape.name ??= '';
  const verdict = data.verdict;
  const hasReplay = verdict !== null;

  // --- Elements -------------------------------------------------------------------------------------------------

  /** An element; texts among the children stay texts. */
  function h(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else if (key === 'class') element.className = value;
      else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }

  const ICONS = {
    cursor: 'M4 2.5v9.6l2.5-2.3 1.7 4 1.7-.7-1.7-3.9h3.3z',
    keys: 'M2 4.5h12v7H2zM4.5 6.8h.01M7 6.8h.01M9.5 6.8h.01M12 6.8h.01M5 9.3h6',
    text: 'M3 4.5v-1h10v1M8 3.5v9M6.3 12.5h3.4',
    menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h7',
    check: 'M2.5 2.5h11v11h-11zM5 8.2l2.2 2.3L11 5.8',
    list: 'M5.5 4.5h8M5.5 8h8M5.5 11.5h8M2.6 4.5h.01M2.6 8h.01M2.6 11.5h.01',
    window: 'M2 3h12v10H2zM2 6h12',
    drag: 'M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6L2 8l2 2M12 6l2 2-2 2',
    range: 'M2 8h12M6 5.5v5',
    mark: 'M4 2v12M4 3h8l-2 2.7L12 8.5H4',
    gap: 'M2 8h3M11 8h3M7 4.5l-1 3h2.5L7.5 11.5',
    recording: 'M6 4v8M10 4v8',
    hang: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM8 5v3.2l2 1.6',
    crash: 'M8.8 1.8L3.5 9h3.7l-.9 5.2L11.8 7H8z',
    done: 'M3.5 8.4l3 3.1 6-6.8',
    failed: 'M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6',
    unverified: 'M5.6 6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2 1-1.2 1.9M8 12.4v.2',
    nothing: 'M5 8h6',
    link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.8-.8',
    up: 'M4 10l4-4 4 4', down: 'M4 6l4 4 4-4',
    sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
    search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9zM10.3 10.3l3.4 3.4',
  };
  const OF_ACTION = {
    click: 'cursor', press: 'cursor', press_and_leave: 'cursor', set_check: 'check', choose: 'check', check_item: 'check', type: 'text', type_secret: 'text',
    rename: 'text', edit: 'text', select: 'list', expand: 'list', activate: 'list', open_list: 'list', click_column: 'list', size_column: 'list', menu: 'menu',
    open_menu_of: 'menu', shortcut: 'keys', keys: 'keys', hot_key: 'keys', app_command: 'keys', window: 'window', set_value: 'range', scroll: 'range',
    wheel: 'range', set_date: 'range', drag: 'drag', stroke: 'drag', drop: 'drag', tool: 'cursor', link: 'cursor',
  };
  function icon(name) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', ICONS[name] ?? ICONS.cursor);
    svg.append(path);
    return svg;
  }

  const duration = (us) => (us < 1000 ? `${us} µs` : us < 9950 ? `${(us / 1000).toFixed(1)} ms` : us < 999500 ? `${Math.round(us / 1000)} ms` : us < 99.95e6 ? `${(us / 1e6).toFixed(us < 9.95e6 ? 2 : 1)} s` : `${Math.floor(us / 6e7)} min ${Math.floor((us % 6e7) / 1e6)} s`);
  const clock = (us) => {
    const s = Math.floor(us / 1e6), two = (n) => String(n).padStart(2, '0');
    return `${s >= 3600 ? `${Math.floor(s / 3600)}:` : ''}${two(Math.floor(s / 60) % 60)}:${two(s % 60)}.${Math.floor((us % 1e6) / 1e5)}`;
  };
  const count = (n, one, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

  // --- Model ----------------------------------------------------------------------------------------------------

  /** Windows moment by moment: 0 is before the first step, n is after step n. */
  function film(begin, turnOf) {
    const STRIDE = 64, marks = [apply(new Map(), begin)];
    function apply(scene, changes) {
      for (const [id, shape, parent, owner] of changes ?? []) {
        if (shape === undefined) scene.delete(id);
        else scene.set(id, { shape: data.shapes[shape], parent, owner: owner ?? 0 });
      }
      return scene;
    }
    return (moment) => {
      const mark = Math.floor(moment / STRIDE);
      while (marks.length <= mark) {
        const scene = new Map(marks.at(-1)), from = (marks.length - 1) * STRIDE;
        for (let n = from + 1; n <= from + STRIDE; n++) apply(scene, turnOf(n));
        marks.push(scene);
      }
      const scene = new Map(marks[mark]);
      for (let n = mark * STRIDE + 1; n <= moment; n++) apply(scene, turnOf(n));
      return scene;
    };
  }
  const recorded = film(data.begin, (n) => data.steps[n - 1]?.x);
  const actual = film(data.actual, (n) => data.steps[n - 1]?.r?.x);

  const isBad = (step) => step.r?.o === 'failed';
  const lengthOf = (step) => step.r?.us ?? Math.max(0, (data.steps[step.n]?.t ?? step.t) - step.t);

  /** Steps and what happened between them, in order. */
  const all = [];
  {
    const notes = new Map();
    for (const note of data.notes) notes.set(note.after, [...(notes.get(note.after) ?? []), note]);
    const put = (after) => notes.get(after)?.forEach((note) => all.push({ note, key: `note-${data.notes.indexOf(note) + 1}`, find: note.text.toLowerCase() }));
    put(0);
    for (const step of data.steps) {
      all.push({ step, key: `step-${step.n}`, find: `${step.n} ${step.s} ${step.r?.re?.join(' ') ?? ''}`.toLowerCase() });
      put(step.n);
    }
  }
  const FILTERS = [
    ['all', 'All', () => true],
    ['problems', 'Problems', (row) => (row.step ? isBad(row.step) || Boolean(row.step.r?.u) || row.step.n === verdict?.step : row.note.kind === 'crash' || row.note.kind === 'hang' || row.note.kind === 'gap')],
    ['remarks', 'Remarks', (row) => row.step?.r?.re?.length > 0],
    ['notes', 'Notes', (row) => Boolean(row.note)],
  ];
  const state = { filter: 'all', query: '', rows: all, chosen: 0, kept: '', mode: 'picture', compare: 'step', hidden: false };

  // --- Header ---------------------------------------------------------------------------------------------------

  const NAMES = { passed: 'Passed', unverified: 'Unverified', reproduced: 'Reproduced', diverged: 'Diverged', blocked: 'Blocked', invalid: 'Invalid' };
  const isGood = verdict && (verdict.verdict === 'passed' || verdict.verdict === 'reproduced' || verdict.allowed === true);
  const isUnverified = verdict?.verdict === 'unverified';
  const outcomeOf = (step) => (step.r?.u && step.r.o === 'done' ? 'unverified' : step.r?.o);
  function verdictWords() {
    if (!verdict) return 'Recorded';
    return verdict.step ? `${NAMES[verdict.verdict]} at step ${verdict.step}` : NAMES[verdict.verdict];
  }
  function header() {
    const app = data.application, steps = data.steps;
    const spent = steps.reduce((sum, step) => sum + (step.r?.us ?? 0), 0);
    const facts = [
      count(steps.length, 'step'),
      steps.length > 1 ? `recorded in ${duration(steps.at(-1).t - steps[0].t)}` : null,
      hasReplay && spent ? `replayed in ${duration(spent)}` : null,
    ].filter(Boolean);
    const crash = data.notes.find((note) => note.kind === 'crash');
    const pill = h(verdict?.step ? 'a' : 'span', { class: `pill ${!verdict ? 'plain' : isUnverified ? 'warn' : isGood ? 'good' : 'bad'}`, href: verdict?.step ? `#step-${verdict.step}` : null },
      icon(!verdict ? 'recording' : verdict.verdict === 'reproduced' ? 'crash' : isUnverified ? 'unverified' : isGood ? 'done' : 'failed'), verdictWords());
    return h('header', { class: 'top' },
      h('span', { class: 'logo', 'aria-hidden': 'true' }),
      h('div', { class: 'who' },
        h('h1', {}, app.name || data.log, app.version ? h('small', {}, ` ${app.version}`) : null),
        h('p', {}, [data.log, app.started ? app.started.slice(0, 16).replace('T', ' ') : null].filter(Boolean).join(' · '))),
      pill,
      h('p', { class: 'facts' }, facts.join(' · '), crash && !verdict ? h('span', { class: 'ends' }, ' · ends in a crash') : null),
      h('div', { class: 'tools' },
        h('button', { type: 'button', class: 'tool', title: 'Dark or light (t)', 'aria-label': 'Dark or light', onclick: turnTheme }, icon('sun')),
        h('button', { type: 'button', class: 'tool', title: 'Keys (?)', 'aria-label': 'Keys of this page', onclick: () => help.showModal() }, '?')));
  }
  function turnTheme() {
    const root = document.documentElement, isDark = getComputedStyle(root).colorScheme === 'dark';
    root.dataset.theme = isDark ? 'light' : 'dark';
    try { localStorage.setItem('dashcam-theme', root.dataset.theme); } catch { /* A file may have no storage. */ }
    timeline.draw();
  }
  try { document.documentElement.dataset.theme = localStorage.getItem('dashcam-theme') ?? ''; } catch { /* as above */ }

  // --- Time line ------------------------------------------------------------------------------------------------

  const timeline = (() => {
    const canvas = h('canvas', { role: 'img', 'aria-label': `Time line of ${count(data.steps.length, 'step')}; the list below has the same` });
    const tip = h('div', { class: 'tip', hidden: true });
    const element = h('section', { class: 'timeline', 'aria-label': 'Time line' }, canvas, tip);
    const total = Math.max(1, data.steps.length);
    const longest = data.steps.reduce((most, step) => Math.max(most, lengthOf(step)), 1);
    const colours = (step) => (isBad(step) || (step.n === verdict?.step && !isGood) ? '--bad' : step.n === verdict?.step ? '--good-strong' : step.r?.u || step.r?.re?.length ? '--warn' : step.r?.o === 'done' ? '--good' : '--idle');
    const RANK = ['--idle', '--good', '--warn', '--good-strong', '--bad'];
    /** A few steps do not fill the width. */
    const spanOf = () => Math.min(canvas.clientWidth, total * 84);
    function draw() {
      const style = getComputedStyle(document.documentElement), paint = (name) => style.getPropertyValue(name).trim();
      const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
      if (!width) return;
      [canvas.width, canvas.height] = [width * scale, height * scale];
      const g = canvas.getContext('2d');
      g.scale(scale, scale);
      const span = spanOf(), bars = Math.min(total, Math.floor(width / 3)), each = span / bars, base = height - 6, room = base - 16;
      const chosen = all[0] && state.rows[state.chosen]?.step?.n;
      for (let bar = 0; bar < bars; bar++) {
        const from = Math.floor((bar * total) / bars), to = Math.max(from + 1, Math.floor(((bar + 1) * total) / bars));
        let long = 0, rank = 0;
        for (let place = from; place < to && place < data.steps.length; place++) {
          long = Math.max(long, lengthOf(data.steps[place]));
          rank = Math.max(rank, RANK.indexOf(colours(data.steps[place])));
        }
        const tall = 5 + (room - 5) * (Math.log1p(long / 1000) / Math.log1p(longest / 1000) || 0);
        const gap = each > 6 ? Math.min(4, each * 0.18) : each > 2 ? 0.6 : 0, x = bar * each, isChosen = chosen > from && chosen <= to;
        if (isChosen) {
          g.fillStyle = paint('--accent-soft');
          g.beginPath();
          g.roundRect(x - 1, 2, each + 2 - gap, height - 4, 5);
          g.fill();
        }
        g.fillStyle = paint(isChosen ? '--accent' : RANK[rank]);
        g.beginPath();
        g.roundRect(x + gap / 2, base - tall, Math.max(0.8, each - gap * 1.5), tall, Math.min(3, each / 3));
        g.fill();
      }
      const drawn = new Set();
      for (const note of data.notes) {
        const x = Math.min(width - 6, (note.after / total) * span), isCrash = note.kind === 'crash' || note.kind === 'hang';
        const place = `${note.kind} ${Math.round(x / 6)}`;
        if (drawn.has(place)) continue;
        drawn.add(place);
        g.fillStyle = paint(isCrash ? '--bad' : note.kind === 'gap' ? '--warn' : '--note');
        if (isCrash || data.notes.length < 40) {
          g.beginPath();
          g.roundRect(x - 1.5, 4, 3, height - 10, 1.5);
          g.fill();
        }
        g.beginPath();
        g.arc(x, 7, isCrash || data.notes.length < 40 ? 5 : 2, 0, 7);
        g.fill();
      }
    }
    const stepAt = (event) => data.steps[Math.floor((event.offsetX / spanOf()) * total)];
    canvas.addEventListener('click', (event) => stepAt(event) && goTo(`step-${stepAt(event).n}`));
    canvas.addEventListener('pointermove', (event) => {
      const step = stepAt(event);
      tip.hidden = !step;
      if (!step) return;
      tip.textContent = `${step.n}. ${step.s} · ${duration(lengthOf(step))}`;
      tip.style.left = `${Math.min(event.offsetX, canvas.clientWidth - tip.offsetWidth)}px`;
    });
    canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
    new ResizeObserver(draw).observe(element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    return { element, draw };
  })();

  // --- List -----------------------------------------------------------------------------------------------------

  const list = (() => {
    const inner = h('div', { class: 'rows' });
    const box = h('div', { class: 'list', role: 'listbox', tabindex: 0, 'aria-label': 'Steps' }, inner);
    const search = h('input', { type: 'search', placeholder: 'Search steps', 'aria-label': 'Search steps', autocomplete: 'off', spellcheck: 'false', oninput: () => { state.query = search.value; refilter(); } });
    const found = h('p', { class: 'found', role: 'status' });
    const chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Show' }, FILTERS.map(([key, label, fits]) => {
      const many = all.filter(fits).length;
      return h('button', { type: 'button', 'data-filter': key, 'aria-pressed': String(key === 'all'), disabled: many === 0, onclick: () => { state.filter = key; refilter(); } }, `${label} `, h('span', {}, many.toLocaleString('en')));
    }));
    const element = h('nav', { class: 'side', 'aria-label': 'Steps' }, h('div', { class: 'finder' }, h('label', { class: 'search' }, icon('search'), search, h('kbd', {}, '/')), chips, found), box);
    let shown = new Map();

    function row(place) {
      const { step, note, key } = state.rows[place];
      const attributes = { class: 'row', role: 'option', id: `row-${key}`, 'aria-posinset': place + 1, 'aria-setsize': state.rows.length, 'aria-selected': String(place === state.chosen), onclick: () => choose(place) };
      let element;
      if (note) {
        element = h('div', { ...attributes, class: `row note ${note.kind}` }, h('span', { class: 'badge' }, icon(note.kind)), h('span', { class: 'words' }, note.text), h('span', { class: 'time' }, note.t === null ? '' : clock(note.t)));
      } else {
        const end = step.n === verdict?.step, outcome = isBad(step) ? 'failed' : outcomeOf(step) ?? 'recorded';
        const told = { done: 'done', unverified: 'unverified', failed: 'failed', nothing: 'nothing to do', recorded: hasReplay ? 'not reached' : '' }[outcome];
        element = h('div', { ...attributes, class: `row ${outcome}${end ? (isGood ? ' end-good' : ' end-bad') : ''}${step.r?.re?.length ? ' remarked' : ''}` },
          h('span', { class: 'badge' }, icon(OF_ACTION[step.a] ?? 'cursor')),
          h('span', { class: 'words' }, h('b', {}, `${step.n}`), ` ${step.s}`),
          h('span', { class: 'time' }, step.r ? h('span', { class: 'outcome' }, icon(outcome)) : null, h('span', {}, step.r ? duration(step.r.us) : clock(step.t)), told ? h('span', { class: 'unseen' }, told) : null));
      }
      element.style.transform = `translateY(${place * ROW}px)`;
      return element;
    }
    function render(isNew = false) {
      if (isNew) {
        shown.forEach((element) => element.remove());
        shown = new Map();
        inner.style.height = `${state.rows.length * ROW}px`;
      }
      const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 6), last = Math.min(state.rows.length - 1, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 6);
      for (const [place, element] of shown) {
        if (place < first || place > last) {
          element.remove();
          shown.delete(place);
        }
      }
      for (let place = first; place <= last; place++) {
        if (!shown.has(place)) {
          const element = row(place);
          shown.set(place, element);
          inner.append(element);
        }
        shown.get(place).setAttribute('aria-selected', String(place === state.chosen));
      }
      if (shown.has(state.chosen)) box.setAttribute('aria-activedescendant', `row-${state.rows[state.chosen].key}`);
      else box.removeAttribute('aria-activedescendant');
    }
    function refilter() {
      const words = state.query.toLowerCase().split(/\s+/).filter(Boolean), fits = FILTERS.find(([key]) => key === state.filter)[2];
      state.rows = all.filter((row) => fits(row) && words.every((word) => row.find.includes(word)));
      state.chosen = Math.max(0, state.rows.findIndex((row) => row.key === state.kept));
      chips.querySelectorAll('button').forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.filter === state.filter)));
      found.textContent = words.length || state.filter !== 'all' ? (state.rows.length ? `${state.rows.length.toLocaleString('en')} of ${all.length.toLocaleString('en')}` : 'Nothing is like that') : '';
      render(true);
      box.scrollTop = Math.max(0, state.chosen * ROW - box.clientHeight / 2);
      render();
      showChosen();
    }
    function reveal() {
      const top = state.chosen * ROW;
      const [over, under] = [box.scrollTop - top, top + ROW - box.scrollTop - box.clientHeight];
      if (Math.max(over, under) > 2 * ROW) box.scrollTop = top - box.clientHeight / 2;
      else if (over > 0) box.scrollTop = top - ROW;
      else if (under > 0) box.scrollTop = top + 2 * ROW - box.clientHeight;
      render();
    }
    let waits = false;
    box.addEventListener('scroll', () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => { waits = false; render(); });
    }, { passive: true });
    new ResizeObserver(() => render()).observe(box);
    return { element, box, search, render, refilter, reveal };
  })();

  function choose(place) {
    if (!state.rows.length) return;
    state.chosen = Math.max(0, Math.min(state.rows.length - 1, place));
    state.kept = state.rows[state.chosen].key;
    list.reveal();
    showChosen();
  }
  /** The address names what is seen. While one searches that may be another than the one that was chosen and is kept. */
  function showChosen() {
    const key = state.rows[state.chosen]?.key;
    if (key && location.hash !== `#${key}`) history.replaceState(null, '', `#${key}`);
    detail.show();
    timeline.draw();
  }
  function goTo(key) {
    let place = state.rows.findIndex((row) => row.key === key);
    if (place < 0 && all.some((row) => row.key === key)) {
      [state.filter, state.query, list.search.value] = ['all', '', ''];
      list.refilter();
      place = state.rows.findIndex((row) => row.key === key);
    }
    if (place >= 0) choose(place);
    return place >= 0;
  }

  // --- One step -------------------------------------------------------------------------------------------------

  const PROPERTIES = [['class', 'class'], ['name', 'name'], ['text', 'text'], ['id', 'id'], ['visible', 'visible'], ['enabled', 'enabled'], ['check', 'checked'], ['modal', 'modal'], ['rect', 'rectangle'], ['style', 'style'], ['ex_style', 'extended style']];
  const value = (it) => (it === undefined ? 'unknown' : Array.isArray(it) ? `${it[0]}, ${it[1]} ${it[2]} × ${it[3]}` : typeof it === 'string' ? `“${it}”` : typeof it === 'number' && it > 0xFFFF ? `0x${it.toString(16)}` : String(it));
  function compare(a, b, properties = PROPERTIES) {
    return a === b ? [] : properties.filter(([key]) => JSON.stringify(a[key]) !== JSON.stringify(b[key])).map(([key, label]) => [label, value(a[key]), value(b[key])]);
  }
  /** What a step did: window → { kind, changes }. */
  function turns(before, after) {
    const found = new Map();
    for (const [id, { shape }] of after) {
      if (!before.has(id)) found.set(id, { kind: 'new', changes: [] });
      else {
        const changes = compare(before.get(id).shape, shape);
        if (changes.length) found.set(id, { kind: 'changed', changes });
      }
    }
    for (const id of before.keys()) if (!after.has(id)) found.set(id, { kind: 'gone', changes: [] });
    return found;
  }

  const family = (shape) => shape.class.replace(/^(afx|atl|windowsforms10|hwndwrapper)[:.[].*/i, '$1').toLowerCase();
  const SAME = [(s) => `${family(s)}|${s.id ?? ''}|${s.name}`, (s) => `${family(s)}|${s.id ?? ''}`, (s) => `${family(s)}|${s.name}`, family];
  /** Which live window stands for which recorded one: the likest below the same parent. */
  function pair(was, is) {
    const pairs = new Map(), [ours, theirs] = [draw.families(was), draw.families(is)];
    const go = (mine, yours) => {
      const taken = new Set();
      for (const like of SAME) {
        for (const window of mine) {
          if (pairs.has(window.id)) continue;
          const other = yours.find((it) => !taken.has(it.id) && like(it.shape) === like(window.shape));
          if (!other) continue;
          taken.add(other.id);
          pairs.set(window.id, other.id);
          go(ours.get(window.id) ?? [], theirs.get(other.id) ?? []);
        }
      }
    };
    go((ours.get(0) ?? []).filter((it) => it.shape.visible), (theirs.get(0) ?? []).filter((it) => it.shape.visible));
    return pairs;
  }
  const SAID = PROPERTIES.filter(([key]) => ['name', 'text', 'visible', 'enabled', 'check'].includes(key));
  /** How the replay's windows differ from the recorded ones; `strangers` are only there. */
  function differences(was, is) {
    const pairs = pair(was, is), found = new Map(), known = new Set(pairs.values());
    for (const [id, { shape }] of was) {
      const other = pairs.get(id);
      if (other === undefined) {
        if (isSeen(was, id)) found.set(id, { kind: 'gone', changes: [] });
      } else {
        const changes = compare(shape, is.get(other).shape, SAID).filter(([, a, b]) => a !== 'unknown' && b !== 'unknown');
        if (changes.length) found.set(id, { kind: 'changed', changes });
      }
    }
    const strangers = [...is].filter(([id, window]) => !known.has(id) && isSeen(is, id) && (window.parent === 0 || known.has(window.parent)));
    return { found, strangers };
  }
  function isSeen(scene, id) {
    for (let left = 40, window = scene.get(id); window && left; left--, window = scene.get(window.parent)) if (!window.shape.visible) return false;
    return scene.has(id);
  }

  const title = (shape) => [h('span', { class: 'kind' }, shape.class), shape.name ? h('q', {}, draw.plain(shape.name)) : null, shape.id !== undefined && shape.id > 0 ? h('span', { class: 'dim' }, `id ${shape.id}`) : null];

  /** A tree of windows with what is marked in it. */
  function tree(scene, marks, gone, touched) {
    const kids = draw.families(scene);
    // Of windows that went together, the highest tells.
    const lost = new Map(gone), above = (window) => (lost.has(window.parent) ? above(lost.get(window.parent)) : window), with_ = new Map();
    for (const [, window] of lost) if (above(window) !== window) with_.set(above(window), (with_.get(above(window)) ?? 0) + 1);
    for (const [id, window] of lost) if (!lost.has(window.parent)) kids.set(window.parent, [...(kids.get(window.parent) ?? []), { id, ...window, isGone: true, with: with_.get(window) }]);
    let hidden = 0;
    const isOfInterest = (window) => marks.has(window.id) || window.id === touched || (kids.get(window.id) ?? []).some(isOfInterest);
    const item = (window) => {
      const mark = marks.get(window.id), below = branch(kids.get(window.id) ?? [], window.isGone);
      return h('li', { class: `${mark?.kind ?? ''} ${window.id === touched ? 'touched' : ''} ${window.shape.visible ? '' : 'veiled'}` },
        h('div', { class: 'twig' }, mark ? h('span', { class: 'sign' }, { new: '+', gone: '−', changed: '~' }[mark.kind], h('span', { class: 'unseen' }, { new: ' new ', gone: ' gone ', changed: ' changed ' }[mark.kind])) : null,
          title(window.shape), window.id === touched ? h('span', { class: 'tag' }, 'touched') : null,
          window.shape.visible ? null : h('span', { class: 'tag quiet' }, 'hidden'), window.shape.enabled ? null : h('span', { class: 'tag quiet' }, 'disabled'), window.shape.modal ? h('span', { class: 'tag quiet' }, 'modal') : null),
        mark?.changes.map(([label, was, is]) => h('div', { class: 'turn' }, `${label} `, h('del', {}, was), ' → ', h('ins', {}, is))),
        window.with ? h('div', { class: 'turn' }, `with ${count(window.with, 'window')} in it`) : null, below);
    };
    const branch = (windows, all = false) => {
      const kept = windows.filter((window) => {
        const keep = all || state.hidden || window.shape.visible || isOfInterest(window);
        if (!keep) hidden++;
        return keep;
      });
      return kept.length ? h('ul', {}, kept.slice(0, 400).map(item)) : null;
    };
    return { element: h('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'Windows as a tree' }, branch(kids.get(0) ?? []) ?? h('p', { class: 'dim' }, 'No windows')), hidden };
  }

  /** A decision of the search, as its text tells it. */
  function decision(text) {
    const [head, ...rest] = text.trimEnd().split('\n'), levels = [];
    for (const line of rest) {
      if (line.startsWith('    ')) {
        const found = /^ {4}(\d) (0x[0-9a-f]+) (.*)$/.exec(line);
        levels.at(-1)?.candidates.push(found ? { score: Number(found[1]), what: found[3], handle: found[2] } : { what: line.trim() });
      } else {
        let quoted = false, end = 2;
        for (; end < line.length && (quoted || !line.startsWith(': ', end)); end++) {
          if (line[end] === '\\') end++;
          else if (line[end] === '"') quoted = !quoted;
        }
        levels.push({ wanted: line.slice(2, end), because: line.slice(end + 2), candidates: [] });
      }
    }
    return h('div', { class: 'decision' }, h('p', { class: 'outcome' }, head), levels.map(({ wanted, because, candidates }) => h('div', { class: 'level' },
      h('p', {}, h('b', {}, wanted), because ? h('span', { class: 'dim' }, ` — ${because}`) : null),
      h('ol', {}, candidates.map((it) => h('li', {},
        it.score === undefined ? null : h('span', { class: 'score', title: `score ${it.score} of 6` }, [1, 2, 3, 4, 5, 6].map((n) => h('i', { class: n <= it.score ? 'on' : '' })), h('b', {}, String(it.score))),
        h('span', {}, it.what), it.handle ? h('span', { class: 'dim' }, it.handle) : null))))));
  }

  function section(name, heading, ...content) {
    return h('section', { class: `card ${name}`, 'aria-labelledby': `h-${name}` }, h('h3', { id: `h-${name}`, tabindex: -1 }, heading), ...content);
  }
  function figure(caption, drawing, note = '') {
    return h('figure', {}, h('figcaption', {}, caption, note ? h('span', { class: 'dim' }, ` ${note}`) : null), drawing);
  }
  const segments = (label, options, chosen, pick) => h('div', { class: 'segments', role: 'group', 'aria-label': label }, options.map(([key, text]) => h('button', { type: 'button', 'aria-pressed': String(key === chosen), onclick: () => pick(key) }, text)));

  function windowsOf(step) {
    const n = step.n, before = recorded(n - 1), after = recorded(n), did = turns(before, after);
    const crash = data.notes.some((note) => note.after === n && note.kind === 'crash');
    // What one sees: not that a window waits for its dialog.
    const isSeenChange = (scene, marks, id, { kind, changes }) => (kind === 'new' && !(marks.get(scene.get(id)?.parent)?.kind === 'new')) || (kind === 'changed' && changes.some(([label]) => ['name', 'text', 'visible', 'checked'].includes(label) || (label === 'enabled' && scene.get(id)?.parent)));
    const box = draw.bounds(before, after), visible = (scene, marks) => new Set([...marks].filter(([id, mark]) => isSeenChange(scene, marks, id, mark)).map(([id]) => id));
    const sketch = (scene, more) => draw.scene(scene, { box, ...more });
    const pictures = [
      figure('Recorded', sketch(before, { touched: step.w, point: step.p, keys: step.k, label: `Recorded windows before step ${n}` }), 'before'),
      figure('Recorded', sketch(after, { changed: visible(after, did), stamp: crash ? 'The program crashes' : '', label: `Recorded windows after step ${n}${crash ? ': the program crashes' : ''}` }), 'after'),
    ];
    let toolbar = null;
    if (step.r) {
      const [was, is] = [actual(n - 1), actual(n)], live = turns(was, is), frame = draw.bounds(was, is);
      const address = (shots) => shots?.map(([id, place, picture]) => [id, place, `data:image/png;base64,${data.pictures[picture]}`]);
      const hasPictures = step.r.pb || step.r.pa, isPicture = state.mode === 'picture' && hasPictures;
      const ended = n === verdict?.step && (verdict.verdict === 'reproduced' || /ended/.test(String(verdict.actual))) ? (crash ? 'The program crashes' : 'The program ends') : '';
      pictures.push(
        figure('Replay', draw.scene(was, { box: frame, touched: step.r.w, keys: step.k, pictures: isPicture ? address(step.r.pb) : null, label: `Windows of the replay before step ${n}` }), isPicture ? 'before, as it looked' : 'before'),
        figure('Replay', draw.scene(is, { box: frame, changed: visible(is, live), pictures: isPicture ? address(step.r.pa ?? step.r.pb) : null, stamp: ended, label: `Windows of the replay after step ${n}${ended ? `: ${ended}` : ''}` }), isPicture ? 'after, as it looked' : 'after'));
      if (hasPictures) toolbar = segments('Windows of the replay', [['picture', 'Pictures'], ['drawing', 'Drawings']], state.mode, (mode) => { state.mode = mode; detail.show(); });
    }
    const part = section('windows', 'Windows', toolbar, h('div', { class: `stages ${step.r ? 'four' : ''}` }, pictures),
      h('p', { class: 'legend' }, h('span', { class: 'l-touched' }, 'touched'), h('span', { class: 'l-changed' }, 'changed by the step')));
    return { part, before, after, did };
  }

  function treeOf(step, { before, after, did }) {
    const isReplay = state.compare === 'replay' && step.r;
    let shown, summary;
    if (isReplay) {
      const { found, strangers } = differences(after, actual(step.n));
      shown = tree(after, found, [], step.w);
      summary = found.size + strangers.length ? `${count(found.size + strangers.length, 'difference')} between the recording and the replay` : 'The replay has the same windows, with the same texts and states';
      if (strangers.length) shown.element.append(h('h4', {}, 'Only in the replay'), h('ul', {}, strangers.map(([, window]) => h('li', { class: 'new' }, h('div', { class: 'twig' }, h('span', { class: 'sign' }, '+'), title(window.shape))))));
    } else {
      const gone = [...did].filter(([, mark]) => mark.kind === 'gone').map(([id]) => [id, before.get(id)]);
      shown = tree(after, did, gone.filter(([, window]) => window), step.w);
      summary = did.size ? `${count(did.size, 'window')} came, went or changed` : 'No window changed';
    }
    const toggle = h('button', { type: 'button', class: 'quiet', 'aria-pressed': String(state.hidden), onclick: () => { state.hidden = !state.hidden; detail.show(); } }, state.hidden ? 'Without hidden windows' : `With ${count(shown.hidden, 'hidden window')}`);
    return section('tree-card', 'Window tree', h('div', { class: 'bar' },
      step.r ? segments('Compare', [['step', 'What the step changed'], ['replay', 'Replay against recording']], isReplay ? 'replay' : 'step', (key) => { state.compare = key; detail.show(); }) : null,
      h('span', { class: 'dim' }, summary), shown.hidden || state.hidden ? toggle : null), shown.element);
  }

  function replayOf(step) {
    const r = step.r;
    if (!r) return null;
    return section('did', 'What the replay did', h('dl', {},
      h('div', {}, h('dt', {}, 'Done as'), h('dd', {}, h('code', {}, data.texts[r.act]))), h('div', {}, h('dt', {}, 'Because'), h('dd', {}, data.texts[r.why])),
      h('div', {}, h('dt', {}, 'Took'), h('dd', {}, duration(r.us)))),
      r.re?.length ? h('ul', { class: 'remarks' }, r.re.map((remark) => h('li', {}, remark))) : null,
      r.d.length ? h('h4', {}, 'Where the window was found') : null, r.d.map((text) => decision(data.texts[text])));
  }

  function expectedOf(step) {
    if (!step.r?.ex) return null;
    return section('expects', 'What the script expects', h('ul', { class: 'expected' }, step.r.ex.map(([holds, text]) => h('li', { class: holds ? 'done' : 'failed' }, icon(holds ? 'done' : 'failed'), h('span', { class: 'unseen' }, holds ? 'holds: ' : 'does not hold: '), text))));
  }

  function messagesOf(step, { before, after }) {
    const scene = (id) => (after.get(id) ?? before.get(id))?.shape;
    if (!step.mm) return null;
    return section('messages', 'Messages behind it', h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Messages' }, h('table', {},
      h('thead', {}, h('tr', {}, ['Time', 'Message', 'Window', 'Facts'].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, step.m.map(([line, id, since]) => {
        const [name, level, posted, facts] = data.lines[line], shape = scene(id), cell = h('td', { class: 'message' }, posted ? h('span', { class: 'posted', title: 'taken from the queue' }, '▸') : null, h('code', {}, data.texts[name]));
        cell.style.paddingLeft = `${10 + Math.min(level, 8) * 14}px`;
        return h('tr', {}, h('td', { class: 'number' }, `+${duration(Math.max(0, since))}`), cell, h('td', {}, shape ? title(shape) : h('span', { class: 'dim' }, '–')), h('td', { class: 'facts-cell' }, data.texts[facts]));
      })))), step.mm > step.m.length ? h('p', { class: 'dim' }, `and ${count(step.mm - step.m.length, 'more message', 'more messages')}`) : null);
  }

  function verdictCard() {
    const parts = [h('h3', {}, verdictWords())];
    if (verdict.what) parts.push(h('p', { class: 'lead' }, verdict.what), h('p', { class: 'dim' }, `Compared: ${verdict.compared}`));
    if (verdict.reason) parts.push(h('pre', {}, verdict.reason));
    if (isUnverified) parts.push(h('p', {}, `Every step had its effects, but nothing shows that ${count(verdict.unverified.length, 'step')} did what the recording shows.`), h('ul', {}, verdict.unverified.map((it) => h('li', {}, h('a', { href: `#step-${it.step}` }, `Step ${it.step}`), `: ${it.reason}`))));
    verdict.expected?.forEach((expected, i) => parts.push(h('dl', { class: 'versus' }, h('div', {}, h('dt', {}, 'Expected'), h('dd', {}, expected)), h('div', {}, h('dt', {}, 'But'), h('dd', {}, h('pre', {}, verdict.actual[i] ?? ''))))));
    if (verdict.difference?.length) parts.push(h('h4', {}, 'Recorded windows (−) and those of the replay (+)'), h('ul', { class: 'diff' }, verdict.difference.map((line) => h('li', { class: { '-': 'gone', '+': 'new' }[line[0]] ?? 'changed' }, line))));
    return h('section', { class: `card verdict ${isUnverified ? 'warn' : isGood ? 'good' : 'bad'}`, 'aria-label': 'Verdict' }, ...parts);
  }

  const detail = (() => {
    const element = h('main', { class: 'detail', id: 'detail', tabindex: -1 });
    function noteView(note) {
      const near = data.steps[Math.max(0, note.after - 1)];
      return [h('div', { class: 'head' }, h('p', { class: 'eyebrow' }, `${{ mark: 'Mark', gap: 'Gap', recording: 'Recording', hang: 'Hang', crash: 'Crash' }[note.kind]}${note.t === null ? '' : ` at ${clock(note.t)}`}${note.after ? ` · after step ${note.after}` : ' · before the first step'}`), h('h2', {}, note.text)),
        near ? section('windows', 'Windows then', h('div', { class: 'stages' }, figure('Recorded', draw.scene(recorded(note.after), { stamp: note.kind === 'crash' ? 'The program crashes' : note.kind === 'hang' ? 'The program does not answer' : '', label: 'Recorded windows at this moment' })))) : null];
    }
    function stepView(step) {
      const outcome = step.r ? { done: 'done', unverified: 'unverified', failed: 'failed', nothing: 'nothing to do' }[outcomeOf(step)] : hasReplay ? 'not reached' : null;
      const windows = windowsOf(step);
      return [
        h('div', { class: 'head' },
          h('p', { class: 'eyebrow' }, `Step ${step.n.toLocaleString('en')} of ${data.steps.length.toLocaleString('en')}`),
          h('h2', {}, step.s),
          h('p', { class: 'labels' }, outcome ? h('span', { class: `label ${outcomeOf(step) ?? ''}` }, step.r ? icon(outcomeOf(step)) : null, outcome) : null,
            h('span', { class: 'label' }, `at ${clock(step.t)}`), step.r ? h('span', { class: 'label' }, `took ${duration(step.r.us)}`) : null, h('span', { class: 'label' }, step.a.replaceAll('_', ' '))),
          h('div', { class: 'walk' },
            h('button', { type: 'button', title: 'Previous (k)', 'aria-label': 'Previous step', disabled: state.chosen === 0, onclick: () => choose(state.chosen - 1) }, icon('up')),
            h('button', { type: 'button', title: 'Next (j)', 'aria-label': 'Next step', disabled: state.chosen >= state.rows.length - 1, onclick: () => choose(state.chosen + 1) }, icon('down')))),
        step.n === verdict?.step ? verdictCard() : null,
        step.r?.u ? h('section', { class: 'card verdict warn', 'aria-label': 'Unverified' }, h('h3', {}, 'Unverified'), h('p', {}, step.r.u[0]), h('p', { class: 'dim' }, `To verify it: ${step.r.u[1]}`)) : null,
        windows.part,
        h('div', { class: 'pair' },
          section('effects', 'What followed', ...effectsOf(step)),
          replayOf(step)),
        expectedOf(step),
        treeOf(step, windows),
        messagesOf(step, windows),
      ];
    }
    /** What windows show, then the commands; many of these only on demand. */
    function effectsOf(step) {
      const FEW = 4, effects = step.e.map((effect) => data.effects[effect]);
      const isCommand = ([kind]) => kind === 'command', commands = effects.filter(isCommand);
      const items = (some) => h('ul', { class: 'effects' }, some.map(([kind, text]) => h('li', { class: kind }, text)));
      if (!effects.length) return [h('p', { class: 'dim' }, 'Nothing that a window shows')];
      if (commands.length <= FEW) return [items(effects)];
      const others = effects.filter((effect) => !isCommand(effect));
      return [others.length ? items(others) : null, h('details', { class: 'commands' }, h('summary', {}, count(commands.length, 'command')), items(commands))];
    }
    let waits = false;
    function render() {
      waits = false;
      const row = state.rows[state.chosen], general = [];
      if (verdict && !verdict.step && verdict.verdict !== 'passed') general.push(verdictCard());
      if (data.remarks.length && state.chosen === 0) general.push(h('ul', { class: 'remarks card' }, data.remarks.map((remark) => h('li', {}, remark))));
      const view = !row ? [h('p', { class: 'dim empty' }, all.length ? 'No step is like that.' : 'The user did nothing.')] : row.note ? noteView(row.note) : stepView(row.step);
      element.replaceChildren(...[...general, ...view].filter(Boolean));
    }
    /** Draws what is chosen, once for each frame at the most. */
    function show() {
      if (waits) return;
      waits = true;
      requestAnimationFrame(render);
    }
    return { element, show, render };
  })();

  // --- Keys -----------------------------------------------------------------------------------------------------

  const KEYS = [['j or ↓', 'next'], ['k or ↑', 'previous'], ['Page Down, Page Up', 'ten steps on, ten back'], ['Home, End', 'first, last'], ['n, p', 'next and previous problem'], ['/', 'search'], ['Esc', 'end the search, back to where it began'],
    ['1 to 5', 'windows, what followed, what the replay did, tree, messages'], ['Enter', 'from the search to the list, from the list to the step'], ['d', 'pictures or drawings'], ['c', 'compare: the step, or the replay'], ['t', 'dark or light'], ['?', 'these keys']];
  const help = h('dialog', { class: 'help', 'aria-labelledby': 'h-help' }, h('h2', { id: 'h-help' }, 'Keys'),
    h('dl', {}, KEYS.map(([keys, what]) => h('div', {}, h('dt', {}, keys.split(/( or | to |, )/).map((key, i) => (i % 2 ? key : h('kbd', {}, key)))), h('dd', {}, what)))),
    h('p', { class: 'dim' }, 'The address of the page names the step: #step-12.'),
    h('form', { method: 'dialog' }, h('button', { class: 'primary' }, 'Close')));

  function leap(way) {
    const isProblem = FILTERS[1][2];
    for (let place = state.chosen + way; place >= 0 && place < state.rows.length; place += way) if (isProblem(state.rows[place])) return choose(place);
  }
  const ACTS = {
    j: () => choose(state.chosen + 1), k: () => choose(state.chosen - 1), ArrowDown: () => choose(state.chosen + 1), ArrowUp: () => choose(state.chosen - 1),
    PageDown: () => choose(state.chosen + 10), PageUp: () => choose(state.chosen - 10), Home: () => choose(0), End: () => choose(state.rows.length - 1),
    n: () => leap(1), p: () => leap(-1), '/': () => { list.search.focus(); list.search.select(); }, t: turnTheme, '?': () => help.showModal(),
    d: () => { state.mode = state.mode === 'picture' ? 'drawing' : 'picture'; detail.show(); }, c: () => { state.compare = state.compare === 'step' ? 'replay' : 'step'; detail.show(); },
    Enter: () => { detail.element.focus(); detail.element.scrollTop = 0; },
    Escape: () => { if (state.query || state.filter !== 'all') { [state.query, state.filter, list.search.value] = ['', 'all', '']; list.refilter(); } list.box.focus(); },
  };
  ['windows', 'effects', 'did', 'tree-card', 'messages'].forEach((name, i) => {
    ACTS[i + 1] = () => { const heading = document.getElementById(`h-${name}`); heading?.scrollIntoView({ block: 'start' }); heading?.focus({ preventScroll: true }); };
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const isTyping = event.target.matches('input');
    if (isTyping && event.key === 'Enter') {
      choose(state.chosen);
      list.box.focus();
      return;
    }
    if (isTyping && !['Escape', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'].includes(event.key)) return;
    if (event.key === 'Enter' && event.target.matches('button, a')) return;
    // Inside a step, keys that scroll do so.
    const isInside = detail.element.contains(event.target);
    if (isInside && ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Enter'].includes(event.key)) return;
    if (ACTS[event.key]) {
      event.preventDefault();
      ACTS[event.key]();
    }
  });
  addEventListener('hashchange', () => goTo(location.hash.slice(1)));

  // --- Paper ----------------------------------------------------------------------------------------------------

  const paper = h('section', { class: 'paper', 'aria-hidden': 'true' });
  function prepare() {
    const MOST = 2000;
    paper.replaceChildren(h('h2', {}, 'All steps'), h('table', {}, h('tbody', {}, all.slice(0, MOST).map(({ step, note }) => (note
      ? h('tr', { class: note.kind }, h('td', {}), h('td', {}), h('td', {}, note.text), h('td', {}, note.t === null ? '' : clock(note.t)), h('td', {}))
      : h('tr', { class: isBad(step) ? 'failed' : '' }, h('td', { class: 'number' }, String(step.n)), h('td', {}, step.r ? { done: '✓', unverified: '?', failed: '✗', nothing: '·' }[outcomeOf(step)] : ''), h('td', {}, step.s), h('td', { class: 'number' }, clock(step.t)), h('td', { class: 'number' }, step.r ? duration(step.r.us) : '')))))),
    all.length > MOST ? h('p', {}, `and ${all.length - MOST} more`) : '');
  }
  addEventListener('beforeprint', () => { prepare(); timeline.draw(); });
  matchMedia('print').addEventListener('change', (event) => event.matches && prepare());

  // --- Beginning ------------------------------------------------------------------------------------------------

  document.body.append(h('a', { class: 'skip', href: '#detail', onclick: (event) => { event.preventDefault(); detail.element.focus(); } }, 'To the step'), header(), timeline.element, h('div', { class: 'body' }, list.element, detail.element), paper, help);
  list.render(true);
  if (!goTo(location.hash.slice(1))) {
    // The first thing one wants to see is where it went wrong, or how it began.
    if (!(verdict?.step && goTo(`step-${verdict.step}`))) choose(0);
  }
  detail.render();
  list.box.focus({ preventScroll: true });
  document.documentElement.dataset.ready = 'true';
})();
