/** `npm run torture -- --rounds N --seed S`: see docs/testing.md. */
import { parseArgs } from 'node:util';
import { BrokenPromise, torture } from './torture.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'rest-every': { type: 'string', default: '20' },
  },
});

const rounds = Number(values.rounds);
const seed = Number(values.seed);
const restEvery = Number(values['rest-every']);
if (![rounds, seed, restEvery].every((value) => Number.isSafeInteger(value) && value >= 1)) {
  console.error('Give whole numbers: npm run torture -- --rounds 100 --seed 7 --rest-every 20');
  process.exit(2);
}
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => stopping.abort(new Error(`stopped by ${name}`)));
}
console.log(`${rounds} rounds of seed ${seed}`);
try {
  const tell = (line: string) => console.log(line);
  const { orders, acknowledged, events } = await torture({
    rounds,
    seed,
    restEvery,
    tell,
    signal: stopping.signal,
  });
  console.log(
    `Every promise was kept: ${rounds} rounds of seed ${seed}, ${orders} orders, ${acknowledged} acknowledged, ${events} events.`,
  );
} catch (error) {
  const isExpected = error instanceof BrokenPromise || error === stopping.signal.reason;
  if (!isExpected) throw error;
  console.error((error as Error).message);
  // Interrupted rounds would continue otherwise.
  process.exit(1);
}
