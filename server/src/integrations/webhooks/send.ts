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
import { type OwnedLookup, orSystem, TargetLookups } from './target-lookups.ts';

export type { SendResult } from './response-limits.ts';

export interface SenderOptions {
  /** Whether targets of a mode may have addresses that are not public. */
  allowPrivate: { live: boolean; test: boolean };
  /** Given where nobody has set that: then receivers on this machine are all that private targets mean. */
  localTargets?: LocalTargets | undefined;
  /** For everything: queue, look-up, connection, TLS, the whole answer. */
  timeoutMs?: number;
  /** How much of an answer's body is read before its connection is dropped. */
  maxResponseBytes?: number;
  /** Requests under way to one origin, of the endpoints of one agent; more wait, and their time runs. */
  connectionsPerOrigin?: number;
  /** Of the names that tenants choose. */
  lookup?: Lookup;
  clock?: Clock;
}

export interface SendRequest {
  /** Who chose the target; null for the gateway's own. */
  tenantId: string | null;
  endpointId: string;
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
const agentCount = 64;
const maxOriginsPerAgent = 2048;
const maxHeaderBytes = 16 * 1024;
const maxAddresses = 10_000;

/** Of a URL, what a request needs: parsing one takes as long as a signature. */
interface Address {
  origin: string;
  path: string;
}

function addressOf(url: string, mode: 'live' | 'test'): Address {
  const { origin, pathname, search } = parseTargetUrl(url, mode);
  return { origin, path: pathname + search };
}

/** The network side of deliveries: guarded against private targets, bounded in time and memory. */
export function createSender(options: SenderOptions): Sender {
  const { allowPrivate, timeoutMs = 15_000, maxResponseBytes = 65_536 } = options;
  const { clock = systemClock, connectionsPerOrigin = 512 } = options;
  const newAgent = (connect: buildConnector.connector) =>
    new Agent({
      connect,
      connections: connectionsPerOrigin,
      maxOrigins: maxOriginsPerAgent,
      maxHeaderSize: maxHeaderBytes,
      // AttemptHandler keeps the only clock: these would restart with each byte.
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

/** Bounded as a tenant is, if it is ever unknown who asks. */
const nobody: Owner = { tenantId: '', mode: 'test' };

/** How names are looked up, where a target must be public and where it may be of the local network. */
function makeLookups(given: Lookup | undefined) {
  const names = given ?? createNameServerLookup();
  // A connector is told of the target only, not of who asked for it.
  const asking = new AsyncLocalStorage<Owner | 'gateway'>();
  const bounded = (lookup: OwnedLookup): Lookup => {
    const targets = new TargetLookups(lookup);
    return (hostname) => {
      const owner = asking.getStore() ?? nobody;
      return owner === 'gateway' ? lookupAll(hostname) : targets.lookUp(hostname, owner);
    };
  };
  return { asking, guarded: bounded(names), open: bounded(given ?? orSystem(names, lookupAll)) };
}

/**
 * Endpoints behind one address are spread over several agents: for each request an agent goes through
 * all busy connections of the address. The last digits of an id are random.
 */
function agentOf(endpointId: string): number {
  return Number.parseInt(endpointId.slice(-4), 16) % agentCount;
}
