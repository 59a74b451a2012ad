import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { makeCreatePayment } from '../../src/money/payments/create.ts';
import { operatorNames, recordOf } from '../../src/platform/config/operator-catalogue.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { freshDatabase, silentLog } from '../support/database.ts';
import { type Answer, apiOf, testKey } from '../support/gateway.ts';
import { testHashes } from '../support/request-hashes.ts';
import { addTenants } from '../support/tenants.ts';
import { runZimbo } from '../support/zimbo.ts';

/** A typical request of merchants. */
const order = {
  operatorPhone: '+2389912345',
  customerId: 'customer-7',
  description: 'Two coffees and a cake, Praia',
};
const metadata = { cart: 'c-000000000001', channel: 'web', table: '12' };
const externalId = (number: number) => `order-${String(number).padStart(8, '0')}`;

/** A limit is a seventh above today's figure; a far smaller figure needs a smaller limit. */
function assertWithin(what: string, measured: number, limit: number): void {
  assert.ok(measured <= limit, `${what}: ${measured}, more than ${limit}`);
  assert.ok(measured > 0.7 * limit, `${what}: ${measured}, so lower the limit of ${limit}`);
}

const windows = 8;
const requestsPerWindow = 100;

/**
 * The bytes that a gateway allocates per request, in the quietest of several windows, because it
 * does little else meanwhile.
 */
async function bytesPer(
  allocated: () => Promise<number>,
  send: () => Promise<Answer>,
): Promise<number> {
  const figures: number[] = [];
  for (let window = 0; window < windows; window++) {
    const before = await allocated();
    for (let sent = 0; sent < requestsPerWindow; sent++) {
      const { status, text } = await send();
      assert.equal(status, 200, text);
    }
    figures.push(((await allocated()) - before) / requestsPerWindow);
  }
  return Math.round(Math.min(...figures));
}

/** A gateway in its own process that reports its allocated bytes. */
async function countedGateway(context: TestContext) {
  const { url, database } = await freshDatabase(context);
  const counter = join(import.meta.dirname, '..', 'support', 'count-allocations.mjs');
  const gateway = runZimbo(context, ['start'], {
    NODE_OPTIONS: `--import=${pathToFileURL(counter).href}`,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ZIMBO_ROLE: 'api',
    DATABASE_URL: url,
    PORT: '0',
  });
  const [, address] = await gateway.says(/Gateway +(\S+)/);
  let asked = 0;
  const allocated = async () => {
    asked += 1;
    gateway.child.kill('SIGUSR2');
    return Number((await gateway.says(new RegExp(`allocated ${asked}: (\\d+)\n`)))[1]);
  };
  return { api: apiOf(address!, await testKey(database)), allocated };
}

test('limits the allocations of a create, a get and a list of 20', async (context) => {
  const { api, allocated } = await countedGateway(context);
  let number = 0;
  const create = () => {
    const payment = { amount: 5_000, operator: 'MOCK', ...order, metadata };
    const body = { ...payment, externalId: externalId(++number) };
    return api('POST', '/v1/payments', body, { 'idempotency-key': randomUUID() });
  };
  const { body } = await create();
  assertWithin('bytes of a create', await bytesPer(allocated, create), 79_200);
  const get = () => api('GET', `/v1/payments/${body.id}`);
  assertWithin('bytes of a get', await bytesPer(allocated, get), 55_200);
  const list = () => api('GET', '/v1/payments?limit=20');
  assert.equal((await list()).body.data.length, 20);
  assertWithin('bytes of a list', await bytesPer(allocated, list), 221_400);
});

/** The WAL that this connection has written so far, including commits. */
async function walOf(database: Database): Promise<{ bytes: number; records: number }> {
  await database.query({ text: 'SELECT pg_stat_force_next_flush()' });
  const text = `
    SELECT wal_bytes::float8 AS bytes, wal_records::float8 AS records
    FROM pg_stat_get_backend_wal(pg_backend_pid())`;
  return (await database.query<{ bytes: number; records: number }>({ text }))[0]!;
}

/** Creates over a single connection, and the sizes of their batches. */
async function createsOnOneConnection(context: TestContext) {
  const { url } = await freshDatabase(context);
  const database = openDatabase({ url, log: silentLog, maxConnections: 1 });
  context.after(() => database.close());
  let statements = 0;
  const query: Database['query'] = (statement, values) => {
    statements += 1;
    return database.query(statement, values);
  };
  const createPayment = makeCreatePayment({
    database: { ...database, query },
    clock: { nowMs: () => Date.now() },
    ids: randomIds(),
    fees: recordOf(operatorNames, () => ({ basisPoints: 200, fixedMinor: 0n })),
    expiryMs: 300_000,
    dispatcher: noDispatcher,
    worker: { leaseMs: ({ createdAtMs }) => createdAtMs, accept: () => {} },
    checkOperator: () => {},
    onTransition: () => {},
    requestHashes: testHashes,
  });
  const tenantId = randomUUID();
  await addTenants(database, tenantId);
  let number = 0;
  const create = () =>
    createPayment({
      ...order,
      tenantId,
      mode: 'test',
      amountMinor: 5_000n,
      operator: 'MOCK',
      currency: null,
      externalId: externalId(++number),
      statementDescriptor: null,
      metadata: JSON.stringify(metadata),
      terms: standardTerms,
      apiKey: { id: randomUUID(), maxPaymentMinor: null },
      idempotency: { key: randomUUID(), meaning: '{}', asSent: {} },
    });
  return { database, create, statements: () => statements };
}

test('limits the WAL of a create, alone and in a batch', async (context) => {
  const { database, create, statements } = await createsOnOneConnection(context);
  const each = async (count: number, batches: number, work: () => Promise<unknown>) => {
    const [before, sentBefore] = [await walOf(database), statements()];
    await work();
    const after = await walOf(database);
    assert.equal(statements() - sentBefore, batches);
    const bytes = Math.round((after.bytes - before.bytes) / count);
    return { bytes, records: (after.records - before.records) / count };
  };
  await create();
  const alone = await each(200, 200, async () => {
    for (let made = 0; made < 200; made++) await create();
  });
  // The row, its event, an entry in each of their indexes, and the commit.
  assertWithin('records alone', alone.records, 12.5);
  assertWithin('bytes alone', alone.bytes, 2_450);
  const together = await each(256, 1, () => Promise.all(Array.from({ length: 256 }, create)));
  assertWithin('records in a batch', together.records, 11.5);
  assertWithin('bytes in a batch', together.bytes, 2_600);
});
