import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { bookDisbursement, bookStep } from '../../../test/support/booked-disbursement.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { book } from '../../../test/support/history.ts';
import { cut, merchantWithDebit } from '../../../test/support/payouts.ts';
import type { Database } from '../../platform/postgres/database.ts';

const nowMs = Date.parse('2026-11-21T09:30:00.123Z');
const clock = { nowMs: () => nowMs };

const unsettledOf = async (database: Database, tenantId: string, currency: string) => {
  const text = `SELECT period, gross_minor AS gross, fee_minor AS fee, refund_minor AS refund,
      disbursement_minor AS disbursement, item_count AS items
    FROM unsettled WHERE tenant_id = $1 AND currency = $2`;
  const [row] = await database.query<Record<string, bigint | number>>({ text }, [
    tenantId,
    currency,
  ]);
  return Object.values(row!).map(Number);
};

const periodsOf = async (database: Database, sourceId: string) => {
  const text = `SELECT kind, period FROM postings WHERE source_id = $1 ORDER BY kind`;
  const rows = await database.query<{ kind: string; period: number | null }>({ text }, [sourceId]);
  return rows.map(({ kind, period }) => `${kind} ${period}`);
};

for (const currency of ['CVE', 'AOA'] as const) {
  test(`counts a disbursement in ${currency} with its fee, and takes both off when it comes back`, async (context) => {
    const { database } = await testDatabase(context);
    const owner = await merchantWithDebit(database);
    const { tenantId } = owner;
    if (currency === 'AOA') {
      await book({ database, tenantId }, 'debit', randomUUID(), 10_000n, nowMs, currency);
    }
    const debited = [10_000, 200, 0];
    const seen = () => unsettledOf(database, tenantId, currency);
    assert.deepEqual(await seen(), [1, ...debited, 0, 1]);

    const made = await bookDisbursement(database, { tenantId, currency });
    const out = [1, 10_000, 250, 0, 3_000, 2];
    assert.deepEqual(await seen(), out);
    await bookDisbursement(database, { tenantId, currency, feeMinor: 0n, amountMinor: 7n });
    assert.deepEqual(await seen(), [1, 10_000, 250, 0, 3_007, 3], 'one without a fee');
    assert.deepEqual(await periodsOf(database, made.id), [
      'disbursement_fee 1',
      'disbursement_out 1',
    ]);

    const settlement = await cut({ database, clock, ...owner }, currency);
    assert.deepEqual(
      [settlement.disbursementMinor, settlement.feeMinor, settlement.netMinor],
      [3_007n, 250n, 10_000n - 250n - 3_007n],
    );
    assert.deepEqual(await seen(), [2, 0, 0, 0, 0, 0]);
    await bookStep(database, made, 'GIVEN_BACK', nowMs);
    assert.deepEqual(await seen(), [2, 0, -50, 0, -3_000, 1]);
    assert.deepEqual(await periodsOf(database, made.id), [
      'disbursement_back 2',
      'disbursement_fee 1',
      'disbursement_fee_back 2',
      'disbursement_out 1',
    ]);
  });
}

test('counts a charge after a late success as what goes out, and a write-off not at all', async (context) => {
  const { database } = await testDatabase(context);
  const { tenantId } = await merchantWithDebit(database);
  const late = { tenantId, status: 'FAILED', operatorTxId: 'OP-1' } as const;
  const charged = await bookDisbursement(database, late);
  const written = await bookDisbursement(database, late);
  const before = await unsettledOf(database, tenantId, 'CVE');
  await bookStep(database, written, 'WRITTEN_OFF', nowMs);
  assert.deepEqual(await unsettledOf(database, tenantId, 'CVE'), before);
  await bookStep(database, charged, 'CHARGED', nowMs);
  const [period, gross, fee, refund, disbursed, items] = before.map(Number);
  const after = [period, gross, fee! + 50, refund, disbursed! + 3_000, items! + 1];
  assert.deepEqual((await unsettledOf(database, tenantId, 'CVE')).map(Number), after);
  assert.deepEqual(
    (
      await database.query<{ minor: bigint }>({
        text: `SELECT sum(balance_minor) AS minor FROM balances WHERE account = 'suspense'`,
      })
    ).map(({ minor }) => Number(minor)),
    [0],
  );
});

test('refuses the settlement of an older program, which would pay a disbursed amount again', async (context) => {
  const { database } = await testDatabase(context);
  const { tenantId } = await merchantWithDebit(database);
  await bookDisbursement(database, { tenantId });
  const cutOfOlder = `
UPDATE unsettled SET period = period + 1, gross_minor = 0, fee_minor = 0, refund_minor = 0,
  item_count = 0, first_item_at = NULL, first_debit_at = NULL, last_run_at = now()
WHERE tenant_id = $1`;
  await assert.rejects(
    database.query({ text: cutOfOlder }, [tenantId]),
    /unsettled_disbursement_minor/,
  );
});

test('counts nothing when the operator has paid a disbursement', async (context) => {
  const { database } = await testDatabase(context);
  const { tenantId } = await merchantWithDebit(database);
  const made = await bookDisbursement(database, { tenantId });
  const before = await unsettledOf(database, tenantId, 'CVE');
  await bookStep(database, made, 'SUCCEEDED');
  assert.deepEqual(await unsettledOf(database, tenantId, 'CVE'), before);
  assert.ok((await periodsOf(database, made.id)).includes('disbursement_done null'));
});
