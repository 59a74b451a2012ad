import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isLoopback, networkMatcher } from '../network/networks.ts';

export interface ProxyWatch {
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustProxy: readonly string[];
  /** An untrusted peer names its clients: they all share one bucket. Called once. */
  onUntrusted(peer: string): void;
  /** Somebody with a key reaches the gateway from elsewhere than this machine. Called once. */
  onProxied(): void;
}

const addedByProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

type Hook = (request: FastifyRequest, reply: unknown, done: HookHandlerDoneFunction) => void;

export interface ProxyHooks {
  onRequest: Hook;
  preHandler: Hook;
}

/**
 * Hooks of every app that detect a proxy that the settings do not mention. That the gateway serves others shows in
 * requests with a valid key alone: a page of a stranger makes the browser of this machine send any host and header.
 */
export function watchForProxies(watch: ProxyWatch): ProxyHooks {
  const isTrusted = networkMatcher(watch.trustProxy);
  let hasUntrusted = false;
  let wasProxied = false;
  let localHost: string | undefined;
  const onRequest: Hook = ({ raw: { headers, socket } }, _reply, done) => {
    if (!hasUntrusted && headers['x-forwarded-for'] !== undefined) {
      const peer = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
      hasUntrusted = !isTrusted(peer);
      if (hasUntrusted) watch.onUntrusted(peer);
    }
    done();
  };
  const preHandler: Hook = (request, _reply, done) => {
    const { headers } = request.raw;
    if (!wasProxied && request.principal) {
      // Looked at once, since nearly all requests name the same host.
      const isElsewhere = headers.host !== localHost && !namesThisMachine(headers.host);
      if (!isElsewhere) localHost = headers.host;
      wasProxied = isElsewhere || hasTraceOfProxy(headers);
      if (wasProxied) watch.onProxied();
    }
    done();
  };
  return { onRequest, preHandler };
}

/** Whether a proxy has left a trace, or the host that is asked for is elsewhere. */
export const isProxied = (headers: IncomingHttpHeaders): boolean =>
  !namesThisMachine(headers.host) || hasTraceOfProxy(headers);

const hasTraceOfProxy = (headers: IncomingHttpHeaders) =>
  addedByProxies.some((name) => headers[name] !== undefined);

/** A proxy that leaves no other trace still requests the host name that its clients use. */
function namesThisMachine(host: string | undefined): boolean {
  if (host === undefined) return true;
  const url = URL.parse(`http://${host}`);
  return url === null || isLoopback(url.hostname);
}
