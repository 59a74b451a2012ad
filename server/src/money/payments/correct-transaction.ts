import { isBookedForNothing } from '../../integrations/operators/bookings.ts';
import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Payment } from './payment.ts';

/** The state that the correction relied on has changed, so nothing is written. */
class Moved extends Error {}

/**
 * Corrects the operator's transaction id of a debit, which a person had entered wrongly: refunds refer to it. False
 * if the payment has refunds or moved on meanwhile, or if the transaction is booked for something else.
 * @param account ours at the operator; null: simulated
 */
export async function correctTransaction(
  database: Database,
  payment: Payment,
  operatorTxId: string,
  account: string | null,
): Promise<boolean> {
  try {
    await database.transaction(async (transaction) => {
      await writePayment(transaction, payment, operatorTxId);
      if (account !== null) await writeBooking(transaction, payment, operatorTxId, account);
    });
    return true;
  } catch (error) {
    if (error instanceof Moved) return false;
    throw error;
  }
}

async function writePayment(
  transaction: Queryable,
  { tenantId, id, version, operatorTxId: wrong }: Payment,
  operatorTxId: string,
): Promise<void> {
  const text = `
UPDATE payments SET operator_tx_id = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND operator_tx_id = $4
  AND refund_reserved_minor + late_refund_minor = 0
RETURNING id`;
  const rows = await transaction.query({ text }, [tenantId, id, version, wrong, operatorTxId]);
  if (rows.length === 0) throw new Moved();
}

async function writeBooking(
  transaction: Queryable,
  { tenantId, id, operator, operatorTxId: wrong }: Payment,
  operatorTxId: string,
  account: string,
): Promise<void> {
  const remove = `
DELETE FROM operator_transactions
WHERE operator = $1 AND account IN ($2, '') AND operator_tx_id = ANY ($3) AND tenant_id = $4 AND payment_id = $5
  AND kind = 'DEBIT'`;
  const wrongs = spellingsOf(wrong ?? '');
  await transaction.query({ text: remove }, [operator, account, wrongs, tenantId, id]);
  const insert = `
INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
SELECT operator, account, spellings[1], $4, $5, 'DEBIT'
FROM (SELECT $1::text AS operator, $2::text AS account, $3::text[] AS spellings) AS given
WHERE ${isBookedForNothing('given')}
ON CONFLICT DO NOTHING
RETURNING payment_id`;
  const values = [operator, account, spellingsOf(operatorTxId), tenantId, id];
  if ((await transaction.query({ text: insert }, values)).length === 0) throw new Moved();
}
