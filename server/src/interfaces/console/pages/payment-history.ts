import {
  type EventHead,
  eventsOfObjects,
  findEventSince,
} from '../../../integrations/events/list-by-object.ts';
import {
  deliveriesOfEvents,
  type EventDelivery,
} from '../../../integrations/webhooks/deliveries/list-by-event.ts';
import { wordsReceived } from '../../../money/callbacks/list-by-payment.ts';
import type { Disbursement } from '../../../money/disbursements/disbursement.ts';
import { postingsOf } from '../../../money/ledger/list-by-source.ts';
import type { Payment } from '../../../money/payments/payment.ts';
import type { Refund } from '../../../money/refunds/refund.ts';
import { listRefunds } from '../../../money/refunds/store.ts';
import { reversalsOf } from '../../../money/reversals/store.ts';
import { reviewItemsAbout } from '../../../money/review/store.ts';
import { findSettlementOf } from '../../../money/settlements/find-by-payment.ts';
import { namesOfPeople } from '../../../platform/audit/list-by-merchant.ts';
import { listRecords } from '../../../platform/audit/store.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { findKeys } from '../../../tenants/merchants/store.ts';
import { findMembers } from '../../../tenants/people/member-store.ts';
import { idOf, keyName } from '../parts/audit-log.ts';
import type { MerchantContext } from '../request-context.ts';

export type PaymentHistory = Awaited<ReturnType<typeof loadHistory>>;

const mostRefunds = 100;
const mostRecords = 50;
/** Clocks of two processes may differ by this much. */
const toleranceMs = 5_000;

/** The payment's owner, and the visitor's permissions. */
export interface HistoryReader {
  database: Database;
  merchantId: string;
  seesAudit: boolean;
  seesEvents: boolean;
}

/** A member of the merchant. */
export const readerAt = (visit: MerchantContext): HistoryReader => ({
  database: visit.services.database,
  merchantId: visit.merchant.id,
  seesAudit: visit.can('audit.read'),
  seesEvents: visit.can('events.read'),
});

/** The full history of a payment, limited to the visitor's permissions. */
export async function loadHistory(reader: HistoryReader, payment: Payment) {
  const { database, seesEvents } = reader;
  const { tenantId, id, checkoutSessionId, createdAtMs, updatedAtMs } = payment;
  const [refunds, reversals, settlement, people] = await Promise.all([
    listRefunds(database, tenantId, { paymentId: id }, { limit: mostRefunds }),
    reversalsOf(database, tenantId, id),
    findSettlementOf(database, tenantId, id),
    peopleIn(reader, formatId('pi', id)),
  ]);
  const parts = [id, ...[...refunds, ...reversals].map((each) => each.id)];
  const [postings, reviewItems, received] = await Promise.all([
    postingsOf(database, tenantId, parts),
    reviewItemsAbout(database, tenantId, parts),
    wordsReceived(database, tenantId, payment.operator, parts),
  ]);
  const debitedAtMs = postings.find(({ kind }) => kind === 'debit_net')?.createdAtMs;
  const changed = [createdAtMs, updatedAtMs, debitedAtMs ?? createdAtMs];
  for (const refund of refunds) changed.push(refund.createdAtMs, refund.updatedAtMs);
  const objects = checkoutSessionId === null ? parts : [...parts, checkoutSessionId];
  const events = await eventsOfObjects(database, tenantId, objects, changed);
  // Refunds before the payout were not paid out.
  const isPaidOut = settlement && returnedBefore(refunds, settlement) < payment.amountMinor;
  const paidOutAtMs = (isPaidOut && settlement.completedAtMs) || undefined;
  const told = await findSettled(database, payment, paidOutAtMs, events);
  if (told !== undefined) {
    events.push(told);
    events.sort((one, other) => (one.id < other.id ? -1 : 1));
  }
  const eventIds = seesEvents ? events.map((event) => event.id) : [];
  const deliveries = await deliveriesOfEvents(database, tenantId, eventIds);
  const toldOf = (type: EventHead['type']) =>
    events.find((event) => event.objectId === id && event.type === type)?.createdAtMs;
  return {
    refunds: refunds.reverse(),
    reversals,
    /** The settlement that pays it out; undefined before that. */
    settlement,
    paidOutAtMs,
    /** A callback of the operator. */
    received,
    ...people,
    postings,
    reviewItems,
    debitedAtMs,
    events,
    deliveries: byEvent(deliveries),
    toldOf,
  };
}

const byEvent = (deliveries: readonly EventDelivery[]) =>
  Map.groupBy(deliveries, ({ eventId }) => eventId);

/** The audit records of an object, oldest first, and the names in them. */
async function peopleIn({ database, merchantId, seesAudit }: HistoryReader, subject: string) {
  const [records, members] = await Promise.all([
    seesAudit ? listRecords(database, { subject, merchantId }, { limit: mostRecords }) : [],
    seesAudit ? findMembers(database, { merchantId }) : [],
  ]);
  const actors = records.flatMap(({ actor }) => idOf(actor) ?? []);
  const [people, keys] = await Promise.all([
    namesOfPeople(database, actors),
    findKeys(database, actors),
  ]);
  return {
    records: records.reverse(),
    /** People and keys of the records, by their UUIDs; also former members. */
    names: new Map([
      ...people.map((each) => [each.id, each.name] as const),
      ...members.map((each) => [each.personId, each.name] as const),
      ...keys
        .filter((key) => key.merchantId === merchantId)
        .map((key) => [key.id, keyName(key)] as const),
    ]),
  };
}

/** The history of a disbursement, limited to the visitor's permissions. */
export async function loadDisbursementHistory(reader: HistoryReader, row: Disbursement) {
  const { database, seesEvents } = reader;
  const { tenantId, id, createdAtMs, updatedAtMs } = row;
  const [people, postings, reviewItems] = await Promise.all([
    peopleIn(reader, formatId('di', id)),
    postingsOf(database, tenantId, [id]),
    reviewItemsAbout(database, tenantId, [id]),
  ]);
  const instants = [createdAtMs, updatedAtMs, ...postings.map((each) => each.createdAtMs)];
  const events = await eventsOfObjects(database, tenantId, [id], instants);
  const eventIds = seesEvents ? events.map((event) => event.id) : [];
  const deliveries = byEvent(await deliveriesOfEvents(database, tenantId, eventIds));
  return { ...people, postings, reviewItems, events, deliveries };
}

const returnedBefore = (refunds: readonly Refund[], { createdAtMs }: Pick<Refund, 'createdAtMs'>) =>
  refunds
    .filter((each) => each.status !== 'FAILED' && each.createdAtMs < createdAtMs)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** Later changes of a settled payment overwrite the instant of the settlement. */
async function findSettled(
  database: Database,
  { tenantId, id }: Payment,
  completedAtMs: number | undefined,
  events: readonly EventHead[],
): Promise<EventHead | undefined> {
  const type = 'payment.settled';
  if (completedAtMs === undefined || events.some((event) => event.type === type)) return undefined;
  const sinceMs = completedAtMs - toleranceMs;
  return findEventSince(database, { tenantId, type, objectId: id, sinceMs });
}
