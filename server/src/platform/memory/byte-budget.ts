type Mode = 'live' | 'test';

/** The tenant that holds the memory. */
export interface Owner {
  tenantId: string;
  mode: Mode;
}

export interface ByteLimits {
  perTenant: number;
  /** The limit of all test tenants together: the rest of `overall` is reserved for live ones. */
  test: number;
  overall: number;
}

/** Counts the bytes in memory, per tenant and in total, against limits. */
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
   * How many more bytes the tenant may hold while leaving room for others: it may hold only as much as stays free, so
   * that some memory always is.
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

  /** The bytes of the largest holder in this mode. */
  largest(mode: Mode): number {
    let most = 0;
    for (const held of this.#byTenant.values()) {
      if (held.mode === mode && held.bytes > most) most = held.bytes;
    }
    return most;
  }
}
