import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OwnPostgres, openOwnPostgres } from './postgres.ts';
import { scenarios } from './scenarios.ts';
import { type SeedOptions, Simulation } from './simulation.ts';

/** For longer runs of more seeds: `npm run simulate`. */
const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const paymentsOfSeed = 100;
const paymentsOfScenario = 150;
/** Each callback follows a dozen junk callbacks there. */
const paymentsBehindJunk = 30;
const timeout = 900_000;
let simulation: Simulation;
let postgres: OwnPostgres;

before(async () => {
  postgres = await openOwnPostgres();
  simulation = await Simulation.open(postgres.url);
});

after(async () => {
  await simulation.close();
  await postgres.close();
});

async function play(options: SeedOptions): Promise<void> {
  const { broken, story } = await simulation.play(options);
  assert.equal(broken, undefined, `${story.join('\n')}\n${broken?.invariant}: ${broken?.message}`);
}

for (const only of Object.keys(scenarios)) {
  const payments = only === 'junk-first' ? paymentsBehindJunk : paymentsOfScenario;
  test(`keeps every invariant in the scenario ${only}`, { timeout }, () =>
    play({ seed: 1, payments, only }),
  );
}

for (const seed of seeds) {
  test(`keeps every invariant with all dials of seed ${seed}`, { timeout }, () =>
    play({ seed, payments: paymentsOfSeed }),
  );
}
