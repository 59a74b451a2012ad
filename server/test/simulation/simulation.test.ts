import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase } from '../support/database.ts';
import { Simulation } from './simulation.ts';

/**
 * `npm run test:long` plays more seeds and each scenario, `npm run simulate` any number of them.
 */
const seeds = [104, 114, 154, 231, 318, 402];
const paymentsOfSeed = 350;
const timeout = 600_000;
let simulation: Simulation;
const ends: (() => Promise<void>)[] = [];

before(async () => {
  const { url } = await testDatabase({ after: (end) => ends.push(end as () => Promise<void>) });
  simulation = await Simulation.open(url);
});

after(async () => {
  await simulation.close();
  for (const end of ends) await end();
});

for (const seed of seeds) {
  test(`keeps every invariant with all dials of seed ${seed}`, {
    timeout,
  }, async (t) => {
    const played = await simulation.play({ seed, payments: paymentsOfSeed });
    const { broken, story, counts } = played;
    const again = `npm run simulate -- --seed ${seed} --payments ${paymentsOfSeed}`;
    const words = `${story.join('\n')}\n${broken?.invariant}: ${broken?.message}\nAgain: ${again}`;
    assert.equal(broken, undefined, words);
    t.diagnostic(`seed ${seed}: ${counts.toString()}`);
  });
}

test('repeats a seed exactly', { timeout }, async () => {
  const play = async (seed: number) =>
    (await simulation.play({ seed, payments: 60 })).fingerprint();
  const first = await play(107);
  assert.notEqual(await play(108), first);
  assert.equal(await play(107), first);
});
