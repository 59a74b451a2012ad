import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isLoopback, networkMatcher } from '../network/networks.ts';

export interface ProxyWatch {
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[];
  /** Called once if an untrusted peer forwards for clients: they all share one bucket. */
  onUntrusted(peer: string): void;
  /** Called once if a client with a valid key reaches the gateway from outside this machine. */
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
 * Hooks of every app that detect a proxy missing from the settings. Only requests with a valid key prove that
 * the gateway serves other machines: a foreign page can make a browser on this machine send any host and
 * header.
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
      // Cached, since nearly all requests name the same host.
      const isElsewhere = headers.host !== localHost && !namesThisMachine(headers.host);
      if (!isElsewhere) localHost = headers.host;
      wasProxied = isElsewhere || hasTraceOfProxy(headers);
      if (wasProxied) watch.onProxied();
    }
    done();
  };
  return { onRequest, preHandler };
}

/** Whether a proxy has left a trace, or the requested host is another machine. */
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
