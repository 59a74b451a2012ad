import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedModule, type OpenApiDocument } from '../scripts/api.ts';
import { generatedFiles } from '../scripts/libraries.ts';
import { versionedFiles } from '../scripts/versions.ts';
import { routes } from '../typescript/src/generated.ts';
import { Zimbo } from '../typescript/src/zimbo.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const document: OpenApiDocument = JSON.parse(read('docs/openapi.json'));

test('generates every library from docs/openapi.json as it is', () => {
  const files = Object.entries(generatedFiles(read));
  for (const [path, text] of files) assert.equal(read(path), text, `${path}: run "npm run docs"`);
  const php = globSync('sdk/php/src/{Model,Resource}/*.php', { cwd: root });
  assert.deepEqual(
    php.filter((path) => !files.some(([name]) => name === path)),
    [],
  );
});

test('every package has the version of the gateway', () => {
  const files = Object.entries(versionedFiles(read));
  assert.ok(files.length > 10);
  for (const [path, text] of files) assert.equal(read(path), text, `${path}: run "npm run docs"`);
});

test('every operation of the API has its method in the SDK', () => {
  const code = globSync('sdk/typescript/src/resources/*.ts', { cwd: root }).map(read).join('\n');
  const missing = Object.keys(routes).filter((id) => !code.includes(`'${id}'`));
  assert.deepEqual(missing, [], 'add them in sdk/typescript/src/resources');
});

test('the names of query parameters follow from those of the SDK', () => {
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    }
  }
});

test('a schema that types cannot express stops the generator', () => {
  const components = { schemas: {} };
  const answer = (schema: object) => {
    const responses = { 200: { content: { 'application/json': { schema } } } };
    const paths = { '/v1/x': { get: { operationId: 'getX', responses } } };
    return generatedModule({ components, paths, webhooks: {} } as OpenApiDocument);
  };
  assert.match(answer({ type: ['string', 'null'] }), /getX: \{ answer: string \| null \};/);
  assert.throws(() => answer({ type: 'tuple' }), /no TypeScript type/);
  assert.throws(() => answer({}), /no TypeScript type/);
  assert.throws(() => answer({ $ref: '#/components/schemas/Y' }), /has no target/);
});

/** `webhooks.deliveries` and its methods, and so on: what a client has. */
function methodsOf(owner: object, path = ''): string[] {
  return Object.entries(owner)
    .filter(([, value]) => typeof value === 'object' && value !== null)
    .flatMap(([name, value]: [string, object]) => {
      const own = path === '' ? name : `${path}.${name}`;
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(value));
      const called = methods
        .filter((method) => method !== 'constructor')
        .map((it) => `${own} ${it}`);
      return isResource(value) ? [...called, ...methodsOf(value, own)] : [];
    });
}

const isResource = (value: object) => !['Transport', 'Object'].includes(value.constructor.name);

test('the README lists every method of the SDK, and no other', () => {
  const rows = [
    ...read('sdk/typescript/README.md').matchAll(/^\| `([A-Za-z.]+)` \| ((?:`\w+` ?)+) \|$/gm),
  ];
  const said = rows.flatMap(([, path, methods]) =>
    [...methods!.matchAll(/`(\w+)`/g)].map(([, method]) => `${path} ${method}`),
  );
  const zimbo = new Zimbo(`sk_test_${'x'.repeat(32)}`, { baseUrl: 'http://localhost:9' });
  assert.deepEqual(said.toSorted(), methodsOf(zimbo).toSorted());
});
