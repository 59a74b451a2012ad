import { listRecords } from '../../audit/store.ts';
import { type EventHead, eventsOfObjects } from '../../events/of-objects.ts';
import { formatId } from '../../ids.ts';
import { postingsOf } from '../../ledger/of-sources.ts';
import type { Payment } from '../../payments/payment.ts';
import { findMembers } from '../../people/team-store.ts';
import { listRefunds } from '../../refunds/store.ts';
import { reversalsOf } from '../../reversals/store.ts';
import { reviewItemsAbout } from '../../review/store.ts';
import { deliveriesOfEvents, type EventDelivery } from '../../webhooks/deliveries/of-events.ts';
import type { Visit } from '../visit.ts';

export type PaymentHistory = Awaited<ReturnType<typeof loadHistory>>;

const mostRefunds = 100;
const mostRecords = 50;

/** All that the database knows of what became of a payment, each part for those who may see it. */
export async function loadHistory(visit: Visit, payment: Payment) {
  const { services, merchant } = visit;
  const { database } = services;
  const { tenantId, id, checkoutSessionId, createdAtMs, updatedAtMs } = payment;
  const subject = formatId('pi', id);
  const [refunds, reversals, records, members] = await Promise.all([
    listRefunds(database, tenantId, { paymentId: id }, { limit: mostRefunds }),
    reversalsOf(database, tenantId, id),
    visit.can('audit.read')
      ? listRecords(database, { subject, merchantId: merchant.id }, { limit: mostRecords })
      : [],
    visit.can('audit.read') ? findMembers(database, { merchantId: merchant.id }) : [],
  ]);
  const parts = [id, ...[...refunds, ...reversals].map((each) => each.id)];
  const [postings, reviewItems] = await Promise.all([
    postingsOf(database, tenantId, parts),
    reviewItemsAbout(database, tenantId, parts),
  ]);
  const debitedAtMs = postings.find(({ kind }) => kind === 'debit_net')?.createdAtMs;
  const changed = [createdAtMs, updatedAtMs, debitedAtMs ?? createdAtMs];
  for (const refund of refunds) changed.push(refund.createdAtMs, refund.updatedAtMs);
  const objects = checkoutSessionId === null ? parts : [...parts, checkoutSessionId];
  const events = await eventsOfObjects(database, tenantId, objects, changed);
  const eventIds = visit.can('events.read') ? events.map((event) => event.id) : [];
  const deliveries = await deliveriesOfEvents(database, tenantId, eventIds);
  const toldOf = (type: EventHead['type']) =>
    events.find((event) => event.objectId === id && event.type === type)?.createdAtMs;
  return {
    refunds: refunds.reverse(),
    reversals,
    records: records.reverse(),
    /** By the actor of a record, whoever is a member still. */
    names: new Map(members.map((each) => [`person:${formatId('pe', each.personId)}`, each.name])),
    postings,
    reviewItems,
    debitedAtMs,
    events,
    deliveries: Map.groupBy(deliveries, ({ eventId }: EventDelivery) => eventId),
    toldOf,
  };
}
