import { writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, invalidState, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { newApiKey } from './api-key.ts';
import { addKey, type KeyMaking } from './keys.ts';
import { type ApiKey, findKey, lockKey, markRolled } from './store.ts';

export interface RolledKey {
  id: string;
  /** Only this answer contains it. */
  key: string;
  /** The old key as it is now: it works until it expires. */
  old: ApiKey;
  /** When the new key expires. */
  expiresAtMs: number | null;
}

export interface Rolling {
  overlapMs: number;
  /** When the new key expires, if its lifetime should differ from the old key's. */
  expiresAtMs?: number | undefined;
  /** As in {@link KeyOrder}. */
  once?: string | undefined;
  /** Extra writes in the same transaction. */
  alongside?: (transaction: Queryable, rolled: RolledKey) => Promise<void>;
}

/** After a month of two keys, nobody is replacing the old one. */
const longestOverlapMs = 30 * 86_400_000;

/**
 * Creates a key that replaces another, with its label, permissions and limits. The old key expires after the overlap,
 * or earlier if it was due to. The new key has the old one's lifetime.
 * @throws NOT_FOUND
 * @throws FORBIDDEN (ApprovalNeeded) a live key needs a second person
 * @throws INVALID_STATE the key was already revoked or rolled, or has expired
 */
export function rollKey(
  dependencies: KeyMaking & { database: Database },
  id: string,
  { overlapMs, expiresAtMs: wantedMs, once, alongside }: Rolling,
): Promise<RolledKey> {
  if (!(overlapMs >= 0 && overlapMs <= longestOverlapMs)) {
    throw invalid('overlap', 'must be 0 to 720 hours');
  }
  return dependencies.database.transaction(async (transaction) => {
    const old = await lockKey(transaction, id);
    if (!old) throw notFound('key');
    const nowMs = dependencies.clock.nowMs();
    refuseEnded(old, nowMs);
    const { merchantId, mode, permissions } = old;
    const lifeMs = old.expiresAtMs === null ? null : old.expiresAtMs - old.createdAtMs;
    const expiresAtMs = wantedMs ?? (lifeMs === null ? null : nowMs + lifeMs);
    const order = {
      merchantId,
      mode,
      permissions,
      terms: { ...termsOf(old), expiresAtMs },
      ...(once !== undefined && { once }),
    };
    const added = await addKey(transaction, dependencies, order, newApiKey(mode));
    const endsAtMs = Math.min(nowMs + overlapMs, old.expiresAtMs ?? Number.POSITIVE_INFINITY);
    await markRolled(transaction, old, { to: added.id, expiresAtMs: endsAtMs });
    await writeAuditRecord(transaction, dependencies, {
      tenantId: old.tenantId,
      action: 'api_key.rolled',
      subject: formatId('ak', id),
      before: { expiresAt: instant(old.expiresAtMs), rolledTo: null },
      after: { expiresAt: instant(endsAtMs), rolledTo: formatId('ak', added.id) },
      detail: { last4: old.last4 },
    });
    const rolled = { ...added, expiresAtMs, old: (await findKey(transaction, id)) ?? old };
    await alongside?.(transaction, rolled);
    return rolled;
  });
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function termsOf({ label, allowedAddresses, ...key }: ApiKey) {
  const { maxPaymentMinor, maxRefundedPerDayMinor } = key;
  const { maxDisbursementMinor, maxDisbursedPerDayMinor } = key;
  return {
    label,
    allowedAddresses,
    maxPaymentMinor,
    maxRefundedPerDayMinor,
    maxDisbursementMinor,
    maxDisbursedPerDayMinor,
  };
}

function refuseEnded({ revokedAtMs, rolledTo, expiresAtMs }: ApiKey, nowMs: number): void {
  if (revokedAtMs !== null) throw invalidState('The key is revoked; create a new one instead.');
  if (rolledTo !== null) throw invalidState(`The key was rolled to ${formatId('ak', rolledTo)}.`);
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw invalidState('The key has expired; create a new one instead.');
  }
}
