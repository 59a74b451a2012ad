import type { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { ListPage } from '../../platform/postgres/list-page.ts';
import { instantOf } from '../../platform/values/ids.ts';
import type { Mode } from '../../tenants/merchants/api-key.ts';
import { casesOf, paymentOfTransaction } from './find-by-transaction.ts';
import {
  listPayments,
  newestPayments,
  type PaymentFilter,
  type PaymentTotal,
  paymentConditions,
  totalPayments,
  totalsOf,
} from './list.ts';
import type { ShownPayment } from './payment.ts';
import { endOfScan, hasEndOfId, mostSearched, refusalOf } from './scan-limit.ts';
import { readSearch, type SearchTerm } from './search-term.ts';

/** Whose payments, and what the reader may see of them. */
export interface SearchScope {
  tenantId: string;
  mode: Mode;
  seesPhones: boolean;
}

/** A page of a search. */
export interface SearchPage extends ListPage {
  /** The most payments to scan. */
  most?: number;
}

export interface FoundPayments {
  /** One more than the limit if there are more. */
  rows: ShownPayment[];
  /** Whether these are all that the search has found, so that their total is its total. */
  isWhole: boolean;
  /** Whether the newest payments were scanned too, for what has no index. */
  isScanned: boolean;
  /** The most payments that were scanned. */
  most: number;
  /** Where the scan stopped, if it did not reach the oldest payment: further pages start there. */
  stop?: { id: string; atMs: number };
}

/**
 * Searches the filtered payments for the text of the search box: newest first, paged like {@link listPayments}, which
 * handles an empty box. What has an index of its own is looked up there. The rest is looked for in the newest
 * payments: short references, amounts, the last digits of a phone, and names in other spellings.
 * Only users who see phones can search by phone: others could try all phones that fit a masked one.
 * @throws VALIDATION_ERROR an empty box, and filters without a bound; it says what to narrow
 */
export async function searchPayments(
  database: Queryable,
  scope: SearchScope,
  typed: string,
  filter: PaymentFilter,
  page: SearchPage,
): Promise<FoundPayments> {
  const { most = mostSearched } = page;
  const found = await findPage(database, scope, typed, filter, { ...page, most });
  const isWhole = page.startingAfter === undefined && found.rows.length < page.limit;
  return { ...found, isWhole, most };
}

async function findPage(
  database: Queryable,
  scope: SearchScope,
  typed: string,
  filter: PaymentFilter,
  page: SearchPage,
): Promise<Pick<FoundPayments, 'rows' | 'isScanned' | 'stop'>> {
  const { tenantId } = scope;
  if (typed.trim() === '') {
    const refusal = await refusalOf(database, tenantId, filter, page.limit);
    if (refusal) throw refusal;
    return { rows: await listPayments(database, tenantId, filter, page), isScanned: false };
  }
  const term = readSearch(typed);
  if (!term) return { rows: [], isScanned: false };
  const asked = paymentConditions(tenantId, filter, page);
  const exact = await newestPayments(database, asked, filter, exactWays(asked, term, scope));
  if (term.reference === undefined) return { rows: exact, isScanned: false };
  if (exact.length > 0 && !hasOtherMeanings(term)) return { rows: exact, isScanned: false };
  const stop = await endOfScan(database, tenantId, filter, page);
  const scan = paymentConditions(tenantId, filter, page);
  const scanned = await newestPayments(database, scan, filter, [
    scannedWay(scan, term, scope, stop),
  ]);
  return { ...together(exact, scanned, stop, page), isScanned: true };
}

/** The totals of such a search, over as many payments as its scan reads. */
export async function totalFound(
  database: Queryable,
  scope: SearchScope,
  typed: string,
  filter: PaymentFilter,
  { rows, isWhole, isScanned, most }: FoundPayments,
): Promise<{ totals: PaymentTotal[]; sinceMs?: number }> {
  if (isWhole) return { totals: totalsOf(rows) };
  const { tenantId } = scope;
  const asked = paymentConditions(tenantId, filter, { limit: most - 1 });
  const term = readSearch(typed);
  const isList = typed.trim() === '';
  if (!term && !isList) return { totals: [] };
  const stop =
    isList || isScanned ? await endOfScan(database, tenantId, filter, { most }) : undefined;
  const ways = term ? exactWays(asked, term, scope) : [reaches(asked, stop)];
  if (term && isScanned) ways.push(scannedWay(asked, term, scope, stop));
  const totals = await totalPayments(database, asked, filter, ways);
  return { totals, ...(stop !== undefined && { sinceMs: instantOf(stop) }) };
}

/** Numbers and short references may stand for something else than what an index finds. */
const hasOtherMeanings = ({ endOfId, partOfPhone, amountMinor }: SearchTerm) =>
  endOfId !== undefined || partOfPhone !== undefined || amountMinor !== undefined;

function exactWays(asked: Conditions, term: SearchTerm, { mode, seesPhones }: SearchScope) {
  const { id, reference } = term;
  const phones = seesPhones ? term.phones : [];
  const ways = phones.map((phone) => `operator_phone = ${asked.value(phone)}`);
  if (id !== undefined) {
    const value = asked.value(id);
    ways.push(
      `id = ${value}`,
      `checkout_session_id = ${value}`,
      `id = ANY (ARRAY (${returnedBy(value)}))`,
    );
  }
  if (reference !== undefined) {
    const value = asked.value(reference);
    ways.push(`external_id = ${value}`, `customer_id = ${value}`);
    ways.push(paymentOfTransaction(mode, asked.value(casesOf(reference))));
  }
  return ways;
}

const reaches = (asked: Conditions, stop: string | undefined) =>
  stop === undefined ? 'true' : `id >= ${asked.value(stop)}`;

function scannedWay(
  asked: Conditions,
  { endOfId, partOfPhone, reference, spelling, amountMinor }: SearchTerm,
  { seesPhones }: SearchScope,
  stop: string | undefined,
): string {
  // The pattern names every spelling of a letter: the rules of a language cost more per row. Lengths and digits cost
  // least, and so come first. PostgreSQL looks into no coalesce, and so always reads along the key, the newest first.
  const folded = (text: string) => `lower(${text} COLLATE "C")`;
  const given = asked.value(spelling ?? reference);
  const digits = spelling && asked.value(['', ...(reference?.match(/\d/g) ?? []), ''].join('%'));
  const isNamed = (name: string) =>
    digits === undefined
      ? `octet_length(${name}) = octet_length(${given}::text) AND ${folded(name)} = ${folded(`${given}::text`)}`
      : `${name} LIKE ${digits} AND ${name} COLLATE "C" ~ ${given}`;
  const ways = ['external_id', 'customer_id', 'operator_tx_id'].map(
    (name) => `coalesce(${isNamed(name)}, false)`,
  );
  if (endOfId !== undefined) ways.push(hasEndOfId(asked.value(endOfId)));
  if (amountMinor !== undefined) ways.push(`amount_minor = ${asked.value(amountMinor.toString())}`);
  if (partOfPhone && (seesPhones || partOfPhone.isShown)) {
    ways.push(`operator_phone LIKE ${asked.value(partOfPhone.pattern)}`);
  }
  return `${reaches(asked, stop)} AND (${ways.join(' OR ')})`;
}

/** Both, newest first. If the scan stopped within the page, the next one starts there, so that it misses nothing. */
function together(
  exact: readonly ShownPayment[],
  scanned: readonly ShownPayment[],
  stop: string | undefined,
  { limit }: ListPage,
): Pick<FoundPayments, 'rows' | 'stop'> {
  const byId = new Map([...exact, ...scanned].map((row) => [row.id, row]));
  const rows = [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
  const last = rows[limit - 1];
  if (stop === undefined) return { rows: rows.slice(0, limit + 1) };
  if (rows.length > limit && last!.id >= stop) return { rows: rows.slice(0, limit + 1) };
  return { rows: rows.slice(0, limit), stop: { id: stop, atMs: instantOf(stop) } };
}

/** The payment of a refund, or of a returned wrong debit. */
const returnedBy = (id: string) => `
  SELECT payment_id FROM refunds WHERE tenant_id = $1 AND id = ${id}
  UNION ALL SELECT payment_id FROM reversals WHERE tenant_id = $1 AND id = ${id}`;
