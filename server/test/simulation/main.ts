/** `npm run simulate -- --seed N --payments N`: see docs/testing.md. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Invariant, invariants } from './broken-invariant.ts';
import { Counts } from './counts.ts';
import { type OptionalDial, optional } from './dials.ts';
import { Player } from './player.ts';
import { openOwnPostgres } from './postgres.ts';
import { scenarios } from './scenarios.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    payments: { type: 'string', default: '4000' },
    /** Of one seed. */
    each: { type: 'string', default: '1000' },
    /** How many seeds run at once. */
    jobs: { type: 'string', default: String(Math.min(availableParallelism(), 8)) },
    only: { type: 'string' },
    /** Names of dials to disable, separated by commas. */
    without: { type: 'string', default: '' },
    /** Disbursements for each payment, instead of the dial of each seed. */
    disbursed: { type: 'string' },
    invariant: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** Continues with the other seeds after one broke an invariant. */
    'keep-going': { type: 'boolean', default: false },
  },
});
const numbers = [values.seed, values.payments, values.each, values.jobs].map(Number);
const [first, payments, each, jobs] = numbers as [number, number, number, number];
const { only, invariant } = values;
const disbursed = values.disbursed === undefined ? undefined : Number(values.disbursed);
const areWhole = numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
const without = values.without.split(',').filter((name) => name !== '') as OptionalDial[];
const isKnown =
  (disbursed === undefined || disbursed >= 0) &&
  without.every((name) => optional.includes(name)) &&
  (only === undefined || only in scenarios) &&
  (invariant === undefined || invariant in invariants);
if (!areWhole || each === 0 || jobs === 0 || !isKnown) {
  console.error('For example: npm run simulate -- --seed 7 --payments 4000');
  console.error(`--only ${Object.keys(scenarios).join('|')}`);
  console.error(`--invariant ${Object.keys(invariants).join('|')}`);
  console.error(`--without ${optional.join(',')}`);
  process.exit(2);
}

let toldMs = 0;
process.exitCode = (await playAll()) ? 0 : 1;

async function playAll(): Promise<boolean> {
  const seeds = Array.from({ length: Math.ceil(payments / each) }, (_, index) => first + index);
  const startedMs = performance.now();
  const seedCount = seeds.length;
  let [done, steps, played] = [0, 0, 0];
  const broken: string[] = [];
  const counts = new Counts();
  const progress = () => {
    const speed = done / ((performance.now() - startedMs) / 1_000);
    const minutesLeft = (payments - done) / speed / 60;
    return `${done} of ${payments} payments, ${played} of ${seedCount} seeds, ${speed.toFixed(1)} payments/s, ${minutesLeft.toFixed(0)} min left, ${broken.length} seeds broken`;
  };
  const playOn = async () => {
    const postgres = await openOwnPostgres();
    const player = Player.open(postgres.url);
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const count = Math.min(each, payments - (seed - first) * each);
      const options = {
        seed,
        payments: count,
        only,
        without,
        disbursed,
        invariant: invariant as Invariant,
      };
      const result = await player.play({ ...options, printsStory: values.trace });
      done += count;
      steps += result.steps;
      counts.addAll(result.counts);
      played += 1;
      reportProgress(progress());
      if (!result.words) continue;
      broken.push(`${seed} (${result.invariant})`);
      console.log(`${result.words}${again(seed, count)}`);
      if (!values['keep-going']) seeds.length = 0;
    }
    await player.close();
    await postgres.close();
  };
  // The seeds being played end as usual; a second signal ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => seeds.splice(0));
  await Promise.all(Array.from({ length: Math.min(jobs, seeds.length) }, playOn));
  const last = first + seedCount - 1;
  const seconds = (performance.now() - startedMs) / 1_000;
  const verdict =
    broken.length === 0
      ? 'No invariant was broken'
      : `${broken.length} seeds broke an invariant: ${broken.join(', ')}`;
  const pace = `in ${seconds.toFixed(0)} s (${(done / seconds).toFixed(1)} payments/s)`;
  const summary = `${played} seeds (${first} to ${last}), ${done} payments, ${steps} steps, ${pace}`;
  console.log(`\n${verdict}. Played: ${summary}.\nWhat happened: ${counts.toString()}.`);
  return broken.length === 0;
}

function again(seed: number, count: number): string {
  const options = `${only ? ` --only ${only}` : ''}${invariant ? ` --invariant ${invariant}` : ''}${values.without ? ` --without ${values.without}` : ''}${disbursed === undefined ? '' : ` --disbursed ${disbursed}`}`;
  return `Again: npm run simulate -- --seed ${seed} --payments ${count} --each ${count}${options}`;
}

function reportProgress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
  else if (performance.now() - toldMs > 20_000) {
    toldMs = performance.now();
    console.log(line);
  }
}
