import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { DomainError } from '../errors.ts';
import { pageBytes } from '../postgres/page-bytes.ts';
import { defaultLimit } from './lists.ts';
import { Room, type RoomLimits, type Stay } from './room.ts';
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
    /** Told how long the body of a request that may be large is, before it is parsed. */
    weighBody: ((bytes: number) => void) | undefined;
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

export const defaultRoomLimits: RoomLimits = {
  // One answer is made at a time, while another is read.
  perTenant: 2 * pageBytes,
  test: 3 * pageBytes,
  overall: 6 * pageBytes,
  waitingPerTenant: 100,
  longestWaitMs: 10_000,
};

/** What a request counts against the limit of its tenant: one, and one more for each 64 KiB answered or 8 KiB received. */
export const weightOf = (bytes: number): number => Math.floor(bytes / smallBytes);

/**
 * Requests that need much memory come into one room, which is bounded for each tenant and in all: those
 * with a large body, and those whose answer may be large. They stay until the answer has been read.
 */
export function boundMemory(scope: HttpScope, room: Room, limit: TenantLimit | undefined): void {
  scope.decorateRequest('stay', undefined);
  scope.decorateRequest('weighBody', undefined);
  scope.decorate('chargeTenant', (tenantId, tokens) => limit?.charge(tenantId, tokens));
  scope.addHook('onRoute', (route: RouteOptions) => {
    const enter = entrance(room, answerBytesOf(route), limit);
    route.onRequest = [...[route.onRequest ?? []].flat(), enter];
  });
  scope.addHook('onSend', (request, reply, payload, done) => {
    const bytes = answeredBytes(reply, payload);
    request.stay?.shrink(bytes);
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

/** How large the answer to a request may be. A list is known by the cursor that it takes. */
function answerBytesOf({ config, schema }: RouteOptions): (query: { limit?: unknown }) => number {
  const query = schema?.querystring as { properties?: Record<string, unknown> } | undefined;
  const isList = query?.properties?.starting_after !== undefined;
  const { answerBytes = isList ? pageBytes : 0, rowBytes } = config ?? {};
  if (rowBytes === undefined) return () => answerBytes;
  return ({ limit }) => {
    const bytes = rowBytes * (Number(limit) || defaultLimit);
    return Math.min(pageBytes, Math.max(leastListBytes, bytes));
  };
}

function entrance(
  room: Room,
  answerBytesTo: ReturnType<typeof answerBytesOf>,
  limit: TenantLimit | undefined,
) {
  const weigh = ({ principal }: FastifyRequest, parsed: number) =>
    limit?.charge(principal.tenantId, weightOf(parsed * askedTimes));
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const bodyBytes = bodyBytesOf(request);
    const answerBytes = madeTimes * answerBytesTo(request.query as { limit?: unknown });
    const bytes = Math.max(answerBytes, bodyBytes > smallBytes ? bodyBytes * parsedTimes : 0);
    if (bytes === 0) {
      const isHeavy = weightOf(bodyBytes * askedTimes) > 0;
      if (isHeavy) request.weighBody = (parsed) => weigh(request, parsed);
      done();
      return;
    }
    // A client that hung up meanwhile has nothing left to close.
    if (reply.raw.destroyed) {
      done(crowded);
      return;
    }
    const stay = room.stay(request.principal, bytes);
    request.stay = stay;
    request.weighBody = (parsed) => {
      const parsedBytes = parsed > smallBytes ? parsed * parsedTimes : 0;
      stay.shrink(Math.max(answerBytes, parsedBytes));
      weigh(request, parsed);
    };
    reply.raw.once('close', () => stay.leave());
    stay.enter((admitted) => {
      if (admitted) done();
      else {
        reply.header('retry-after', '1');
        done(crowded);
      }
    });
  };
}

const crowded = new DomainError(
  'RATE_LIMITED',
  'Too many large requests at once. Read the responses to those in progress, and retry in 1 s.',
);

/** One that does not say how long it is may be as long as any. */
function bodyBytesOf({ raw: { headers } }: FastifyRequest): number {
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
