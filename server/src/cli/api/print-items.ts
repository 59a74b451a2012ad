import type { CheckoutSession, WebhookDelivery } from '../../../../sdk/typescript/src/index.ts';
import {
  formatAge,
  formatAmount,
  formatInstant,
  type Output,
  printFields,
  printJson,
  printTable,
} from '../output.ts';
import { type Schema, typeOf } from './document.ts';
import { kebab } from './fields.ts';

/** The columns: the heading and the field of each. */
type Columns = Record<string, string>;

type Fields = Record<string, unknown>;
type SessionItem = CheckoutSession['items'][number];
type DeliveryAttempt = WebhookDelivery['attempts'][number];

const amounts = new Set([
  'amount',
  'feeAmount',
  'netAmount',
  'feeTotal',
  'refundTotal',
  'disbursementTotal',
  'price',
  'unitPrice',
  'available',
  'balance',
  'pending',
  'refundsInTransit',
  'disbursementsInTransit',
  'keepBalance',
]);

const mostColumns = 7;

/** @param given those of the table; without them, the first fields that hold a single value */
export function columnsOf({ properties = {} }: Schema, given?: string): Columns {
  const isSingle = (name: string) => !['array', 'object'].includes(typeOf(properties[name]!));
  const fields =
    given?.split(' ') ?? Object.keys(properties).filter(isSingle).slice(0, mostColumns);
  return Object.fromEntries(
    fields.map((field) => {
      const [name, heading = headingOf(field)] = field.split(':') as [string, string?];
      return [heading, name];
    }),
  );
}

const headingOf = (name: string) =>
  name === 'createdAt' ? 'AGE' : kebab(name).replaceAll('-', ' ').toUpperCase();

/** Prints a resource of the API; for people, its non-empty fields under the API's names. */
export function printItem(item: object, { json }: Output): void {
  if (json) {
    printJson(item);
    return;
  }
  const fields = item as Fields;
  const given = Object.entries(fields).filter(([, value]) => value !== null && !isEmpty(value));
  printFields(
    Object.fromEntries(given.map(([name, value]) => [name, inFull(name, value, fields)])),
  );
}

/** Prints one line for each item: instants as ages, amounts right-aligned. */
export function printItems(items: readonly object[], columns: Columns): void {
  const nowMs = Date.now();
  const paths = Object.values(columns);
  const rows = items.map((item) => paths.map((path) => inShort(path, item as Fields, nowMs)));
  for (const [column, path] of paths.entries()) {
    if (!amounts.has(path)) continue;
    const width = Math.max(...rows.map((row) => row[column]!.length));
    for (const row of rows) row[column] = row[column]!.padStart(width);
  }
  printTable(Object.keys(columns), rows);
}

function inShort(path: string, item: Fields, nowMs: number): string {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Fields)[name], item);
  if (value === null || value === undefined) return '-';
  if (isInstant(value)) return formatAge(nowMs - Date.parse(value));
  if (isListOfObjects(value)) return String(value.length);
  return shown(path, value, item);
}

function inFull(name: string, value: unknown, item: Fields): string {
  if (isInstant(value)) return inUtc(value);
  if (isListOfObjects(value)) {
    if (name === 'items') return (value as SessionItem[]).map(itemLine).join('; ');
    if (name === 'attempts') return (value as DeliveryAttempt[]).map(attemptLine).join('; ');
  }
  return shown(name, value, item);
}

function shown(name: string, value: unknown, { currency }: Fields): string {
  if (amounts.has(name) && typeof currency === 'string')
    return formatAmount(BigInt(value as string), currency);
  if (Array.isArray(value) && !isListOfObjects(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && instant.test(value);

const isListOfObjects = (value: unknown): value is object[] =>
  Array.isArray(value) && value.some((one) => typeof one === 'object');

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

const inUtc = (value: string) => `${formatInstant(Date.parse(value))} UTC`;

function itemLine({ quantity, name, unitPrice, currency }: SessionItem): string {
  return `${quantity} × ${name} at ${formatAmount(BigInt(unitPrice), currency)}`;
}

function attemptLine({ at, statusCode, error, durationMs }: DeliveryAttempt): string {
  return `${inUtc(at)}: ${statusCode ?? error} after ${durationMs} ms`;
}
