import { binaryArray, uuidArray } from '../../platform/postgres/arrays.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';

/** A payment that is about to prompt a phone for its PIN. */
export interface PromptRequest {
  tenantId: string;
  paymentId: string;
  phoneDigest: Buffer;
}

/** How often a phone may be prompted without a debit. */
export interface PromptLimits {
  /** By one merchant, in a day. */
  ofMerchant: number;
  /** By all merchants together, in a day. */
  inAll: number;
  /** How long after the first, second … prompt in a row the next may follow; the last repeats. */
  pausesMs: readonly number[];
}

export type PromptRefusal = 'PAYER_BUSY' | 'PAYER_LIMIT_REACHED' | 'PAYER_NOT_ALLOWED';

/*
 * Each phone is judged by its state before the statement. The sum over all merchants is counted under the lock of its
 * row, and only counted prompts are taken: a refused payment leaves nothing that a later one could build on. The row
 * is taken by compare-and-set on the version: of two payments of a merchant at once, one finds the phone busy. Rows
 * are locked in the order of phones, first the sums, then those of merchants.
 */
const takeStatement = {
  name: 'phone_prompts.take',
  text: `
WITH asked AS (
  SELECT * FROM unnest($1::bytea[], $2::uuid[], $3::uuid[])
    AS given (phone_digest, tenant_id, payment_id)
),
known AS (
  SELECT asked.phone_digest, asked.tenant_id, asked.payment_id,
    blocked.phone_digest IS NOT NULL AS is_blocked,
    seen.payment_id IS NOT DISTINCT FROM asked.payment_id AS is_taken,
    coalesce(seen.version, 0) AS version,
    coalesce(last.status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'), false) AS is_open,
    -- One that never left the house asked nobody.
    seen.payment_id IS NOT NULL AND coalesce(
      last.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')
      OR last.sent_at IS NULL, true) AS is_answered,
    CASE WHEN seen.day_ends_at > $4 THEN seen.day_ends_at END AS day_ends_at,
    CASE WHEN seen.day_ends_at > $4 THEN seen.unanswered ELSE 0 END AS unanswered,
    CASE WHEN seen.day_ends_at > $4 THEN seen.streak ELSE 0 END AS streak,
    coalesce(seen.next_at > $4, false) AS is_pause,
    CASE WHEN total.day_ends_at > $4 THEN total.unanswered ELSE 0 END AS unanswered_in_all
  FROM asked
  LEFT JOIN blocked_phones blocked ON blocked.phone_digest = asked.phone_digest
  LEFT JOIN phone_prompts seen
    ON seen.tenant_id = asked.tenant_id AND seen.phone_digest = asked.phone_digest
  LEFT JOIN payments last ON last.tenant_id = seen.tenant_id AND last.id = seen.payment_id
  LEFT JOIN phone_prompt_totals total ON total.phone_digest = asked.phone_digest
),
judged AS (
  SELECT known.*, CASE WHEN is_answered AND unanswered > 0 THEN 1 ELSE 0 END AS credit,
    CASE WHEN is_answered THEN 1 ELSE streak + 1 END AS next_streak,
    CASE
      WHEN is_blocked THEN 'PAYER_NOT_ALLOWED'
      WHEN is_taken OR $6::integer IS NULL THEN NULL
      WHEN is_open THEN 'PAYER_BUSY'
      WHEN unanswered - CASE WHEN is_answered THEN 1 ELSE 0 END >= $6 THEN 'PAYER_LIMIT_REACHED'
      WHEN unanswered_in_all - CASE WHEN is_answered THEN 1 ELSE 0 END >= $7 THEN 'PAYER_LIMIT_REACHED'
      WHEN is_pause AND NOT is_answered THEN 'PAYER_BUSY'
    END AS refusal
  FROM known
),
counted AS (
  INSERT INTO phone_prompt_totals AS total (phone_digest, unanswered, day_ends_at)
  SELECT phone_digest, 1 - credit, $5
  FROM judged WHERE refusal IS NULL AND NOT is_taken AND $6 IS NOT NULL
  ORDER BY phone_digest
  ON CONFLICT (phone_digest) DO UPDATE SET
    unanswered = CASE WHEN total.day_ends_at > $4 THEN total.unanswered ELSE 0 END + excluded.unanswered,
    day_ends_at = CASE WHEN total.day_ends_at > $4 THEN total.day_ends_at ELSE $5 END
  WHERE total.day_ends_at <= $4 OR total.unanswered + excluded.unanswered <= $7
  RETURNING phone_digest
),
taken AS (
  INSERT INTO phone_prompts AS prompt
    (tenant_id, phone_digest, payment_id, version, unanswered, streak, next_at, day_ends_at)
  SELECT tenant_id, phone_digest, payment_id, version + 1, unanswered + 1 - credit, next_streak,
    $4 + make_interval(secs => ($8::float8[])[least(next_streak, cardinality($8::float8[]))]),
    coalesce(day_ends_at, $5)
  FROM judged JOIN counted USING (phone_digest)
  ORDER BY phone_digest
  ON CONFLICT (tenant_id, phone_digest) DO UPDATE SET
    payment_id = excluded.payment_id, version = excluded.version, unanswered = excluded.unanswered,
    streak = excluded.streak, next_at = excluded.next_at, day_ends_at = excluded.day_ends_at
  WHERE prompt.version = excluded.version - 1
  RETURNING phone_digest
)
SELECT payment_id AS "paymentId",
  CASE
    WHEN refusal IS NOT NULL OR is_taken OR $6 IS NULL THEN refusal
    WHEN counted.phone_digest IS NULL THEN 'PAYER_LIMIT_REACHED'
    WHEN taken.phone_digest IS NULL THEN 'PAYER_BUSY'
  END AS refusal,
  counted.phone_digest IS NOT NULL AND taken.phone_digest IS NULL AND credit = 0 AS "isCountedInVain"
FROM judged
LEFT JOIN counted USING (phone_digest)
LEFT JOIN taken USING (phone_digest)`,
};

const uncountStatement = {
  name: 'phone_prompts.uncount',
  text: `
UPDATE phone_prompt_totals SET unanswered = unanswered - 1
WHERE phone_digest IN (
  SELECT phone_digest FROM phone_prompt_totals
  WHERE phone_digest = ANY ($1::bytea[]) AND day_ends_at > $2 AND unanswered > 0
  ORDER BY phone_digest FOR UPDATE)`,
};

const dayMs = 86_400_000;

/**
 * Takes permission to prompt each of these phones for its PIN, each named once; the same payment gets it again.
 * Without limits only blocked phones are refused.
 */
export async function takePrompts(
  database: Queryable,
  requests: readonly PromptRequest[],
  nowMs: number,
  limits: PromptLimits | undefined,
): Promise<(PromptRefusal | undefined)[]> {
  const rows = await database.query<TakenRow>(takeStatement, [
    binaryArray(requests, ({ phoneDigest }) => phoneDigest),
    uuidArray(requests, ({ tenantId }) => tenantId),
    uuidArray(requests, ({ paymentId }) => paymentId),
    timestamp(nowMs),
    timestamp(nowMs + dayMs),
    limits?.ofMerchant ?? null,
    limits?.inAll ?? null,
    (limits?.pausesMs ?? [0]).map((pauseMs) => pauseMs / 1_000),
  ]);
  const found = new Map(rows.map((row) => [row.paymentId, row]));
  const inVain = requests.filter(({ paymentId }) => found.get(paymentId)?.isCountedInVain);
  // After a crash before this, one prompt fewer is possible today, and never one more.
  if (inVain.length > 0) {
    const digests = binaryArray(inVain, ({ phoneDigest }) => phoneDigest);
    await database.query(uncountStatement, [digests, timestamp(nowMs)]);
  }
  return requests.map(({ paymentId }) => found.get(paymentId)?.refusal ?? undefined);
}

interface TakenRow {
  paymentId: string;
  refusal: PromptRefusal | null;
  /** Counted over all merchants, although the same merchant has prompted the phone meanwhile. */
  isCountedInVain: boolean;
}

const removeStatement = {
  name: 'phone_prompts.remove',
  text: `
WITH removed_total AS (
  DELETE FROM phone_prompt_totals WHERE day_ends_at < $1 AND phone_digest IN (
    SELECT phone_digest FROM phone_prompt_totals
    WHERE day_ends_at < $1 ORDER BY day_ends_at LIMIT $2)
  RETURNING 1
),
removed AS (
  DELETE FROM phone_prompts WHERE day_ends_at < $1 AND (tenant_id, phone_digest) IN (
    SELECT tenant_id, phone_digest FROM phone_prompts
    WHERE day_ends_at < $1 ORDER BY day_ends_at LIMIT $2)
  RETURNING 1
)
SELECT ((SELECT count(*) FROM removed_total) + (SELECT count(*) FROM removed))::integer AS count`,
};

/** Forgets phones of all merchants whose day is over; a phone that is prompted meanwhile has a new day, and stays. */
export async function removeOldPrompts(
  database: Queryable,
  nowMs: number,
  limit: number,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(removeStatement, [timestamp(nowMs), limit]);
  return row!.count;
}

export interface BlockedPhone {
  phoneDigest: Buffer;
  maskedPhone: string;
  reason: string | null;
  blockedAtMs: number;
  blockedBy: string;
}

/** False if the phone is blocked already; then nothing changes. */
export async function insertBlockedPhone(
  database: Queryable,
  phone: BlockedPhone,
): Promise<boolean> {
  const rows = await database.query(
    {
      text: `INSERT INTO blocked_phones (phone_digest, masked_phone, reason, blocked_at, blocked_by)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`,
    },
    [
      phone.phoneDigest,
      phone.maskedPhone,
      phone.reason,
      timestamp(phone.blockedAtMs),
      phone.blockedBy,
    ],
  );
  return rows.length > 0;
}

/** False if the phone is not blocked. */
export async function deleteBlockedPhone(
  database: Queryable,
  phoneDigest: Buffer,
): Promise<boolean> {
  const text = 'DELETE FROM blocked_phones WHERE phone_digest = $1 RETURNING 1';
  return (await database.query({ text }, [phoneDigest])).length > 0;
}

/** Newest first. */
export function listBlockedPhones(database: Queryable): Promise<BlockedPhone[]> {
  return database.query<BlockedPhone>({
    text: `
SELECT phone_digest AS "phoneDigest", masked_phone AS "maskedPhone", reason,
  blocked_at AS "blockedAtMs", blocked_by AS "blockedBy"
FROM blocked_phones ORDER BY blocked_at DESC, phone_digest`,
  });
}
