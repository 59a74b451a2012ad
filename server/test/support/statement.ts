import type { Database } from '../../src/platform/postgres/database.ts';
import { eventually, type TestGateway } from './gateway.ts';

export const heading = 'transaction_id,reference,type,amount,currency,status,completed_at';

/**
 * Two debits, a late debit with its reversal, and a refund of 7.50 CVE, all at MOCK, plus a payment
 * and a refund that failed. @returns the ids of the payments and refunds by their part in this
 * story
 */
export async function makeLedger({ api, database }: TestGateway) {
  const pay = async (amount: number, operatorPhone: string): Promise<string> =>
    (await api('POST', '/v1/payments', { amount, operator: 'MOCK', operatorPhone })).body.id;
  const refund = async (paymentIntentId: string): Promise<string> =>
    (await api('POST', '/v1/refunds', { paymentIntentId, amount: 750 })).body.id;
  const isAt = (status: string, path: string) => async () =>
    (await api('GET', `/v1/${path}`)).body.status === status;
  const paid = await pay(10_001, '+2389912345');
  const small = await pay(750, '+2389912119');
  const failed = await pay(10_000, '+2389912049');
  const late = await pay(30_000, '+2389912139');
  await eventually('it waits for the customer', isAt('USER_CONFIRMING', `payments/${late}`));
  await api('POST', `/v1/payments/${late}/cancel`);
  await eventually('it is debited', isAt('DEBITED', `payments/${paid}`));
  await eventually('the small one is debited', isAt('DEBITED', `payments/${small}`));
  await eventually('one has failed', isAt('FAILED', `payments/${failed}`));
  await eventually('the late debit is reversed', async () => {
    const text = `SELECT id FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === 1;
  });
  const refused = await refund(small);
  await eventually('a refund is refused', isAt('FAILED', `refunds/${refused}`));
  // Last, so that it is booked at the last instant of the statement.
  const refunded = await refund(paid);
  await eventually('a refund succeeds', isAt('SUCCEEDED', `refunds/${refunded}`));
  return { paid, small, failed, late, refused, refunded };
}

/** The statement that the simulated operator would send: a line for each transaction, newest first. */
export async function statementLines(database: Database): Promise<string[]> {
  const rows = await database.query<Record<'id' | 'reference' | 'type' | 'amount', string>>({
    text: `SELECT operator_tx_id AS id, reference, kind AS type, amount_minor::text AS amount
      FROM simulator_transactions WHERE status = 'SUCCEEDED' ORDER BY amount_minor, kind`,
  });
  const [period] = await database.query<{ atMs: number }>({
    text: 'SELECT max(created_at) AS "atMs" FROM postings',
  });
  const at = new Date(period!.atMs).toISOString();
  const first = new Date(period!.atMs - 60_000).toISOString();
  return rows.map(({ id, reference, type, amount }, index) => {
    const major = `${amount.padStart(3, '0').slice(0, -2)}.${amount.slice(-2).padStart(2, '0')}`;
    return `${id},${reference},${type},${major},CVE,COMPLETED,${index === 0 ? first : at}`;
  });
}
