import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedModule, type OpenApiDocument } from '../scripts/api.ts';
import { routes } from '../src/generated.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const document: OpenApiDocument = JSON.parse(read('docs/openapi.json'));

test('sdk/src/generated.ts is what docs/openapi.json says', () => {
  assert.equal(read('sdk/src/generated.ts'), generatedModule(document), 'run "npm run docs"');
});

test('every operation of the API has its method in the SDK', () => {
  const code = globSync('sdk/src/resources/*.ts', { cwd: root }).map(read).join('\n');
  const missing = Object.keys(routes).filter((id) => !code.includes(`'${id}'`));
  assert.deepEqual(missing, [], 'add them in sdk/src/resources');
});

test('the names of query parameters can be told from those of the SDK', () => {
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    }
  }
});

test('a schema that cannot be told in types stops the generator', () => {
  const components = { schemas: {} };
  const answer = (schema: object) => {
    const responses = { 200: { content: { 'application/json': { schema } } } };
    const paths = { '/v1/x': { get: { operationId: 'getX', responses } } };
    return generatedModule({ components, paths, webhooks: {} } as OpenApiDocument);
  };
  assert.match(answer({ type: ['string', 'null'] }), /export type X = string \| null;/);
  assert.throws(() => answer({ type: 'tuple' }), /what type is this/);
  assert.throws(() => answer({}), /what type is this/);
  assert.throws(() => answer({ $ref: '#/components/schemas/Y' }), /leads nowhere/);
});
