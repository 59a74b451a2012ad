import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** English labels with several Portuguese translations, and the reasons. */
const severalTranslations: Record<string, string> = {
  all: 'agrees in gender with the listed objects: todos, todas',
  charge: 'the verb is Cobrar, the noun is Cobrança',
  'confirm your identity': 'a button has the infinitive, a title the imperative',
  created: 'agrees in gender with the created object: a link, a key',
  disabled: 'agrees in gender with the disabled object: an endpoint, an account',
  english: 'the language switch names each language in that language',
  failed: 'a status is a verb; a count of payments is an adjective',
  from: 'before a day it is De, before an hour Das',
  open: 'a case is Em aberto, a circuit breaker Aberto',
  refund: 'the verb is Reembolsar, the noun is Reembolso',
  to: 'a place is Para, the end of a period Até',
  until: 'before a day it is Até, before an hour Até às',
};

const source = join(import.meta.dirname, '..', 'src');
const languageOf = new Map([
  ['pt', 'pt'],
  ['en', 'en'],
  ['portuguese', 'pt'],
  ['english', 'en'],
]);

/** A text of at most four words, in both languages, and its location. */
interface Pair {
  pt: string;
  en: string;
  file: string;
}

/**
 * Each text of a file with its path of keys, as the formatter lays objects out: a level for each
 * indentation.
 */
function textsOf(file: string): { path: string[]; text: string }[] {
  const texts: { path: string[]; text: string }[] = [];
  const keys: string[] = [];
  let position = 0;
  for (const line of readFileSync(join(source, file), 'utf8').split('\n')) {
    const depth = (line.length - line.trimStart().length) / 2;
    const opened = /^\s*(?:(?:export )?const )?'?([\w.:-]+)'?(?:: [^={]+)?(?::| =) [{[]/.exec(line);
    keys.length = Math.min(keys.length, depth);
    if (opened) {
      keys[depth] = opened[1]!;
      position = 0;
    }
    const path = keys.map((key) => key ?? '');
    const listed = /^\s*'([^']+)',$/.exec(line);
    if (listed) texts.push({ path: [...path, `${position++}`], text: listed[1]! });
    for (const [, name, quoted, text] of line.matchAll(/(?:(\w+)|'([^']+)'): '((?:\\.|[^'\\])+)'/g))
      texts.push({ path: [...path, name ?? quoted!], text: text! });
  }
  return texts;
}

function pairsOf(files: string[]): Pair[] {
  const pairs = new Map<string, Partial<Pair> & { file: string }>();
  for (const file of files)
    for (const { path, text } of textsOf(file)) {
      const at = path.findIndex((key) => languageOf.has(key));
      const language = languageOf.get(path[at] ?? '');
      const where = file.replace(/locale\.(pt|en)\.ts$/, 'locale.ts');
      if (language === undefined) continue;
      const id = [where, ...path.toSpliced(at, 1)].join(' ');
      pairs.set(id, { ...pairs.get(id), file: where, [language]: text });
    }
  return [...pairs.values()].filter(
    (pair): pair is Pair => pair.pt !== undefined && pair.en !== undefined,
  );
}

/** Excludes separators and language codes. */
const isLabel = ({ en }: Pair) =>
  /[A-Za-z]{2}/.test(en) && en !== 'en' && en.split(' ').length <= 4;

const files = globSync('**/*.ts', { cwd: source })
  .filter((file) => !file.endsWith('.test.ts'))
  .filter((file) => /words|locale\.(pt|en)|labels|messages|invitation/.test(file));
const pairs = pairsOf(files).filter(isLabel);

test('keeps each label in one file: shared labels in platform/text/labels.ts', () => {
  assert.ok(pairs.length > 500, `only ${pairs.length} labels were found`);
  const byText = Map.groupBy(pairs, ({ pt, en }) => `${en} = ${pt}`);
  const repeated = [...byText]
    .map(([text, same]) => ({ text, files: [...new Set(same.map(({ file }) => file))] }))
    .filter((label) => label.files.length > 1);
  assert.deepEqual(repeated, []);
});

test('gives an English label one Portuguese translation, unless it has a reason for two', () => {
  const byEnglish = Map.groupBy(pairs, ({ en }) => en.toLowerCase());
  const several = [...byEnglish]
    .map(([en, same]) => ({ en, pt: [...new Set(same.map(({ pt }) => pt.toLowerCase()))] }))
    .filter(({ pt }) => pt.length > 1);
  assert.deepEqual(
    several.filter(({ en }) => !Object.hasOwn(severalTranslations, en)),
    [],
  );
  assert.deepEqual(
    Object.keys(severalTranslations).filter((label) => !several.some(({ en }) => en === label)),
    [],
  );
});
