import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import { WalkBroken, type WalkOptions } from '../adapter.ts';
import { readableName } from '../transaction-ids.ts';
import type { GsmaClient, Reply } from './client.ts';
import { RowsSeen } from './deduplicate-rows.ts';
import { isGsmaError } from './errors.ts';

type Account = OperatorSettings['account'];
type Limits = Required<WalkOptions>;

const usual = {
  pageSize: 100,
  timeoutMs: 10_000,
  mostPages: 20_000,
  mostTransactions: 1_000_000,
};
const triesOfPage = 3;
const pagesWithoutNews = 3;

/**
 * Walks the list, and returns each row once. Only an empty page ends the walk, whatever the operator counts, and each
 * page starts with the last row of the page before: this exposes an operator that reads the offset in another way.
 * The list is expected newest first, so a transaction added meanwhile moves all others towards the end, and none is
 * skipped.
 * @throws WalkBroken after the last row, if the list may be incomplete
 */
export async function* walkRows(
  client: Pick<GsmaClient, 'call'>,
  account: Account,
  options: WalkOptions,
): AsyncGenerator<unknown> {
  const limits = { ...usual, ...options };
  const seen = new RowsSeen();
  const doubts = new Doubts();
  let offset = 0;
  let idle = 0;
  for (let page = 0; page < limits.mostPages; page++) {
    const before = seen.count;
    const { rows, available, returned } = await pageOf(client, account, limits, offset, before);
    doubts.count(available, rows.length);
    const overlaps = offset < doubts.reached;
    if (rows.length === 0) {
      if (overlaps) doubts.add(`it gave a transaction at offset ${offset} before, and none now`);
      doubts.resolve(seen.count);
      return;
    }
    if (returned !== undefined && returned > rows.length) {
      doubts.add(`it says that a page has ${returned} transactions, and ${rows.length} came`);
    }
    const { news, goesOn } = seen.take(rows);
    if (overlaps && !goesOn) {
      doubts.add(`it gave another transaction at offset ${offset} than before`);
    }
    yield* news;
    if (seen.count > limits.mostTransactions) throw tooMany(limits);
    doubts.reached = offset + rows.length;
    offset = doubts.reached - (rows.length > 1 ? 1 : 0);
    idle = seen.count > before ? 0 : idle + 1;
    if (idle === pagesWithoutNews) {
      throw new WalkBroken('the operator gives the same transactions whatever part is asked for');
    }
  }
  throw tooMany(limits);
}

/** The signs that a list was not read completely. */
class Doubts {
  /** The offset of the end of the read part. */
  reached = 0;
  #first: string | undefined;
  #available: number | undefined;
  #longestPage = 0;

  /** @param available the operator's count; transactions added meanwhile increase later counts */
  count(available: number | undefined, onPage: number): void {
    this.#available ??= available;
    this.#longestPage = Math.max(this.#longestPage, onPage);
  }

  add(doubt: string): void {
    this.#first ??= doubt;
  }

  /** @throws WalkBroken if a sign remains that the operator's own count does not remove */
  resolve(found: number): void {
    const available = this.#available ?? 0;
    if (found < available) {
      const missing = available - found;
      this.#first = `it says that ${available} are available, and gave ${found}: ${missing} missing`;
    }
    // Some operators count the rows of a page; no more than those would be no proof. A count that is too low proves
    // nothing.
    const isProved = found === available && available > this.#longestPage;
    if (this.#first === undefined || isProved) return;
    throw new WalkBroken(`the operator does not give all of its list: ${this.#first}`);
  }
}

const tooMany = ({ mostPages, mostTransactions }: Limits) =>
  new WalkBroken(
    `the operator lists more than ${mostTransactions} transactions, or on more than ${mostPages} pages: begin later`,
  );

interface Page {
  rows: unknown[];
  /** The total number of rows, if the operator reports it. */
  available: number | undefined;
  /** The operator's count of rows on this page. */
  returned: number | undefined;
}

async function pageOf(
  client: Pick<GsmaClient, 'call'>,
  { key, value }: Account,
  { sinceMs, pageSize, timeoutMs }: Limits,
  offset: number,
  found: number,
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
      const list = found === 0 ? 'no list of transactions' : `no list after ${found} transactions`;
      throw new WalkBroken(`the operator gives ${list}: ${reasonOf(reply)}`);
    }
  }
}

function readPage(reply: Reply, offset: number): Page | undefined {
  if (reply.kind === 'unreachable') return undefined;
  const { status, body } = reply;
  // An operator may refuse pages beyond the end of its list.
  const isBeyond = isGsmaError(body) && body.errorCode.toLowerCase() === 'invalidoffset';
  if (isBeyond && offset > 0) return { rows: [], available: undefined, returned: undefined };
  if (status !== 200 || !Array.isArray(body)) return undefined;
  const [available, returned] = ['available', 'returned'].map((name) => countOf(reply, name));
  return { rows: body, available, returned };
}

/** A count in the standard's notation. */
function countOf({ headers }: Reply & { kind: 'answered' }, name: string): number | undefined {
  const text = headers?.[`x-records-${name}-count`];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function reasonOf(reply: Reply): string {
  if (reply.kind === 'unreachable') return reply.reason;
  const { status, body } = reply;
  if (isGsmaError(body)) return readableName(`${status} ${body.errorCategory}/${body.errorCode}`);
  return status === 200 ? '200 without a list' : String(status);
}
