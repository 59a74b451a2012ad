import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent, type buildConnector } from 'undici';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Owner } from '../../platform/memory/byte-budget.ts';
import { isPublicAddress } from '../../platform/network/public-addresses.ts';
import { type Clock, systemClock } from '../../platform/process/clock.ts';
import { type ConnectorOptions, createConnector, type Lookup, lookupAll } from './connector.ts';
import type { LocalTargets } from './local-targets.ts';
import { createNameServerLookup } from './name-servers.ts';
import { AttemptHandler, type SendResult } from './response-limits.ts';
import { parseTargetUrl } from './target.ts';
import { type OwnedLookup, TargetLookups, withSystemFallback } from './target-lookups.ts';

export type { SendResult } from './response-limits.ts';

export interface SenderOptions {
  /** Whether targets of a mode may have private addresses. */
  allowPrivate: { live: boolean; test: boolean };
  /** Set if that setting is absent: then private targets include only receivers on this machine. */
  localTargets?: LocalTargets | undefined;
  /** The time limit of everything: queue, look-up, connection, TLS, the whole answer. */
  timeoutMs?: number;
  /** How much of an answer's body is read before its connection is closed. */
  maxResponseBytes?: number;
  /** The limit of requests under way to one origin, for the endpoints of one agent; more wait, and their time runs. */
  connectionsPerOrigin?: number;
  /** The limits of look-ups of names that tenants choose. */
  lookup?: Lookup;
  clock?: Clock;
}

export interface SendRequest {
  /** The tenant that chose the target; null for the gateway's own. */
  tenantId: string | null;
  endpointId: string;
  url: string;
  mode: 'live' | 'test';
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface Sender {
  /** POSTs once. Never throws: errors are part of the result. */
  send(request: SendRequest): Promise<SendResult>;
  /** Lets requests under way end (within the time-out), then closes every connection. */
  close(): Promise<void>;
}

/** The name under which every delivery comes. */
export const userAgent = `Zimbo/${packageJson.version}`;
const agentCount = 64;
const maxOriginsPerAgent = 2048;
const maxHeaderBytes = 16 * 1024;
const maxAddresses = 10_000;

/** The parts of a URL that a request needs: parsing a URL takes as long as a signature. */
interface Address {
  origin: string;
  path: string;
}

function addressOf(url: string, mode: 'live' | 'test'): Address {
  const { origin, pathname, search } = parseTargetUrl(url, mode);
  return { origin, path: pathname + search };
}

/** The network side of deliveries: protected against private targets, limited in time and memory. */
export function createSender(options: SenderOptions): Sender {
  const { allowPrivate, timeoutMs = 15_000, maxResponseBytes = 65_536 } = options;
  const { clock = systemClock, connectionsPerOrigin = 512 } = options;
  const newAgent = (connect: buildConnector.connector) =>
    new Agent({
      connect,
      connections: connectionsPerOrigin,
      maxOrigins: maxOriginsPerAgent,
      maxHeaderSize: maxHeaderBytes,
      // AttemptHandler has the only clock: undici's time-outs would restart with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      // A busy connection never ends by itself, yet a name may come to mean another, or a forbidden, address.
      clientTtl: 60_000,
      allowH2: false,
      pipelining: 1,
    });
  const { localTargets } = options;
  const lookups = makeLookups(options.lookup);
  const agentsFor = (isAllowed: ConnectorOptions['isAllowed'], lookup: Lookup) => {
    const connect = createConnector({ timeoutMs, isAllowed, lookup });
    return Array.from({ length: agentCount }, () => newAgent(connect));
  };
  const guarded = agentsFor(isPublicAddress, lookups.guarded);
  const isAllowed: ConnectorOptions['isAllowed'] = (...target) =>
    localTargets?.isAllowed(...target) ?? true;
  const open = agentsFor(isAllowed, lookups.open);
  let closed: Promise<unknown> | undefined;
  const addresses = { live: new Map<string, Address>(), test: new Map<string, Address>() };
  const dispatch = (request: SendRequest, attempt: AttemptHandler) => {
    const { url, mode, headers, body, tenantId } = request;
    let address = addresses[mode].get(url);
    if (!address) {
      address = addressOf(url, mode);
      if (addresses[mode].size >= maxAddresses) addresses[mode].clear();
      addresses[mode].set(url, address);
    }
    const { origin, path } = address;
    const agents = allowPrivate[mode] ? open : guarded;
    if (agents === open) attempt.hideAnswerIf(() => localTargets?.mayBeLocal(origin) ?? false);
    const agent = agents[agentOf(request.endpointId)]!;
    lookups.asking.run(tenantId === null ? 'gateway' : { tenantId, mode }, () =>
      agent.dispatch(
        { origin, path, method: 'POST', headers: { ...headers, 'User-Agent': userAgent }, body },
        attempt,
      ),
    );
  };
  return {
    send: (request) =>
      new Promise((settle) => {
        const attempt = new AttemptHandler({ timeoutMs, maxResponseBytes, clock, settle });
        try {
          dispatch(request, attempt);
        } catch (error) {
          attempt.fail(error instanceof Error ? error.message : 'not sent');
        }
      }),
    close: async () => {
      closed ??= Promise.all([...guarded, ...open].map((agent) => agent.close()));
      await closed;
    },
  };
}

/** If the tenant is ever unknown, the limits of one tenant apply. */
const nobody: Owner = { tenantId: '', mode: 'test' };

/** The look-up for names whose target must be public, and for those that may be local. */
function makeLookups(given: Lookup | undefined) {
  const names = given ?? createNameServerLookup();
  // undici tells a connector only the target, not the tenant.
  const asking = new AsyncLocalStorage<Owner | 'gateway'>();
  const bounded = (lookup: OwnedLookup): Lookup => {
    const targets = new TargetLookups(lookup);
    return (hostname) => {
      const owner = asking.getStore() ?? nobody;
      return owner === 'gateway' ? lookupAll(hostname) : targets.lookUp(hostname, owner);
    };
  };
  return {
    asking,
    guarded: bounded(names),
    open: bounded(given ?? withSystemFallback(names, lookupAll)),
  };
}

/**
 * Endpoints behind one address are spread over several agents, since for each request an agent scans all busy
 * connections of the address. The last digits of an id are random.
 */
function agentOf(endpointId: string): number {
  return Number.parseInt(endpointId.slice(-4), 16) % agentCount;
}
