/**
 * Runs the vectors and unit tests of each library on every version of its language that can be had here, and prints a
 * table: `npm run runtimes [-- WORDS]`, where the words choose some by name. Runtimes from npm go into a temporary
 * folder. Exits with 1 if a library fails; a runtime that cannot be had is skipped, with the reason.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { go, php, python } from './here.ts';
import { javascript } from './javascript.ts';
import { phpOfNpm } from './php-of-npm.ts';
import { Missing, type Runtime } from './runtime.ts';

const words = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'zimbo-runtimes-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const all: Runtime[] = [...javascript, ...php, ...phpOfNpm, ...python(), ...go];
const chosen = all.filter(({ name }) => words.every((word) => name.includes(word)));
const row = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`);

row('Runtime', 'Result', 'Seconds');
row('---', '---', '---');
const failures: string[] = [];
for (const { name, test } of chosen) {
  const startedMs = performance.now();
  const result = await test(folder).catch((error: Error) => {
    if (error instanceof Missing) return `skipped: ${error.message}`;
    failures.push(`${name}\n${error.message}`);
    return '**failed**';
  });
  row(name, result, ((performance.now() - startedMs) / 1_000).toFixed(1));
}
if (failures.length > 0) {
  console.error(`\n${failures.join('\n\n')}`);
  process.exitCode = 1;
}
