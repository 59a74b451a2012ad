import type { Database } from '../../platform/postgres/database.ts';
import { type ApiRequest, redactRequestId, requestsOf } from './request.ts';
import { listChunks, type Position } from './store.ts';

/** The filters of a log of requests. */
export interface RequestFilter {
  /** 2 for 2xx, and so on. */
  statusClass?: 2 | 3 | 4 | 5 | undefined;
  method?: string | undefined;
  route?: string | undefined;
  keyId?: string | undefined;
  requestId?: string | undefined;
}

/** The last request of a page: the next page starts after it. */
export type RequestCursor = Pick<ApiRequest, 'atMs' | 'requestId'>;

export interface RequestPage {
  requests: ApiRequest[];
  hasMore: boolean;
  /** The number of requests from about this time that found no place in the log. */
  dropped: number;
}

/** The newest few chunks hold most pages; a search for rare requests reads more at once. */
const [fewChunks, manyChunks] = [4, 32];

/**
 * Requests of a tenant, newest first. In the same millisecond, the request with the greater id comes first; a client
 * that gives both the same id may miss one of them between two pages.
 */
export async function listApiRequests(
  database: Database,
  tenantId: string,
  filter: RequestFilter,
  page: { limit: number; after?: RequestCursor | undefined },
): Promise<RequestPage> {
  const isAsked = matcher(filter, page.after);
  const { statusClass } = filter;
  const failed = statusClass === undefined ? undefined : statusClass >= 4;
  const asked = { failed, firstUntilMs: page.after?.atMs };
  let before: Position | undefined;
  const found: ApiRequest[] = [];
  let dropped = 0;
  for (let limit = fewChunks; ; limit = Math.min(2 * limit, manyChunks)) {
    const chunks = await listChunks(database, tenantId, asked, { limit, before });
    for (const chunk of chunks) {
      dropped += chunk.dropped;
      found.push(...(await requestsOf(chunk)).filter(isAsked));
    }
    found.sort(newestFirst);
    before = chunks.at(-1);
    const isLast = before === undefined || chunks.length < limit;
    // Chunks of several processes overlap. The unread ones contain nothing newer than the end of the last one read.
    const sureFromMs = isLast ? Number.NEGATIVE_INFINITY : before!.lastAtMs;
    const sure = found.filter(({ atMs }) => atMs > sureFromMs).length;
    if (isLast || sure > page.limit) {
      const requests = found.slice(0, page.limit);
      return { requests, hasMore: found.length > requests.length, dropped };
    }
  }
}

const newestFirst = (one: RequestCursor, other: RequestCursor) =>
  other.atMs - one.atMs || (other.requestId < one.requestId ? -1 : 1);

function matcher(filter: RequestFilter, after: RequestCursor | undefined) {
  const { statusClass, method, route, keyId } = filter;
  const requestId = filter.requestId === undefined ? undefined : redactRequestId(filter.requestId);
  return (request: ApiRequest) =>
    (statusClass === undefined || Math.floor(request.status / 100) === statusClass) &&
    (method === undefined || request.method === method) &&
    (route === undefined || request.route === route) &&
    (keyId === undefined || request.keyId === keyId) &&
    (requestId === undefined || request.requestId === requestId) &&
    (after === undefined || isAfter(request, after));
}

const isAfter = (request: RequestCursor, { atMs, requestId }: RequestCursor) =>
  request.atMs < atMs || (request.atMs === atMs && request.requestId < requestId);
