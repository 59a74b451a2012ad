import { eventually, type TestGateway } from '../../test/gateway.ts';
import type { Database } from '../platform/database.ts';

export const heading = 'transaction_id,reference,type,amount,currency,status,completed_at';

/**
 * Two debits, a late debit with its reversal, and a refund that is booked by hand, all at MOCK.
 * @returns the ids of the payments by what they are
 */
export async function makeBooks({ api, database }: TestGateway) {
  const pay = async (amount: number, operatorPhone: string): Promise<string> =>
    (await api('POST', '/v1/payments', { amount, operator: 'MOCK', operatorPhone })).body.id;
  const isAt = (status: string, id: string) => async () =>
    (await api('GET', `/v1/payments/${id}`)).body.status === status;
  const paid = await pay(10_001, '+2389912345');
  const small = await pay(5, '+2389912345');
  const failed = await pay(10_000, '+2389912049');
  const late = await pay(30_000, '+2389912139');
  await eventually('it waits for the customer', isAt('USER_CONFIRMING', late));
  await api('POST', `/v1/payments/${late}/cancel`);
  await eventually('it is debited', isAt('DEBITED', paid));
  await eventually('the small one is debited', isAt('DEBITED', small));
  await eventually('one has failed', isAt('FAILED', failed));
  await eventually('the late debit is reversed', async () => {
    const text = `SELECT id FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === 1;
  });
  await database.query({ text: refund, name: 'refund' }, [refundId]);
  return { paid, small, failed, late };
}

export const refundId = '019aa5d4-e0fb-7000-8000-000000000009';

/** As the ledger has it once a refund of 7.50 has succeeded, in the last instant of the statement. */
const refund = `
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
SELECT tenant_id, $1, 'refund_done', 'refunds_in_transit', 'operator:MOCK', currency, 750, max(created_at)
FROM postings GROUP BY tenant_id, currency`;

/** The statement that the simulated operator would send: a line for each transaction, the last first. */
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
  const lines = rows.map(({ id, reference, type, amount }, index) => {
    const major = `${amount.padStart(3, '0').slice(0, -2)}.${amount.slice(-2).padStart(2, '0')}`;
    return `${id},${reference},${type},${major},CVE,COMPLETED,${index === 0 ? first : at}`;
  });
  return [...lines, `R1,${refundId},REFUND,7.5,CVE,COMPLETED,${at}`];
}
