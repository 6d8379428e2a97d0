// The data of the page: an index of all queries, and documents in blocks that are read when they are shown.

const element = (id) => document.getElementById('explorer-' + id);
const read = (id) => JSON.parse(element(id).textContent);
const index = read('index');
const count = index.ids.length;

// Blocks of documents that were read.
const blocks = new Map();

function blockOf(query) {
  const number = Math.floor(query / index.block);
  if (!blocks.has(number)) {
    const block = read('block-' + number);
    block.from = [];
    let from = 0;
    for (const size of block.count) {
      block.from.push(from);
      from += size;
    }
    blocks.set(number, block);
  }
  return blocks.get(number);
}

// The documents of a query that some list shows.
function documentsOf(query) {
  const block = blockOf(query);
  const at = query % index.block;
  const from = block.from[at];
  return Array.from({ length: block.count[at] }, (_, i) => {
    const row = from + i;
    const id = block.id[row];
    return {
      name: typeof id === 'number' ? 'row ' + id : id,
      grade: block.grade[row],
      text: block.text ? block.text[row] : '',
      ranks: index.rankers.map((_, r) => block['rank' + r][row]),
      scores: index.rankers.map((_, r) => block['score' + r][row]),
      features: index.features.map((_, f) => block['feature' + f][row])
    };
  });
}

// Reasons why documents of a list are above the next one: undefined, or an array from the top on.
let why = null;
function reasonsOf(ranker, query) {
  if (why === null) why = read('why');
  const own = why.rankers[ranker];
  return own ? own[query] : undefined;
}
const explained = new Set(index.explained);

// The differences of two rankers; NaN if a query has no value. Values have 6 decimals.
function differencesOf(a, b) {
  return Float64Array.from(index.ids, (_, q) => {
    const first = index.values[a][q];
    const second = index.values[b][q];
    return first === null || second === null ? NaN : Math.round((first - second) * 1e6) / 1e6;
  });
}

// Ranks of the ids in alphabetical order, numbers by their size. Sorting texts is slow, so this is done once.
let places = null;
function idPlaces() {
  if (places === null) {
    const collator = new Intl.Collator('en', { numeric: true });
    const order = index.ids.map((_, q) => q).sort((p, q) => collator.compare(index.ids[p], index.ids[q]));
    places = new Int32Array(count);
    order.forEach((q, place) => { places[q] = place; });
  }
  return places;
}

let searched = null;
function searchedTexts() {
  if (searched === null) {
    searched = index.ids.map((id, q) => (id + '\n' + (index.texts ? index.texts[q] : '')).toLowerCase());
  }
  return searched;
}

const sides = {
  all: () => true,
  a: (d) => d > 0,
  b: (d) => d < 0,
  tie: (d) => d === 0,
  none: (d) => Number.isNaN(d),
  why: (d, q) => explained.has(q)
};

// Sort keys, lowest first. Queries without a value come last.
const keys = {
  change: (d) => -Math.abs(d),
  gain: (d) => -d,
  loss: (d) => d,
  id: (d, q) => idPlaces()[q],
  documents: (d, q) => -index.documents[q]
};

// The queries that a filter leaves, in order.
function selected(state, differences) {
  const words = state.filter.trim().toLowerCase();
  const texts = words === '' ? null : searchedTexts();
  const side = sides[state.side];
  const found = [];
  for (let q = 0; q < count; q++) {
    const d = differences[q];
    if (texts !== null && !texts[q].includes(words)) continue;
    if (state.min > 0 && !(Math.abs(d) >= state.min - 1e-9)) continue;
    if (side(d, q)) found.push(q);
  }
  const key = Float64Array.from(index.ids, (_, q) => {
    const value = keys[state.sort](differences[q], q);
    return Number.isNaN(value) ? Infinity : value;
  });
  return found.sort((p, q) => (key[p] === key[q] ? p - q : key[p] - key[q]));
}

// An element of the page. Text is set as text, so that ids cannot be read as HTML.
function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'on') {
      Object.entries(value).forEach(([event, listener]) => made.addEventListener(event, listener));
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (n, one, many) => thousands(n) + ' ' + (n === 1 ? one : many || one + 's');
const minus = (text) => text.replace(/^-/, '\u2212');
const shown = (value) => (value === null || value === undefined ? '\u2013' : minus(String(value)));
const decimals = (value) => (value === null || Number.isNaN(value) ? '\u2013' : minus(value.toFixed(4)));
const signed = (value) => (value > 0 ? '+' : '') + decimals(value);
const sideOf = (d) => (d > 0 ? 'a' : d < 0 ? 'b' : 'tie');
