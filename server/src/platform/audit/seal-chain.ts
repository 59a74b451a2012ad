import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { digestOf, hashOf, noHash, type Seal } from './digest.ts';
import { findHead, insertSeal, lockSeals, unsealedRecords } from './store.ts';

export interface SealDependencies {
  database: Database;
  clock: Clock;
  /** Records in one seal; fewer for tests. */
  maxRecords?: number;
}

/**
 * Seals committed records, as many as fit in one seal. @returns undefined if there is nothing to seal, or another
 * process is sealing
 */
export function sealRecords(dependencies: SealDependencies): Promise<Seal | undefined> {
  const { database, clock, maxRecords = 1_000 } = dependencies;
  return database.transaction(async (transaction) => {
    if (!(await lockSeals(transaction))) return undefined;
    const records = await unsealedRecords(transaction, maxRecords);
    if (records.length === 0) return undefined;
    const head = await findHead(transaction);
    const open = {
      number: (head?.number ?? 0n) + 1n,
      sealedAtMs: clock.nowMs(),
      recordIds: records.map(({ id }) => id),
      recordDigests: records.map(digestOf),
      previousHash: head?.hash ?? noHash,
    };
    const seal = { ...open, hash: hashOf(open) };
    await insertSeal(transaction, seal);
    return seal;
  });
}
