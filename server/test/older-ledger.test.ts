/** The effect of migrations on a ledger that was written before them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../src/money/ledger/check.ts';
import { closeReviewItems, openReviewItems } from '../src/money/review/store.ts';
import { type Database, openDatabase } from '../src/platform/postgres/database.ts';
import { migrate } from '../src/platform/postgres/migrations.ts';
import { cleanUp } from './support/cleanup.ts';
import { emptyDatabase, silentLog } from './support/database.ts';

const migrations = join(import.meta.dirname, '..', 'migrations');

/** A database as of the program whose last migration was this one. */
async function databaseOf(
  context: TestContext,
  lastNumber: number,
): Promise<{ url: string; database: Database }> {
  const directory = await mkdtemp(join(tmpdir(), 'zimbo-migrations-'));
  cleanUp(context, () => rm(directory, { recursive: true }));
  for (const file of await readdir(migrations)) {
    if (Number(file.slice(0, 4)) <= lastNumber) {
      await copyFile(join(migrations, file), join(directory, file));
    }
  }
  const url = await emptyDatabase(context);
  await migrate(url, { directory, now: new Date() });
  const database = openDatabase({ url, log: silentLog, maxConnections: 2 });
  cleanUp(context, () => database.close());
  return { url, database };
}

/** Writes rows like the older program, each a minute later than the previous. */
class OlderLedger {
  database: Database;
  tenants: Record<'live' | 'another' | 'test', string> = {
    live: randomUUID(),
    another: randomUUID(),
    test: randomUUID(),
  };
  #minute = 0;

  constructor(database: Database) {
    this.database = database;
  }

  async begin(): Promise<void> {
    for (const [name, id] of Object.entries(this.tenants)) {
      const merchantId = randomUUID();
      const merchant = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, now())';
      await this.database.query({ text: merchant }, [merchantId, name]);
      const tenant =
        'INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, $3, now())';
      const mode = name === 'test' ? 'test' : 'live';
      await this.database.query({ text: tenant }, [id, merchantId, mode]);
    }
  }

  async payment(tenantId: string, status: string, operatorTxId: string | null): Promise<string> {
    const id = randomUUID();
    const text = `INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
        operator_phone, operator_tx_id, ask_count, expires_at, created_at, updated_at)
      VALUES ($1, $2, 3, $3, 10000, 200, 'CVE', 'CVMOVEL', '+2389912345', $4, 0, $5, $5, $5)`;
    await this.database.query({ text }, [tenantId, id, status, operatorTxId, this.#at()]);
    return id;
  }

  async reversal(tenantId: string, paymentId: string, operatorTxId: string, status: string) {
    const id = randomUUID();
    const text = `INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      VALUES ($1, $2, $3, 'LATE_DEBIT', $4, 10000, 'CVE', 'CVMOVEL', $5, 0, $6, $6, $6)`;
    await this.database.query({ text }, [
      tenantId,
      id,
      paymentId,
      status,
      operatorTxId,
      this.#at(),
    ]);
    return id;
  }

  async refund(
    tenantId: string,
    paymentId: string,
    status: string,
    operatorRefundId: string | null,
  ) {
    const id = randomUUID();
    const text = `INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
        operator_tx_id, operator_refund_id, ask_count, due_at, created_at, updated_at)
      VALUES ($1, $2, $3, 2, $4, 4000, 'CVE', 'CVMOVEL', 'OP', $5, 0, $6, $6, $6)`;
    await this.database.query({ text }, [
      tenantId,
      id,
      paymentId,
      status,
      operatorRefundId,
      this.#at(),
    ]);
    return id;
  }

  #at(): string {
    this.#minute += 1;
    return new Date(Date.parse('2026-11-01T00:00:00Z') + this.#minute * 60_000).toISOString();
  }
}

const toNow = (url: string) => migrate(url, { now: new Date() });

test('keeps old bookings once, lists duplicates, and stops nothing', async (context) => {
  const { url, database } = await databaseOf(context, 7);
  const ledger = new OlderLedger(database);
  await ledger.begin();
  const { live, another, test: onlyTest } = ledger.tenants;
  const first = await ledger.payment(live, 'DEBITED', 'OP-1');
  const second = await ledger.payment(another, 'SETTLED', 'OP-1');
  const ended = await ledger.payment(live, 'CANCELLED', null);
  await ledger.reversal(live, ended, 'OP-1', 'PENDING');
  await ledger.reversal(live, ended, 'OP-2', 'SUCCEEDED');
  const good = await ledger.payment(live, 'DEBITED', 'OP-3');
  await ledger.payment(onlyTest, 'DEBITED', 'OP-1');
  await ledger.payment(onlyTest, 'DEBITED', 'OP-1');
  await toNow(url);

  const bookings = `SELECT account, operator_tx_id AS "operatorTxId", payment_id AS "paymentId", kind
    FROM operator_transactions ORDER BY operator_tx_id`;
  assert.deepEqual(await database.query({ text: bookings }), [
    { account: '', operatorTxId: 'OP-1', paymentId: first, kind: 'DEBIT' },
    { account: '', operatorTxId: 'OP-2', paymentId: ended, kind: 'REVERSAL' },
    { account: '', operatorTxId: 'OP-3', paymentId: good, kind: 'DEBIT' },
  ]);
  const items = await openReviewItems(database);
  const shown = items.map(({ tenantId, kind, subjectId, detail }) => ({
    tenantId,
    kind,
    subjectId,
    detail,
  }));
  const detail = (as: string) => ({
    operatorTxId: 'OP-1',
    bookedAs: 'DEBIT',
    bookedFor: first,
    told: { as },
    found: 'by a migration',
  });
  assert.deepEqual(
    new Set(shown),
    new Set([
      { tenantId: another, kind: 'CLASH', subjectId: second, detail: detail('DEBIT') },
      { tenantId: live, kind: 'CLASH', subjectId: ended, detail: detail('REVERSAL') },
    ]),
  );
  const twice = async () =>
    (await checkLedger(database)).filter(({ check }) => check === 'transaction').length;
  assert.equal(await twice(), 2);
  for (const { tenantId, subjectId } of items) {
    const closing = { tenantId, subjectId, nowMs: 1, by: 'Ana', reason: 'returned by hand' };
    await closeReviewItems(database, closing);
  }
  assert.equal(await twice(), 0, 'a person has reviewed them');
});

test('counts earlier requests as sent, and reserves late returns', async (context) => {
  const { url, database } = await databaseOf(context, 7);
  const ledger = new OlderLedger(database);
  await ledger.begin();
  const { live } = ledger.tenants;
  const payment = await ledger.payment(live, 'DEBITED', 'OP-1');
  const untouched = await ledger.payment(live, 'DEBITED', 'OP-2');
  await ledger.refund(live, payment, 'FAILED', 'OP-R1');
  await ledger.refund(live, payment, 'FAILED', 'OP-R2');
  await ledger.refund(live, payment, 'FAILED', null);
  const underWay = [
    await ledger.refund(live, payment, 'PENDING', null),
    await ledger.refund(live, payment, 'PROCESSING', null),
    await ledger.reversal(live, payment, 'OP-3', 'PENDING'),
    await ledger.reversal(live, payment, 'OP-4', 'PROCESSING'),
  ];
  await toNow(url);

  const sums = 'SELECT id, late_refund_minor AS late FROM payments ORDER BY created_at';
  assert.deepEqual(await database.query({ text: sums }), [
    { id: payment, late: 8_000n },
    { id: untouched, late: 0n },
  ]);
  const sent = `SELECT id, status, sent_at = updated_at AS "isSent", by_hand AS "byHand" FROM (
      SELECT id, status, sent_at, updated_at, by_hand, created_at FROM refunds
      UNION ALL SELECT id, status, sent_at, updated_at, by_hand, created_at FROM reversals) AS row
    WHERE status IN ('PENDING', 'PROCESSING') ORDER BY created_at`;
  assert.deepEqual(
    await database.query({ text: sent }),
    underWay.map((id, index) => {
      const isProcessing = index % 2 === 1;
      const status = isProcessing ? 'PROCESSING' : 'PENDING';
      return { id, status, isSent: isProcessing ? true : null, byHand: false };
    }),
  );
});
