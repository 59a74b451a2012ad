import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { DomainError } from '../errors/errors.ts';
import { type Need, Room, type RoomLimits, type Stay } from '../memory/admission-control.ts';
import { pageBytes } from '../postgres/page-bytes.ts';
import { defaultLimit } from './lists.ts';
import { LearnedWeights } from './recent-row-sizes.ts';
import type { HttpScope } from './server.ts';
import type { TenantLimit } from './tenant-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many bytes an answer of this route may have, if that can be many. */
    answerBytes?: number;
    /** The same for a row of a list, if it has a limit; otherwise a page may be of any size. */
    rowBytes?: number;
  }
  interface FastifyInstance {
    /** Takes what an answer weighs that is sent as it is made. */
    chargeTenant: (tenantId: string, tokens: number) => void;
  }
  interface FastifyRequest {
    stay: Stay | undefined;
    /** How many rows the page has that answers it. */
    rowCount: number | undefined;
    /** Told how long the answer is. */
    weighAnswer: ((bytes: number) => void) | undefined;
    /** Told how long the body is that has arrived; calls back once there is room to parse it, or with why there is none. */
    admitBody: ((bytes: number, told: (refusal?: Error) => void) => void) | undefined;
  }
}

const mebibyte = 1024 * 1024;
/** Less than this is not worth counting. */
const smallBytes = 64 * 1024;
/** A body that is parsed is so many times as large: each of its values becomes an object, and text again. */
const parsedTimes = 16;
/** Reading a body costs more than answering: a byte of a body weighs this many times as much. */
const askedTimes = 8;
/** An answer in progress is in memory twice: as rows from the database, and in the buffers that they came in. */
const madeTimes = 2;
/** A client that reads an answer more slowly than this holds memory that others could use. */
const slowestBytesPerSecond = 128 * 1024;
const shortestReadMs = 10_000;
/** So that test tenants, with their part of the room, never hold all connections to the database for their lists. */
const leastListBytes = 2 * mebibyte;
/** Of an answer without rows, and of each that is made; rows may be somewhat heavier than those of before. */
const leastAnswerBytes = 16 * 1024;
const heavierTimes = 1.5;
/** Of a row that nobody has seen. */
const likelyRowBytes = 2 * 1024;
/** So many places are all of a tenant: while nothing is known of its rows, one request of its finds out. */
const allPlaces = 2;

export const defaultRoomLimits: RoomLimits = {
  // One answer is made at a time, while another is read.
  perTenant: 2 * pageBytes,
  test: 3 * pageBytes,
  overall: 6 * pageBytes,
  forSmall: { perTenant: 3 * mebibyte, test: 6 * mebibyte, overall: 10 * mebibyte },
  small: 1.5 * mebibyte,
  places: { perTenant: 2, test: 4, overall: 6 },
  // One that waits has sent no body yet, so it holds little; a thousand are twice as many as a burst has.
  waitingPerTenant: 1_000,
  waiting: 4_000,
  longestWaitMs: 20_000,
};

/** Bodies that are arriving, as large as they say they will be: a sender may take its time with one. */
const bodyLimits: RoomLimits = {
  ...defaultRoomLimits,
  perTenant: 4 * mebibyte,
  test: 12 * mebibyte,
  overall: 20 * mebibyte,
  forSmall: { perTenant: 0, test: 0, overall: 0 },
  small: 0,
  leavesAsMuch: true,
};

/** What a request counts against the limit of its tenant: one, and one more for each 64 KiB answered or 8 KiB received. */
export const weightOf = (bytes: number): number => Math.floor(bytes / smallBytes);

/**
 * Requests that need much memory come into one room, which is bounded for each tenant and in all: those
 * with a large body, and those whose answer may be large. They come in when their body has arrived, for which there is
 * a room of its own, so that slow senders keep nobody out. They stay until the answer has been read. What they reserve
 * is learned from what the rows of this tenant's list weighed lately. Few at once come in by such a guess, so that all of
 * them may be wrong; what was wrong counts from then on.
 */
export function boundMemory(scope: HttpScope, room: Room, limit: TenantLimit | undefined): void {
  scope.decorateRequest('stay', undefined);
  scope.decorateRequest('rowCount', undefined);
  scope.decorateRequest('weighAnswer', undefined);
  scope.decorateRequest('admitBody', undefined);
  const weights = new LearnedWeights();
  const bodies = new Room(bodyLimits);
  scope.decorate('chargeTenant', (tenantId, tokens) => limit?.charge(tenantId, tokens));
  scope.addHook('onRoute', (route: RouteOptions) => {
    const enter = entrance({ room, bodies }, needOf(route, weights), limit);
    route.onRequest = [...[route.onRequest ?? []].flat(), enter];
  });
  scope.addHook('onSend', (request, reply, payload, done) => {
    const bytes = answeredBytes(reply, payload);
    // First what is learned, since whoever waits is let in by it.
    if (reply.statusCode === 200) request.weighAnswer?.(bytes);
    request.stay?.settle(bytes);
    if (bytes > smallBytes) {
      limit?.charge(request.principal.tenantId, weightOf(bytes));
      endSlowReader(reply, bytes);
    }
    done();
  });
}

/** For an answer in pieces, its header says. */
function answeredBytes(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Number(reply.getHeader('content-length') ?? 0);
}

/** How large the answer to a request may be, and how its rows are counted. A list is known by the cursor that it takes. */
function answerOf({ config, schema }: RouteOptions) {
  const query = schema?.querystring as { properties?: Record<string, unknown> } | undefined;
  const isList = query?.properties?.starting_after !== undefined;
  const { answerBytes = isList ? pageBytes : 0, rowBytes } = config ?? {};
  const rowsAsked = ({ limit }: Query) => (isList ? Number(limit) || defaultLimit : 1);
  const most = (asked: Query) =>
    rowBytes === undefined
      ? answerBytes
      : Math.min(pageBytes, Math.max(leastListBytes, rowBytes * rowsAsked(asked)));
  return { isList, rowsAsked, most };
}

type Query = { limit?: unknown };
interface RouteNeed {
  /** What the answer to a request needs, as far as is known now; 0 bytes where it is not worth counting. */
  of(request: FastifyRequest): Need;
  /** How long the answer was. */
  learn(request: FastifyRequest, bytes: number): void;
}

function needOf(route: RouteOptions, weights: LearnedWeights): RouteNeed {
  const { isList, rowsAsked, most } = answerOf(route);
  const label = `${[route.method].flat().join()} ${route.url}`;
  const keyOf = ({ principal }: FastifyRequest) => `${principal.tenantId} ${label}`;
  return {
    of(request) {
      const asked = request.query as Query;
      const bytes = madeTimes * most(asked);
      if (bytes === 0) return { bytes, places: 0 };
      const known = weights.of(keyOf(request));
      const rowBytes = heavierTimes * (known ?? likelyRowBytes);
      const guessed = Math.ceil(madeTimes * (leastAnswerBytes + rowBytes * rowsAsked(asked)));
      if (guessed >= bytes) return { bytes, places: 0 };
      return { bytes: guessed, places: known === undefined ? allPlaces : 1 };
    },
    learn(request, bytes) {
      const rows = isList ? request.rowCount : 1;
      if (rows !== undefined) weights.note(keyOf(request), bytes / Math.max(1, rows));
    },
  };
}

type Told = (refusal?: Error) => void;

function entrance(
  { room, bodies }: { room: Room; bodies: Room },
  routeNeed: RouteNeed,
  limit: TenantLimit | undefined,
) {
  const weigh = ({ principal }: FastifyRequest, received: number) =>
    limit?.charge(principal.tenantId, weightOf(received * askedTimes));
  /** Lets a request in once there is room for its answer, and for its body when that is parsed. */
  const enter = (request: FastifyRequest, reply: FastifyReply, received: number, told: Told) => {
    const inBody = received > smallBytes ? received * parsedTimes : 0;
    const need = (): Need => {
      const { bytes, places } = routeNeed.of(request);
      return { bytes: Math.max(bytes, inBody), places };
    };
    if (need().bytes === 0) {
      told();
      return;
    }
    request.weighAnswer = (bytes) => routeNeed.learn(request, bytes);
    request.stay = room.stay(request.principal, need);
    comeIn(request.stay, reply, told);
  };
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const announced = bodyBytesOf(request);
    if (announced === 0) {
      enter(request, reply, 0, done);
      return;
    }
    if (announced <= smallBytes) {
      const isWeightless = weightOf(announced * askedTimes) === 0;
      if (isWeightless && routeNeed.of(request).bytes === 0) {
        done();
        return;
      }
      request.admitBody = (received, told) => {
        weigh(request, received);
        enter(request, reply, received, told);
      };
      done();
      return;
    }
    const arriving = bodies.stay(request.principal, () => ({ bytes: announced, places: 0 }));
    request.admitBody = (received, told) => {
      arriving.shrink(received);
      weigh(request, received);
      enter(request, reply, received, (refusal) => {
        arriving.leave();
        told(refusal);
      });
    };
    comeIn(arriving, reply, done);
  };
}

/** Waits for room, and leaves it with the connection or the answer. */
function comeIn(stay: Stay, reply: FastifyReply, told: Told): void {
  // A client that hung up meanwhile has nothing left to close.
  if (reply.raw.destroyed) {
    told(crowded);
    return;
  }
  reply.raw.once('close', () => stay.leave());
  stay.enter((admitted) => told(admitted ? undefined : crowded));
}

const crowded = new DomainError(
  'RATE_LIMITED',
  'Too many large requests at once. Read the responses to those in progress, and retry in 1 s.',
);

/** One that does not say how long it is may be as long as any. */
function bodyBytesOf({ method, raw: { headers } }: FastifyRequest): number {
  // Nobody reads the body of such a request.
  if (method === 'GET' || method === 'HEAD') return 0;
  if (headers['transfer-encoding'] !== undefined) return mebibyte;
  return Math.min(Number(headers['content-length'] ?? 0) || 0, mebibyte);
}

/** Ends the connection of a client that takes too long to read a large answer. */
export function endSlowReader(reply: Pick<FastifyReply, 'raw'>, bytes: number): void {
  const { raw } = reply;
  const longestMs = Math.max(shortestReadMs, (bytes / slowestBytesPerSecond) * 1_000);
  const timer = setTimeout(() => raw.destroy(), longestMs);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}

export const createRoom = (limits: RoomLimits = defaultRoomLimits): Room => new Room(limits);
