import type { Authenticate, KeyHolder, Principal } from '../../platform/http/principal.ts';
import { networkMatcher } from '../../platform/network/networks.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { hashApiKey } from './api-key.ts';
import { termsOf } from './change-terms.ts';
import { Recent } from './expiring-set.ts';
import { KnownKeys } from './recent-keys.ts';
import { findKeyByHash } from './store.ts';

export interface AuthenticateDependencies {
  database: Database;
  clock: Clock;
  /** How long a database answer is cached: a revoked key works at most this much longer. */
  ttlMs?: number;
  /** The cache sizes for known and for unknown keys. */
  maxEntries?: number;
  /** Keys that are looked up even if their address has used up its bucket. */
  known?: KnownKeys;
}

interface Entry<Holder> {
  /** Taken before the query, so that the answer's age is never underestimated. */
  askedAtMs: number;
  holder: Holder | undefined | Promise<Holder | undefined>;
}

/** Finds the owner of the key with this hash; undefined if nobody owns it, or it was revoked. */
export type FindHolder<Holder> = (database: Database, hash: Buffer) => Promise<Holder | undefined>;

/** A key is stored before its owner sees it, so only guesses are remembered as unknown for this long. */
const unknownMs = 5_000;

/** Looks up merchants' keys. */
export const makeAuthenticate = (dependencies: AuthenticateDependencies): Authenticate =>
  makeLookUp(dependencies, findPrincipal);

/**
 * Looks keys up by their hash. Known keys are cached for a moment by the key itself: memory holds it with every
 * request anyway, and hashing each time would cost more than the rest of the look-up.
 */
export function makeLookUp<Holder extends KeyHolder>(
  dependencies: AuthenticateDependencies,
  find: FindHolder<Holder>,
): Authenticate<Holder> {
  const {
    database,
    clock,
    ttlMs = 3_000,
    maxEntries = 10_000,
    known = new KnownKeys(),
  } = dependencies;
  const entries = new Map<string, Entry<Holder>>();
  const unknown = new Recent({ ttlMs: unknownMs, maxEntries });

  const ask = (key: string, hash: Buffer, askedAtMs: number): Promise<Holder | undefined> => {
    const found = find(database, hash);
    const entry: Entry<Holder> = { askedAtMs, holder: found };
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    found.then((holder) => {
      if (holder) {
        entry.holder = holder;
        known.add(hash, askedAtMs);
        return;
      }
      forget();
      known.forget(hash);
      unknown.add(key, askedAtMs);
    }, forget);
    // Deleted first, so that the Map is ordered by age and its first entry is the oldest.
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
    return found;
  };

  return (key, admit = () => true) => {
    const nowMs = clock.nowMs();
    const entry = entries.get(key);
    const ageMs = entry ? nowMs - entry.askedAtMs : ttlMs;
    // A clock that was set back must not keep a revoked key alive.
    if (entry && ageMs >= 0 && ageMs < ttlMs) return entry.holder;
    if (unknown.has(key, nowMs)) return undefined;
    const hash = hashApiKey(key);
    const lookUpIfAdmitted = (mayQuery: boolean) => (mayQuery ? ask(key, hash, nowMs) : undefined);
    const mayQuery = known.has(hash, nowMs) || admit();
    return mayQuery instanceof Promise
      ? mayQuery.then(lookUpIfAdmitted)
      : lookUpIfAdmitted(mayQuery);
  };
}

async function findPrincipal(database: Database, hash: Buffer): Promise<Principal | undefined> {
  const found = await findKeyByHash(database, hash);
  if (!found) return undefined;
  const { tenantId, merchantId, mode, permissions, id, allowedAddresses } = found;
  const { expiresAtMs, maxPaymentMinor, maxRefundedPerDayMinor } = found;
  const { maxDisbursementMinor, maxDisbursedPerDayMinor } = found;
  const allowsAddress = allowedAddresses.length === 0 ? null : networkMatcher(allowedAddresses);
  const limits = { maxPaymentMinor, maxRefundedPerDayMinor };
  const disbursing = { maxDisbursementMinor, maxDisbursedPerDayMinor };
  const key = { id, expiresAtMs, allowsAddress, ...limits, ...disbursing };
  const terms = termsOf(found);
  return { tenantId, merchantId, mode, terms, permissions: new Set(permissions), key };
}
