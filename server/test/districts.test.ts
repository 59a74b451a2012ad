import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { districtsPicture, districts as purposes, roomsOf } from '../scripts/districts-picture.ts';

/** From top to bottom. Each district imports only from those below it. */
const districts = Object.keys(purposes);

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'server', 'src');
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
const districtOf = (file: string) => file.split('/', 1)[0]!;
const heightOf = (file: string) => districts.length - districts.indexOf(districtOf(file));

/** Each import from one district to another, as `importer → imported`. */
const arrows = files.flatMap((importer) =>
  [...readFileSync(join(source, importer), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, specifier]) => normalize(join(dirname(importer), specifier!)))
    .filter((imported) => !imported.startsWith('..'))
    .filter((imported) => districtOf(imported) !== districtOf(importer))
    .map((imported) => ({ importer, imported })),
);

const picture = districts
  .map((district) => `${district.padEnd(14)}${roomsOf(district).join('  ')}`.trimEnd())
  .join('\n');

test('imports only from lower districts', (context) => {
  const pairs = new Set(
    arrows.map((arrow) => `${districtOf(arrow.importer)} → ${districtOf(arrow.imported)}`),
  );
  context.diagnostic(
    `${pairs.size} pairs of districts, ${arrows.length} imports between them\n${picture}`,
  );
  const upward = arrows.filter(
    ({ importer, imported }) => heightOf(imported) >= heightOf(importer),
  );
  assert.deepEqual(upward, []);
});

test('has a district for every file, and a page for every district', () => {
  assert.deepEqual(readdirSync(source).sort(), districts.toSorted());
  for (const district of districts)
    assert.ok(existsSync(join(source, district, 'README.md')), district);
});

test('draws the current districts in docs/districts.svg', () => {
  const drawn = readFileSync(join(root, 'docs', 'districts.svg'), 'utf8');
  assert.equal(drawn, districtsPicture(), 'run "npm run docs"');
});

test("limits the operator simulator's imports from the server", () => {
  const folder = join(root, 'operator-simulator', 'src');
  const known = globSync('*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /from '\.\.\/\.\.\/server\/src\/([^']+)'/g,
      ),
    ])
    .map(([, imported]) => imported!);
  assert.deepEqual([...new Set(known)].sort(), [
    'integrations/operators/operator.ts',
    'integrations/operators/simulator/behaviour.ts',
    'platform/errors/start-error.ts',
    'platform/process/clock.ts',
  ]);
});
