import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playSeeds, timeout } from './play-seeds.ts';
import { Simulation } from './simulation.ts';

/** `npm run test:faults` plays more seeds and each scenario, `npm run simulate` any number of them. */
const seeds = [104, 231];

const servers = playSeeds(
  'the simulation keeps every invariant',
  seeds.map((seed) => ({ name: `with all dials of seed ${seed}`, seed, payments: 260 })),
);

test('the simulation repeats a seed exactly', { timeout }, async () => {
  const simulation = await Simulation.open(servers[0]!.url);
  const play = async (seed: number) =>
    (await simulation.play({ seed, payments: 60 })).fingerprint();
  const first = await play(107);
  assert.notEqual(await play(108), first);
  assert.equal(await play(107), first);
  await simulation.close();
});
