/**
 * `npm run scale`: the tables of docs/scale.md, with your own figures if you give some; `--write`
 * writes the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Assumed, assumed } from './assumed.ts';
import { withTables } from './page.ts';
import { limitsPicture } from './pictures.ts';
import { arithmeticTables, optionOf, pageTables } from './tables.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    ...Object.fromEntries(
      Object.keys(assumed).map((name) => [optionOf(name), { type: 'string' as const }]),
    ),
  },
});
const given: Record<string, string | boolean | undefined> = values;
const figures = Object.fromEntries(
  Object.entries(assumed).map(([name, value]) => [name, numberGiven(optionOf(name)) ?? value]),
) as unknown as Assumed;
if (given.write && Object.entries(assumed).some(([name]) => given[optionOf(name)] !== undefined)) {
  throw new Error(
    'The page has the figures of assumed.ts: leave out --write, or change them there.',
  );
}

if (given.write) {
  const path = join(docs, 'scale.md');
  writeFileSync(path, withTables(readFileSync(path, 'utf8'), pageTables(figures)));
  writeFileSync(join(docs, 'scale-limits.svg'), limitsPicture(figures));
} else {
  for (const [name, table] of Object.entries(arithmeticTables(figures)))
    console.log(`${name}\n\n${table}\n`);
}

function numberGiven(option: string): number | undefined {
  const text = given[option];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${option} takes a number above 0, not "${text}".`);
  return number;
}
