import { randomUUID } from 'node:crypto';
import type { Action, ConsolePage } from '../../src/interfaces/console/page.ts';
import { pages } from '../../src/interfaces/console/pages/index.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import type { Things } from './console-shops.ts';

export type Fields = Record<string, string>;
type Entry = (things: Things) => { path: string; fields?: Fields };

const hook = { url: 'http://127.0.0.1:9/', events: 'payment.created' };
const disbursement = { amount: '1', currency: 'CVE', phone: '9912345', operator: 'MOCK' };
const ids = randomIds();
/** The idempotency keys of a fresh form. */
export const fresh = () => ({ key: ids.next(Date.now()), once: randomUUID() });

/** How to press each button, by page and action: an action without an entry fails the test. */
export const buttons: Record<string, Entry> = {
  'payments/:id redeliver': ({ payment, endpoint, event }) => ({
    path: `payments/${payment}`,
    fields: { endpoint, event },
  }),
  'payments/:id cancel': ({ openPayment }) => ({ path: `payments/${openPayment}` }),
  'payments/:id/refund refund': ({ payment }) => ({
    path: `payments/${payment}/refund`,
    fields: { ...fresh(), amount: '1', reason: 'CUSTOMER_REQUEST' },
  }),
  'payments/export csv': () => ({ path: 'payments/export' }),
  'payments/export excel': () => ({ path: 'payments/export' }),
  'charge charge': () => ({
    path: 'charge',
    fields: { ...fresh(), amount: '12', currency: 'CVE', phone: '9912345', operator: 'MOCK' },
  }),
  'charge find': () => ({ path: 'charge', fields: { ...fresh(), find: 'Tea' } }),
  'charge link': () => ({
    path: 'charge',
    fields: { ...fresh(), amount: '12', currency: 'CVE' },
  }),
  'charge/:id cancel': ({ openCharge }) => ({ path: `charge/${openCharge}` }),
  'charge/:id wrong-number': ({ wrongCharge }) => ({ path: `charge/${wrongCharge}` }),
  'sales close': () => ({ path: 'sales', fields: fresh() }),
  'links/new create': () => ({
    path: 'links/new',
    fields: { ...fresh(), amount: '12', currency: 'CVE', expires: '60' },
  }),
  'links/new find': () => ({ path: 'links/new', fields: { ...fresh(), find: 'Tea' } }),
  'links/reusable create': () => ({
    path: 'links/reusable',
    fields: { ...fresh(), description: 'Quota', amount: '12', currency: 'CVE' },
  }),
  'links/reusable turn-on': ({ reusable }) => ({
    path: 'links/reusable',
    fields: { link: reusable },
  }),
  'links/reusable turn-off': ({ reusable }) => ({
    path: 'links/reusable',
    fields: { link: reusable },
  }),
  'links/reusable/:id turn-on': ({ reusable }) => ({ path: `links/reusable/${reusable}` }),
  'links/reusable/:id turn-off': ({ reusable }) => ({ path: `links/reusable/${reusable}` }),
  'links/:id expire': ({ link }) => ({ path: `links/${link}` }),
  'products/new create': () => ({
    path: 'products/new',
    fields: { ...fresh(), name: 'Tea', price: '2', currency: 'CVE' },
  }),
  'products/:id change': ({ product }) => ({
    path: `products/${product}`,
    fields: { name: randomUUID(), price: '2', currency: 'CVE' },
  }),
  'products/:id deactivate': ({ product }) => ({ path: `products/${product}` }),
  'products/:id activate': ({ product }) => ({ path: `products/${product}` }),
  'products/:id link': ({ product }) => ({ path: `products/${product}`, fields: fresh() }),
  'notices read': () => ({ path: 'notices', fields: { notice: 'no_x' } }),
  'notices read-all': () => ({ path: 'notices' }),
  'settings preview': () => ({
    path: 'settings',
    fields: { colour: '#0b5d44', taxNumber: '254123456' },
  }),
  'settings save': () => ({
    path: 'settings',
    fields: { colour: '#0b5d44', taxNumber: '254123456' },
  }),
  'settings/checkout save': () => ({
    path: 'settings/checkout',
    fields: { origins: 'https://shop.cv' },
  }),
  'team invite': () => ({
    path: 'team',
    fields: { email: `${randomUUID()}@loja.cv`, role: 'OWNER' },
  }),
  'team revoke': ({ invitation }) => ({ path: 'team', fields: { invitation } }),
  'team role': ({ person }) => ({ path: 'team', fields: { person, role: 'FINANCE' } }),
  'team remove': ({ person }) => ({ path: 'team', fields: { person } }),
  'team qr': () => ({ path: 'team' }),
  'team new-pin': ({ cashier }) => ({ path: 'team', fields: { person: cashier } }),
  'team end-till': ({ till }) => ({ path: 'team', fields: { till } }),
  'roles/new create': () => ({
    path: 'roles/new',
    fields: { name: randomUUID().slice(0, 30), permission: 'payments.read' },
  }),
  'roles/:id change': ({ role }) => ({
    path: `roles/${role}`,
    fields: { name: randomUUID().slice(0, 30), permission: 'payments.read' },
  }),
  'keys/new create': () => ({
    path: 'keys/new',
    fields: { ...fresh(), label: 'till', permissions: 'payments:read' },
  }),
  'reference create': () => ({ path: 'reference', fields: fresh() }),
  'keys/:id roll': ({ key }) => ({ path: `keys/${key}`, fields: { overlap: '24' } }),
  'keys/:id revoke': ({ key }) => ({ path: `keys/${key}` }),
  'endpoints/new create': () => ({ path: 'endpoints/new', fields: { ...fresh(), ...hook } }),
  'endpoints/:id change': ({ endpoint }) => ({
    path: `endpoints/${endpoint}`,
    fields: { ...hook, description: randomUUID() },
  }),
  'endpoints/:id disable': ({ endpoint }) => ({ path: `endpoints/${endpoint}` }),
  'endpoints/:id enable': ({ endpoint }) => ({ path: `endpoints/${endpoint}` }),
  'endpoints/:id rotate': ({ endpoint }) => ({
    path: `endpoints/${endpoint}`,
    fields: { overlap: '1', version: '4' },
  }),
  'endpoints/:id test': ({ endpoint }) => ({ path: `endpoints/${endpoint}`, fields: fresh() }),
  'endpoints/:id redeliver': ({ endpoint }) => ({
    path: `endpoints/${endpoint}`,
    fields: { since: '2026-01-01T00:00', until: '2126-01-01T00:00' },
  }),
  'endpoints/:id/deliveries/:delivery redeliver': ({ endpoint, delivery }) => ({
    path: `endpoints/${endpoint}/deliveries/${delivery}`,
  }),
  'events/:id redeliver': ({ event, endpoint }) => ({
    path: `events/${event}`,
    fields: { endpoint },
  }),
  ...Object.fromEntries(
    ['check', 'name', 'change', 'send'].map((action) => [
      `disbursements/new ${action}`,
      () => ({ path: 'disbursements/new', fields: { ...fresh(), ...disbursement } }),
    ]),
  ),
  'disbursements/upload check': () => ({
    path: 'disbursements/upload',
    fields: { ...fresh(), name: 'Salaries', pasted: 'operator;phone;amount\nMOCK;9912345;1' },
  }),
  'disbursements/upload send': () => ({
    path: 'disbursements/upload',
    fields: { ...fresh(), name: 'Salaries', rows: '[[2,"MOCK","9912345","1","",""]]' },
  }),
  'disbursements/batches/:id cancel': ({ batch }) => ({ path: `disbursements/batches/${batch}` }),
  'disbursements/batches/:id retry': ({ failedBatch }) => ({
    path: `disbursements/batches/${failedBatch}`,
    fields: fresh(),
  }),
  'disbursements/:id redeliver': ({ disbursement, event, endpoint }) => ({
    path: `disbursements/${disbursement}`,
    fields: { endpoint, event },
  }),
  'disbursements/:id cancel': ({ disbursement }) => ({ path: `disbursements/${disbursement}` }),
  ...Object.fromEntries(
    [
      'approve',
      'reject',
      'approve-disbursement',
      'reject-disbursement',
      'approve-key',
      'reject-key',
      'cancel',
      'collect',
      'name',
    ].map((action) => [
      `approvals ${action}`,
      () => ({ path: 'approvals', fields: { request: 'ap_none' } }),
    ]),
  ),
  // Last, because the others need the session.
  'endpoints/:id remove': ({ endpoint }) => ({ path: `endpoints/${endpoint}` }),
  'roles/:id delete': ({ role }) => ({ path: `roles/${role}` }),
  'settlements pay-out': () => ({ path: 'settlements', fields: { ...fresh(), currency: 'CVE' } }),
};

export interface Button {
  name: string;
  page: ConsolePage;
  action: Action;
  press: (things: Things) => { path: string; fields: Fields };
}

export const actionOf = new Map<string, Action>(
  pages.flatMap(({ path, actions = {} }) =>
    Object.entries(actions).map(([name, action]) => [`${path} ${name}`, action] as const),
  ),
);

export const allButtons: readonly Button[] = Object.entries(buttons).flatMap(([name, entry]) => {
  const action = actionOf.get(name);
  const press = (things: Things) => {
    const { path, fields = {} } = entry(things);
    return { path, fields: { ...fields, action: name.split(' ')[1]! } };
  };
  const page = pages.find(({ path }) => path === name.split(' ')[0]);
  return action === undefined || page === undefined ? [] : [{ name, page, action, press }];
});
