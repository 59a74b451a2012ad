/** `npm run simulate -- --seed N --payments N`: see docs/testing.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/platform/migrations.ts';
import { openEmbeddedDatabase } from '../../src/platform/postgres/embedded.ts';
import { type Invariant, invariants } from './broken.ts';
import { scenarios } from './dials.ts';
import { type SeedResult, Simulation } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    payments: { type: 'string', default: '2000' },
    /** Of one seed. */
    each: { type: 'string', default: '200' },
    only: { type: 'string' },
    invariant: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** Plays the other seeds too after one that broke an invariant. */
    'keep-going': { type: 'boolean', default: false },
  },
});
const [first, payments, each] = [values.seed, values.payments, values.each].map(Number);
const { only, invariant } = values;
const areWhole = [first, payments, each].every(
  (value) => Number.isSafeInteger(value) && value! >= 0,
);
const isKnown =
  (only === undefined || only in scenarios) && (invariant === undefined || invariant in invariants);
if (!areWhole || each === 0 || !isKnown) {
  console.error('For example: npm run simulate -- --seed 7 --payments 2000');
  console.error(`--only ${Object.keys(scenarios).join('|')}`);
  console.error(`--invariant ${Object.keys(invariants).join('|')}`);
  process.exit(2);
}

/** Nothing here outlives the run. */
const tuning = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};
const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-simulation-'));
const postgres = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
try {
  await migrate(postgres.url, { now: new Date() });
  const simulation = await Simulation.open(postgres.url);
  process.exitCode = (await playAll(simulation)) ? 0 : 1;
  await simulation.close();
} finally {
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function playAll(simulation: Simulation): Promise<boolean> {
  const startedMs = performance.now();
  const seeds = Math.ceil(payments! / each!);
  let done = 0;
  let steps = 0;
  let broken = 0;
  for (let seed = first!; seed < first! + seeds; seed++) {
    const count = Math.min(each!, payments! - done);
    const options = { seed, payments: count, only, isLoud: values.trace };
    const result = await simulation.play({ ...options, invariant: invariant as Invariant });
    if (result.broken) {
      tellBroken(seed, count, result);
      broken += 1;
      if (!values['keep-going']) return false;
    }
    done += count;
    steps += result.steps;
    const seconds = (performance.now() - startedMs) / 1_000;
    const speed = `${(done / seconds).toFixed(0)} payments/s, ${(steps / seconds).toFixed(0)} steps/s`;
    tellProgress(`seed ${seed}: ${done} of ${payments} payments, ${speed}`, done === payments);
  }
  if (broken > 0) return false;
  console.log(
    `No invariant was broken: seeds ${first} to ${first! + seeds - 1}, ${done} payments.`,
  );
  return true;
}

function tellProgress(line: string, isLast: boolean): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${isLast ? '\n' : ''}`);
  else if (isLast || Number(/\d+/.exec(line)![0]) % 25 === 0) console.log(line);
}

function tellBroken(seed: number, count: number, { broken, story, dials }: SeedResult): void {
  const { invariant: name, message } = broken!;
  const options = `${only ? ` --only ${only}` : ''}${invariant ? ` --invariant ${invariant}` : ''}`;
  console.log(`\n${story.join('\n')}\n`);
  console.log(`The dials: ${JSON.stringify(dials)}`);
  console.log(`Broken: ${name} (${invariants[name]})\n  ${message}`);
  console.log(`Again: npm run simulate -- --seed ${seed} --payments ${count}${options}`);
}
