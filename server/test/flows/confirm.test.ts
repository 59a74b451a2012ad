import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Zimbo } from '../../../sdk/typescript/src/index.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { eventually, reach, testGateway } from '../support/gateway.ts';

/** A payment that waits for a confirm. */
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912159' } as const;

const waiting = (zimbo: Zimbo, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await zimbo.payments.create(payment);
      await reach(zimbo.payments, id, 'USER_CONFIRMING');
      return id;
    }),
  );

/** The status that each of two acts answered, or the code with which it was refused. */
const outcomes = (acts: Promise<{ status: string }>[]) =>
  Promise.all(
    acts.map((act) =>
      act.then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      ),
    ),
  );

test('applies one of a confirm and a cancel at the same time, and refuses the other', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const ids = await waiting(zimbo, 8);
  for (const id of ids) {
    const told = await outcomes([zimbo.payments.cancel(id), zimbo.payments.confirm(id)]);
    const { status } = await zimbo.payments.get(id);
    const expected = {
      CANCELLED: ['CANCELLED', 'INVALID_STATE'],
      DEBITED: ['INVALID_STATE', 'DEBITED'],
    };
    assert.deepEqual(told, expected[status as keyof typeof expected], id);
  }
  const text = 'SELECT id FROM reversals';
  assert.deepEqual(await database.query({ text }), [], 'a refused confirm debits nobody');
  assert.deepEqual(await checkLedger(database), []);
});

test('applies and audits one of several confirms at the same time', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const [id = ''] = await waiting(zimbo, 1);
  const told = await outcomes(Array.from({ length: 5 }, () => zimbo.payments.confirm(id)));
  assert.deepEqual(told.toSorted(), [
    'DEBITED',
    ...Array.from({ length: 4 }, () => 'INVALID_STATE'),
  ]);
  const text = `SELECT id FROM audit_records WHERE action = 'payment.confirmed'`;
  await eventually('the record', async () => (await database.query({ text })).length === 1);
});

test('refuses a confirm at the expiry of the payment if it changed nothing', async (context) => {
  const environment = { PAYMENT_EXPIRY_SECONDS: '1' };
  const { zimbo, database } = await testGateway(context, { environment });
  const created = await Promise.all(
    Array.from({ length: 20 }, () => zimbo.payments.create(payment)),
  );
  const ids = created.map(({ id }) => id);
  const expiresAtMs = Date.parse(created.at(-1)!.expiresAt);
  await eventually('the expiry', () => Date.now() >= expiresAtMs);
  const told = await outcomes(ids.map((id) => zimbo.payments.confirm(id)));
  const isDebited = async (id: string) => (await zimbo.payments.get(id)).status === 'DEBITED';
  const debited = await Promise.all(ids.map(isDebited));
  assert.deepEqual(
    told,
    debited.map((is) => (is ? 'DEBITED' : 'INVALID_STATE')),
  );
  assert.deepEqual(await checkLedger(database), []);
});
