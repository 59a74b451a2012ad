import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { AccountTransaction, WalkOptions } from '../adapter.ts';
import { minorOf } from '../amount.ts';
import { isName, readableName } from '../transaction-ids.ts';
import {
  debitTypes,
  disbursementTypes,
  isTransaction,
  returnTypes,
  type Transaction,
} from './answers.ts';
import { createGsmaClient, type GsmaClient } from './client.ts';
import { isNamed, isSame } from './correlation.ts';
import { walkRows } from './pages.ts';
import { namesAccount } from './parties.ts';
import { isEnd, isReversed, meaningOfStatus } from './transaction-statuses.ts';

type Account = OperatorSettings['account'];

/**
 * Walks the operator's list of our account's transactions. Moves no money. @throws WalkBroken
 */
export async function* accountTransactions(
  settings: OperatorSettings,
  clock: Clock,
  options: WalkOptions,
): AsyncGenerator<AccountTransaction> {
  const client = createGsmaClient(settings, clock);
  try {
    yield* walkTransactions(client, settings.account, options);
  } finally {
    await client.close();
  }
}

/**
 * Returns all rows of the list, including those created before `sinceMs` by the operator's own clock, and rows that
 * are not transactions but have our reference.
 */
export async function* walkTransactions(
  client: Pick<GsmaClient, 'call'>,
  account: Account,
  options: WalkOptions,
): AsyncGenerator<AccountTransaction> {
  let count = 0;
  for await (const row of walkRows(client, account, options)) {
    count += 1;
    if (isTransaction(row)) {
      yield readRow(row as Row, account);
      continue;
    }
    options.onUnreadable(row, `row ${count}: ${nameOfUnreadable(row)}`);
    const transaction = readUnreadable(row, account);
    if (transaction.reference !== null) yield transaction;
  }
}

/** Fields that identify a row and its outcome; neither phones nor names of people. */
const naming = [
  'transactionReference',
  'requestingOrganisationTransactionReference',
  'transactionStatus',
  'type',
  'amount',
  'currency',
  'creationDate',
];

function nameOfUnreadable(row: unknown): string {
  const fields = Object(row) as Record<string, unknown>;
  const named = naming.flatMap((name) => {
    const value = fields[name];
    const isText = typeof value === 'string' || typeof value === 'number';
    return isText ? `${name} ${readableName(String(value))}` : [];
  });
  return named.join(', ') || 'no transaction';
}

function readUnreadable(row: unknown, account: Account): AccountTransaction {
  const { transactionReference: reference, ...fields } = Object(row) as Record<string, unknown>;
  const transactionReference = typeof reference === 'string' ? reference : '';
  const read = readRow({ ...fields, transactionReference, transactionStatus: '' }, account);
  return { ...read, status: 'UNREADABLE' };
}

type Row = Transaction & Record<string, unknown>;

function readRow(row: Row, account: Account): AccountTransaction {
  const { transactionReference, amount, currency, type } = row;
  const kind = kindOf(row, account);
  const status = statusOf(row, kind);
  const isOut = kind === 'GIVEN_BACK' || kind === 'DISBURSEMENT';
  return {
    operatorTxId: transactionReference,
    reference: referenceOf(row),
    kind,
    status,
    amountMinor: minorOf(amount) ?? null,
    currency: currencyOf(currency),
    atMs: instantOf(row),
    debitTxId: kind === 'GIVEN_BACK' ? debitOf(row) : null,
    ...((kind === 'DEBIT' || kind === 'DISBURSEMENT') &&
      isReversed(row.transactionStatus) && { isReversed: true }),
    ...(isOut && status === 'OPEN' && isEnd(row.transactionStatus) && { deniesSuccess: true }),
    ...(kind === 'OTHER' && { type: typeof type === 'string' ? readableName(type) : 'no type' }),
  };
}

/** An unreadable value does not count as ours. */
function currencyOf(currency: unknown): string | null {
  if (currency === undefined || currency === null) return null;
  return typeof currency === 'string' ? readableName(currency).toUpperCase() : 'unreadable';
}

/** A local time has no zone: we take it for UTC, which is up to 14 hours off. */
function instantOf({ creationDate: text }: Row): number | null {
  if (typeof text !== 'string') return null;
  const atMs = Date.parse(/[T ][\d:.]+$/i.test(text) ? `${text}Z` : text);
  return Number.isNaN(atMs) ? null : atMs;
}

/**
 * Other payouts from our account, to a bank for example, are not a customer's money. Whether a disbursement is one of
 * ours, only our records say.
 */
function kindOf(row: Row, { key, value }: Account): AccountTransaction['kind'] {
  const type = isNamed(row.type) ? String(row.type).toLowerCase() : undefined;
  if (type !== undefined && returnTypes.includes(type)) return 'GIVEN_BACK';
  const [wentOut, cameIn] = [row.debitParty, row.creditParty].map((party) =>
    namesAccount(party, `${key}@${value}`),
  );
  // As in answers, a transaction without a type may be a debit.
  const isOfDebits = type === undefined || debitTypes.includes(type);
  // Whatever its type, it names the transaction that it returns.
  const isReturn = isOfDebits ? isOfAnother(row) : isNamed(row.originalTransactionReference);
  if (isReturn && !cameIn) return 'GIVEN_BACK';
  const isDisbursement = type !== undefined && disbursementTypes.includes(type);
  if (isDisbursement && !cameIn) return 'DISBURSEMENT';
  if (wentOut && !cameIn) return 'OTHER';
  return isOfDebits || cameIn ? 'DEBIT' : 'OTHER';
}

/** A debit refers to no other transaction. */
const isOfAnother = ({ originalTransactionReference: original, transactionReference }: Row) =>
  isNamed(original) && !isSame(original, transactionReference);

const uuidShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function referenceOf({ requestingOrganisationTransactionReference: ours }: Row): string | null {
  return typeof ours === 'string' && uuidShape.test(ours) ? ours.toLowerCase() : null;
}

function debitOf({ originalTransactionReference: debit }: Row): string | null {
  return isName(debit) ? debit : null;
}

/** Interpreted like an answer about one transaction; its amount may still be unreadable. */
function statusOf(row: Row, kind: AccountTransaction['kind']): AccountTransaction['status'] {
  const operatorTxId = kind === 'GIVEN_BACK' ? debitOf(row) : null;
  const meaning = meaningOfStatus(row, {
    kind: kind === 'DEBIT' || kind === 'DISBURSEMENT' ? kind : 'REVERSAL',
    ...(operatorTxId !== null && { operatorTxId }),
  });
  if (meaning === 'SUCCEEDED') {
    return kind === 'DEBIT' && isOfAnother(row) ? 'UNREADABLE' : 'SUCCEEDED';
  }
  return meaning === 'OPEN' ? 'OPEN' : 'FAILED';
}
