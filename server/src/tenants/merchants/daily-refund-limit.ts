import { keyLimitExceeded } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';

/** The day (UTC) to which a refund counts, as SQL. */
export const dayOf = (createdAt: string) => `(${createdAt} AT TIME ZONE 'UTC')::date`;

/**
 * Common table expressions for the statement that writes refunds. For the refunds in the CTE `locked`, which has a
 * column `day_limit_minor`, they lock the days of limited API keys that have room for all of the key's refunds.
 * Refunds of one key wait for each other, also in several processes, so that together they cannot exceed the limit.
 */
export const lockDays = `
asked_day AS (
  SELECT tenant_id, created_by_key AS key_id, ${dayOf('created_at')} AS day, currency,
    sum(amount_minor) AS amount_minor, min(day_limit_minor) AS limit_minor
  FROM locked WHERE day_limit_minor IS NOT NULL GROUP BY 1, 2, 3, 4
),
free_day AS (
  SELECT * FROM (
    SELECT d.tenant_id, d.key_id, d.day, d.currency FROM api_key_refund_days d
    JOIN asked_day a ON a.tenant_id = d.tenant_id AND a.key_id = d.key_id AND a.day = d.day
      AND a.currency = d.currency
    WHERE d.amount_minor + a.amount_minor <= a.limit_minor
    ORDER BY d.tenant_id, d.key_id, d.day, d.currency FOR UPDATE OF d
  ) AS locked_day
)`;

/** Whether the key's limit permits a refund of `locked`. */
export const fitsItsDay = `(day_limit_minor IS NULL OR EXISTS (
    SELECT FROM free_day f
    WHERE f.tenant_id = locked.tenant_id AND f.key_id = locked.created_by_key
      AND f.day = ${dayOf('locked.created_at')} AND f.currency = locked.currency))`;

/** Counts the refunds of the CTE `created`. A refund that the operator refuses later still counts. */
export const countDays = `
counted_day AS (
  UPDATE api_key_refund_days d SET amount_minor = d.amount_minor + made.amount_minor
  FROM free_day f
  JOIN (
    SELECT tenant_id, created_by_key, ${dayOf('created_at')} AS day, currency,
      sum(amount_minor) AS amount_minor
    FROM created GROUP BY 1, 2, 3, 4
  ) AS made ON made.tenant_id = f.tenant_id AND made.created_by_key = f.key_id AND made.day = f.day
    AND made.currency = f.currency
  WHERE d.tenant_id = f.tenant_id AND d.key_id = f.key_id AND d.day = f.day AND d.currency = f.currency
)`;

/** A refund, as its API key's limit counts it. */
interface Counted {
  tenantId: string;
  createdByKey: string | null;
  currency: string;
  amountMinor: bigint;
  createdAtMs: number;
}

const dayRows = rowsOf<Counted>({
  tenant_id: ['uuid', ({ tenantId }) => tenantId],
  key_id: ['uuid', ({ createdByKey }) => createdByKey],
  created_at: ['timestamptz', ({ createdAtMs }) => createdAtMs],
  currency: ['text', ({ currency }) => currency],
});

const beginStatement = prepare({
  name: 'api_keys.begin_refund_days',
  given: { refunds: dayRows },
  text: (given) => `
INSERT INTO api_key_refund_days (tenant_id, key_id, day, currency, amount_minor)
SELECT tenant_id, key_id, ${dayOf('created_at')} AS day, currency, 0 FROM ${given.refunds}
ORDER BY tenant_id, key_id, day, currency
ON CONFLICT DO NOTHING`,
});

/** Creates rows for days without refunds, because nonexistent rows cannot be locked. */
export async function beginDays(database: Queryable, refunds: readonly Counted[]): Promise<void> {
  if (refunds.length > 0) await beginStatement.run(database, { refunds });
}

/** The demand of a batch of refunds on the daily limits of their API keys. */
export class DailyRefunds {
  #requested = new Map<string, bigint>();

  /**
   * Whether a refund fits beside the earlier ones of its batch. If not, the remaining room is known once these are
   * written.
   * @param usedMinor the amount already counted for the day
   * @throws KEY_LIMIT_EXCEEDED the refund would not fit even without them
   */
  take(refund: Counted, usedMinor: bigint, limitMinor: bigint | null): boolean {
    if (limitMinor === null) return true;
    const { tenantId, createdByKey, currency, amountMinor, createdAtMs } = refund;
    if (usedMinor + amountMinor > limitMinor) {
      throw keyLimitExceeded(
        `may refund at most ${limitMinor} centavos (${currency}) a day (UTC); ${limitMinor - usedMinor} are left today`,
      );
    }
    const day = new Date(createdAtMs).toISOString().slice(0, 10);
    const of = `${tenantId} ${createdByKey} ${day} ${currency}`;
    const requestedMinor = (this.#requested.get(of) ?? 0n) + amountMinor;
    if (usedMinor + requestedMinor > limitMinor) return false;
    this.#requested.set(of, requestedMinor);
    return true;
  }
}
