import type { Clock } from '../../clock.ts';
import type { OperatorSettings } from '../../config/operator-settings.ts';
import { type AccountTransaction, WalkBroken, type WalkOptions } from '../adapter.ts';
import { minorOf } from '../amount.ts';
import { answerOfTransaction, isTransaction } from './answers.ts';
import { createGsmaClient, type GsmaClient, type Reply } from './client.ts';
import { isGsmaError } from './errors.ts';

type Account = OperatorSettings['account'];
type Limits = Required<WalkOptions>;

const usual = {
  pageSize: 100,
  timeoutMs: 10_000,
  mostPages: 10_000,
  mostTransactions: 1_000_000,
};
const triesOfPage = 3;
const pagesWithoutNews = 3;

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
 * The list is expected to begin with the newest, so a transaction that is added meanwhile moves all others
 * towards its end: a page then begins with what the page before it ended with, and nothing is passed over.
 */
export async function* walkTransactions(
  client: Pick<GsmaClient, 'call'>,
  account: Account,
  options: WalkOptions,
): AsyncGenerator<AccountTransaction> {
  const limits = { ...usual, ...options };
  const seen = new Set<string>();
  let offset = 0;
  let idle = 0;
  for (let page = 0; page < limits.mostPages; page++) {
    const { rows, available } = await pageOf(client, account, limits, offset);
    if (rows.length === 0) return;
    const news = rows.filter((row) => isNew(seen, row));
    for (const row of news) {
      const found = readRow(row, account, limits);
      if (found) yield found;
    }
    if (seen.size > limits.mostTransactions) throw tooMany(limits);
    offset += rows.length;
    if (available !== undefined && offset >= available) return;
    idle = news.length > 0 ? 0 : idle + 1;
    if (idle === pagesWithoutNews) {
      throw new WalkBroken('the operator gives the same transactions whatever part is asked for');
    }
  }
  throw tooMany(limits);
}

const tooMany = ({ mostPages, mostTransactions }: Limits) =>
  new WalkBroken(
    `the operator lists more than ${mostTransactions} transactions, or on more than ${mostPages} pages: begin later`,
  );

interface Page {
  rows: unknown[];
  /** How many there are in all, where the operator says so. */
  available: number | undefined;
}

async function pageOf(
  client: Pick<GsmaClient, 'call'>,
  { key, value }: Account,
  { sinceMs, pageSize, timeoutMs }: Limits,
  offset: number,
): Promise<Page> {
  const query = new URLSearchParams({
    limit: String(pageSize),
    offset: String(offset),
    fromDateTime: new Date(sinceMs).toISOString(),
  });
  const path = `/accounts/${key}/${encodeURIComponent(value)}/transactions?${query.toString()}`;
  for (let attempt = 1; ; attempt++) {
    const reply = await client.call({ method: 'GET', path }, AbortSignal.timeout(timeoutMs));
    const page = readPage(reply, offset);
    if (page) return page;
    const isPassing = reply.kind === 'unreachable' || reply.status >= 500;
    if (!isPassing || attempt === triesOfPage) {
      throw new WalkBroken(`the operator gives no list of transactions: ${reasonOf(reply)}`);
    }
  }
}

function readPage(reply: Reply, offset: number): Page | undefined {
  if (reply.kind === 'unreachable') return undefined;
  const { status, body } = reply;
  // An operator may refuse to show what is beyond the end of its list.
  const isBeyond = isGsmaError(body) && body.errorCode.toLowerCase() === 'invalidoffset';
  if (isBeyond && offset > 0) return { rows: [], available: offset };
  if (status !== 200 || !Array.isArray(body)) return undefined;
  return { rows: body, available: availableOf(reply) };
}

/** The count of the standard. */
function availableOf({ headers }: Reply & { kind: 'answered' }): number | undefined {
  const text = headers?.['x-records-available-count'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function reasonOf(reply: Reply): string {
  if (reply.kind === 'unreachable') return reply.reason;
  const { status, body } = reply;
  return isGsmaError(body) ? `${status} ${body.errorCategory}/${body.errorCode}` : String(status);
}

/** By all that names it, since an operator may use the id of a transaction twice. */
function isNew(seen: Set<string>, row: unknown): boolean {
  const { transactionReference, requestingOrganisationTransactionReference, type } = (row ??
    {}) as Record<string, unknown>;
  const isReadable = isTransaction(row);
  const named = [transactionReference, requestingOrganisationTransactionReference, type];
  const name = JSON.stringify(isReadable ? named : row);
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

type Row = Parameters<typeof answerOfTransaction>[0] & Record<string, unknown>;

/** Undefined if it is older than requested, not a transaction, or not a customer's money. */
function readRow(
  row: unknown,
  account: Account,
  { sinceMs, onUnreadable }: Limits,
): AccountTransaction | undefined {
  if (!isTransaction(row)) {
    onUnreadable(row);
    return undefined;
  }
  const { transactionReference, creationDate, amount, currency } = row as Row;
  const createdMs = typeof creationDate === 'string' ? Date.parse(creationDate) : Number.NaN;
  const atMs = Number.isNaN(createdMs) ? null : createdMs;
  const kind = kindOf(row as Row, account);
  if (!kind || (atMs !== null && atMs < sinceMs)) return undefined;
  return {
    operatorTxId: transactionReference,
    reference: referenceOf(row as Row),
    kind,
    status: statusOf(row as Row, kind),
    amountMinor: minorOf(amount) ?? null,
    currency: typeof currency === 'string' ? currency : null,
    atMs,
    debitTxId: kind === 'GIVEN_BACK' ? debitOf(row as Row) : null,
  };
}

const givingBack = ['reversal', 'adjustment'];

/** What we pay out of the account, to a bank for example, is none of a customer's money. */
function kindOf(row: Row, account: Account): AccountTransaction['kind'] | undefined {
  const type = typeof row.type === 'string' ? row.type.toLowerCase() : undefined;
  if (type !== undefined && givingBack.includes(type)) return 'GIVEN_BACK';
  return type === 'merchantpay' || isOurs(row.creditParty, account) ? 'DEBIT' : undefined;
}

function isOurs(parties: unknown, { key, value }: Account): boolean {
  if (!Array.isArray(parties)) return false;
  return parties.some(
    (party: Record<string, unknown> | null) =>
      String(party?.key).toLowerCase() === key.toLowerCase() && party?.value === value,
  );
}

const uuidShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function referenceOf({ requestingOrganisationTransactionReference: ours }: Row): string | null {
  return typeof ours === 'string' && uuidShape.test(ours) ? ours.toLowerCase() : null;
}

function debitOf({ originalTransactionReference: debit }: Row): string | null {
  return typeof debit === 'string' && debit !== '' && debit.length <= 256 ? debit : null;
}

/** As an answer about one transaction is read; whether its amount can be read is another matter. */
function statusOf(row: Row, kind: AccountTransaction['kind']): AccountTransaction['status'] {
  const { transactionReference, transactionStatus } = row;
  const expected = { kind: kind === 'DEBIT' ? 'DEBIT' : 'REVERSAL', reference: '' } as const;
  const bare = { transactionReference, transactionStatus, amount: '1' };
  const answer = answerOfTransaction(bare, { ...expected, currency: '' });
  if (answer?.kind === 'succeeded') return 'SUCCEEDED';
  return answer?.kind === 'failed' ? 'FAILED' : 'OPEN';
}
