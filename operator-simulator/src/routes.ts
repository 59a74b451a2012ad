import type { Access } from './access.ts';
import type { Commits } from './commits.ts';
import type { Faults } from './faults.ts';
import { sliceOf } from './listing.ts';
import type { Answer, Provider } from './provider.ts';
import { transactionBody } from './representations.ts';
import { type Party, paymentTypes, readHeaders } from './requests.ts';
import { isUuid, Refused } from './standard.ts';
import type { Store } from './store.ts';

export const basePath = '/v1.2/mm';

export interface Request {
  method: string;
  url: URL;
  headers: Record<string, unknown>;
  text: string;
}

export interface RouteDependencies {
  provider: Provider;
  commits: Commits;
  store: Store;
  access: Access;
  faults: Faults;
  account: Party;
  nowMs: () => number;
  /** Transactions or callbacks may be due now. */
  wake: () => void;
}

type Handler = (
  dependencies: RouteDependencies,
  request: Request,
  names: string[],
) => Answer | Promise<Answer>;
type Route = readonly [method: string, path: RegExp, handle: Handler];

const pageLength = 1_000;

/** The standard's routes. All writes are on disk before the answer goes out. */
const standardRoutes: readonly Route[] = [
  [
    'POST',
    /^\/transactions\/type\/(\w+)$/,
    ({ provider, commits }, request, [type]) => {
      const kind = paymentTypes.find((each) => each === type);
      if (!kind) {
        const words = `this simulator knows ${paymentTypes.join(' and ')} only, not ${JSON.stringify(type)}`;
        throw new Refused('businessRule', 'transactionTypeError', words);
      }
      const [headers, body] = [readHeaders(request.headers), jsonOf(request)];
      return commits.run(() => provider.pay(kind, headers, body));
    },
  ],
  [
    'POST',
    /^\/transactions\/([^/]+)\/reversals$/,
    ({ provider, commits }, request, [reference]) => {
      const [headers, body] = [readHeaders(request.headers), jsonOf(request)];
      return commits.run(() => provider.reverse(headers, reference!, body));
    },
  ],
  [
    'GET',
    /^\/transactions\/([^/]+)$/,
    ({ provider }, _, [reference]) => provider.transaction(reference!),
  ],
  [
    'GET',
    /^\/requeststates\/([^/]+)$/,
    ({ provider, commits }, _, [id]) => {
      requireUuid('serverCorrelationId', id);
      return commits.run(() => provider.requestState(id!));
    },
  ],
  [
    'GET',
    /^\/responses\/([^/]+)$/,
    ({ provider }, _, [id]) => {
      requireUuid('clientCorrelationId', id);
      return provider.response(id!);
    },
  ],
  ['GET', /^\/heartbeat$/, () => ({ status: 200, body: { serviceStatus: 'available' } })],
  [
    'GET',
    /^\/accounts\/([^/@]+)[/@]([^/]+)\/balance$/,
    ({ provider }, _, [key, value]) => provider.balance(key!.toLowerCase(), value!),
  ],
  [
    'GET',
    /^\/accounts\/([^/@]+)[/@]([^/]+)\/transactions$/,
    ({ provider }, { url }, [key, value]) =>
      provider.transactions(key!.toLowerCase(), value!, sliceOf(url.searchParams)),
  ],
];

/** Routes that no operator has: to play the payer, and to inspect transactions. */
const simulatorRoutes: readonly Route[] = [
  [
    'POST',
    /^\/_simulator\/confirm\/([^/]+)$/,
    ({ provider, commits }, _, [reference]) => commits.run(() => provider.confirm(reference!)),
  ],
  [
    'GET',
    /^\/_simulator\/totals$/,
    ({ store, faults }) => {
      const [totals, openCallbacks] = [store.totals(), store.openCallbacks()];
      const refusedCallbacks = store.refusedCallbacks();
      const body = { totals, openCallbacks, refusedCallbacks, faults: faults.played };
      return { status: 200, body };
    },
  ],
  [
    'GET',
    /^\/_simulator\/transactions$/,
    ({ store, account }, { url }) => list(store, account, afterOf(url)),
  ],
  [
    'GET',
    /^\/_simulator\/callbacks$/,
    ({ store }, { url }) => {
      const callbacks = store.sentCallbacks(afterOf(url), pageLength);
      return { status: 200, body: { callbacks, hasMore: callbacks.length === pageLength } };
    },
  ],
];

const afterOf = (url: URL) => Number(url.searchParams.get('after') ?? 0) || 0;

/** Answers a request like an operator without faults. */
export async function answer(dependencies: RouteDependencies, request: Request): Promise<Answer> {
  const { pathname } = request.url;
  try {
    if (pathname === '/oauth/token' && request.method === 'POST')
      return token(dependencies, request);
    const isStandard = pathname.startsWith(`${basePath}/`);
    if (isStandard) dependencies.access.check(request.headers, dependencies.nowMs());
    const path = isStandard ? pathname.slice(basePath.length) : pathname;
    for (const [method, shape, handle] of isStandard ? standardRoutes : simulatorRoutes) {
      const match = method === request.method ? shape.exec(path) : null;
      if (!match) continue;
      const given = await handle(dependencies, request, match.slice(1).map(decoded));
      if (method === 'POST') dependencies.wake();
      return given;
    }
    const words = `there is no ${request.method} ${pathname}; the API begins with ${basePath}/`;
    throw new Refused('identification', 'genericError', words);
  } catch (error) {
    if (error instanceof Refused)
      return { status: error.status, body: error.body(dependencies.nowMs()) };
    throw error;
  }
}

function token({ access, nowMs }: RouteDependencies, { headers, text }: Request): Answer {
  const granted = access.grant(headers, new URLSearchParams(text), nowMs());
  return granted
    ? { status: 200, body: granted }
    : { status: 401, body: { error: 'invalid_client' } };
}

/** A page of transactions, oldest first. @param after the `number` of the last one seen */
function list(store: Store, account: Party, after: number): Answer {
  const transactions = store.after(after, pageLength).map((one) => {
    const original = one.originalNumber === null ? undefined : store.byNumber(one.originalNumber);
    return {
      number: one.number,
      correlationId: one.correlationId,
      amountMinor: one.amountMinor.toString(),
      ...(original && { originalReference: original.reference }),
      ...(one.errorCode !== null && { error: `${one.errorCategory}/${one.errorCode}` }),
      ...transactionBody(one, account),
    };
  });
  return { status: 200, body: { transactions, hasMore: transactions.length === pageLength } };
}

function jsonOf({ text, headers }: Request): unknown {
  if (!/^application\/json\b/i.test(String(headers['content-type']))) {
    throw new Refused('validation', 'formatError', 'Content-Type must be application/json');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('validation', 'formatError', 'the request body is not JSON');
  }
}

function requireUuid(name: string, id: string | undefined): void {
  if (!isUuid(id)) throw new Refused('validation', 'formatError', `${name} must be a UUID`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
