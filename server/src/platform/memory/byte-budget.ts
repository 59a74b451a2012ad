type Mode = 'live' | 'test';

/** Whose memory it is. */
export interface Owner {
  tenantId: string;
  mode: Mode;
}

export interface ByteLimits {
  perTenant: number;
  /** All test tenants together: what is left of `overall` is always there for live ones. */
  test: number;
  overall: number;
}

/** Counts bytes that are held in memory, of each tenant and in all, against limits. */
export class ByteBudget {
  readonly limits: Readonly<ByteLimits>;
  #byTenant = new Map<string, { mode: Mode; bytes: number }>();
  #byMode = { live: 0, test: 0 };

  constructor(limits: ByteLimits) {
    this.limits = limits;
  }

  fits(owner: Owner, bytes: number): boolean {
    return bytes <= this.leftFor(owner);
  }

  /** How many bytes more the tenant may hold. */
  leftFor({ tenantId, mode }: Owner): number {
    return Math.min(this.limits.perTenant - this.heldBy(tenantId), this.left(mode));
  }

  /**
   * How many bytes more the tenant may hold where others must find room, too: what it holds then is no
   * more than what is left free, so that some always is.
   */
  roomFor(owner: Owner): number {
    const free = this.left(owner.mode) - this.heldBy(owner.tenantId);
    return Math.min(this.leftFor(owner), free / 2);
  }

  /** Tenants that have less room than this. */
  full(neededBytes: number): string[] {
    return [...this.#byTenant]
      .filter(([tenantId, { mode }]) => this.roomFor({ tenantId, mode }) < neededBytes)
      .map(([tenantId]) => tenantId);
  }

  heldBy(tenantId: string): number {
    return this.#byTenant.get(tenantId)?.bytes ?? 0;
  }

  /** How many bytes more all tenants of a mode may hold. */
  left(mode: Mode): number {
    const { test, overall } = this.limits;
    const left = overall - this.#byMode.live - this.#byMode.test;
    return mode === 'test' ? Math.min(left, test - this.#byMode.test) : left;
  }

  limit(mode: Mode): number {
    return mode === 'test' ? this.limits.test : this.limits.overall;
  }

  /** @param change negative to give back. */
  take({ tenantId, mode }: Owner, change: number): void {
    this.#byMode[mode] += change;
    const bytes = this.heldBy(tenantId) + change;
    if (bytes === 0) this.#byTenant.delete(tenantId);
    else this.#byTenant.set(tenantId, { mode, bytes });
  }

  held(mode: Mode): number {
    return this.#byMode[mode];
  }

  /** What the tenant of this mode that holds most holds. */
  largest(mode: Mode): number {
    let most = 0;
    for (const held of this.#byTenant.values()) {
      if (held.mode === mode && held.bytes > most) most = held.bytes;
    }
    return most;
  }
}
