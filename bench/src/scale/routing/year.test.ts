import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cells, type Policy } from './cells.ts';
import { mend } from './moves.ts';
import { standardParameters } from './parameters.ts';
import { Population } from './population.ts';
import { Random } from './random.ts';
import { policies } from './tables.ts';
import { simulateYear } from './year.ts';

const small = { ...standardParameters, merchants: 5_000, cells: 5, days: 60 };
const moving: Policy = { placement: 'random', movesAbove: 1.2 };

/** Cells whose merchants are given by their sizes: the first of each is merchant 0, the next ones count on. */
function cellsOf(sizes: number[][], policy = moving) {
  const cells = new Cells(policy, sizes.length, 100, new Random(1));
  const large = sizes.flatMap((own, cell) => own.map((size) => ({ cell, size })));
  const all = large.map(({ cell, size }, merchant) => {
    cells.of[merchant] = cell;
    cells.load[cell]! += size;
    cells.merchants[cell]!++;
    return { merchant, size, today: size };
  });
  cells.look();
  return { cells, all };
}

test('the smallest merchant that will do alone goes to the least busy cell', () => {
  const { cells, all } = cellsOf([[20, 35, 45, 50], [50, 50], [40]]);
  const moves = mend(cells, all, 1.1);
  assert.deepEqual(
    moves.map(({ size }) => size),
    [45],
  );
  assert.equal(cells.of[moves[0]!.merchant], 2);
  assert.deepEqual([...cells.load], [105, 100, 85]);
  assert.deepEqual([...cells.merchants], [3, 2, 2]);
});

test('a cell within the limit is left alone, and a giant stays where it is', () => {
  assert.deepEqual(mend(cellsOf([[59, 60], [100], [90]]).cells, [], 1.1), []);
  const { cells, all } = cellsOf([
    [300, 10, 5],
    [100, 9],
    [100, 8],
  ]);
  const moves = mend(cells, all, 1.1);
  assert.deepEqual(
    moves.map(({ size }) => size),
    [10, 5],
  );
});

test('of two cells, the one that was paid less the day before gets the merchant', () => {
  const { cells } = cellsOf([[1], [1_000]], { placement: 'better of two', movesAbove: undefined });
  for (let merchant = 10; merchant < 90; merchant++) cells.place(merchant, 1);
  assert.ok(cells.merchants[0]! > 2 * cells.merchants[1]!);
});

test('whatever merchants do, a cell has the payments of its merchants, and they are all in cells', () => {
  const population = new Population(small);
  const { size, large } = population;
  const cells = new Cells(moving, small.cells, size.length, new Random(1));
  for (let i = 0; i < small.merchants; i++) cells.place(i, size[i]!);
  for (let day = 0; day < small.days; day++) {
    population.pass(day, {
      changed: (first, by) => cells.change(first, by),
      ended: (merchant) => cells.remove(merchant),
      born: (merchant, its) => cells.place(merchant, its),
    });
    cells.look();
    const all = [...large].map((merchant) => ({
      merchant,
      size: size[merchant]!,
      today: size[merchant]!,
    }));
    mend(cells, all, small.mendedAt);
  }
  const loads = new Float64Array(small.cells);
  const merchants = new Float64Array(small.cells);
  size.forEach((one, merchant) => {
    loads[cells.of[merchant]!]! += one;
    if (one > 0) merchants[cells.of[merchant]!]!++;
  });
  loads.forEach((load, cell) => {
    assert.ok(Math.abs(load - cells.load[cell]!) < 1e-6, `cell ${cell}`);
  });
  assert.deepEqual(cells.merchants, merchants);
  assert.equal(
    merchants.reduce((sum, count) => sum + count, 0),
    population.living,
  );
  assert.ok(size.every((one, merchant) => one >= small.largeFrom === large.has(merchant)));
  const growth = small.merchants * (1 + (0.2 * small.days) / 365);
  assert.ok(Math.abs(population.living / growth - 1) < 0.01);
});

test('a year is the same each time, and moves keep cells more even than none', () => {
  const year = simulateYear(small, policies);
  assert.deepEqual(simulateYear(small, policies), year);
  const last = ({ placement, movesAbove }: Policy) =>
    year.policies
      .find((one) => one.policy.placement === placement && one.policy.movesAbove === movesAbove)!
      .busiest.reduce((sum, ratio) => sum + ratio, 0);
  assert.ok(last(moving) < last({ placement: 'random', movesAbove: undefined }));
});
