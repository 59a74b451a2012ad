import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { newEvent } from '../../integrations/events/event.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import type { Payment } from './payment.ts';
import { insertPayments } from './store.ts';
import { makeApplyTransition } from './transition.ts';
import { paymentJson } from './view.ts';

const ids = randomIds();

async function sentPayments(database: Database, tenantId: string, count: number) {
  await addTenants(database, tenantId);
  const payments = Array.from({ length: count }, () =>
    examplePayment({ tenantId, id: ids.next(Date.now()) }),
  );
  const rows = payments.map((payment) => {
    const about = { tenantId, type: 'payment.created', objectId: payment.id } as const;
    const event = newEvent(
      { ...about, id: ids.next(1), sequence: 1, createdAtMs: 1 },
      paymentJson(payment),
    );
    return { payment, event };
  });
  await insertPayments(database, rows, 1);
  const text = `UPDATE payments SET status = 'OPERATOR_PENDING' WHERE tenant_id = $1 AND status = 'CREATED'`;
  await database.query({ text }, [tenantId]);
  return payments.map((payment): Payment => ({ ...payment, status: 'OPERATOR_PENDING' }));
}

/** The database refuses every debit of this tenant. */
async function poison(database: Database, tenantId: string): Promise<void> {
  await database.query({
    text: `ALTER TABLE balances ADD CONSTRAINT poisoned CHECK (tenant_id <> '${tenantId}')`,
  });
}

/** Counts the statements that failed although they held rows of other tenants. */
function watched(database: Database, tenantId: string) {
  const bytes = Buffer.from(tenantId.replaceAll('-', ''), 'hex');
  let inVain = 0;
  const query: Database['query'] = (statement, values = []) =>
    database.query<never>(statement, values).catch((error: unknown) => {
      const tenants = values[1] as Buffer;
      // The header of an array, then for each value its length and its bytes.
      for (let at = 24; at < tenants.length; at += 20) {
        if (tenants.subarray(at, at + 16).equals(bytes)) continue;
        inVain += 1;
        break;
      }
      throw error;
    });
  const sinceLast = () => {
    const count = inVain;
    inVain = 0;
    return count;
  };
  return { database: { ...database, query }, sinceLast };
}

test("does not delay the debits of others when one merchant's debits cannot be booked", async (context) => {
  const { database } = await testDatabase(context);
  const [poisoned, ...others] = Array.from({ length: 8 }, () => randomUUID());
  await poison(database, poisoned!);
  const { sinceLast, ...watch } = watched(database, poisoned!);
  const applyTransition = makeApplyTransition({
    ...watch,
    clock: systemClock,
    ids,
    dispatcher: noDispatcher,
    prepareEnded: async () => undefined,
    onTransition: () => {},
  });
  const refused = await sentPayments(database, poisoned!, 20);
  const inVain: number[] = [];
  for (let round = 0; round < 3; round++) {
    const good = await Promise.all(others.map((tenantId) => sentPayments(database, tenantId, 10)));
    const debits = [...refused, ...good.flat()].map((payment) =>
      applyTransition(payment, { to: 'DEBITED', dueAtMs: null, operatorTxId: 'OP-1' }),
    );
    const outcomes = await Promise.allSettled(debits);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      [...refused.map(() => 'rejected'), ...good.flat().map(() => 'fulfilled')],
    );
    inVain.push(sinceLast());
  }
  const [first, ...later] = inVain;
  assert.ok(first! <= 3, `of 8 merchants the one is found by halving, not in ${first} tries`);
  assert.deepEqual(later, [0, 0], 'and then the others are left in peace');
});
