import { ByteBudget, type ByteLimits, type Owner } from '../memory/byte-budget.ts';

export interface RoomLimits extends ByteLimits {
  /** How many requests of one tenant may wait to come in. */
  waitingPerTenant: number;
  longestWaitMs: number;
}

/** A request that has come in, or waits to. */
export interface Stay {
  /** @param told called with whether it came in, at once or later; false if it waited too long, or in vain. */
  enter(told: (admitted: boolean) => void): void;
  /** It turns out to need less than it came in with. */
  shrink(bytes: number): void;
  /** Its memory is free again, or it waits no longer. */
  leave(): void;
}

interface Guest extends Stay {
  owner: Owner;
  bytes: number;
  state: 'WAITING' | 'INSIDE' | 'GONE';
  timer: NodeJS.Timeout | undefined;
  told: (admitted: boolean) => void;
}

/**
 * The memory for requests that need much of it. One that finds no room waits in the line of its tenant;
 * lines take turns, so that a tenant with a long one delays itself.
 */
export class Room {
  #limits: RoomLimits;
  #budget: ByteBudget;
  #lines = new Map<string, Guest[]>();

  constructor(limits: RoomLimits) {
    this.#limits = limits;
    this.#budget = new ByteBudget(limits);
  }

  stay(owner: Owner, bytes: number): Stay {
    const guest: Guest = {
      owner,
      // Whatever is larger than a tenant's part has all of it, or it would wait for ever.
      bytes: Math.min(bytes, this.#limits.perTenant),
      state: 'WAITING',
      timer: undefined,
      told: () => {},
      enter: (told) => this.#enter(guest, told),
      shrink: (to) => this.#shrink(guest, to),
      leave: () => this.#leave(guest),
    };
    return guest;
  }

  get budget(): ByteBudget {
    return this.#budget;
  }

  #enter(guest: Guest, told: Guest['told']): void {
    const { owner } = guest;
    guest.told = told;
    const line = this.#lines.get(owner.tenantId) ?? [];
    if (line.length === 0 && this.#budget.fits(owner, guest.bytes)) this.#admit(guest);
    else if (line.length >= this.#limits.waitingPerTenant) this.#refuse(guest);
    else {
      this.#lines.set(owner.tenantId, line);
      line.push(guest);
      guest.timer = setTimeout(() => this.#refuse(guest), this.#limits.longestWaitMs);
      guest.timer.unref();
    }
  }

  #admit(guest: Guest): void {
    guest.state = 'INSIDE';
    clearTimeout(guest.timer);
    this.#budget.take(guest.owner, guest.bytes);
    guest.told(true);
  }

  #refuse(guest: Guest): void {
    this.#leave(guest);
    guest.told(false);
  }

  #shrink(guest: Guest, bytes: number): void {
    if (guest.state !== 'INSIDE' || bytes >= guest.bytes) return;
    this.#budget.take(guest.owner, bytes - guest.bytes);
    guest.bytes = bytes;
    this.#callIn();
  }

  #leave(guest: Guest): void {
    const { state, owner } = guest;
    guest.state = 'GONE';
    clearTimeout(guest.timer);
    if (state === 'INSIDE') {
      this.#budget.take(owner, -guest.bytes);
      this.#callIn();
    } else if (state === 'WAITING') {
      const line = this.#lines.get(owner.tenantId)?.filter((each) => each !== guest) ?? [];
      if (line.length > 0) this.#lines.set(owner.tenantId, line);
      else this.#lines.delete(owner.tenantId);
    }
  }

  /** The first of each line, as far as there is room; whose turn it was goes to the end. */
  #callIn(): void {
    for (const [tenantId, line] of this.#lines) {
      const first = line[0]!;
      if (!this.#budget.fits(first.owner, first.bytes)) continue;
      line.shift();
      this.#lines.delete(tenantId);
      if (line.length > 0) this.#lines.set(tenantId, line);
      this.#admit(first);
    }
  }
}
