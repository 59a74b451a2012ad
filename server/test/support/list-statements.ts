import { listEvents } from '../../src/integrations/events/list.ts';
import { listDeliveries } from '../../src/integrations/webhooks/deliveries/list.ts';
import { listEndpoints } from '../../src/integrations/webhooks/endpoint-store.ts';
import { listPayments, type PaymentFilter } from '../../src/money/payments/list.ts';
import { listRefunds } from '../../src/money/refunds/store.ts';
import { listSettlements } from '../../src/money/settlements/store.ts';
import type { Queryable } from '../../src/platform/postgres/database.ts';
import type { ListPage } from '../../src/platform/postgres/list-page.ts';
import { listSessions } from '../../src/storefront/checkout/list.ts';
import { listLinks } from '../../src/storefront/payment-links/store.ts';
import { listProducts } from '../../src/storefront/products/store.ts';

const tenantId = '0a1b2c3d-0000-7000-8000-000000000001';
const endpoint = { tenantId, id: tenantId };

type Read = (database: Queryable, page: ListPage) => Promise<unknown>;

const payments =
  (filter: PaymentFilter): Read =>
  (database, page) =>
    listPayments(database, tenantId, filter, page);

/** The lists, with filters that have an index. */
const lists: Record<string, Read> = {
  payments: payments({}),
  'payments in statuses': payments({ status: ['FAILED', 'DEBITED'] }),
  'payments of a phone': payments({ operatorPhone: '+2389912345' }),
  'payments of a session': payments({ checkoutSessionId: tenantId }),
  'payments with ids': payments({ ids: [tenantId] }),
  refunds: (database, page) => listRefunds(database, tenantId, {}, page),
  'refunds in statuses': (database, page) =>
    listRefunds(database, tenantId, { status: ['FAILED', 'SUCCEEDED'] }, page),
  'refunds of a payment': (database, page) =>
    listRefunds(database, tenantId, { paymentId: tenantId }, page),
  sessions: (database, page) => listSessions(database, tenantId, {}, page),
  'sessions in statuses': (database, page) =>
    listSessions(database, tenantId, { status: ['OPEN', 'EXPIRED'] }, page),
  'sessions of a customer': (database, page) =>
    listSessions(database, tenantId, { customerId: 'x' }, page),
  'sessions of an order': (database, page) =>
    listSessions(database, tenantId, { externalId: 'x' }, page),
  events: (database, page) => listEvents(database, tenantId, {}, page),
  'events of types': (database, page) =>
    listEvents(database, tenantId, { types: ['payment.created', 'payment.failed'] }, page),
  'events with ids': (database, page) => listEvents(database, tenantId, { ids: [tenantId] }, page),
  settlements: (database, page) => listSettlements(database, tenantId, undefined, page),
  'settlements in statuses': (database, page) =>
    listSettlements(database, tenantId, ['FAILED', 'PENDING'], page),
  products: (database, page) => listProducts(database, tenantId, {}, page),
  'payment links': (database, page) => listLinks(database, tenantId, {}, page),
  endpoints: (database, page) => listEndpoints(database, tenantId, page),
  deliveries: (database, page) => listDeliveries(database, endpoint, undefined, page),
};

const pages: Record<string, Omit<ListPage, 'limit'>> = {
  'at the start': {},
  'after one': { startingAfter: tenantId },
  'before one': { endingBefore: tenantId },
  'from an instant': { createdFromMs: 1 },
  'until an instant': { createdUntilMs: 1 },
  'after one in a range': { startingAfter: tenantId, createdFromMs: 1, createdUntilMs: 1 },
  'before one in a range': { endingBefore: tenantId, createdFromMs: 1, createdUntilMs: 1 },
};

/** The statements of all lists, with each kind of page: their texts follow from the request. */
export async function listStatements(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [list, read] of Object.entries(lists)) {
    for (const [place, page] of Object.entries(pages)) {
      const note: Queryable = {
        async query({ text }) {
          texts[`${list} ${place}`] = text;
          return [];
        },
      };
      await read(note, { limit: 10, ...page });
    }
  }
  return texts;
}
