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
 * Walks the list, and gives each row once. Only an empty page ends it, whatever the operator counts, and each page
 * begins with the row that the page before ended with: an operator that reads the offset in another way is caught.
 * The list is expected to begin with the newest, so a transaction that is added meanwhile moves all others towards
 * its end, and nothing is passed over.
 * @throws WalkBroken after the last row, if the list was not certainly read whole
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

/** What speaks against a list having been read whole. */
class Doubts {
  /** The offset up to which it was read. */
  reached = 0;
  #first: string | undefined;
  #available: number | undefined;
  #longestPage = 0;

  /** @param available what the operator counts; transactions that are added meanwhile make later counts greater */
  count(available: number | undefined, onPage: number): void {
    this.#available ??= available;
    this.#longestPage = Math.max(this.#longestPage, onPage);
  }

  add(doubt: string): void {
    this.#first ??= doubt;
  }

  /** @throws WalkBroken if there are any that the operator's own count does not remove */
  resolve(found: number): void {
    const available = this.#available ?? 0;
    if (found < available) {
      const missing = available - found;
      this.#first = `it says that ${available} are available, and gave ${found}: ${missing} missing`;
    }
    // Some count what is on a page; no more than that would be no proof. A count that is too low proves nothing.
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
  /** How many there are in all, where the operator says so. */
  available: number | undefined;
  /** How many it says are on this page. */
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
  // An operator may refuse to show what is beyond the end of its list.
  const isBeyond = isGsmaError(body) && body.errorCode.toLowerCase() === 'invalidoffset';
  if (isBeyond && offset > 0) return { rows: [], available: undefined, returned: undefined };
  if (status !== 200 || !Array.isArray(body)) return undefined;
  const [available, returned] = ['available', 'returned'].map((name) => countOf(reply, name));
  return { rows: body, available, returned };
}

/** A count of the standard. */
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
