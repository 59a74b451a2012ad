import { writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, invalidState, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { newApiKey } from './api-key.ts';
import { addKey, type KeyMaking } from './keys.ts';
import { type ApiKey, findKey, lockKey, markRolled } from './store.ts';

export interface RolledKey {
  id: string;
  /** Shown in this answer only. */
  key: string;
  /** As it is now: it works until it expires. */
  old: ApiKey;
  /** When the new one expires. */
  expiresAtMs: number | null;
}

export interface Rolling {
  overlapMs: number;
  /** When the new key expires, where it is not to live as long as the old one was made for. */
  expiresAtMs?: number | undefined;
  /** As in {@link KeyOrder}. */
  once?: string | undefined;
  /** What is written in the same transaction. */
  alongside?: (transaction: Queryable, rolled: RolledKey) => Promise<void>;
}

/** A month of two keys is a key that nobody replaces. */
const longestOverlapMs = 30 * 86_400_000;

/**
 * Makes a key that takes the place of another, with its label, permissions and limits. The old one expires after
 * the overlap, or at its own time where that is sooner. The new one lives as long as the old one was made for.
 * @throws NOT_FOUND
 * @throws FORBIDDEN (ApprovalNeeded) a live key needs a second person
 * @throws INVALID_STATE the key was revoked or rolled before, or has expired
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

function termsOf({ label, allowedAddresses, maxPaymentMinor, maxRefundedPerDayMinor }: ApiKey) {
  return { label, allowedAddresses, maxPaymentMinor, maxRefundedPerDayMinor };
}

function refuseEnded({ revokedAtMs, rolledTo, expiresAtMs }: ApiKey, nowMs: number): void {
  if (revokedAtMs !== null) throw invalidState('The key is revoked; make a new one instead.');
  if (rolledTo !== null) throw invalidState(`The key was rolled to ${formatId('ak', rolledTo)}.`);
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw invalidState('The key has expired; make a new one instead.');
  }
}
