import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors/errors.ts';
import { unavailable } from '../../platform/http/errors.ts';
import type { Front } from '../../platform/http/middleware.ts';
import { outageOf } from '../../platform/observability/outage.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import type { Directory } from '../../tenants/cells/cell-directory.ts';
import { Recent } from '../../tenants/merchants/expiring-set.ts';
import { type AddressProofs, type RequestTarget, targetOf } from './request-target.ts';
import type { FindCell } from './route-request.ts';

/** The result of handing a request over: the cell answers it only if TAKEN. */
export type HandOverResult = 'TAKEN' | 'NOT_READY' | 'UNKNOWN';

export interface FrontOptions {
  /** Called for each request, because the directory is constructed after the front. */
  directory: () => Directory;
  /** Constructed later too. */
  findCell: FindCell;
  proofs: AddressProofs;
  log: Logger;
  trustProxy: string[] | undefined;
  /** Hands a request over to a cell, if this process serves the cell. */
  handOver(cell: string, request: IncomingMessage, response: ServerResponse): HandOverResult;
}

/** The least time between equal warnings. */
const warningIntervalMs = 60_000;

/**
 * Stands in front of the home's listener, and hands requests to the gateway of their cell. If that
 * fails, the home's routes answer with the reason, each in its own format, and count the request.
 */
export function createFront(options: FrontOptions): Front {
  const { proofs, log, findCell } = options;
  const addressOf = clientAddress(options.trustProxy);
  const refusals = new WeakMap<IncomingMessage, Error>();
  const warned = new Recent({ ttlMs: warningIntervalMs, maxEntries: 1_000 });

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
      const result = handTo(cell);
      if (result === 'UNKNOWN') warnOf(cell);
      if (result !== 'TAKEN') refuse(unavailable);
    };
    const handTo = (cell: string) => options.handOver(cell, request, response);
    let target: RequestTarget;
    try {
      target = targetOf(request, proofs);
    } catch (error) {
      return refuse(error);
    }
    if (target === undefined) own(request, response);
    // The home explains problems of other cells, to clients that may know.
    else if ('cell' in target) {
      if (target.cell === homeName || handTo(target.cell) !== 'TAKEN') own(request, response);
    } else {
      const { lookup } = target;
      const known = options.directory().findCached(lookup);
      if (known !== undefined) pass(known);
      else void findCell(lookup, request, addressOf(request)).then(pass, refuse);
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

/** The client address as the rest of the gateway sees it: behind trusted proxies. */
function clientAddress(trustProxy: string[] | undefined) {
  const isTrusted = proxyAddress.compile(trustProxy ?? []);
  return (request: IncomingMessage): string | undefined =>
    trustProxy ? proxyAddress(request, isTrusted) : request.socket.remoteAddress;
}
