import type { ByteBudget, Owner } from './byte-budget.ts';

/** Called when there is room in memory for rows left in their table. */
export interface RoomListener {
  ofTenant(tenantId: string): void;
  ofAll(): void;
}

/** Remembers the tenants that claims skipped for lack of memory, and reports when there is room again. */
export class WantOfRoom {
  #bytes: ByteBudget;
  #neededBytes: number;
  #listener: RoomListener;
  #tenants = new Set<string>();
  #modes = new Set<Owner['mode']>();

  /** @param neededBytes room for so much is worth a claim */
  constructor(bytes: ByteBudget, neededBytes: number, listener: RoomListener) {
    this.#bytes = bytes;
    this.#neededBytes = neededBytes;
    this.#listener = listener;
  }

  note(tenantId: string): void {
    this.#tenants.add(tenantId);
  }

  noteMode(mode: Owner['mode']): void {
    this.#modes.add(mode);
  }

  has(tenantId: string): boolean {
    return this.#tenants.has(tenantId);
  }

  /** A row has released its bytes. @param isLast the tenant has no other in memory */
  gaveBack(owner: Owner, isLast: boolean): void {
    if (this.#tenants.has(owner.tenantId)) this.#lookAtTenant(owner, isLast);
    for (const mode of this.#modes) {
      // Twice as much, since a tenant gets half of what is left.
      if (this.#bytes.left(mode) < 2 * this.#neededBytes) continue;
      this.#modes.delete(mode);
      this.#listener.ofAll();
    }
  }

  #lookAtTenant(owner: Owner, isLast: boolean): void {
    const hasRoom = this.#bytes.roomFor(owner) >= this.#neededBytes;
    if (!hasRoom && !isLast) return;
    this.#tenants.delete(owner.tenantId);
    if (hasRoom) this.#listener.ofTenant(owner.tenantId);
    // Others hold the memory, so theirs must come back.
    else this.#modes.add(owner.mode);
  }
}
