/** Disbursements in a running gateway, from the row to the webhook. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { exampleDisbursement, insertDisbursements } from '../support/disbursement.ts';
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts';

const ids = randomIds();

/** A disbursement of the test merchant that any worker may take. */
async function disburse({ database }: TestGateway, operatorPhone: string): Promise<string> {
  const text = `SELECT tenant_id AS "tenantId" FROM api_keys`;
  const [owner] = await database.query<{ tenantId: string }>({ text });
  const nowMs = Date.now();
  const times = { dueAtMs: nowMs, createdAtMs: nowMs, updatedAtMs: nowMs };
  const [id, reference] = [ids.next(nowMs), ids.next(nowMs)];
  const own = { ...owner, id, reference, expiresAtMs: nowMs + 60_000, ...times };
  const disbursement = exampleDisbursement({ ...own, operator: 'MOCK', operatorPhone });
  await insertDisbursements(database, disbursement);
  return id;
}

/** The phones whose last digits choose what the simulated operator does (docs/simulator.md). */
const outcomes = [
  ['+2389912345', 'SUCCEEDED', null],
  ['+2389912029', 'FAILED', 'PAYEE_NOT_FOUND'],
  ['+2389912129', 'SUCCEEDED', null],
  ['+2389912149', 'SUCCEEDED', null],
  ['+2389912159', 'SUCCEEDED', null],
] as const;

test('the workers of a gateway send due disbursements, and book what the operator says', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const made = [];
  for (const [phone, ...end] of outcomes) made.push([await disburse(gateway, phone), ...end]);
  const states = () =>
    database.query<{ id: string; status: string; failureCode: string | null }>({
      text: `SELECT id, status, failure_code AS "failureCode" FROM disbursements ORDER BY id`,
    });
  await eventually('all have ended', async () =>
    (await states()).every(({ status }) => status === 'SUCCEEDED' || status === 'FAILED'),
  );
  const ended = (await states()).map(({ id, status, failureCode }) => [id, status, failureCode]);
  assert.deepEqual(ended, made);
  const events = await database.query<{ type: string; body: string }>({
    text: `SELECT type, body FROM events WHERE type LIKE 'disbursement.%' ORDER BY object_id`,
  });
  assert.deepEqual(
    events.map(({ type }) => type),
    made.map(([, status]) => `disbursement.${String(status).toLowerCase()}`),
  );
  const { data } = JSON.parse(events[0]!.body) as { data: Record<string, unknown> };
  assert.deepEqual(
    [data.id, data.amount, data.feeAmount, data.status, data.operatorPhone],
    [formatId('di', made[0]![0]!), '4000', '100', 'SUCCEEDED', '+2389912345'],
  );
  assert.deepEqual(await checkLedger(database), []);
});

test('a success after a failure is missing in suspense', async (context) => {
  const gateway = await testGateway(context);
  const { database, url } = gateway;
  const id = await disburse(gateway, '+2389912139');
  const text = `SELECT status, operator_tx_id AS "operatorTxId" FROM disbursements WHERE id = $1`;
  const late = await eventually('the operator pays after all', async () => {
    const [row] = await database.query<{ status: string; operatorTxId: string }>({ text }, [id]);
    return row?.operatorTxId ? row : undefined;
  });
  assert.equal(late.status, 'FAILED');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /zimbo_late_disbursements_total\{operator="MOCK"[^}]*\} 1/);
  const [suspense] = await database.query<{ minor: bigint }>({
    text: `SELECT balance_minor AS minor FROM balances WHERE account = 'suspense'`,
  });
  assert.equal(suspense!.minor, -4_000n);
  assert.deepEqual(await checkLedger(database), []);
});
