/** The database is lost, and an older backup restored: every debit of the operator is accounted for (docs/runbooks/restore.md). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Client, testSimulator } from '../../../operator-simulator/test/support.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { testFolder } from '../support/backup.ts';
import { cleanUp } from '../support/cleanup.ts';
import { emptyDatabase, silentLog } from '../support/database.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  eventually,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { runZimbo } from '../support/process.ts';

const body = (suffix: string, amount = 1_520) => ({
  amount,
  operator: 'CVMOVEL',
  operatorPhone: `+2389910${suffix}`,
});

/** An operator that repeats the debit for every repeated request. */
async function carelessOperator(context: TestContext) {
  const simulator = await testSimulator(context, ({ provider }) => {
    provider.duplicates = 'again';
    provider.expiryMs = 3_600_000;
  });
  const environment = {
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    OPERATOR_CVMOVEL_URL: simulator.url,
    OPERATOR_CVMOVEL_SECRET: 'the secret',
    OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
    OPERATOR_CVMOVEL_MODE: 'polling',
  };
  return { client: simulator.client, environment };
}

async function until(api: Api, path: string, status: string): Promise<void> {
  await eventually(`${path} is ${status}`, async () => {
    return (await api('GET', path)).body.status === status;
  });
}

async function pay(api: Api, suffix: string, amount?: number): Promise<string> {
  const { body: created, text } = await api('POST', '/v1/payments', body(suffix, amount));
  assert.ok(created.id, text);
  return created.id;
}

const confirm = (client: Client, id: string) =>
  client.send('POST', `/_simulator/confirm/${parseId('pi', id)}`);

/** Before the backup: a debited payment, one that waits for its customer, and an unsent one. */
async function before(api: Api) {
  const debited = await pay(api, '345');
  await until(api, `/v1/payments/${debited}`, 'DEBITED');
  const [waiting, unsent] = [await pay(api, '159'), await pay(api, '159', 777)];
  for (const id of [waiting, unsent]) await until(api, `/v1/payments/${id}`, 'USER_CONFIRMING');
  return { debited, waiting, unsent };
}

/** After the backup: the customers confirm, one payment is made and debited, and another is refunded. */
async function after(api: Api, client: Client, { debited, waiting, unsent }: Made) {
  for (const id of [waiting, unsent]) {
    await confirm(client, id);
    await until(api, `/v1/payments/${id}`, 'DEBITED');
  }
  const lost = await pay(api, '345', 4_200);
  await until(api, `/v1/payments/${lost}`, 'DEBITED');
  const refund = { paymentIntentId: debited, amount: 500 };
  const { body: refunded } = await api('POST', '/v1/refunds', refund);
  await until(api, `/v1/refunds/${refunded.id}`, 'SUCCEEDED');
  return { lost, refunded: refunded.id as string };
}

type Made = Awaited<ReturnType<typeof before>>;

interface Moved {
  type: 'merchantpay' | 'reversal';
  transactionReference: string;
  transactionStatus: string;
  amountMinor: string;
  requestingOrganisationTransactionReference: string;
}

const movedAt = async (client: Client): Promise<Moved[]> => {
  const { transactions } = (await client.send('GET', '/_simulator/transactions')).body;
  return transactions.filter((one: Moved) => one.transactionStatus === 'completed');
};

interface Row {
  id: string;
  kind: string;
  subject: { kind: string; amount?: string };
}

interface Found {
  complete: boolean;
  found: Record<string, { count: number }>;
}

/** Counts by kind, without zeros. */
const countsOf = ({ found }: Found) =>
  Object.fromEntries(
    Object.entries(found).flatMap(([name, { count }]) => (count > 0 ? [[name, count]] : [])),
  );

/** A backup is made, life goes on, the database is lost, and the backup is restored. */
async function restoredLate(context: TestContext) {
  const { client, environment } = await carelessOperator(context);
  const old = await testGateway(context, { environment });
  const key = await testKey(old.database, 'live');
  const api = apiOf(old.url, key);
  const made = await before(api);
  const file = join(await testFolder(context), 'zimbo.backup.gz');
  const onOld = { ...environment, DATABASE_URL: old.databaseUrl };
  const backup = await runZimbo(['backup', file], onOld);
  assert.equal(backup.code, 0, backup.stderr);
  await after(api, client, made);
  await old.gateway.stop();

  const url = await emptyDatabase(context);
  const zimbo: Zimbo = (...args) => runZimbo(args, { ...environment, DATABASE_URL: url });
  const restored = await zimbo('restore', file);
  assert.equal(restored.code, 0, restored.stderr);
  const database = openDatabase({ url, log: silentLog, maxConnections: 4 });
  cleanUp(context, () => database.close());
  const start = async () => apiOf((await anotherGateway(context, url, { environment })).url, key);
  return { client, made, database, zimbo, start };
}

/** A standby that is some seconds behind has a payment as it was before it was sent. */
async function setBack(database: Database, id: string): Promise<void> {
  const text = `
    WITH forgotten AS (DELETE FROM operator_requests WHERE reference = $1)
    UPDATE payments SET status = 'CREATED', version = 1, sent_at = NULL, ask_count = 0, due_at = now()
    WHERE id = $1 RETURNING id`;
  assert.equal((await database.query({ text }, [parseId('pi', id)])).length, 1);
}

test('books, returns or shows to a person every debit of the operator after a restore', async (context) => {
  const { client, made, database, zimbo, start } = await restoredLate(context);
  await setBack(database, made.unsent);
  const api = await start();
  for (const id of [made.waiting, made.unsent]) await until(api, `/v1/payments/${id}`, 'DEBITED');
  assert.equal((await movedAt(client)).length, 5, 'nothing was asked for a second time');

  const recover = async (): Promise<Found> => {
    const { stdout } = await zimbo('operators', 'recover', '--since', '1h', '--json');
    return JSON.parse(stdout)[0];
  };
  const found = await recover();
  assert.equal(found.complete, true);
  assert.deepEqual(countsOf(found), { debitsKnown: 3, debitsHeld: 1, givenBackListed: 1 });
  assert.deepEqual(countsOf(await recover()), { debitsKnown: 4, givenBackListed: 1 });
  await everyDebitIsBooked(client, database);

  const rows: Row[] = JSON.parse((await zimbo('review', '--json')).stdout);
  const [held, refund] = rows.toSorted((one) => (one.subject.kind === 'REVERSAL' ? -1 : 1));
  assert.deepEqual(
    [held, refund].map((row) => [row?.kind, row?.subject.kind, row?.subject.amount]),
    [
      ['UNKNOWN_REFERENCE', 'REVERSAL', '42.00'],
      ['UNKNOWN_REFERENCE', 'REFUND', undefined],
    ],
  );
  await settle(database, client, zimbo, [held!, refund!]);
});

type Zimbo = (...args: string[]) => ReturnType<typeof runZimbo>;

/** Each debit of the operator belongs to a payment, or is in suspense. */
async function everyDebitIsBooked(client: Client, database: Database): Promise<void> {
  const text = `SELECT operator_tx_id AS id, kind, payment_id AS "paymentId" FROM operator_transactions`;
  const booked = await database.query<{ id: string; kind: string; paymentId: string }>({ text });
  const debits = (await movedAt(client)).filter(({ type }) => type === 'merchantpay');
  const known = booked.map(({ id, paymentId }) => `${id} ${paymentId}`);
  const done = debits.map(
    ({ transactionReference: id, requestingOrganisationTransactionReference: ours }) =>
      `${id} ${ours}`,
  );
  assert.deepEqual(known.toSorted(), done.toSorted());
  assert.deepEqual(await checkLedger(database), []);
}

/** A person decides about both: the lost debit goes back, and the refund is settled with the merchant. */
async function settle(database: Database, client: Client, zimbo: Zimbo, rows: Row[]) {
  const [held, refund] = rows;
  const reversed = await zimbo('review', 'resolve', held!.id, '--reverse');
  assert.equal(reversed.code, 0, reversed.stderr);
  const closed = await zimbo('review', 'close', refund!.id, '--reason', 'the shop pays 5.00 back');
  assert.equal(closed.code, 0, closed.stderr);
  await eventually('the lost debit is given back', async () => {
    const text = `SELECT FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === 1;
  });
  assert.equal((await zimbo('review')).stdout, 'Nothing waits for a person.\n');
  const owes = `SELECT -sum(balance_minor) AS minor FROM balances WHERE account = 'operator:CVMOVEL'`;
  const [harness] = await database.query<{ minor: bigint }>({ text: owes });
  const moved = (await movedAt(client)).map(({ type, amountMinor }) =>
    type === 'merchantpay' ? BigInt(amountMinor) : -BigInt(amountMinor),
  );
  const has = moved.reduce((sum, each) => sum + each, 0n);
  assert.equal(harness!.minor - has, 500n, 'all but the refund that a person has settled');
  assert.deepEqual(await checkLedger(database), []);
}
