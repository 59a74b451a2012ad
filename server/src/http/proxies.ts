import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify';
import { isLoopback, networkMatcher } from '../networks.ts';

export interface ProxyWatch {
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustProxy: readonly string[];
  /** An untrusted peer names its clients: they all share one bucket. Called once. */
  onUntrusted(peer: string): void;
  /** The gateway is reached from elsewhere than this machine. Called once. */
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

/** A hook of every app that detects a proxy that the settings do not mention. */
export function watchForProxies(watch: ProxyWatch): onRequestHookHandler {
  const isTrusted = networkMatcher(watch.trustProxy);
  let hasUntrusted = false;
  let wasProxied = false;
  let localHost: string | undefined;
  return (request: FastifyRequest, _reply, done: HookHandlerDoneFunction) => {
    const { headers, socket } = request.raw;
    if (!hasUntrusted && headers['x-forwarded-for'] !== undefined) {
      const peer = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
      hasUntrusted = !isTrusted(peer);
      if (hasUntrusted) watch.onUntrusted(peer);
    }
    if (!wasProxied) {
      // Looked at once, since nearly all requests name the same host.
      const isElsewhere = headers.host !== localHost && !namesThisMachine(headers.host);
      if (!isElsewhere) localHost = headers.host;
      wasProxied = isElsewhere || hasTraceOfProxy(headers);
      if (wasProxied) watch.onProxied();
    }
    done();
  };
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
