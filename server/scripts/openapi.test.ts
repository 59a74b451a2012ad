import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  disbursementFailureCodes,
  paymentFailureCodes,
} from '../src/integrations/operators/operator.ts';
import { deliveryHeaders } from '../src/integrations/webhooks/signature.ts';
import { version } from '../src/platform/process/version.ts';
import { allPermissions } from '../src/tenants/merchants/api-key.ts';
import { adminOpenApiDocument, openApiDocument } from './openapi.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const committed = join(docs, 'openapi.json');

test('docs/openapi.json is what the gateway serves', async () => {
  assert.equal(readFileSync(committed, 'utf8'), await openApiDocument(), 'run "npm run docs"');
});

test('docs/admin-openapi.json is what the gateway serves', async () => {
  const written = readFileSync(join(docs, 'admin-openapi.json'), 'utf8');
  assert.equal(written, await adminOpenApiDocument(), 'run "npm run docs"');
});

test('every operation has a name, a summary, a permission and its errors', async () => {
  const { paths } = JSON.parse(await openApiDocument());
  const names = new Set<string>();
  for (const operations of Object.values<Record<string, Record<string, unknown>>>(paths)) {
    for (const operation of Object.values(operations)) {
      assert.match(operation.operationId as string, /^[a-z][A-Za-z]+$/);
      names.add(operation.operationId as string);
      assert.ok(operation.summary);
      assert.deepEqual(operation.security, [{ apiKey: [] }]);
      assert.ok(String(operation.description).includes(`\`${String(operation['x-permission'])}\``));
      const statuses = Object.keys(operation.responses as object);
      for (const status of ['400', '401', '403', '429', '500'])
        assert.ok(statuses.includes(status));
    }
  }
  assert.ok(names.size >= 9);
});

test('a client need not send a field of a body that has a default', async () => {
  const { components } = JSON.parse(await adminOpenApiDocument());
  const { required, properties } = components.schemas.RollKeyBody;
  assert.equal(properties.overlapHours.default, 24);
  assert.deepEqual(required, []);
});

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
const documentOf = async (): Promise<any> => JSON.parse(await openApiDocument());

test('every object and enum has one name, and is described only once', async () => {
  const { components, ...document } = await documentOf();
  const unnamed: string[] = [];
  const look = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const { properties, enum: values } = part as { properties?: object; enum?: unknown[] };
    const isCondition = /\/(if|then|else)\/allOf\/0$/.test(path);
    const isObject = properties !== undefined && !isCondition;
    const isEnum = values !== undefined && values.length > 1;
    if (isObject || isEnum) unnamed.push(path);
    for (const [name, member] of Object.entries(part)) look(member, `${path}/${name}`);
  };
  look(document, '');
  for (const [name, schema] of Object.entries<object>(components.schemas)) {
    for (const [key, part] of Object.entries(schema)) look(part, `${name}/${key}`);
  }
  const enumsOfComponents = unnamed.filter((path) => !/^[A-Z]\w+\/enum/.test(path));
  assert.deepEqual(enumsOfComponents, []);
  for (const name of ['Payment', 'FailureCode', 'PaymentFailedEvent', 'SettlementItem', 'Event']) {
    assert.ok(components.schemas[name], name);
  }
  const { oneOf, discriminator } = components.schemas.Event;
  assert.equal(oneOf.length, Object.keys(document.webhooks).length);
  assert.equal(discriminator.propertyName, 'type');
});

test('a failure code is one of a closed list', async () => {
  const { components } = await documentOf();
  const { Payment, Refund, FailureCode, Disbursement, DisbursementFailureCode } =
    components.schemas;
  assert.deepEqual(FailureCode.enum, paymentFailureCodes);
  assert.deepEqual(DisbursementFailureCode.enum, disbursementFailureCodes);
  assert.deepEqual(Disbursement.properties.failureCode.anyOf[0], {
    $ref: '#/components/schemas/DisbursementFailureCode',
  });
  for (const { properties } of [Payment, Refund]) {
    assert.deepEqual(properties.failureCode.anyOf[0], { $ref: '#/components/schemas/FailureCode' });
  }
});

test('the headers of answers and of webhooks are documented', async () => {
  const { paths, webhooks, components } = await documentOf();
  const namesOf = (method: string, path: string, status: string) =>
    Object.keys(paths[path][method].responses[status].headers);
  const limits = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];
  assert.deepEqual(namesOf('get', '/v1/payments', '200'), limits);
  assert.deepEqual(namesOf('post', '/v1/payments', '200'), [...limits, 'Idempotent-Replayed']);
  assert.deepEqual(namesOf('get', '/v1/payments', '429'), [...limits, 'Retry-After']);
  assert.deepEqual(namesOf('get', '/v1/payments', '401'), ['X-Request-Id', 'WWW-Authenticate']);
  for (const name of [...limits, 'Idempotent-Replayed', 'Retry-After', 'WWW-Authenticate']) {
    assert.ok(components.headers[name].description, name);
  }
  const sent = deliveryHeaders({
    eventId: '019aa5d4-e0fb-7000-8000-000000000001',
    sequence: 1,
    secret: 'whsec_a',
    nextSecret: 'whsec_b',
    timestampSeconds: 1,
    body: '{}',
  });
  const said = webhooks['payment.created'].post.parameters.map(
    ({ name }: { name: string }) => name,
  );
  const { 'Content-Type': _, ...own } = sent;
  assert.deepEqual(said.toSorted(), Object.keys(own).toSorted());
});

test('every permission opens something, and nothing needs one that there is not', async () => {
  const { paths } = await documentOf();
  const operations = Object.values<Record<string, { 'x-permission': string }>>(paths);
  const needed = operations.flatMap((ofPath) =>
    Object.values(ofPath).map((operation) => operation['x-permission']),
  );
  // It opens nothing by itself: without it phones are masked in what others open.
  const opening = allPermissions.filter((permission) => permission !== 'phones:read');
  assert.deepEqual([...new Set(needed)].sort(), opening.toSorted());
});

test('every field and parameter says what it is', async () => {
  const { paths, components } = await documentOf();
  const silent: string[] = [];
  const schemas: Record<string, { properties?: Record<string, object> }> = components.schemas;
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    for (const [field, property] of Object.entries(properties)) {
      // What it refers to describes itself.
      if (!['description', '$ref', 'anyOf'].some((key) => key in property))
        silent.push(`${name}.${field}`);
    }
  }
  type Described = { name: string; description?: string; schema?: { description?: string } };
  const operations = Object.entries<Record<string, { parameters?: Described[] }>>(paths);
  for (const [path, ofPath] of operations) {
    for (const { parameters = [] } of Object.values(ofPath)) {
      for (const { name, description, schema } of parameters)
        if (!(description ?? schema?.description)) silent.push(`${path} ${name}`);
    }
  }
  assert.deepEqual(silent, []);
});

test('the document says how to begin, which version is whose, and shows a payment that works', async () => {
  const { info, paths } = await documentOf();
  assert.match(
    info.description,
    new RegExp(`version 1 of its API.*runs Zimbo ${version.replaceAll('.', '\\.')}\\.`),
  );
  assert.match(info.description, /Authorization: Bearer sk_test_/);
  const { example } = paths['/v1/payments'].post.requestBody.content['application/json'];
  assert.deepEqual([example.operator, example.operatorPhone], ['MOCK', '+2389912345']);
});
