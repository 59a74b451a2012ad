import type { Database } from '../../platform/postgres/database.ts';

type Mode = 'live' | 'test';

const modeStatement = { name: 'tenants.mode', text: 'SELECT mode FROM tenants WHERE id = $1' };
const maxRemembered = 100_000;

/** The mode of each tenant, which never changes, so it is read once. */
export class TenantModes {
  #database: Database;
  #known = new Map<string, Mode>();
  #asking = new Map<string, Promise<Mode | undefined>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Calls back with the mode of a tenant, at once if it is known, and never if the database does not answer. */
  tell(tenantId: string, use: (mode: Mode) => void): void {
    const mode = this.#known.get(tenantId);
    if (mode) {
      use(mode);
      return;
    }
    let asking = this.#asking.get(tenantId);
    if (!asking) {
      asking = this.#ask(tenantId).finally(() => this.#asking.delete(tenantId));
      this.#asking.set(tenantId, asking);
    }
    asking.then(
      (found) => found && use(found),
      () => {},
    );
  }

  async #ask(tenantId: string): Promise<Mode | undefined> {
    const [row] = await this.#database.query<{ mode: Mode }>(modeStatement, [tenantId]);
    if (!row) return undefined;
    if (this.#known.size >= maxRemembered) this.#known.clear();
    this.#known.set(tenantId, row.mode);
    return row.mode;
  }
}
