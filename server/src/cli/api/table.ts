import { InvalidArgumentError } from 'commander';
import { currencies } from '../../platform/values/money.ts';
import type { ApiName } from './document.ts';
import { centavos, type OptionTerms } from './fields.ts';

/** What the command of an operation has beyond its document. */
export interface CommandTerms {
  /** The words of the command, where the path is not as good. */
  name?: string;
  /** Fields of the body that are arguments instead of options: their names and help. */
  args?: Record<string, [name: string, about: string]>;
  options?: Record<string, OptionTerms>;
  /** Fields of an item, with other headings than their names: `id operatorPhone:PHONE`. */
  columns?: string;
  examples?: string[];
  /** The words where there is nothing. */
  nothing?: string;
  /** The response has a secret that cannot be shown again: the advice if it could not be printed. */
  lost?: (id: string) => string;
  /** How it prints the response for people. */
  print?: keyof typeof import('./print-responses.ts');
  /** Its command is made by hand. */
  isHandMade?: true;
}

const example = { id: '01m7yhp3gfe04vkhm96w446fdf' };

const merchant: Record<string, CommandTerms> = {
  createPayment: {
    examples: [
      'payments create --amount 10000 --operator MOCK --operator-phone +2389912345',
      'payments create --amount 500 --operator MOCK --operator-phone +2389910049 --external-id "order 17"',
    ],
  },
  listPayments: {
    columns: 'id status amount operator operatorPhone:PHONE failureCode:FAILURE createdAt',
  },
  createRefund: {
    args: { paymentIntentId: ['payment', 'the payment (pi_…)'] },
    examples: [`refunds create pi_${example.id} --amount 2500`],
  },
  listRefunds: {
    columns: 'id status amount paymentIntentId:PAYMENT failureCode:FAILURE createdAt',
  },
  createCheckoutSession: {
    name: 'checkout create',
    options: {
      items: {
        flags: '--item <name=price>',
        description: 'an item, such as Café=15000 or 2xCafé=15000 (may be repeated)',
        parse: item,
      },
    },
    examples: [
      'checkout create --amount 10000',
      'checkout create --item 2xCafé=15000 --item "Pastel de nata=12000"',
      'checkout create -d items[0][name]=Café -d items[0][quantity]=2 -d items[0][unitPrice]=15000',
    ],
    print: 'printSession',
  },
  listCheckoutSessions: {
    name: 'checkout list',
    columns: 'id status amount paymentIntentId:PAYMENT createdAt',
  },
  getCheckoutSession: { name: 'checkout get' },
  expireCheckoutSession: { name: 'checkout expire' },
  getCheckoutSettings: { name: 'checkout settings' },
  updateCheckoutSettings: {
    name: 'checkout set',
    examples: ['checkout set --frame-origins https://shop.cv,https://www.shop.cv'],
  },
  createProduct: { examples: ['products create --name Café --price 15000'] },
  listProducts: {
    columns: 'id name price active createdAt',
  },
  createPaymentLink: {
    examples: ['payment-links create --description Quota --amount 50000 --max-uses 100'],
  },
  listPaymentLinks: {
    columns: 'id description active uses url',
  },
  listEvents: { columns: 'id type data.id:OBJECT createdAt' },
  getEvent: { print: 'printEvent' },
  createDisbursement: {
    examples: [
      'disbursements create --idempotency-key salary-11-042 --amount 10000 --operator MOCK --operator-phone +2389912345',
    ],
  },
  listDisbursements: {
    columns: 'id status amount operatorPhone:PHONE failureCode:FAILURE createdAt',
  },
  createDisbursementBatch: {
    examples: [`disbursement-batches create --idempotency-key salaries-11 --data @salaries.json`],
  },
  listDisbursementBatches: {
    columns:
      'id externalId status itemCount:ROWS counts.succeeded:PAID counts.failed:FAILED createdAt',
  },
  listDisbursementsOfBatch: {
    columns: 'id status amount operatorPhone:PHONE failureCode:FAILURE createdAt',
  },
  listOperators: {
    name: 'operator-status list',
    columns: 'name label status statusSince:SINCE currencies country',
    nothing: 'This gateway is not configured for an operator.',
  },
  getOperator: {
    name: 'operator-status get',
    args: { name: ['name', 'its name, such as CVMOVEL'] },
    examples: ['operator-status get CVMOVEL'],
  },
  predictOperator: {
    name: 'operator-status predict',
    args: { phone: ['phone', 'the phone, such as +2389912345'] },
    examples: ['operator-status predict +2389912345'],
  },
  processSettlement: {
    examples: ['settlements process --currency CVE'],
    nothing: 'There is nothing to settle.',
  },
  listSettlements: {
    name: 'settlements history',
    columns:
      'id status amount:GROSS feeTotal:FEES refundTotal:REFUNDS disbursementTotal:DISBURSED netAmount:NET createdAt',
  },
  listSettlementItems: { columns: 'id type amount feeAmount:FEE netAmount:NET createdAt' },
  getBalance: {
    name: 'balance',
    columns: 'currency available pending refundsInTransit disbursementsInTransit',
    nothing: 'Nothing has been debited yet.',
  },
  getStatement: {
    name: 'statement',
    options: { month: { parse: month }, currency: { parse: currency, default: 'CVE' } },
    examples: [
      'statement --month 2026-10',
      'statement --month 2026-10 --currency AOA --csv > october.csv',
    ],
    print: 'printStatement',
  },
  createWebhookEndpoint: {
    examples: [
      'webhooks create --url https://shop.example.cv/zimbo --events payment.debited,payment.failed',
    ],
    lost: (id) => anotherSecret(id, ''),
  },
  listWebhookEndpoints: {
    columns: 'id status url events createdAt',
  },
  updateWebhookEndpoint: { examples: [`webhooks update we_${example.id} --status ACTIVE`] },
  rotateWebhookSecret: { lost: (id) => anotherSecret(id, ' --end-overlap') },
  listWebhookDeliveries: {
    columns: 'id status eventType:TYPE eventId:EVENT attempts createdAt error',
  },
  getWebhookDelivery: { name: 'webhooks delivery' },
  redeliverWebhookDelivery: { name: 'webhooks redeliver', isHandMade: true },
  redeliverWebhookEvents: { name: 'webhooks redeliver', isHandMade: true },
};

const staff: Record<string, CommandTerms> = {
  compareAgain: { name: 'reconciliations compare-again' },
  createKey: { lost: revokeKey },
  rollKey: { lost: revokeKey },
};

const tables = { merchant, staff };

export const terms = (api: ApiName, operationId: string): CommandTerms =>
  tables[api][operationId] ?? {};

const anotherSecret = (id: string, options: string) =>
  `The new secret could not be shown. Create another:  zimbo webhooks rotate-secret ${id}${options}`;

function revokeKey(id: string): string {
  return `The new key could not be shown. Revoke it:  zimbo keys revoke ${id}`;
}

type Item = { name: string; quantity: number; unitPrice: number };

function item(text: string, before: Item[] = []): Item[] {
  const [, quantity = '1', name, price] = /^(?:(\d+)x)?(.+)=(\d+)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError('It must look like Café=15000, the price in centavos.');
  return [...before, { name, quantity: Number(quantity), unitPrice: centavos(price!) }];
}

function month(text: string): string {
  if (/^2\d{3}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month such as 2026-10.');
}

function currency(text: string): string {
  if (currencies.some((known) => known === text)) return text;
  throw new InvalidArgumentError(`It must be ${currencies.join(' or ')}.`);
}
