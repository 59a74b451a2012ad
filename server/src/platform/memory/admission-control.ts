import { ByteBudget, type ByteLimits, type Owner } from './byte-budget.ts';

export interface RoomLimits extends ByteLimits {
  /** What only small requests may take, so that large answers which nobody reads never keep them out. */
  forSmall: ByteLimits;
  /** Up to so many bytes, a request is small. */
  small: number;
  /** How many places there are for those that come in by a guess: each may turn out as large as any. */
  places: ByteLimits;
  /** How many requests of one tenant, and in all, may wait to come in. None takes the last places in the line. */
  waitingPerTenant: number;
  waiting: number;
  longestWaitMs: number;
  /** Whether a tenant holds no more than it leaves free: then no few of them hold all, however long they stay. */
  leavesAsMuch?: boolean;
}

/** What a request needs, as far as is known now. */
export interface Need {
  bytes: number;
  /** How many of the places for guesses it takes; 0 if it cannot turn out to need more. */
  places: number;
}

/** A request that has come in, or waits to. */
export interface Stay {
  /** @param told called with whether it came in, at once or later; false if it waited too long, or in vain. */
  enter(told: (admitted: boolean) => void): void;
  /** It turns out to need less than it came in with. */
  shrink(bytes: number): void;
  /** It is known what it needs: more than was guessed, too, since that is in memory already. Others wait for it. */
  settle(bytes: number): void;
  /** Its memory is free again, or it waits no longer. */
  leave(): void;
}

interface Guest extends Stay {
  owner: Owner;
  need: () => Need;
  bytes: number;
  /** The memory that it is in. */
  budget: ByteBudget;
  /** For guesses, that it has. */
  places: number;
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
  #forSmall: ByteBudget;
  /** Counts places, not bytes. */
  #places: ByteBudget;
  #lines = new Map<string, Guest[]>();
  #waiting = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
    this.#budget = new ByteBudget(limits);
    this.#forSmall = new ByteBudget(limits.forSmall);
    this.#places = new ByteBudget(limits.places);
  }

  /** @param need asked again whenever there may be room, since more may be known by then */
  stay(owner: Owner, need: () => Need): Stay {
    const guest: Guest = {
      owner,
      need,
      bytes: 0,
      budget: this.#budget,
      places: 0,
      state: 'WAITING',
      timer: undefined,
      told: () => {},
      enter: (told) => this.#enter(guest, told),
      shrink: (to) => this.#resize(guest, Math.min(to, guest.bytes)),
      settle: (to) => this.#settle(guest, to),
      leave: () => this.#leave(guest),
    };
    return guest;
  }

  get budget(): ByteBudget {
    return this.#budget;
  }

  #enter(guest: Guest, told: Guest['told']): void {
    const { owner } = guest;
    const { waitingPerTenant, waiting, longestWaitMs } = this.#limits;
    const mostInLine = Math.min(waitingPerTenant, (waiting - this.#waiting) / 2);
    guest.told = told;
    const line = this.#lines.get(owner.tenantId) ?? [];
    if (line.length === 0 && this.#admits(guest)) told(true);
    else if (line.length >= mostInLine) this.#refuse(guest);
    else {
      this.#lines.set(owner.tenantId, line);
      line.push(guest);
      this.#waiting += 1;
      guest.timer = setTimeout(() => this.#refuse(guest), longestWaitMs);
      guest.timer.unref();
    }
  }

  /** Lets it in, if there is room; it is to be told. */
  #admits(guest: Guest): boolean {
    const { owner, need } = guest;
    const { bytes: needed, places } = need();
    // Whatever is larger than a tenant's part has all of it, or it would wait for ever.
    const bytes = Math.min(needed, this.#limits.perTenant);
    const { leavesAsMuch = false } = this.#limits;
    const budget = this.#budgetsFor(bytes).find((each) =>
      leavesAsMuch ? bytes <= each.roomFor(owner) : each.fits(owner, bytes),
    );
    if (budget === undefined || (places > 0 && !this.#places.fits(owner, places))) return false;
    guest.state = 'INSIDE';
    clearTimeout(guest.timer);
    Object.assign(guest, { budget, bytes, places });
    budget.take(owner, bytes);
    if (places > 0) this.#places.take(owner, places);
    return true;
  }

  #budgetsFor(bytes: number): ByteBudget[] {
    return bytes <= this.#limits.small ? [this.#forSmall, this.#budget] : [this.#budget];
  }

  #refuse(guest: Guest): void {
    this.#leave(guest);
    guest.told(false);
  }

  #resize(guest: Guest, bytes: number): void {
    const { owner, state } = guest;
    if (state !== 'INSIDE' || bytes === guest.bytes) return;
    const isLess = bytes < guest.bytes;
    guest.budget.take(owner, -guest.bytes);
    // What was guessed too low keeps nobody out who is small.
    if (bytes > this.#limits.small) guest.budget = this.#budget;
    guest.bytes = bytes;
    guest.budget.take(owner, bytes);
    if (isLess) this.#callIn();
  }

  #settle(guest: Guest, bytes: number): void {
    if (guest.state !== 'INSIDE') return;
    this.#resize(guest, bytes);
    this.#vacate(guest);
    this.#callIn();
  }

  #vacate(guest: Guest): void {
    if (guest.places > 0) this.#places.take(guest.owner, -guest.places);
    guest.places = 0;
  }

  #leave(guest: Guest): void {
    const { state, owner } = guest;
    guest.state = 'GONE';
    clearTimeout(guest.timer);
    if (state === 'INSIDE') {
      guest.budget.take(owner, -guest.bytes);
      this.#vacate(guest);
      this.#callIn();
    } else if (state === 'WAITING') {
      const line = this.#lines.get(owner.tenantId) ?? [];
      const others = line.filter((each) => each !== guest);
      this.#waiting -= line.length - others.length;
      if (others.length > 0) this.#lines.set(owner.tenantId, others);
      else this.#lines.delete(owner.tenantId);
    }
  }

  /** The first of each line, as far as there is room; whose turn it was goes to the end. */
  #callIn(): void {
    for (const [tenantId, line] of this.#lines) {
      const first = line[0]!;
      if (!this.#admits(first)) continue;
      this.#waiting -= 1;
      line.shift();
      this.#lines.delete(tenantId);
      if (line.length > 0) this.#lines.set(tenantId, line);
      first.told(true);
    }
  }
}
