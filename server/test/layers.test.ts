import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

/**
 * The folders of server/src, and single files that are as good as one. Each imports only from lines below its own, so
 * there is no cycle. What is named nowhere is a file that everybody may import.
 */
const layers = [
  ['cli'],
  ['app'],
  ['console', 'admin'],
  ['alerts'],
  ['receipts', 'resolutions', 'doctor', 'notifying', 'payment-links'],
  ['backup', 'callbacks', 'recovery', 'checkout', 'approvals', 'reconciliations'],
  ['refunds', 'reversals', 'settlements', 'products'],
  ['payments'],
  ['ledger', 'people', 'phones', 'review', 'privacy', 'webhooks'],
  ['operators', 'totals'],
  ['merchants', 'events', 'mail', 'cells', 'act-keys', 'api-requests'],
  ['audit', 'notices', 'config', 'idempotency'],
  ['http', 'jobs', 'secrets'],
  ['postgres'],
  ['formats', 'memory', 'observability'],
];

/** Imports that break the rule, `importer → imported`, each with the reason why it may. */
const exceptions: Record<string, string> = {};

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'server', 'src');
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const specifiers = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
  return [...specifiers]
    .map(([, specifier]) => normalize(join(dirname(file), specifier!)))
    .filter((imported) => !imported.startsWith('..'));
}

const folderOf = (file: string) => file.split('/', 1)[0]!.replace(/\.ts$/, '');

/** Higher for what may import more; 0 for files that everybody may import. */
const heightOf = (file: string) => {
  const index = layers.findIndex((layer) => layer.includes(folderOf(file)));
  return index < 0 ? 0 : layers.length - index;
};

test('folders import from the layers below them only', () => {
  const offences = files.flatMap((importer) =>
    importsOf(importer)
      .filter((imported) => folderOf(imported) !== folderOf(importer))
      .filter((imported) => heightOf(imported) > 0 && heightOf(imported) >= heightOf(importer))
      .map((imported) => `${importer} → ${imported}`),
  );
  assert.deepEqual(offences.sort(), Object.keys(exceptions).sort());
});

test('every folder has its layer, and every layer its folders', () => {
  const folders = files.filter((file) => file.includes('/')).map(folderOf);
  const rooms = files.map(folderOf);
  const named = layers.flat();
  assert.deepEqual([...new Set(folders)].filter((folder) => !named.includes(folder)).sort(), []);
  assert.deepEqual(
    named.filter((folder) => !rooms.includes(folder)),
    [],
  );
});

test('the page on architecture draws these layers', () => {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const picture = layers.map((layer) => layer.join('   ')).join('\n');
  assert.ok(page.includes(`\`\`\`text\n${picture}\n\`\`\``), `it should be\n${picture}`);
});

test('the operator simulator knows little of the server', () => {
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
    'clock.ts',
    'operators/operator.ts',
    'operators/simulator/behaviour.ts',
    'start-error.ts',
  ]);
});
