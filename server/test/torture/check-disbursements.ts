import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import type { Order, OutsideRecord } from './record.ts';

/** What a merchant asks for with one disbursement, or one row of a batch. */
interface Asked {
  amount: number;
  operator: string;
  operatorPhone: string;
}

interface Written {
  id: string;
  status: string;
  batchId: string | null;
  batchRow: number | null;
  amountMinor: bigint;
  operator: string;
  operatorPhone: string;
}

/** Each disbursement must be what an order asked for, and each acknowledged order must have all of its own. */
export async function wrongDisbursements(
  database: Database,
  { orders, stopped }: OutsideRecord,
): Promise<string[]> {
  const written = await database.query<Written>({
    text: `
SELECT id, status, batch_id AS "batchId", batch_row AS "batchRow", amount_minor AS "amountMinor", operator,
  operator_phone AS "operatorPhone"
FROM disbursements`,
  });
  const byAmount = new Map(orders.flatMap(askedBy).map((asked) => [BigInt(asked.amount), asked]));
  const strange = written.filter((row) => !isAsked(row, byAmount.get(row.amountMinor)));
  const byBatch = Map.groupBy(written, ({ batchId }) => batchId);
  const single = new Map(written.map((row) => [row.id, row]));
  const missing = orders.flatMap(({ kind, answer, body }) => {
    if (!answer) return [];
    if (kind === 'disbursement') {
      const row = single.get(parseId('di', answer.id)!);
      return row && isAsked(row, body as unknown as Asked) ? [] : [`${answer.id} is another`];
    }
    if (kind !== 'batch' || stopped.has(answer.id)) return [];
    const rows = byBatch.get(parseId('dib', answer.id)!) ?? [];
    return itemsOf(body).flatMap((item, index) => {
      const own = rows.filter(({ batchRow }) => batchRow === index);
      const isRight = own.length === 1 && isAsked(own[0]!, item);
      return isRight ? [] : [`row ${index} of ${answer.id} was written ${own.length} times`];
    });
  });
  const isStopped = ({ id, batchId }: Written) =>
    stopped.has(formatId('di', id)) || (batchId !== null && stopped.has(formatId('dib', batchId)));
  const stoppedByNobody = written.filter((row) => row.status === 'CANCELLED' && !isStopped(row));
  return [
    ...stoppedByNobody.map(
      ({ id }) => `${formatId('di', id)} is CANCELLED, and nobody asked for that`,
    ),
    ...strange.map(({ id }) => `${formatId('di', id)} is nothing that anybody asked for`),
    ...missing,
  ];
}

const itemsOf = (body: Order['body']) => body.items as Asked[];

const askedBy = ({ kind, body }: Order): Asked[] => {
  if (kind === 'batch') return itemsOf(body);
  return kind === 'disbursement' ? [body as unknown as Asked] : [];
};

const isAsked = (row: Written, asked: Asked | undefined) =>
  asked !== undefined &&
  row.amountMinor === BigInt(asked.amount) &&
  row.operator === asked.operator &&
  row.operatorPhone === asked.operatorPhone;

/** Every row that is asked for has a unique amount, so two payments of one amount are of one row. */
export const disbursedTwice = `
  SELECT 'a disbursement of ' || amount_minor || ' was paid ' || count(*) || ' times, under '
    || string_agg(reference::text, ', ') AS words
  FROM simulator_transactions
  WHERE kind = 'DISBURSEMENT' AND status = 'SUCCEEDED'
  GROUP BY amount_minor HAVING count(*) > 1`;

/** Each ended as its operator says; what the operator never had ended before it was sent. */
const notAsTheOperatorSays = `
  SELECT 'disbursement ' || coalesce('di|' || d.id, s.reference::text) || ' is '
    || concat_ws(' ', coalesce(d.status, 'unknown'), d.failure_code)
    || ', and its operator says ' || concat_ws(' ', coalesce(s.status, 'nothing'), s.failure_code) AS words
  FROM disbursements d
  FULL JOIN (SELECT * FROM simulator_transactions WHERE kind = 'DISBURSEMENT') AS s
    ON s.tenant_id = d.tenant_id AND s.reference = d.reference
  WHERE NOT coalesce(CASE
    WHEN s.reference IS NULL
      THEN d.status = 'CANCELLED' OR (d.status = 'FAILED' AND d.failure_code = 'INSUFFICIENT_BALANCE')
    ELSE d.status = s.status AND d.failure_code IS NOT DISTINCT FROM s.failure_code
      AND d.operator_tx_id IS NOT DISTINCT FROM CASE s.status WHEN 'SUCCEEDED' THEN s.operator_tx_id END
      AND d.amount_minor = s.amount_minor AND d.currency = s.currency AND d.operator = s.operator
      AND d.operator_phone = s.phone
    END, false)`;

const disbursementWithoutEvent = `
  SELECT 'disbursement di|' || d.id || ' is ' || d.status || ', and ' || due.type || ' was never written' AS words
  FROM disbursements d CROSS JOIN LATERAL (
    SELECT 'disbursement.created' AS type WHERE d.failure_code IS DISTINCT FROM 'INSUFFICIENT_BALANCE'
    UNION ALL SELECT 'disbursement.' || lower(d.status)) AS due
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.tenant_id = d.tenant_id AND e.object_id = d.id AND e.type = due.type)
  UNION ALL
  SELECT 'batch dib|' || b.id || ' was never told of' FROM disbursement_batches b
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.tenant_id = b.tenant_id AND e.object_id = b.id
      AND e.type = 'disbursement_batch.completed')`;

/** What came in for a merchant less what went out, from the objects alone: what is left is its balance. */
const wrongMoney = `
  SELECT 'the ' || currency || ' of ' || tenant_id || ': ' || sum(minor)
    || ' should be left, and the balance is ' || sum(balance_minor) AS words
  FROM (
    SELECT tenant_id, currency, amount_minor - fee_minor AS minor, 0 AS balance_minor FROM payments
    WHERE status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')
    UNION ALL SELECT tenant_id, currency, -amount_minor, 0 FROM refunds WHERE status = 'SUCCEEDED'
    UNION ALL SELECT tenant_id, currency, -net_minor, 0 FROM settlements WHERE status = 'COMPLETED'
    UNION ALL SELECT tenant_id, currency, -amount_minor - fee_minor, 0 FROM disbursements WHERE status = 'SUCCEEDED'
    UNION ALL SELECT tenant_id, currency, 0, balance_minor FROM balances WHERE account = 'payable'
  ) AS movement
  GROUP BY tenant_id, currency HAVING sum(minor) <> sum(balance_minor)
  UNION ALL
  SELECT balance_minor || ' ' || currency || ' of ' || tenant_id || ' are still on their way' FROM balances
  WHERE account = 'disbursements_in_transit' AND balance_minor <> 0`;

export const disbursementsAtRest = [notAsTheOperatorSays, disbursementWithoutEvent, wrongMoney];

export const disbursementStillDue = `
  SELECT 'disbursement di|' || id || ' is ' || status || ', due ' || coalesce(due_at::text, 'never') AS words
  FROM disbursements WHERE status IN ('CREATED', 'PROCESSING') OR due_at IS NOT NULL
  UNION ALL SELECT 'batch dib|' || id || ' is ' || status || ' with ' || written_count || ' of ' || item_count
    || ' rows, due ' || coalesce(due_at::text, 'never')
  FROM disbursement_batches WHERE status <> 'COMPLETED' OR due_at IS NOT NULL`;

/** What was disbursed, in words: a run with few of them proves little. */
export async function disbursedIn(database: Database): Promise<string> {
  const rows = await database.query<{ words: string }>({
    text: `
SELECT count(*) || ' ' || concat_ws(' ', status, failure_code) || ' (' || count(batch_id) || ' in batches, '
  || sum(amount_minor) || ' ' || currency || ')' AS words
FROM disbursements GROUP BY currency, status, failure_code ORDER BY currency, count(*) DESC`,
  });
  return rows.map(({ words }) => words).join(', ') || 'nothing';
}
