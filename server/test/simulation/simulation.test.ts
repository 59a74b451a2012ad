import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Player } from './player.ts';
import { type OwnPostgres, openOwnPostgres } from './postgres.ts';
import { Simulation } from './simulation.ts';

/**
 * `npm run test:faults` plays more seeds and each scenario, `npm run simulate` any number of them.
 */
const seeds = [104, 114, 154, 231, 318, 402];
const paymentsOfSeed = 260;
const timeout = 600_000;
/** Each in its own thread, so that the longest test file of the suite ends sooner. */
const playerCount = 2;
const servers: OwnPostgres[] = [];

before(async () => {
  while (servers.length < playerCount) servers.push(await openOwnPostgres());
});

after(async () => {
  for (const server of servers) await server.close();
});

describe('the simulation keeps every invariant', { concurrency: playerCount }, () => {
  const idle: Player[] = [];
  before(() => {
    idle.push(...servers.map(({ url }) => Player.open(url)));
  });
  after(() => Promise.all(idle.map((player) => player.close())));

  for (const seed of seeds) {
    test(`with all dials of seed ${seed}`, { timeout }, async () => {
      const player = idle.pop()!;
      try {
        const { words } = await player.play({ seed, payments: paymentsOfSeed });
        const again = `npm run simulate -- --seed ${seed} --payments ${paymentsOfSeed}`;
        assert.equal(words, undefined, `${words}\nAgain: ${again}`);
      } finally {
        idle.push(player);
      }
    });
  }
});

test('the simulation repeats a seed exactly', { timeout }, async () => {
  const simulation = await Simulation.open(servers[0]!.url);
  const play = async (seed: number) =>
    (await simulation.play({ seed, payments: 60 })).fingerprint();
  const first = await play(107);
  assert.notEqual(await play(108), first);
  assert.equal(await play(107), first);
  await simulation.close();
});
