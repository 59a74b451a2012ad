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
    /** The maximum number of bytes in a response of this route, if it can be large. */
    answerBytes?: number;
    /** The same for a row of a list; without this limit, a page may have any size. */
    rowBytes?: number;
  }
  interface FastifyInstance {
    /** Adds the size of a part of a response that is sent in parts. */
    chargeTenant: (tenantId: string, tokens: number) => void;
  }
  interface FastifyRequest {
    stay: Stay | undefined;
    /** The number of rows on the page. */
    rowCount: number | undefined;
    /** Called with the size of the response. */
    weighAnswer: ((bytes: number) => void) | undefined;
    /**
     * Called with the size of the received body; calls back once there is room to parse it, or with an error
     * if there is none.
     */
    admitBody: ((bytes: number, onDecision: (refusal?: Error) => void) => void) | undefined;
  }
}

const mebibyte = 1024 * 1024;
/** Smaller amounts are not worth counting. */
const smallBytes = 64 * 1024;
/** A parsed body takes this many times its size: each value becomes an object, and then text again. */
const parsedTimes = 16;
/** Reading a body costs more than responding: a byte of a body counts this many times as much. */
const askedTimes = 8;
/** A response in progress is in memory twice: as database rows, and in the buffers that received them. */
const madeTimes = 2;
/** A client that reads a response more slowly than this blocks memory that others could use. */
const slowestBytesPerSecond = 128 * 1024;
const shortestReadMs = 10_000;
/** With their share, the lists of test tenants can never occupy all database connections. */
const leastListBytes = 2 * mebibyte;
/**
 * The fixed size of every response, also without rows; leaves room for rows that are somewhat larger than
 * earlier ones.
 */
const leastAnswerBytes = 16 * 1024;
const heavierTimes = 1.5;
/** The estimate for a row of unknown size. */
const likelyRowBytes = 2 * 1024;
/**
 * This many places are the whole share of a tenant: while the size of its rows is unknown, a single request
 * finds out.
 */
const allPlaces = 2;

export const defaultRoomLimits: RoomLimits = {
  // One response is made at a time while another is being read.
  perTenant: 2 * pageBytes,
  test: 3 * pageBytes,
  overall: 6 * pageBytes,
  forSmall: { perTenant: 3 * mebibyte, test: 6 * mebibyte, overall: 10 * mebibyte },
  small: 1.5 * mebibyte,
  places: { perTenant: 2, test: 4, overall: 6 },
  // A waiting request has sent no body yet, so it holds little memory; a thousand are twice as many as a
  // burst.
  waitingPerTenant: 1_000,
  waiting: 4_000,
  longestWaitMs: 20_000,
};

/** Bodies that are arriving count with their announced size, since a sender may be slow. */
const bodyLimits: RoomLimits = {
  ...defaultRoomLimits,
  perTenant: 4 * mebibyte,
  test: 12 * mebibyte,
  overall: 20 * mebibyte,
  forSmall: { perTenant: 0, test: 0, overall: 0 },
  small: 0,
  leavesAsMuch: true,
};

/**
 * A request counts one token against the rate limit of its tenant, plus one for each 64 KiB of response or 8
 * KiB of body.
 */
export const weightOf = (bytes: number): number => Math.floor(bytes / smallBytes);

/**
 * Limits the memory of requests with a large body or a possibly large response, per tenant and in total. A
 * request is admitted when its body has arrived. Arriving bodies have a budget of their own, so that slow
 * senders block nobody. A request keeps its reservation until the client has read the response. The
 * reservation is estimated from the recent row sizes of this tenant's list. Few requests are admitted on an
 * estimate at once, so that all estimates may be wrong; actual sizes correct them later.
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
    // Records the sizes first, because they decide which waiting requests are admitted.
    if (reply.statusCode === 200) request.weighAnswer?.(bytes);
    request.stay?.settle(bytes);
    if (bytes > smallBytes) {
      limit?.charge(request.principal.tenantId, weightOf(bytes));
      endSlowReader(reply, bytes);
    }
    done();
  });
}

/** For a response in pieces, the header has the size. */
function answeredBytes(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Number(reply.getHeader('content-length') ?? 0);
}

/**
 * The maximum size of the response to a request, and the way to count its rows. A route with a cursor
 * parameter is a list.
 */
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
  /** The estimated memory for the response to a request; 0 bytes if it is not worth counting. */
  of(request: FastifyRequest): Need;
  /** The actual size of the response. */
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

type OnDecision = (refusal?: Error) => void;

function entrance(
  { room, bodies }: { room: Room; bodies: Room },
  routeNeed: RouteNeed,
  limit: TenantLimit | undefined,
) {
  const weigh = ({ principal }: FastifyRequest, received: number) =>
    limit?.charge(principal.tenantId, weightOf(received * askedTimes));
  /** Admits a request once there is room for its response and its parsed body. */
  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    received: number,
    onDecision: OnDecision,
  ) => {
    const inBody = received > smallBytes ? received * parsedTimes : 0;
    const need = (): Need => {
      const { bytes, places } = routeNeed.of(request);
      return { bytes: Math.max(bytes, inBody), places };
    };
    if (need().bytes === 0) {
      onDecision();
      return;
    }
    request.weighAnswer = (bytes) => routeNeed.learn(request, bytes);
    request.stay = room.stay(request.principal, need);
    comeIn(request.stay, reply, onDecision);
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
      request.admitBody = (received, onDecision) => {
        weigh(request, received);
        enter(request, reply, received, onDecision);
      };
      done();
      return;
    }
    const arriving = bodies.stay(request.principal, () => ({ bytes: announced, places: 0 }));
    request.admitBody = (received, onDecision) => {
      arriving.shrink(received);
      weigh(request, received);
      enter(request, reply, received, (refusal) => {
        arriving.leave();
        onDecision(refusal);
      });
    };
    comeIn(arriving, reply, done);
  };
}

/** Waits for room, and releases it with the connection or the response. */
function comeIn(stay: Stay, reply: FastifyReply, onDecision: OnDecision): void {
  // A client that hung up meanwhile has nothing left to close.
  if (reply.raw.destroyed) {
    onDecision(crowded);
    return;
  }
  reply.raw.once('close', () => stay.leave());
  stay.enter((admitted) => onDecision(admitted ? undefined : crowded));
}

const crowded = new DomainError(
  'RATE_LIMITED',
  'Too many large requests at once. Read the responses to those in progress, and retry in 1 s.',
);

/** A body without a Content-Length may have the maximum size. */
function bodyBytesOf({ method, raw: { headers }, routeOptions }: FastifyRequest): number {
  // The body of such a request is never read.
  if (method === 'GET' || method === 'HEAD') return 0;
  const { bodyLimit: mostBytes } = routeOptions;
  if (headers['transfer-encoding'] !== undefined) return mostBytes;
  return Math.min(Number(headers['content-length'] ?? 0) || 0, mostBytes);
}

/** Ends the connection of a client that takes too long to read a large response. */
export function endSlowReader(reply: Pick<FastifyReply, 'raw'>, bytes: number): void {
  const { raw } = reply;
  const longestMs = Math.max(shortestReadMs, (bytes / slowestBytesPerSecond) * 1_000);
  const timer = setTimeout(() => raw.destroy(), longestMs);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}

export const createRoom = (limits: RoomLimits = defaultRoomLimits): Room => new Room(limits);
