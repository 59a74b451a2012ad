import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import { type DomainError, invalid } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Mode } from '../../tenants/merchants/api-key.ts';
import {
  listPayments,
  newestPayments,
  type PageOfPayments,
  type PaymentFilter,
  paymentConditions,
} from './list.ts';
import type { ShownPayment } from './payment.ts';
import { refusalOf } from './scan-limit.ts';
import { readSearch } from './search-term.ts';

/**
 * Searches the filtered payments for the text of the search box: newest first, paged like {@link listPayments}, which
 * handles an empty box. Each meaning of the text is looked up along an index of its own. Only users who see phones
 * can search by phone: others could try all phones that fit a masked one.
 * @throws VALIDATION_ERROR the search has no bound, as for an amount without dates; it says what to narrow
 */
export async function searchPayments(
  database: Queryable,
  { tenantId, mode, seesPhones }: { tenantId: string; mode: Mode; seesPhones: boolean },
  typed: string,
  filter: PaymentFilter,
  page: PageOfPayments,
): Promise<ShownPayment[]> {
  if (typed.trim() === '') {
    const refusal = await refusalOf(database, tenantId, filter, page.limit);
    if (refusal) throw refusal;
    return listPayments(database, tenantId, filter, page);
  }
  const term = readSearch(typed);
  if (!term) return [];
  const asked = paymentConditions(tenantId, filter, page);
  const { paymentId, sessionId, reference, amountMinor } = term;
  const phones = seesPhones ? term.phones : [];
  const ways = phones.map((phone) => `operator_phone = ${asked.value(phone)}`);
  if (paymentId !== undefined) ways.push(`id = ${asked.value(paymentId)}`);
  if (sessionId !== undefined) ways.push(`checkout_session_id = ${asked.value(sessionId)}`);
  if (reference !== undefined) {
    const value = asked.value(reference);
    ways.push(`external_id = ${value}`, `customer_id = ${value}`);
    const ofTransaction = mode === 'live' ? liveTransaction : simulatedTransaction;
    const spellings = asked.value(spellingsOf(reference));
    ways.push(`id = ANY (ARRAY (${ofTransaction(spellings)}))`);
  }
  const refusal =
    amountMinor === undefined
      ? undefined
      : await refusalOfAmount(database, tenantId, filter, page.limit);
  if (amountMinor !== undefined && !refusal) {
    ways.push(`amount_minor = ${asked.value(amountMinor.toString())}`);
  }
  const found = await newestPayments(database, asked, filter, ways);
  // The text may well have been an order or a phone: only a search without results mentions that amounts were left
  // out.
  if (found.length === 0 && refusal && phones.length === 0) throw refusal;
  return found;
}

async function refusalOfAmount(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  limit: number,
): Promise<DomainError | undefined> {
  const { createdFromMs, createdUntilMs } = filter;
  if (createdFromMs === undefined || createdUntilMs === undefined)
    return invalid('dates', 'must be given to search for an amount');
  return refusalOf(database, tenantId, { ...filter, amountFromMinor: 0n }, limit);
}

/**
 * For live payments: within each of our accounts at an operator, of which there are few. Looked up one after the
 * other along the key, so that no further index is needed.
 */
const liveTransaction = (spellings: string) => `
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
      AND booked.operator_tx_id = ANY (${spellings})
  WHERE booked.tenant_id = $1`;

/** For test payments: the records of the simulated operators, for as long as they remember them. */
const simulatedTransaction = (spellings: string) => `
  SELECT coalesce(refund.payment_id, reversal.payment_id, done.reference)
  FROM simulator_transactions done
  LEFT JOIN refunds refund ON refund.tenant_id = done.tenant_id AND refund.id = done.reference
  LEFT JOIN reversals reversal ON reversal.tenant_id = done.tenant_id AND reversal.id = done.reference
  WHERE done.tenant_id = $1 AND done.operator_tx_id = ANY (${spellings})`;
