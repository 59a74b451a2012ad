import { Agent } from 'undici';
import packageJson from '../../package.json' with { type: 'json' };
import { type Clock, systemClock } from '../platform/clock.ts';
import { isPublicAddress } from './addresses.ts';
import { Attempt, type SendResult } from './attempt.ts';
import { createConnector, type Lookup, lookupAll } from './connector.ts';
import { parseTargetUrl } from './target.ts';

export type { SendResult } from './attempt.ts';

export interface SenderOptions {
  /** Whether targets of a mode may have addresses that are not public. */
  allowPrivate: { live: boolean; test: boolean };
  /** For everything: queue, look-up, connection, TLS, the whole answer. */
  timeoutMs?: number;
  /** How much of an answer's body is read before its connection is dropped. */
  maxResponseBytes?: number;
  /** Requests under way to one origin; more of them wait, and their time runs. */
  connectionsPerOrigin?: number;
  lookup?: Lookup;
  clock?: Clock;
}

export interface SendRequest {
  url: string;
  mode: 'live' | 'test';
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface Sender {
  /** POSTs once. Never throws: whatever goes wrong is in the result. */
  send(request: SendRequest): Promise<SendResult>;
  /** Lets what is under way end (at most the time-out), then closes every connection. */
  close(): Promise<void>;
}

const userAgent = `Zimbo/${packageJson.version}`;
const maxOrigins = 8192;
const maxHeaderBytes = 16 * 1024;

/** The network side of deliveries: guarded against private targets, bounded in time and memory. */
export function createSender(options: SenderOptions): Sender {
  const { allowPrivate, timeoutMs = 15_000, maxResponseBytes = 65_536 } = options;
  const { lookup = lookupAll, clock = systemClock, connectionsPerOrigin = 512 } = options;
  const agentFor = (isAllowed: (address: string) => boolean) =>
    new Agent({
      connect: createConnector({ timeoutMs, isAllowed, lookup }),
      connections: connectionsPerOrigin,
      maxOrigins,
      maxHeaderSize: maxHeaderBytes,
      // Attempt keeps the only clock: these would restart with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      // A busy connection never ends by itself, yet a name may come to mean another, or a forbidden, address.
      clientTtl: 60_000,
      allowH2: false,
      pipelining: 1,
    });
  const guarded = agentFor(isPublicAddress);
  const open = agentFor(() => true);
  let closed: Promise<unknown> | undefined;
  const dispatch = (request: SendRequest, attempt: Attempt) => {
    const url = parseTargetUrl(request.url, request.mode);
    const agent = allowPrivate[request.mode] ? open : guarded;
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...request.headers, 'User-Agent': userAgent },
        body: request.body,
      },
      attempt,
    );
  };
  return {
    send: (request) =>
      new Promise((settle) => {
        const attempt = new Attempt({ timeoutMs, maxResponseBytes, clock, settle });
        try {
          dispatch(request, attempt);
        } catch (error) {
          attempt.fail(error instanceof Error ? error.message : 'not sent');
        }
      }),
    close: async () => {
      closed ??= Promise.all([guarded.close(), open.close()]);
      await closed;
    },
  };
}
