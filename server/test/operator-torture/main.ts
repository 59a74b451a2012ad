/** `npm run operators:torture -- --payments N --disturbed SHARE --kills K --seed S --watch-seconds W`: see docs/testing.md. */
import { parseArgs } from 'node:util';
import { BrokenPromise, tortureOperators } from './torture.ts';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '1000' },
    disturbed: { type: 'string', default: '0.2' },
    kills: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'watch-seconds': { type: 'string', default: '90' },
  },
});
const [payments, kills, seed] = [values.payments, values.kills, values.seed].map(Number);
const watchSeconds = Number(values['watch-seconds']);
const disturbed = Number(values.disturbed);
const areWhole = [payments, kills, seed, watchSeconds].every(
  (value) => Number.isSafeInteger(value) && value! >= 0,
);
if (!areWhole || !(disturbed >= 0 && disturbed <= 0.8)) {
  console.error(
    'For example: npm run operators:torture -- --payments 1000 --disturbed 0.2 --kills 3 --seed 7',
  );
  process.exit(2);
}
const run = `${payments} payments, ${disturbed} of them disturbed, ${kills} kills, seed ${seed}`;
console.log(run);
try {
  const tell = (line: string) => console.log(line);
  await tortureOperators({
    payments: payments!,
    disturbed,
    kills: kills!,
    seed: seed!,
    watchSeconds,
    tell,
  });
  console.log(`Every promise was kept: ${run}.`);
} catch (error) {
  if (!(error instanceof BrokenPromise)) throw error;
  console.error(`${error.message}\nThe run: ${run}`);
  process.exitCode = 1;
}
