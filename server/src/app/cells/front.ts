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
import { Recent } from '../../tenants/merchants/expiring-set.ts';
import type { Seek } from './seek.ts';
import { type AddressProofs, type Aim, aimOf } from './sought.ts';

/** What became of a request: only TAKEN is answered by the cell. */
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

/** Between two lines in the log that say the same. */
const quietMs = 60_000;

/**
 * Stands before the home's listener, and hands requests to the gateway of their cell. What cannot be handed over goes to the home with
 * the reason: its routes answer each in its own way, and count it.
 */
export function createFront(options: FrontOptions): Front {
  const { proofs, log, seek } = options;
  const addressOf = clientAddress(options.trustProxy);
  const refusals = new WeakMap<IncomingMessage, Error>();
  const warned = new Recent({ ttlMs: quietMs, maxEntries: 1_000 });

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
      if (cell === homeName) return own(request, response);
      const handed = handTo(cell);
      if (handed === 'UNKNOWN') warnOf(cell);
      if (handed !== 'TAKEN') refuse(unavailable);
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
      const known = options.directory().known(sought);
      if (known !== undefined) pass(known);
      else void seek(sought, request, addressOf(request)).then(pass, refuse);
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

/** As the rest of the gateway sees addresses: through proxies that are trusted. */
function clientAddress(trustProxy: string[] | undefined) {
  const isTrusted = proxyAddress.compile(trustProxy ?? []);
  return (request: IncomingMessage): string | undefined =>
    trustProxy ? proxyAddress(request, isTrusted) : request.socket.remoteAddress;
}
