// One query: both lists side by side, and why a document is above the next one.

// The colour of a grade: five steps up to the highest grade. The grade itself is text beside the colour.
function gradeStep(grade) {
  if (!(grade > 0) || !(index.highest > 0)) return 0;
  return Math.max(1, Math.min(4, Math.ceil((4 * grade) / index.highest)));
}

class QueryView {
  constructor() {
    this.node = make('div', { class: 'query', role: 'region', 'aria-label': 'The query', tabindex: '-1' });
  }

  clear(text) {
    this.node.replaceChildren(make('p', { class: 'faint' }, text));
  }

  show(query, pair, d) {
    this.pair = pair;
    this.query = query;
    this.documents = documentsOf(query);
    this.marked = null;
    const values = pair.map((r) => index.values[r][query]);
    const better = Number.isNaN(d) ? 'no value' : d === 0 ? 'tie' : index.rankers[pair[d > 0 ? 0 : 1]] + ' better';
    const text = index.texts ? index.texts[query] : '';
    this.node.replaceChildren(
      make('h2', {}, 'Query ' + index.ids[query]),
      ...(text ? [make('p', { class: 'query-text' }, text)] : []),
      make('p', { class: 'facts' },
        make('strong', { class: sideOf(d) }, signed(d)), ' ' + index.metric + ', ' + better + ' \u00b7 ' +
        counted(index.documents[query], 'document') + ', ' + thousands(index.relevant[query]) + ' relevant'),
      make('div', { class: 'lists' }, this.list(0, values[0]), this.list(1, values[1])));
    this.node.scrollTop = 0;
  }

  list(side, value) {
    const ranker = this.pair[side];
    const own = this.documents.map((_, i) => i).filter((i) => this.documents[i].ranks[ranker] <= index.depth)
      .sort((i, j) => this.documents[i].ranks[ranker] - this.documents[j].ranks[ranker]);
    const hidden = index.documents[this.query] - own.length;
    return make('section', { class: 'ranking', 'aria-label': 'Ranking of ' + index.rankers[ranker] },
      make('h3', { class: side === 0 ? 'a' : 'b' }, make('span', { class: 'letter' }, side === 0 ? 'A' : 'B'),
        make('span', { class: 'ranker' }, index.rankers[ranker]), make('span', { class: 'value' }, decimals(value))),
      make('ol', {}, ...own.map((i) => this.document(i, side))),
      hidden > 0 ? make('p', { class: 'faint' }, counted(hidden, 'more document')) : null);
  }

  document(i, side) {
    const own = this.documents[i];
    const [rank, other] = [own.ranks[this.pair[side]], own.ranks[this.pair[1 - side]]];
    const letter = side === 0 ? 'B' : 'A';
    const move = other === rank ? '=' : other > rank ? '\u25bc' : '\u25b2';
    return make('li', { class: 'document', 'data-document': i, 'data-side': side },
      make('button', {
        type: 'button', 'aria-pressed': 'false', 'aria-expanded': 'false',
        on: { click: () => this.mark(i, side) }
      },
      make('span', { class: 'rank' }, String(rank)),
      make('span', { class: 'grade step' + gradeStep(own.grade), title: 'grade ' + shown(own.grade) },
        make('span', { class: 'hidden' }, 'grade '), shown(own.grade)),
      make('span', { class: 'name' }, own.name),
      make('span', { class: 'score faint', title: 'score' }, shown(own.scores[this.pair[side]])),
      make('span', {
        class: 'other' + (other > index.depth ? ' below' : ''),
        title: 'rank ' + other + ' by ' + index.rankers[this.pair[1 - side]]
      }, letter + ' ' + thousands(other) + ' ' + move),
      own.text ? make('span', { class: 'text' }, own.text) : null,
      this.features(own)));
  }

  features(own) {
    if (index.features.length === 0) return null;
    return make('span', { class: 'features' }, ...index.features.map((name, f) =>
      make('span', { class: 'feature' }, make('span', { class: 'faint' }, name + ' '), shown(own.features[f]))));
  }

  // Marks a document in both lists, and shows its reasons. A second click takes the mark away.
  mark(i, side) {
    this.node.querySelectorAll('.why').forEach((node) => node.remove());
    const again = this.marked !== null && this.marked[0] === i && this.marked[1] === side;
    this.marked = again ? null : [i, side];
    for (const item of this.node.querySelectorAll('li.document')) {
      const same = !again && Number(item.dataset.document) === i;
      const open = same && Number(item.dataset.side) === side;
      item.classList.toggle('marked', same);
      item.firstChild.setAttribute('aria-pressed', String(same));
      item.firstChild.setAttribute('aria-expanded', String(open));
      if (open) item.append(this.why(i, side));
    }
  }

  why(i, side) {
    const ranker = this.pair[side];
    const rank = this.documents[i].ranks[ranker];
    const note = (text) => make('div', { class: 'why' }, make('p', { class: 'faint' }, text));
    if (index.reasons[ranker] !== '') {
      return note('No reasons for ' + index.rankers[ranker] + '. ' + index.reasons[ranker]);
    }
    if (!explained.has(this.query)) {
      return note(index.explained.length === 0 ? 'This page has no reasons.' : 'Reasons exist for the ' +
        counted(index.explained.length, 'query', 'queries') + ' that changed most.');
    }
    const pair = (reasonsOf(ranker, this.query) || [])[rank - 1];
    return pair ? reasonPanel(pair, rank) : note('The last document that is shown.');
  }
}

// Contributions of features to the difference of two scores as bars.
function reasonPanel([difference, items, others, rest], rank) {
  const rows = [];
  for (let at = 0; at < items.length; at += 4) {
    rows.push([why.names[items[at]], items[at + 1], shown(items[at + 2]) + ' against ' + shown(items[at + 3])]);
  }
  if (others > 0) rows.push([counted(others, 'other feature'), rest, '']);
  const largest = Math.max(...rows.map((row) => Math.abs(row[1])), 1e-300);
  const line = ([name, value, values]) => make('div', { class: 'reason' },
    make('span', { class: 'reason-name' }, name, values ? make('span', { class: 'faint' }, ' ' + values) : null),
    make('span', { class: 'reason-value' }, (value > 0 ? '+' : '') + shown(value)),
    make('span', { class: 'reason-bar', 'aria-hidden': 'true' }, make('i', {
      class: value > 0 ? 'up' : 'down',
      style: (value > 0 ? 'left' : 'right') + ':50%;width:' + (50 * Math.abs(value)) / largest + '%'
    })));
  const words = difference === 0 ? 'Equal scores: no feature decides.' : 'Score difference ' +
    (difference > 0 ? '+' : '') + shown(difference) + ', the sum of:';
  return make('div', { class: 'why' },
    make('p', {}, make('strong', {}, 'Why rank ' + rank + ' is above rank ' + (rank + 1)), '. ' + words),
    ...rows.map(line));
}
