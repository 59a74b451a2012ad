/**
 * `npm run mutations`: plants each fault of list.ts in a copy of the code, and checks that the test named with
 * the fault fails, and why. A check that never caught anything proves nothing. `-- --list` prints the names.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Mutation, mutations } from './list.ts';
import type { Reason } from './reasons.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const wanted = process.argv[2];
const copies: string[] = [];
const running = new Set<ChildProcess>();
let isInterrupted = false;

function plant(copy: string, { file, find, replace }: Mutation): () => void {
  const path = join(copy, file);
  const code = readFileSync(path, 'utf8');
  if (!code.includes(find)) throw new Error(`${file} no longer holds: ${find}`);
  writeFileSync(
    path,
    code.replace(find, () => replace),
  );
  return () => writeFileSync(path, code);
}

interface Outcome {
  isGreen: boolean;
  reasons: Reason[];
}

async function runTest(copy: string, { test, only }: Mutation): Promise<Outcome> {
  const options = [`--test-reporter=${join(import.meta.dirname, 'reasons.ts')}`];
  if (only !== undefined) options.push(`--test-name-pattern=${only}`);
  const child = spawn(process.execPath, ['server/test/run.ts', ...options, test], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const lines = (await text(child.stdout)).split('\n').filter((line) => line.startsWith('{'));
  const isGreen = (await ended) === 0;
  running.delete(child);
  return { isGreen, reasons: lines.map((line) => JSON.parse(line) as Reason) };
}

const greenWithout = new Map<string, Promise<Outcome>>();

/** Says why the proof does not count; returns undefined if the test caught the fault. */
async function objectionTo(
  copy: string,
  mutation: Mutation,
  outcome: Outcome,
): Promise<string | undefined> {
  if (outcome.isGreen) return 'not caught';
  if (!outcome.reasons.some(({ isProof }) => isProof)) return 'red for another reason';
  // A test that fails without the fault proves nothing.
  const what = `${mutation.test} ${mutation.only}`;
  if (!greenWithout.has(what)) greenWithout.set(what, runTest(copy, mutation));
  return (await greenWithout.get(what)!).isGreen ? undefined : 'red without the fault';
}

async function runWith(copy: string, mutation: Mutation): Promise<Outcome> {
  const restore = plant(copy, mutation);
  const outcome = await runTest(copy, mutation);
  restore();
  return outcome;
}

/** Prints the outcome and its reasons, so that a reader can judge whether the test saw the fault itself. */
async function check(copy: string, mutation: Mutation, place: string): Promise<boolean> {
  const startedMs = Date.now();
  const outcome = await runWith(copy, mutation);
  const objection = await objectionTo(copy, mutation, outcome);
  if (isInterrupted) return false;
  const verdict = objection === undefined ? '✓ caught' : `✗ ${objection}`;
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  console.log(`${place}  ${verdict}  ${mutation.name}  (${mutation.test}, ${seconds} s)`);
  for (const { test, message } of outcome.reasons) {
    console.log(`    ${test}: ${message.slice(0, 300).replaceAll('\n', '\n      ')}`);
  }
  return objection === undefined;
}

function copyCode(): string {
  const copy = mkdtempSync(join(tmpdir(), 'zimbo-faults-'));
  copies.push(copy);
  for (const entry of readdirSync(root).filter(
    (name) => !/^(\.git|\.zimbo|node_modules)$/.test(name),
  )) {
    cpSync(join(root, entry), join(copy, entry), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Checks faults until none is left; returns how many were not caught. */
async function checkEach(places: Iterator<[number, Mutation]>, count: number): Promise<number> {
  const copy = copyCode();
  let missed = 0;
  for (let next = places.next(); !next.done; next = places.next()) {
    const [index, mutation] = next.value;
    const isCaught = await check(copy, mutation, `${index + 1} of ${count}`);
    if (isInterrupted) return missed;
    if (!isCaught) missed += 1;
  }
  return missed;
}

/** Two faults at a time: a test waits for the other half of its time. */
async function main(): Promise<number> {
  const chosen = mutations.filter(({ name }) => wanted === undefined || name.includes(wanted));
  const places = chosen.entries();
  const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, () =>
    checkEach(places, chosen.length),
  );
  const missed = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
  if (isInterrupted) return 1;
  console.log(missed === 0 ? 'Every fault was caught.' : `${missed} were not caught.`);
  return missed === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill(signal);
  });
}

try {
  if (wanted === '--list')
    for (const { name, test } of mutations) console.log(`${name}  (${test})`);
  else process.exitCode = await main();
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
