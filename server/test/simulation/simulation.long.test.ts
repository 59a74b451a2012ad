import { playSeeds } from './play-seeds.ts';
import { scenarios } from './scenarios.ts';

/** For longer runs of more seeds: `npm run simulate`. */
const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 114, 154, 318, 402];
/** Each callback follows a dozen junk callbacks there. */
const paymentsBehindJunk = 30;

playSeeds('the simulation keeps every invariant', [
  ...Object.keys(scenarios).map((only) => ({
    name: `in the scenario ${only}`,
    seed: 1,
    payments: only === 'junk-first' ? paymentsBehindJunk : 150,
    only,
  })),
  ...seeds.map((seed) => ({ name: `with all dials of seed ${seed}`, seed, payments: 130 })),
]);
