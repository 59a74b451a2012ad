import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { withoutPhones } from '../../platform/audit/mask.ts';

/** A request to the API, as shown in its tenant's log: without path, query and body. */
export interface ApiRequest {
  /** When the request arrived. */
  atMs: number;
  method: string;
  /** The pattern of the route, such as `/v1/payments/:id`; null: there is no such route. */
  route: string | null;
  status: number;
  errorCode: string | null;
  keyId: string;
  requestId: string;
  durationMs: number;
  /** The id of the object that the request made or changed, if any. */
  madeId: string | null;
}

export const hasFailed = ({ status }: Pick<ApiRequest, 'status'>): boolean => status >= 400;

/** How many requests are kept for a tenant; beyond these, how long failed requests are kept. */
export const retention = { succeeded: 10_000, failed: 100_000, failedMs: 30 * 86_400_000 };

/** Several requests of a tenant in one row. */
export interface Chunk {
  tenantId: string;
  id: string;
  failed: boolean;
  requests: number;
  /** The number of requests that found no place, and so are not included. */
  dropped: number;
  firstAtMs: number;
  lastAtMs: number;
  entries: Buffer;
}

type Entry = [
  atMs: number,
  method: string,
  route: string | null,
  status: number,
  errorCode: string | null,
  keyId: string,
  requestId: string,
  durationMs: number,
  // Rows of older versions have none.
  madeId?: string | null,
];

// Run in another thread, unlike their synchronous versions.
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** The fastest level: routes and keys repeat, and it finds those, too. */
const level = 1;
/**
 * Fewer requests stay uncompressed until they are merged with others: compression takes longer, and a quarter of a
 * megabyte meanwhile, for each of a thousand tenants every second.
 */
const deflatedFrom = 20;
/** The prefix of uncompressed entries: no compressed text starts with the same byte. */
const plainStart = '['.charCodeAt(0);

/** @param requests at least one */
export async function chunkOf(
  about: Pick<Chunk, 'tenantId' | 'id' | 'failed' | 'dropped'>,
  requests: readonly ApiRequest[],
): Promise<Chunk> {
  const instants = requests.map(({ atMs }) => atMs);
  const entries = requests.map(
    (request): Entry => [
      request.atMs,
      request.method,
      request.route,
      request.status,
      request.errorCode,
      request.keyId,
      request.requestId,
      request.durationMs,
      request.madeId,
    ],
  );
  const text = JSON.stringify(entries);
  return {
    ...about,
    requests: requests.length,
    firstAtMs: Math.min(...instants),
    lastAtMs: Math.max(...instants),
    entries: requests.length < deflatedFrom ? Buffer.from(text) : await deflate(text, { level }),
  };
}

export async function requestsOf({ entries }: Pick<Chunk, 'entries'>): Promise<ApiRequest[]> {
  const text = entries[0] === plainStart ? entries : await inflate(entries);
  const all = JSON.parse(text.toString()) as Entry[];
  return all.map(
    ([
      atMs,
      method,
      route,
      status,
      errorCode,
      keyId,
      requestId,
      durationMs,
      madeId = null,
    ]): ApiRequest => ({
      atMs,
      method,
      route,
      status,
      errorCode,
      keyId,
      requestId,
      durationMs,
      madeId,
    }),
  );
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Also if letters touch the digits; longer or shorter numbers are an order number, or an instant. */
const phone = /(?<!\d)(?:00)?(?:238(?:[._-]{0,4}\d){7}|244(?:[._-]{0,4}\d){9})(?!\d)/g;

/**
 * Clients choose the ids of their requests: a phone in an id is cut to its end, since an erasure does not reach here.
 */
export function redactRequestId(requestId: string): string {
  return uuid.test(requestId)
    ? requestId
    : withoutPhones(requestId).replace(phone, (digits) => `…${digits.slice(-2)}`);
}
