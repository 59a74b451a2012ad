import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { adapterModules, liveOperatorNames } from '../src/platform/config/operator-catalogue.ts';

const source = join(import.meta.dirname, '..', 'src');
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/test/.test(file));

/** The project files that a file imports, as paths within `src`. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const specifiers = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
  return [...specifiers].map(([, specifier]) => normalize(join(dirname(file), specifier!)));
}

/** Every import that breaks a rule, as `importer → imported`. */
function offences(breaks: (importer: string, imported: string) => boolean): string[] {
  return files.flatMap((importer) =>
    importsOf(importer)
      .filter((imported) => breaks(importer, imported))
      .map((imported) => `${importer} → ${imported}`),
  );
}

test('imports an adapter only in its own folder and in the catalogue', () => {
  const folders = Object.values(adapterModules).map((module) => `${dirname(module)}/`);
  assert.deepEqual(
    offences((importer, imported) =>
      folders.some((folder) => imported.startsWith(folder) && !importer.startsWith(folder)),
    ),
    [],
  );
});

/** Without comments, and without lines that show a command. */
const codeOf = (file: string) =>
  readFileSync(join(source, file), 'utf8').replaceAll(/^\s*(\*|\/\/|\/\*\*|\$ zimbo) .*$/gm, '');

test('names live operators only in their catalogue', () => {
  const named = files.filter(
    (file) =>
      file !== 'platform/config/operator-catalogue.ts' &&
      liveOperatorNames.some((name) => codeOf(file).includes(`'${name}`)),
  );
  assert.deepEqual(named, []);
});

test('uses HTTP only in the routes and schemas of domains', () => {
  const mayKnowHttp = /(^|\/)(routes|schemas|openapi|authenticate)\.ts$/;
  assert.deepEqual(
    offences(
      (importer, imported) =>
        !/^(platform\/(http|config)|app|cli|interfaces)\//.test(importer) &&
        imported.startsWith('platform/http/') &&
        !mayKnowHttp.test(importer),
    ),
    [],
  );
});

test('keeps the model of payments free of stores, database and clock', () => {
  const pure =
    /^(money\/(payments\/(payment|decide|expire)|ledger\/postings)|integrations\/webhooks\/(retry|signature))\.ts$/;
  assert.deepEqual(
    offences(
      (importer, imported) =>
        pure.test(importer) && /(store|database|clock|http|worker)/.test(imported),
    ),
    [],
  );
});

test('constructs workers and wires parts only in app/', () => {
  assert.deepEqual(
    offences(
      (importer, imported) =>
        /^app\/compose(\.ts|\/)/.test(imported) &&
        !/^app\/(compose|cells\/|run\.ts$)/.test(importer),
    ),
    [],
  );
  assert.deepEqual(
    offences(
      (importer, imported) =>
        /(?<!^platform\/jobs)\/(worker|daily)\.ts$|simulator\/simulator\.ts$/.test(imported) &&
        !importer.startsWith('app/compose/'),
    ),
    [],
  );
});

test('passes in time and randomness', () => {
  const direct = files.filter(
    (file) =>
      /^(money|storefront\/checkout|integrations\/(events|operators)|operations\/recovery)\//.test(
        file,
      ) &&
      /Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
  );
  assert.deepEqual(direct, []);
});

test('leaves no open ends in the code', () => {
  const open = files.filter((file) =>
    /\b(TODO|FIXME|XXX|HACK)\b/.test(readFileSync(join(source, file), 'utf8')),
  );
  assert.deepEqual(open, []);
});
