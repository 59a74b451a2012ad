/** `npm run upgrade -- --from COMMIT [--answers N --seed S]`: see docs/testing.md. */
import { parseArgs } from 'node:util';
import { whyMissing } from './programs.ts';
import { upgradeUnderLoad } from './upgrade.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '' },
    answers: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const { from } = values;
const [answers, seed] = [Number(values.answers), Number(values.seed)];
if (!from || ![answers, seed].every((value) => Number.isSafeInteger(value) && value >= 1)) {
  console.error('For example: npm run upgrade -- --from v0.1.0 --answers 1000 --seed 7');
  process.exit(2);
}
const missing = whyMissing(from);
if (missing) {
  console.error(`${missing}.`);
  process.exit(2);
}
const tell = (line: string) => console.log(line);
const tally = await upgradeUnderLoad({ from, answers, seed, tell });
const { requests, acknowledged, events, seconds, failed, broken, migrations } = tally;
tell(
  `${requests} requests in ${seconds.toFixed(0)} s, ${failed.length} failed; ${acknowledged} orders acknowledged, ${events} events delivered, ${migrations.length} migrations applied meanwhile (${migrations.join(', ')})`,
);
for (const line of [...failed, ...broken].slice(0, 20)) console.error(line);
if (failed.length + broken.length > 0) process.exitCode = 1;
else tell('Every promise was kept: nothing failed, and nothing was lost.');
