import { Room, type RoomLimits } from '../../platform/memory/admission-control.ts';
import type { Owner } from '../../platform/memory/byte-budget.ts';
import { ConnectTimeoutError, type Lookup } from './connector.ts';

const none = { perTenant: 0, test: 0, overall: 0 };

/** How many names are looked up at once; more wait in the queue of their tenant. */
export const lookupLimits: RoomLimits = {
  perTenant: 16,
  test: 96,
  overall: 128,
  forSmall: none,
  small: 0,
  places: none,
  waitingPerTenant: 256,
  waiting: 4_096,
  // As long as the time limit of an attempt.
  longestWaitMs: 15_000,
};

/** Every address of a name that this tenant chose. */
export type OwnedLookup = (hostname: string, owner: Owner) => ReturnType<Lookup>;

/**
 * Look-ups for tenants, who choose the names and whose name servers may never answer: limited for each tenant and in
 * total, so that one tenant's look-ups delay no other's. However many connections of a tenant wait for a name, it is
 * looked up once at a time.
 */
export class TargetLookups {
  readonly #lookup: OwnedLookup;
  readonly #room: Room;
  readonly #underWay = new Map<string, ReturnType<Lookup>>();

  constructor(lookup: OwnedLookup, limits = lookupLimits) {
    this.#lookup = lookup;
    this.#room = new Room(limits);
  }

  lookUp(hostname: string, owner: Owner): ReturnType<Lookup> {
    // Not shared by tenants: one of them may be waiting in a long queue of its own.
    const key = `${owner.tenantId} ${hostname}`;
    const running = this.#underWay.get(key);
    if (running) return running;
    const started = this.#inTurn(hostname, owner).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }

  async #inTurn(hostname: string, owner: Owner): ReturnType<Lookup> {
    const stay = this.#room.stay(owner, () => ({ bytes: 1, places: 0 }));
    const admitted = await new Promise<boolean>((onDecision) => stay.enter(onDecision));
    if (!admitted) throw new ConnectTimeoutError('too many names are being looked up');
    try {
      return await this.#lookup(hostname, owner);
    } finally {
      stay.leave();
    }
  }
}

/** One at a time, since it holds one of libuv's few threads, which connections to operators need. */
const systemLimits: RoomLimits = { ...lookupLimits, perTenant: 1, test: 1, overall: 1 };

/** Asks the system for names that no name server knows: they may belong to the local network. */
export function withSystemFallback(lookup: Lookup, system: Lookup): OwnedLookup {
  const turns = new TargetLookups(system, systemLimits);
  return async (hostname, owner) => {
    try {
      return await lookup(hostname);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOTFOUND') throw error;
      return turns.lookUp(hostname, owner);
    }
  };
}
