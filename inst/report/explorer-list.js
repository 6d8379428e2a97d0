// The list of queries. Only rows near the window exist, so that 10,000 queries scroll without lag.

const rowHeight = 52;
const spareRows = 6;

class QueryList {
  // `choose(query)` is called for a click.
  constructor(choose) {
    this.queries = [];
    this.rows = make('div', { class: 'rows' });
    this.node = make('div', { class: 'list', role: 'listbox', tabindex: '0', 'aria-label': 'Queries' }, this.rows);
    this.node.addEventListener('scroll', () => this.later());
    this.node.addEventListener('click', (event) => {
      const row = event.target.closest('[data-query]');
      if (row) choose(Number(row.dataset.query));
    });
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  show(queries, differences, query, pair) {
    this.queries = queries;
    this.differences = differences;
    this.pair = pair;
    this.largest = 0;
    for (const d of differences) if (Math.abs(d) > this.largest) this.largest = Math.abs(d);
    this.rows.style.height = queries.length * rowHeight + 'px';
    this.select(query);
  }

  // Marks a query and scrolls to it, if the list has it.
  select(query) {
    this.query = query;
    const at = this.queries.indexOf(query);
    if (at >= 0 && this.node.clientHeight > 0) {
      const top = at * rowHeight;
      const end = top + rowHeight - this.node.clientHeight;
      if (this.node.scrollTop > top) this.node.scrollTop = top;
      if (this.node.scrollTop < end) this.node.scrollTop = end;
    }
    this.draw();
  }

  // The query `step` places after the selected one.
  neighbour(step) {
    if (this.queries.length === 0) return null;
    const at = this.queries.indexOf(this.query);
    const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), this.queries.length - 1);
    return this.queries[next];
  }

  page() {
    return Math.max(1, Math.floor(this.node.clientHeight / rowHeight) - 1);
  }

  draw() {
    const height = this.node.clientHeight;
    const first = Math.max(0, Math.floor(this.node.scrollTop / rowHeight) - spareRows);
    const last = Math.min(this.queries.length, Math.ceil((this.node.scrollTop + height) / rowHeight) + spareRows);
    const made = [];
    for (let at = first; at < last; at++) made.push(this.row(at));
    this.rows.replaceChildren(...made);
    const chosen = this.queries.indexOf(this.query);
    if (chosen >= first && chosen < last) this.node.setAttribute('aria-activedescendant', 'query-' + this.query);
    else this.node.removeAttribute('aria-activedescendant');
  }

  row(at) {
    const q = this.queries[at];
    const d = this.differences[q];
    const width = this.largest > 0 && !Number.isNaN(d) ? (50 * Math.abs(d)) / this.largest : 0;
    const [a, b] = this.pair;
    return make('div', {
      class: 'row', role: 'option', id: 'query-' + q, 'data-query': q, 'aria-selected': String(q === this.query),
      'aria-posinset': at + 1, 'aria-setsize': this.queries.length, style: 'top:' + at * rowHeight + 'px'
    },
    make('span', { class: 'row-name' }, index.ids[q],
      index.texts && index.texts[q] ? make('span', { class: 'faint' }, ' ' + index.texts[q]) : null),
    make('span', { class: 'row-difference ' + sideOf(d) }, signed(d)),
    make('span', { class: 'row-more faint' },
      decimals(index.values[a][q]) + ' \u2192 ' + decimals(index.values[b][q]) + ' \u00b7 ' +
      counted(index.documents[q], 'document')),
    make('span', { class: 'row-bar', 'aria-hidden': 'true' },
      make('i', { class: sideOf(d), style: (d > 0 ? 'right' : 'left') + ':50%;width:' + width + '%' })));
  }
}
