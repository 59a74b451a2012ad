import { ByteBudget, type ByteLimits, type Owner } from './byte-budget.ts';

export interface RoomLimits extends ByteLimits {
  /** Memory reserved for small requests, so that unread large responses never block them. */
  forSmall: ByteLimits;
  /** A request of up to this many bytes is small. */
  small: number;
  /** The number of slots for requests admitted on an estimate: each may turn out to have the maximum size. */
  places: ByteLimits;
  /** How many requests may wait for admission, per tenant and in total. No tenant takes the last places in the line. */
  waitingPerTenant: number;
  waiting: number;
  longestWaitMs: number;
  /** Whether a tenant may hold only as much as it leaves free, so that a few tenants can never hold everything. */
  leavesAsMuch?: boolean;
}

/** The estimated need of a request. */
export interface Need {
  bytes: number;
  /** The number of estimate slots it takes; 0 if it cannot need more. */
  places: number;
}

/** An admitted or waiting request. */
export interface Stay {
  /** @param onDecision called with whether it was admitted, at once or later; false if it waited too long. */
  enter(onDecision: (admitted: boolean) => void): void;
  /** Reduces the reservation to the actual need. */
  shrink(bytes: number): void;
  /** Sets the actual need, even above the estimate, since it is in memory already. Others wait for it. */
  settle(bytes: number): void;
  /** Releases its memory, or its place in the line. */
  leave(): void;
}

interface Guest extends Stay {
  owner: Owner;
  need: () => Need;
  bytes: number;
  /** Its memory pool. */
  budget: ByteBudget;
  /** For guesses, that it has. */
  places: number;
  state: 'WAITING' | 'INSIDE' | 'GONE';
  timer: NodeJS.Timeout | undefined;
  onDecision: (admitted: boolean) => void;
}

/**
 * Admission control for requests that need much memory. A request without room waits in the line of its tenant; lines
 * take turns, so that a tenant with a long line delays only itself.
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

  /** @param need called again whenever there may be room, since the estimate may have improved */
  stay(owner: Owner, need: () => Need): Stay {
    const guest: Guest = {
      owner,
      need,
      bytes: 0,
      budget: this.#budget,
      places: 0,
      state: 'WAITING',
      timer: undefined,
      onDecision: () => {},
      enter: (onDecision) => this.#enter(guest, onDecision),
      shrink: (to) => this.#resize(guest, Math.min(to, guest.bytes)),
      settle: (to) => this.#settle(guest, to),
      leave: () => this.#leave(guest),
    };
    return guest;
  }

  get budget(): ByteBudget {
    return this.#budget;
  }

  #enter(guest: Guest, onDecision: Guest['onDecision']): void {
    const { owner } = guest;
    const { waitingPerTenant, waiting, longestWaitMs } = this.#limits;
    const mostInLine = Math.min(waitingPerTenant, (waiting - this.#waiting) / 2);
    guest.onDecision = onDecision;
    const line = this.#lines.get(owner.tenantId) ?? [];
    if (line.length === 0 && this.#admits(guest)) onDecision(true);
    else if (line.length >= mostInLine) this.#refuse(guest);
    else {
      this.#lines.set(owner.tenantId, line);
      line.push(guest);
      this.#waiting += 1;
      guest.timer = setTimeout(() => this.#refuse(guest), longestWaitMs);
      guest.timer.unref();
    }
  }

  /** Admits it if there is room, and notifies it. */
  #admits(guest: Guest): boolean {
    const { owner, need } = guest;
    const { bytes: needed, places } = need();
    // A request larger than a tenant's share gets the whole share, or it would wait forever.
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
    guest.onDecision(false);
  }

  #resize(guest: Guest, bytes: number): void {
    const { owner, state } = guest;
    if (state !== 'INSIDE' || bytes === guest.bytes) return;
    const isLess = bytes < guest.bytes;
    guest.budget.take(owner, -guest.bytes);
    // A too low estimate does not block small requests.
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

  /** Admits the first of each line while there is room; a served line goes to the end. */
  #callIn(): void {
    for (const [tenantId, line] of this.#lines) {
      const first = line[0]!;
      if (!this.#admits(first)) continue;
      this.#waiting -= 1;
      line.shift();
      this.#lines.delete(tenantId);
      if (line.length > 0) this.#lines.set(tenantId, line);
      first.onDecision(true);
    }
  }
}
