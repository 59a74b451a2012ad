import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors/errors.ts';
import { unavailable } from '../../platform/http/errors.ts';
import type { Front } from '../../platform/http/middleware.ts';
import { outageOf } from '../../platform/observability/outage.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import type { Directory } from '../../tenants/cells/directory.ts';
import type { Sought } from '../../tenants/cells/place-store.ts';
import { Recent } from '../../tenants/merchants/expiring-set.ts';
import type { Seek } from './seek.ts';
import { type AddressProofs, type Aim, aimOf } from './sought.ts';

/** What came of handing a request over; what was not taken is still to be answered. */
export type HandedOver = 'TAKEN' | 'NOT_READY' | 'UNKNOWN';

export interface FrontOptions {
  /** Asked for with each request: it is made after the front. */
  directory: () => Directory;
  /** Likewise. */
  seek: Seek;
  proofs: AddressProofs;
  log: Logger;
  trustProxy: string[] | undefined;
  /** Hands a request over to a cell, if this process serves it. */
  handOver(cell: string, request: IncomingMessage, response: ServerResponse): HandedOver;
}

/** Requests of a merchant that moves wait so long at most, and so many of a process. */
const longestHoldMs = 15_000;
const mostHeld = 2_000;
/** Between two lines in the log that say the same. */
const quietMs = 60_000;

/**
 * Stands before the home's listener, and hands requests to the gateway of their cell. Bodies are not read here, so
 * that a request which waits takes no memory but its connection's. What cannot be handed over goes to the home with
 * the reason: its routes answer each in its own way, and count it.
 */
export function createFront(options: FrontOptions): Front {
  const { proofs, log, seek } = options;
  const addressOf = clientAddress(options.trustProxy);
  const refusals = new WeakMap<IncomingMessage, Error>();
  const warned = new Recent({ ttlMs: quietMs, maxEntries: 1_000 });
  const hold = makeHold();

  async function findWhenFree(sought: Sought, request: IncomingMessage): Promise<string> {
    const directory = options.directory();
    const before = directory.held(sought);
    if (before) await hold(before);
    const cell = directory.known(sought) ?? (await seek(sought, request, addressOf(request)));
    // Only now it is known whose it is.
    const now = directory.held(sought);
    if (now === undefined || now === before) return cell;
    await hold(now);
    return directory.known(sought) ?? cell;
  }

  function warnOf(cell: string): void {
    const nowMs = monotonicClock.nowMs();
    if (warned.has(cell, nowMs)) return;
    warned.add(cell, nowMs);
    log.warn({ cell }, `the cell ${cell} is not served by this gateway: restart it`);
  }

  const before = (own: RequestListener) => (request: IncomingMessage, response: ServerResponse) => {
    const refuse = (error: unknown) => {
      refusals.set(request, reasonFor(error, log));
      own(request, response);
    };
    const pass = (cell: string) => {
      const handed = cell === homeName ? own(request, response) : handTo(cell);
      if (handed === 'UNKNOWN') warnOf(cell);
      if (handed === 'UNKNOWN' || handed === 'NOT_READY') refuse(unavailable);
    };
    const handTo = (cell: string) => options.handOver(cell, request, response);
    let aim: Aim;
    try {
      aim = aimOf(request, proofs);
    } catch (error) {
      return refuse(error);
    }
    if (aim === undefined) own(request, response);
    // The home says what is the matter with others, to those who may know.
    else if ('cell' in aim) {
      if (aim.cell === homeName || handTo(aim.cell) !== 'TAKEN') own(request, response);
    } else {
      const { sought } = aim;
      const directory = options.directory();
      const known = directory.held(sought) ? undefined : directory.known(sought);
      if (known !== undefined) pass(known);
      else void findWhenFree(sought, request).then(pass, refuse);
    }
  };

  return {
    before,
    onRequest(request, reply, done) {
      const refusal = refusals.get(request.raw);
      if (refusal) reply.header('retry-after', '1').header('cache-control', 'no-store');
      done(refusal);
    },
  };
}

function reasonFor(error: unknown, log: Logger): Error {
  if (error instanceof DomainError || outageOf(error)) return error as Error;
  log.error({ err: error }, 'the cell of a request cannot be found');
  return unavailable;
}

/** Waits for the end of a move. @throws UNAVAILABLE too many wait already */
function makeHold(): (released: Promise<void>) => Promise<void> {
  let held = 0;
  return async (released) => {
    if (held >= mostHeld) throw unavailable;
    held += 1;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, longestHoldMs);
    try {
      await Promise.race([released, late.promise]);
    } finally {
      clearTimeout(timer);
      held -= 1;
    }
  };
}

/** As the rest of the gateway sees addresses: through proxies that are trusted. */
function clientAddress(trustProxy: string[] | undefined) {
  const isTrusted = proxyAddress.compile(trustProxy ?? []);
  return (request: IncomingMessage): string | undefined =>
    trustProxy ? proxyAddress(request, isTrusted) : request.socket.remoteAddress;
}
