import type { Queryable } from '../postgres/database.ts';

/** In the answer to a creation: 1 without the fields that a migration brought, 2 with them. New rows store this. */
export type Rendering = 1 | 2;

/*
 * A gateway of the version before repeats an answer without these fields. So a database that it has served goes on
 * without them for a day after the upgrade, in which operators may still go back.
 */
const startStatement = {
  name: 'schema_migrations.shown_from',
  text: `
SELECT CASE WHEN EXISTS (SELECT FROM tenants WHERE created_at < m.applied_at)
  THEN m.applied_at + interval '1 day' ELSE m.applied_at END AS "fromMs"
FROM schema_migrations m WHERE m.number = $1`,
};

/** Decides whether the answers to new creations show the fields of a migration. */
export class RenderingChange {
  readonly #migration: number;
  #fromMs = Number.POSITIVE_INFINITY;

  constructor(migration: number) {
    this.#migration = migration;
  }

  /** Reads since when they do. @param database the home, which has the migrations of all cells */
  async load(database: Queryable): Promise<void> {
    const [row] = await database.query<{ fromMs: number }>(startStatement, [this.#migration]);
    this.#fromMs = row?.fromMs ?? Number.POSITIVE_INFINITY;
  }

  at(nowMs: number): Rendering {
    return nowMs >= this.#fromMs ? 2 : 1;
  }
}
