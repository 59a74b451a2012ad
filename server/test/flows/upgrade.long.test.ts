import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Zimbo } from '../../../sdk/typescript/src/index.ts';
import { startGateway } from '../../src/app/start.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { changeTables, silentLog } from '../support/database.ts';
import {
  eventually,
  gatewayDatabase,
  reach,
  testGateway,
  testKey,
  zimboOf,
} from '../support/gateway.ts';
import { testDataDir } from '../support/process.ts';
import { testReceiver } from '../support/receiver.ts';

/** A merchant's day, with all its consequences. */
async function aDay(zimbo: Zimbo): Promise<void> {
  const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { id } = await zimbo.payments.create(payment);
  await reach(zimbo.payments, id, 'DEBITED');
  const refund = await zimbo.refunds.create({ paymentIntentId: id, amount: 1_000 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  const product = await zimbo.products.create({ name: 'Doce de papaia', price: 500 });
  const items = [{ productId: product.id, name: product.name, quantity: 2, unitPrice: 500 }];
  const session = await zimbo.checkout.sessions.create({ items });
  assert.equal((await zimbo.checkout.sessions.get(session.id)).id, session.id);
  const lists = [zimbo.payments, zimbo.refunds, zimbo.products, zimbo.events, zimbo.settlements];
  for (const list of lists) await list.list().page();
  const [event] = (await zimbo.events.list().page()).data;
  assert.equal((await zimbo.events.get(event!.id)).id, event!.id);
  await zimbo.settlements.process();
}

/** Like a newer program, in a migration for which this one is not too old. */
async function addColumns(database: Database, cellUrl: string): Promise<void> {
  const tables = await database.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> 'schema_migrations'`,
  });
  assert.ok(tables.length > 10);
  for (const { name } of tables) {
    const text = `ALTER TABLE ${name} ADD COLUMN of_a_newer_program text NOT NULL DEFAULT 'x'`;
    await changeTables(cellUrl, text);
  }
}

test('serves request by request while a newer program adds columns', async (context) => {
  // Few connections: each has prepared everything before the columns come.
  const environment = { DATABASE_CONNECTIONS: '2' };
  const { zimbo, database, cellUrl } = await testGateway(context, { environment });
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({ url: receiver.url, events: ['payment.debited'] });
  for (let day = 0; day < 3; day++) await aDay(zimbo);
  await addColumns(database, cellUrl);
  for (let day = 0; day < 3; day++) await aDay(zimbo);
  await eventually('every webhook arrives', () => receiver.received.length === 6);
  assert.deepEqual(await checkLedger(database), []);
});

test('starts and works again beside a newer database that it is compatible with', async (context) => {
  const { url, cellUrl, database } = await gatewayDatabase(context);
  await addColumns(database, cellUrl);
  await database.query({
    text: `INSERT INTO schema_migrations (number, name, checksum, program_version, applied_at, oldest_program)
      VALUES (9999, '9999-later.sql', 'x', '9.9.9', now(), '0.1.0')`,
  });
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: await testDataDir(context),
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SIMULATOR_DELAY_MS: '40',
  });
  const gateway = await startGateway(config, silentLog);
  cleanUp(context, () => gateway.stop());
  await aDay(zimboOf(gateway.url, await testKey(database)));
  assert.deepEqual(await checkLedger(database), []);
});
