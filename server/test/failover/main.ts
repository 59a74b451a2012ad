/** `npm run failover -- --rounds N --seed S [--asynchronous]`: see docs/testing.md. */
import { parseArgs } from 'node:util';
import { BrokenPromise } from '../operator-torture/torture.ts';
import { failOverBehind, riskOf } from './asynchronous.ts';
import { failOver } from './failover.ts';
import { failOvers } from './plan.ts';
import { tableOf } from './report.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'rest-every': { type: 'string', default: '10' },
    asynchronous: { type: 'boolean', default: false },
  },
});
const [rounds, seed, restEvery] = [values.rounds, values.seed, values['rest-every']].map(Number);
if (![rounds, seed, restEvery].every((value) => Number.isSafeInteger(value) && value! >= 1)) {
  console.error('For example: npm run failover -- --rounds 20 --seed 7');
  process.exit(2);
}
const tell = (line: string) => console.log(line);
const standby = values.asynchronous
  ? 'an asynchronous standby that is behind'
  : 'a synchronous standby';
tell(`${rounds} fail-overs of seed ${seed}, with ${standby}`);
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => stopping.abort(new Error(`stopped by ${name}`)));
}
const { signal } = stopping;
const given = { rounds: rounds!, seed: seed!, restEvery: restEvery!, tell, signal };
try {
  if (values.asynchronous) await behind();
  else await synchronous();
} catch (error) {
  if (!(error instanceof BrokenPromise) && error !== signal.reason) throw error;
  console.error(`${(error as Error).message}\nThe run: ${rounds} rounds of seed ${seed}`);
  // Interrupted rounds would continue otherwise.
  process.exit(1);
}

async function synchronous(): Promise<void> {
  const { outages, acknowledged, events } = await failOver({
    ...given,
    strikeOf: (_round, random) => random.pick(failOvers),
  });
  for (const line of tableOf(outages)) tell(line);
  tell(
    `Every promise was kept: of ${acknowledged} orders acknowledged none was lost, none debited twice, and ${events} events were delivered.`,
  );
}

async function behind(): Promise<void> {
  const tally = await failOverBehind(given);
  for (const line of riskOf(tally)) tell(line);
  tell(
    'Every promise that holds with such a standby was kept: nothing was sent twice, and the ledger is right.',
  );
}
