import { invalid } from '../errors.ts';
import type { Mode } from '../merchants/api-key.ts';
import type { Queryable } from '../postgres/database.ts';
import { newest, type PageOfPayments, type PaymentFilter, paymentConditions } from './list.ts';
import { requireNarrow } from './narrow.ts';
import type { Payment } from './payment.ts';
import { readSearch } from './search-term.ts';

/**
 * Payments by what was typed into the one box, among those that the filter leaves: newest first, paged
 * like {@link listPayments}. Each way to understand what was typed is asked for along an index of its own.
 * @throws VALIDATION_ERROR an amount without dates that are close together
 */
export async function searchPayments(
  database: Queryable,
  { tenantId, mode }: { tenantId: string; mode: Mode },
  typed: string,
  filter: PaymentFilter,
  page: PageOfPayments,
): Promise<Payment[]> {
  const term = readSearch(typed);
  if (!term) return [];
  const asked = paymentConditions(tenantId, filter, page);
  const { paymentId, sessionId, reference, amountMinor } = term;
  const ways = term.phones.map((phone) => `operator_phone = ${asked.value(phone)}`);
  if (paymentId !== undefined) ways.push(`id = ${asked.value(paymentId)}`);
  if (sessionId !== undefined) ways.push(`checkout_session_id = ${asked.value(sessionId)}`);
  if (reference !== undefined) {
    const value = asked.value(reference);
    ways.push(`external_id = ${value}`, `customer_id = ${value}`);
    const ofTransaction = mode === 'live' ? liveTransaction : simulatedTransaction;
    ways.push(`id = ANY (ARRAY (${ofTransaction(value)}))`);
  }
  if (amountMinor !== undefined && hasDates(filter)) {
    const ofAmount = { ...filter, amountFromMinor: amountMinor };
    await requireNarrow(database, tenantId, ofAmount, page.limit);
    ways.push(`amount_minor = ${asked.value(amountMinor.toString())}`);
  } else if (amountMinor !== undefined && isWrittenAsAmount(typed)) {
    throw invalid('dates', 'must be given to search for an amount');
  }
  return newest(database, asked, filter, ways);
}

const hasDates = ({ createdFromMs, createdUntilMs }: PaymentFilter) =>
  createdFromMs !== undefined && createdUntilMs !== undefined;

/** With a fraction or a currency; bare digits are rather an order or a phone. */
const isWrittenAsAmount = (typed: string) => !/^[\d\s]+$/.test(typed.trim());

/**
 * Of live payments: within each of our accounts at an operator, of which there are few. They are found one after
 * the other along the key, so that no further index is needed.
 */
const liveTransaction = (operatorTxId: string) => `
  WITH RECURSIVE account AS (
    (SELECT operator, account FROM operator_transactions ORDER BY operator, account LIMIT 1)
    UNION ALL
    SELECT following.operator, following.account
    FROM account a CROSS JOIN LATERAL (
      SELECT operator, account FROM operator_transactions o
      WHERE (o.operator, o.account) > (a.operator, a.account)
      ORDER BY operator, account LIMIT 1) AS following
  )
  SELECT booked.payment_id FROM account a
  JOIN operator_transactions booked
    ON booked.operator = a.operator AND booked.account = a.account
      AND booked.operator_tx_id = ${operatorTxId}
  WHERE booked.tenant_id = $1`;

/** Of test payments: what the simulated operators did, as long as they remember it. */
const simulatedTransaction = (operatorTxId: string) => `
  SELECT coalesce(refund.payment_id, reversal.payment_id, done.reference)
  FROM simulator_transactions done
  LEFT JOIN refunds refund ON refund.tenant_id = done.tenant_id AND refund.id = done.reference
  LEFT JOIN reversals reversal ON reversal.tenant_id = done.tenant_id AND reversal.id = done.reference
  WHERE done.tenant_id = $1 AND done.operator_tx_id = ${operatorTxId}`;
