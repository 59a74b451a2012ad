import type { Database } from '../../platform/postgres/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Delivery } from './delivery-store.ts';
import { secretContext } from './endpoint.ts';
import { loadTarget } from './target-store.ts';

/** The target of an endpoint's deliveries, with the decrypted secret: kept in memory only. */
export interface Target {
  version: number;
  url: string;
  secret: string;
  /** During a rotation: the new secret, and when the old one ends. */
  next: { secret: string; fromMs: number } | undefined;
  mode: 'live' | 'test';
  state: 'ACTIVE' | 'DISABLED' | 'DELETED';
}

const maxTargets = 10_000;

/**
 * Endpoints by id. A delivery names the version of its endpoint at its creation, so a copy that is at least as new is
 * right and needs no time-out.
 */
export class TargetCache {
  #database: Database;
  #secrets: SecretBox;
  #targets = new Map<string, Promise<Target | undefined>>();

  constructor(database: Database, secrets: SecretBox) {
    this.#database = database;
    this.#secrets = secrets;
  }

  async get(delivery: Delivery): Promise<Target | undefined> {
    const cached = await this.#targets.get(delivery.endpointId);
    if (cached && cached.version >= delivery.endpointVersion) return cached;
    const loading = this.#load(delivery);
    if (this.#targets.size >= maxTargets) this.#targets.clear();
    this.#targets.set(delivery.endpointId, loading);
    loading.catch(() => this.#targets.delete(delivery.endpointId));
    return loading;
  }

  /** Called when the endpoint has changed in this process: deliveries in memory still name the old version. */
  forget(endpointId: string): void {
    this.#targets.delete(endpointId);
  }

  async #load({ tenantId, endpointId }: Delivery): Promise<Target | undefined> {
    const row = await loadTarget(this.#database, tenantId, endpointId);
    if (!row) return undefined;
    const { version, url, mode } = row;
    const state = row.deletedAtMs === null ? row.status : 'DELETED';
    const context = secretContext({ tenantId, id: endpointId });
    const secret = this.#secrets.decrypt(row.secretBox, context);
    const { nextSecretBox, nextSecretFromMs: fromMs } = row;
    const next =
      nextSecretBox && fromMs !== null
        ? { secret: this.#secrets.decrypt(nextSecretBox, context), fromMs }
        : undefined;
    return { version, url, mode, secret, next, state };
  }
}
