import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../support/database.ts';
import { Simulation } from './simulation.ts';

/** More seeds, and each scenario: `npm run test:long`; as many as you like: `npm run simulate`. */
const seeds = [101, 105, 106];
const paymentsOfSeed = 60;

test('no invariant is broken, with all dials as the seeds set them', {
  timeout: 400_000,
}, async (t) => {
  const { url } = await testDatabase(t);
  const simulation = await Simulation.open(url);
  try {
    for (const seed of seeds) {
      const { broken, story, counts } = await simulation.play({ seed, payments: paymentsOfSeed });
      const again = `npm run simulate -- --seed ${seed} --payments ${paymentsOfSeed}`;
      const words = `${story.join('\n')}\n${broken?.invariant}: ${broken?.message}\nAgain: ${again}`;
      assert.equal(broken, undefined, words);
      t.diagnostic(`seed ${seed}: ${counts.toString()}`);
    }
  } finally {
    await simulation.close();
  }
});
