import type { Mutation } from './list.ts';

const scaleTest = 'bench/src/scale/scale.test.ts';
const yearTest = 'bench/src/scale/routing/year.test.ts';
const keysTest = 'bench/src/scale/routing/keys.test.ts';

/** Faults of docs/scale.md, which would promise what nobody measured, and of what it is computed by. */
export const scaleMutations: readonly Mutation[] = [
  {
    name: 'scale: the page has a figure that is not the script’s',
    file: 'docs/scale.md',
    find: '| payments | 2,000/s;',
    replace: '| payments | 3,000/s;',
    test: scaleTest,
  },
  {
    name: 'scale: a figure was measured anew, and the page computes with the old one',
    file: 'docs/growth.md',
    find: '2,520 and 1,640 while 64 clients created 641',
    replace: '3,010 and 1,960 while 64 clients created 641',
    test: scaleTest,
  },
  {
    name: 'scale: a batch is only those who came while the one before was under way',
    file: 'bench/src/scale/arithmetic.ts',
    find: ' + Math.exp(-(perSecond * ms) / 1e3)',
    replace: '',
    test: scaleTest,
    only: 'as many share a batch as in a batcher that was tried',
  },
  {
    name: 'scale: a page is written whole as often as it is changed',
    file: 'bench/src/scale/arithmetic.ts',
    find: 'pages * -Math.expm1(-touched / pages)',
    replace: 'touched',
    test: scaleTest,
    only: 'whole pages are written once for each checkpoint at most, and four for each payment at most',
  },
  {
    name: 'scale: the cache forgets the key that was used last',
    file: 'bench/src/scale/routing/keys.ts',
    find: 'this.#remove(this.#previous[this.#end]!)',
    replace: 'this.#remove(this.#next[this.#end]!)',
    test: keysTest,
  },
  {
    name: 'scale: a merchant that moves is still paid in the cell it left',
    file: 'bench/src/scale/routing/cells.ts',
    find: 'this.load[from]! -= size;',
    replace: '',
    test: yearTest,
  },
  {
    name: 'scale: a giant is moved, and makes the next cell too busy',
    file: 'bench/src/scale/routing/moves.ts',
    find: 'const room = mendedAt * mean - seen[to]!;',
    replace: 'const room = Infinity;',
    test: yearTest,
  },
  {
    name: 'scale: the largest merchant moves where a smaller one would do',
    file: 'bench/src/scale/routing/moves.ts',
    find: 'while (at + 1 < sorted.length && sorted[at + 1]!.size >= excess) at++;',
    replace: '',
    test: yearTest,
  },
  {
    name: 'scale: of two cells, the one that is paid more gets the merchant',
    file: 'bench/src/scale/routing/cells.ts',
    find: 'this.seen[one]! <= this.seen[other]!',
    replace: 'this.seen[one]! > this.seen[other]!',
    test: yearTest,
  },
  {
    name: 'scale: who ends is still counted in its cell',
    file: 'bench/src/scale/routing/population.ts',
    find: 'watcher.ended(merchant);',
    replace: '',
    test: yearTest,
  },
];
