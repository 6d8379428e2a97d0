// Choices, keys and the address. The part of the address after # holds all choices, so that a link opens the same
// view, after a reload and by the Back button too.

const root = document.getElementById('explorer');
const embedded = root.classList.contains('embedded');
const defaults = { q: -1, a: 0, b: 1, sort: 'change', filter: '', side: 'all', min: 0 };
const state = Object.assign({}, defaults);
let differences = differencesOf(0, 1);
// An id in the address that the page does not have.
let unknown = null;

const list = new QueryList((q) => go({ q }, true));
const view = new QueryView();

// The address -----------------------------------------------------------------------------

function address(of) {
  const parts = new URLSearchParams();
  if (of.q >= 0) parts.set('q', index.ids[of.q]);
  for (const name of ['a', 'b']) if (of[name] !== defaults[name]) parts.set(name, index.rankers[of[name]]);
  for (const name of ['sort', 'filter', 'side', 'min']) {
    if (of[name] !== defaults[name]) parts.set(name, of[name]);
  }
  return '#' + parts.toString();
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const found = Object.assign({}, defaults);
  const ranker = (name) => {
    const at = index.rankers.indexOf(parts.get(name));
    return at < 0 ? defaults[name] : at;
  };
  found.a = ranker('a');
  found.b = ranker('b');
  if (found.a === found.b) found.b = found.a === 0 ? 1 : 0;
  if (parts.has('q')) found.q = index.ids.indexOf(parts.get('q'));
  unknown = parts.has('q') && found.q < 0 ? parts.get('q') : null;
  if (parts.get('sort') in keys) found.sort = parts.get('sort');
  if (parts.get('side') in sides) found.side = parts.get('side');
  found.filter = parts.get('filter') || '';
  const min = Number(parts.get('min'));
  found.min = min > 0 && Number.isFinite(min) ? min : 0;
  return found;
}

// Changes the state. A new entry of the history is made for a click, and none for a key.
function go(changes, entry) {
  const next = Object.assign({}, state, changes);
  unknown = null;
  const text = address(next);
  if (text !== location.hash) history[entry ? 'pushState' : 'replaceState'](null, '', text);
  update(next);
}

// The view ------------------------------------------------------------------------------

function update(next, first) {
  const changed = (names) => first || names.some((name) => state[name] !== next[name]);
  const lists = changed(['a', 'b', 'sort', 'filter', 'side', 'min']);
  const query = changed(['q', 'a', 'b']) || unknown !== null;
  const pair = changed(['a', 'b']);
  Object.assign(state, next);
  root.classList.toggle('has-query', state.q >= 0 || unknown !== null);
  if (pair) {
    differences = differencesOf(state.a, state.b);
    showPair();
  }
  if (lists) {
    const queries = selected(state, differences);
    // First, because this text takes height from the list.
    status.textContent = counted(queries.length, 'query', 'queries') +
      (queries.length < count ? ' of ' + thousands(count) : '');
    list.show(queries, differences, state.q, [state.a, state.b]);
    showControls();
  } else if (query) list.select(state.q);
  if (!query) return;
  if (state.q >= 0) view.show(state.q, [state.a, state.b], differences[state.q]);
  else view.clear(unknown === null ? 'Choose a query.' : 'This page has no query ' + unknown + '.');
}

// Controls ------------------------------------------------------------------------------

const option = (value, text) => make('option', { value }, text);
const select = (label, change) => make('select', { 'aria-label': label, on: { change } });
const field = (text, control) => make('label', {}, make('span', {}, text), control);

const ranker = (name, label) => {
  const control = select(label, () => {
    const at = Number(control.value);
    const other = name === 'a' ? 'b' : 'a';
    // Choosing the other ranker swaps both.
    go(at === state[other] ? { a: state.b, b: state.a } : { [name]: at });
  });
  control.append(...index.rankers.map((text, at) => option(at, text)));
  return control;
};
const rankers = { a: ranker('a', 'Ranker A'), b: ranker('b', 'Ranker B') };
const sort = select('Sort by', () => go({ sort: sort.value }));
const side = select('Show', () => go({ side: side.value }));
const filter = make('input', {
  type: 'search', placeholder: index.texts ? 'id or text' : 'id', 'aria-label': 'Filter by text',
  on: { input: () => go({ filter: filter.value }) }
});
const min = make('input', {
  type: 'number', min: '0', step: '0.01', 'aria-label': 'Smallest difference',
  on: { input: () => go({ min: Math.max(0, Number(min.value) || 0) }) }
});
const status = make('p', { class: 'status faint', role: 'status' });
const summary = make('p', { class: 'summary' });

function showPair() {
  const [a, b] = [index.rankers[state.a], index.rankers[state.b]];
  const better = { a: 0, b: 0, tie: 0 };
  for (const d of differences) if (!Number.isNaN(d)) better[sideOf(d)] += 1;
  const means = [index.means[state.a], index.means[state.b]];
  const mean = means.includes(null) ? NaN : means[0] - means[1];
  const part = (letter, name, value) => make('span', { class: 'part' }, make('span', { class: 'letter ' + letter },
    letter.toUpperCase()), ' ' + name + ' ', make('strong', {}, decimals(value)));
  summary.replaceChildren(part('a', a, means[0]), part('b', b, means[1]),
    make('span', { class: 'part' }, 'A \u2212 B ', make('strong', { class: sideOf(mean) }, signed(mean))),
    make('span', { class: 'part' }, 'A better ' + thousands(better.a) + ', tie ' + thousands(better.tie) +
      ', B better ' + thousands(better.b)));
  sort.replaceChildren(option('change', 'Largest difference'), option('gain', 'A better first'),
    option('loss', 'B better first'), option('id', 'Query'), option('documents', 'Most documents'));
  side.replaceChildren(option('all', 'All queries'), option('a', 'A better'), option('b', 'B better'),
    option('tie', 'Ties'), option('none', 'Without a value'), option('why', 'With reasons'));
}

function showControls() {
  rankers.a.value = state.a;
  rankers.b.value = state.b;
  sort.value = state.sort;
  side.value = state.side;
  if (filter.value !== state.filter) filter.value = state.filter;
  if ((Number(min.value) || 0) !== state.min) min.value = state.min > 0 ? state.min : '';
}

// Keys -----------------------------------------------------------------------------------

const toggleFeatures = () => {
  const hidden = root.classList.toggle('no-features');
  features.setAttribute('aria-pressed', String(!hidden));
};
const move = (step) => {
  const q = list.neighbour(step);
  if (q !== null) go({ q });
};
const toDocuments = () => {
  if (state.q < 0 || !list.queries.includes(state.q)) move(0);
  const first = view.node.querySelector('li.document button');
  if (first) first.focus();
};
const toList = () => {
  if (root.classList.contains('narrow')) go({ q: -1 });
  list.node.focus();
};

const commands = {
  j: () => move(1),
  k: () => move(-1),
  '/': () => {
    if (root.classList.contains('narrow')) go({ q: -1 });
    filter.focus();
  },
  '?': toggleHelp,
  f: toggleFeatures,
  Escape: toList
};
// Keys that have another meaning outside the list.
const listCommands = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  PageDown: () => move(list.page()),
  PageUp: () => move(-list.page()),
  Home: () => move(-count),
  End: () => move(count),
  Enter: toDocuments
};
const fieldCommands = { Enter: toDocuments, Escape: toList, ArrowDown: toList };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const target = event.target;
  const inside = root.contains(target);
  if (embedded && !inside) return;
  const typing = target.matches('input, select, textarea');
  const free = target === list.node || target === document.body;
  const command = typing ? target === filter && fieldCommands[event.key] :
    (free && listCommands[event.key]) || commands[event.key];
  if (!command) return;
  event.preventDefault();
  command();
}

// Start ----------------------------------------------------------------------------------

const button = (text, label, click) => make('button', { type: 'button', 'aria-label': label, on: { click } }, text);
const features = button('Features', 'Show features', toggleFeatures);
features.setAttribute('aria-pressed', 'true');
const back = button('\u2190 Queries', 'Back to the queries', toList);
back.className = 'back';

root.replaceChildren(
  make('header', {}, make('h1', {}, index.title), summary,
    index.rankers.length > 2 ? make('div', { class: 'pair' }, field('A', rankers.a), field('B', rankers.b)) : null),
  make('main', {},
    make('div', { class: 'side' },
      make('div', { class: 'controls' }, field('Sort', sort), field('Show', side), field('Filter', filter),
        field('Difference from', min)),
      status, list.node),
    make('div', { class: 'detail' },
      make('div', { class: 'tools' }, back, button('\u2191', 'Previous query', () => move(-1)),
        button('\u2193', 'Next query', () => move(1)), index.features.length > 0 ? features : null,
        button('?', 'Help', toggleHelp)),
      view.node)),
  help);

const fit = () => {
  root.classList.toggle('narrow', root.clientWidth < 760);
  list.draw();
};
new ResizeObserver(fit).observe(root);
fit();
window.addEventListener('popstate', () => update(readAddress()));
document.addEventListener('keydown', onKey);
update(readAddress(), true);
// A wide window shows a query beside the list from the start.
if (!root.classList.contains('narrow') && state.q < 0 && unknown === null && list.queries.length > 0) {
  if (embedded) update(Object.assign({}, state, { q: list.queries[0] }));
  else go({ q: list.queries[0] });
}
