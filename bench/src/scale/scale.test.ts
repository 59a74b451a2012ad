import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { batchSize, walOf } from './arithmetic.ts';
import { assumed } from './assumed.ts';
import { type Measured, measured } from './measured.ts';
import { withTables } from './page.ts';
import { limitsPicture } from './pictures.ts';
import { pageTables } from './tables.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('matches docs/scale.md with the script; `npm run scale -- --write` updates it', () => {
  const page = read('docs/scale.md');
  const tables = pageTables(assumed);
  assert.equal(withTables(page, tables), page);
  assert.equal(read('docs/scale-limits.svg'), limitsPicture(assumed));
});

test('finds each input of the page where it was measured', () => {
  for (const [name, { page, words }] of Object.entries<Measured>(measured)) {
    assert.ok(read(page).includes(words), `${name}: ${page} no longer says "${words}"`);
  }
});

/** Random shares from 0 to 1, the same in every run. */
function* sharesByChance(): Generator<number, never> {
  let state = 1;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** A batcher in virtual time, with one batch in flight: the batch sizes at random arrivals. */
function triedBatchSize(perSecond: number): number {
  const shares = sharesByChance();
  const batches = 20_000;
  let next = 0;
  let free = 0;
  let rows = 0;
  const arrive = () => {
    next -= (Math.log(1 - shares.next().value) * 1e3) / perSecond;
  };
  for (let i = 0; i < batches; i++) {
    const begins = Math.max(free, next);
    for (; next <= begins; arrive()) rows++;
    free = begins + measured.write.value;
  }
  return rows / batches;
}

test('computes the batch sizes of a simulated batcher', () => {
  for (const perSecond of [13, 130, 650, 1_200]) {
    const [computed, tried] = [batchSize(perSecond), triedBatchSize(perSecond)];
    assert.ok(Math.abs(computed / tried - 1) < 0.03, `${perSecond}/s: ${computed}, not ${tried}`);
  }
  // From three on, batches are delayed by 3 ms instead of the 2.1 ms of a batch in flight.
  assert.ok(batchSize(3_000) > 9 && batchSize(3_000) < 9.1);
});

test('bounds full page writes by one per checkpoint, and four per payment', () => {
  const perSecond = 1_000;
  const withoutImages = perSecond * measured.walOfLife.value;
  assert.ok(walOf(assumed, perSecond, 0) < withoutImages * 1.001);
  const large = walOf(assumed, perSecond, 1e13);
  assert.ok(large > withoutImages + 3.99 * 8_192 * perSecond);
  assert.ok(large <= withoutImages + 4 * 8_192 * perSecond);
});
