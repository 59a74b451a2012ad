import type { Queryable } from '../../platform/postgres/database.ts';

/** In the answer to a refund's creation: 1 without the order of its payment, 2 with it. New rows store this. */
export type Rendering = 1 | 2;

/*
 * A gateway of the version before repeats an answer without the order. So a database that it has served goes on
 * without it for a day after the upgrade, in which operators may still go back.
 */
const startStatement = {
  name: 'refunds.order_shown_from',
  text: `
SELECT CASE WHEN EXISTS (SELECT FROM tenants WHERE created_at < m.applied_at)
  THEN m.applied_at + interval '1 day' ELSE m.applied_at END AS "fromMs"
FROM schema_migrations m WHERE m.number = 60`,
};

/** Decides whether answers to new refunds show the order of the payment. */
export class RefundRendering {
  #fromMs = Number.POSITIVE_INFINITY;

  /** Reads since when they do. @param database the home, which has the migrations of all cells */
  async load(database: Queryable): Promise<void> {
    const [row] = await database.query<{ fromMs: number }>(startStatement);
    this.#fromMs = row?.fromMs ?? Number.POSITIVE_INFINITY;
  }

  at(nowMs: number): Rendering {
    return nowMs >= this.#fromMs ? 2 : 1;
  }
}
