// The help of the page: its keys, and what it shows.

const keyTexts = [['j, \u2193', 'next query'], ['k, \u2191', 'previous query'], ['/', 'filter by text'],
  ['Enter', 'from the filter or the list to the documents'], ['Esc', 'back to the list'],
  ['f', 'show or hide features'], ['?', 'this help']];
const tieTexts = {
  order: 'Tied documents are in row order.',
  average: 'The metric averages over the orders of tied documents. Here they are in row order.',
  document: 'Ties are broken by document id, the highest first.',
  best: 'Tied documents are in the best order.',
  worst: 'Tied documents are in the worst order.'
};

const help = make('dialog', { 'aria-label': 'Help' },
  make('h2', {}, 'Keys'),
  make('dl', {}, ...keyTexts.flatMap(([key, text]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)])),
  make('h2', {}, 'About'),
  make('p', {}, 'Differences are ' + index.metric + ' of A minus B. ' + (tieTexts[index.ties] || '') +
    (index.weighted ? ' Means use the weights of queries.' : '')),
  make('p', {}, 'Lists show the first ' + counted(index.depth, 'document') + '. \u25b2 and \u25bc: the other ranker ' +
    'has the document further up or down.'),
  make('p', {}, index.explained.length === 0 ? 'This page has no reasons.' : 'Reasons are Shapley values of the ' +
    'score difference of two neighbours. They exist for the ' + counted(index.explained.length, 'query', 'queries') +
    ' whose values differ most.'),
  make('p', {}, 'The address of this page has all choices. Copy it to share a view.'),
  make('button', { type: 'button', on: { click: () => help.close() } }, 'Close'));
const toggleHelp = () => (help.open ? help.close() : help.showModal());
