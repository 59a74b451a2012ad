import type { Queryable } from '../../../platform/postgres/database.ts';
import { type ListPage, orderOf } from '../../../platform/postgres/list-page.ts';
import {
  firstUuidAt,
  formatId,
  type IdPrefix,
  idPattern,
  parseId,
} from '../../../platform/values/ids.ts';
import { feeKindOf } from '../../ledger/payable-postings.ts';

export const settlementItemTypes = [
  'PAYMENT',
  'REFUND',
  'REFUND_RETURNED',
  'DISBURSEMENT',
  'DISBURSEMENT_RETURNED',
  'DISBURSEMENT_CHARGED',
  'TOP_UP',
  'KEPT',
  'KEPT_RETURNED',
] as const;
export type SettlementItemType = (typeof settlementItemTypes)[number];

/** A posting that a settlement took. Amounts are in minor units. */
export interface SettlementItem {
  /** The payment, refund, disbursement or top-up, or the settlement that left money in the balance. */
  sourceId: string;
  kind:
    | 'debit_net'
    | 'refund_out'
    | 'refund_back'
    | 'disbursement_out'
    | 'disbursement_back'
    | 'disbursement_charge'
    | 'top_up'
    | 'kept_out'
    | 'kept_in';
  /** Of a payment or refund. */
  paymentId: string | null;
  /** What the customer paid or was given; for a payment, including the fee. */
  amountMinor: bigint;
  feeMinor: bigint;
  currency: string;
  createdAtMs: number;
}

const typeOf: Record<SettlementItem['kind'], SettlementItemType> = {
  debit_net: 'PAYMENT',
  refund_out: 'REFUND',
  refund_back: 'REFUND_RETURNED',
  disbursement_out: 'DISBURSEMENT',
  disbursement_back: 'DISBURSEMENT_RETURNED',
  disbursement_charge: 'DISBURSEMENT_CHARGED',
  top_up: 'TOP_UP',
  kept_out: 'KEPT',
  kept_in: 'KEPT_RETURNED',
};

/** An item is named after its object; a refund or disbursement can appear again, on its way back and when it is charged. */
const prefixOf: Record<SettlementItem['kind'], IdPrefix> = {
  debit_net: 'pi',
  refund_out: 're',
  refund_back: 'rb',
  disbursement_out: 'di',
  disbursement_back: 'db',
  disbursement_charge: 'dc',
  top_up: 'tu',
  kept_out: 'kp',
  kept_in: 'kb',
};
const kinds = Object.keys(prefixOf) as SettlementItem['kind'][];

/** The regular expression of an item's id. */
export const itemIdPattern = kinds.map((kind) => idPattern(prefixOf[kind])).join('|');

interface Position {
  sourceId: string;
  kind: string;
}

/** Sorts after all ids and kinds: newest first starts here. */
const start: Position = { sourceId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', kind: '~' };
/** Sorts before all of them. */
const end: Position = { sourceId: '00000000-0000-0000-0000-000000000000', kind: '' };

/** The list continues after the item with this id, which need not exist any more. */
export const positionOf = (id: string | undefined): Position => cursorOf(id) ?? start;

function cursorOf(id: string | undefined): Position | undefined {
  for (const kind of kinds) {
    const sourceId = id === undefined ? undefined : parseId(prefixOf[kind], id);
    if (sourceId !== undefined) return { sourceId, kind };
  }
  return undefined;
}

/** The items between two places, both excluded. */
interface ItemRange {
  before: Position;
  after: Position;
  /** Upwards, the oldest of them come first. */
  order: 'DESC' | 'ASC';
}

/** The items of a page, whose cursors are their ids. */
export function itemRangeOf(page: ListPage): ItemRange {
  const { startingAfter, endingBefore, createdFromMs, createdUntilMs } = page;
  const at = (ms: number): Position => ({ sourceId: firstUuidAt(ms), kind: '' });
  const tops = [positionOf(startingAfter)];
  if (createdUntilMs !== undefined) tops.push(at(createdUntilMs + 1));
  const bottoms = [cursorOf(endingBefore) ?? end];
  if (createdFromMs !== undefined) bottoms.push(at(createdFromMs));
  return {
    before: tops.reduce((one, other) => (other.sourceId < one.sourceId ? other : one)),
    after: bottoms.reduce((one, other) => (other.sourceId > one.sourceId ? other : one)),
    order: orderOf(page),
  };
}

// A period is read by source alone, as its index has it: by source and kind, PostgreSQL would prefer the primary key, and
// read past everything newer. A source has three items at most, so two rows more make a page complete.
const listStatement = (order: 'DESC' | 'ASC') => ({
  name: `settlements.items_${order.toLowerCase()}`,
  text: `
SELECT item.source_id AS "sourceId", item.kind,
  CASE WHEN item.kind = 'debit_net' THEN item.source_id ELSE refunds.payment_id END AS "paymentId",
  item.amount_minor + CASE WHEN item.kind = 'debit_net' THEN coalesce(fee.amount_minor, 0) ELSE 0 END AS "amountMinor",
  coalesce(fee.amount_minor, 0) AS "feeMinor", item.currency, item.created_at AS "createdAtMs"
FROM (
  SELECT taken_item.* FROM settlement_periods taken
  CROSS JOIN LATERAL (
    SELECT tenant_id, source_id, kind, amount_minor, currency, created_at FROM postings
    WHERE tenant_id = $1 AND currency = taken.currency AND period = taken.period
      AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})
      AND source_id <= $3 AND (source_id, kind) < ($3, $4)
      AND source_id >= $5 AND (source_id, kind) > ($5, $6)
    ORDER BY source_id ${order} LIMIT $7 + 2
  ) AS taken_item
  WHERE taken.tenant_id = $1 AND taken.settlement_id = $2
  ORDER BY source_id ${order}, kind ${order} LIMIT $7
) AS item
LEFT JOIN refunds ON refunds.tenant_id = $1 AND refunds.id = item.source_id
LEFT JOIN postings fee
  ON fee.tenant_id = $1 AND fee.source_id = item.source_id AND fee.kind = ${feeKindOf('item.kind')}
ORDER BY item.source_id ${order}, item.kind ${order}`,
});

const listStatements = { DESC: listStatement('DESC'), ASC: listStatement('ASC') };

/**
 * Newest first, after a position; or those of a range. Returns one row more than the limit if there are more.
 */
export function listItems(
  database: Queryable,
  settlement: { tenantId: string; id: string },
  from: Position | ItemRange,
  limit: number,
): Promise<SettlementItem[]> {
  const { tenantId, id } = settlement;
  const range: ItemRange = 'order' in from ? from : { before: from, after: end, order: 'DESC' };
  const { before, after, order } = range;
  const ends = [before.sourceId, before.kind, after.sourceId, after.kind];
  return database.query<SettlementItem>(listStatements[order], [tenantId, id, ...ends, limit + 1]);
}

/** What the item adds to its settlement. */
function netOf({ kind, amountMinor, feeMinor }: SettlementItem): bigint {
  switch (kind) {
    case 'debit_net':
      return amountMinor - feeMinor;
    case 'refund_out':
    case 'kept_out':
      return -amountMinor;
    case 'refund_back':
    case 'top_up':
    case 'kept_in':
      return amountMinor;
    case 'disbursement_out':
    case 'disbursement_charge':
      return -amountMinor - feeMinor;
    case 'disbursement_back':
      return amountMinor + feeMinor;
  }
}

/** The item as the API shows it. The sum of all `netAmount` is that of the settlement. */
export function itemView(item: SettlementItem) {
  const { sourceId, kind, paymentId, amountMinor, feeMinor } = item;
  const of = (word: 'refund' | 'disbursement', prefix: IdPrefix) =>
    kind.startsWith(`${word}_`) ? formatId(prefix, sourceId) : null;
  return {
    id: formatId(prefixOf[kind], sourceId),
    type: typeOf[kind],
    paymentIntentId: paymentId === null ? null : formatId('pi', paymentId),
    refundId: of('refund', 're'),
    amount: amountMinor.toString(),
    feeAmount: feeMinor.toString(),
    netAmount: netOf(item).toString(),
    currency: item.currency as 'CVE' | 'AOA',
    createdAt: new Date(item.createdAtMs).toISOString(),
    // What is new stands last: the columns of the file are in the same order.
    disbursementId: of('disbursement', 'di'),
  };
}
