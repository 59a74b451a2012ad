import type { Wallet, WalletNames } from '../../integrations/operators/wallet-names.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { firstUuidAt, formatId, type Ids } from '../../platform/values/ids.ts';
import { maskName } from '../../platform/values/mask-name.ts';

/** So that nobody collects names: in any hour, by one person, over all merchants of the cell. */
export const mostLookups = 20;
const hourMs = 3_600_000;

export interface LookUpNameDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  walletNames: WalletNames;
}

export interface NameLookup extends Wallet {
  tenantId: string;
  merchantId: string;
  /** The person who looks it up, and whose lookups count. */
  author: Author;
}

/** The masked name; LIMIT_REACHED: the person has to wait, and the operator was not asked. */
export type LookedUpName =
  | { kind: 'FOUND'; maskedName: string }
  | { kind: 'NOT_FOUND' | 'UNANSWERED' | 'FAILED' | 'LIMIT_REACHED' };

/**
 * Looks up the holder of a wallet for a person who is about to send money there. The lookup is audited before the
 * operator is asked; neither the name nor the phone is stored.
 */
export type LookUpName = (lookup: NameLookup) => Promise<LookedUpName>;

export function makeLookUpName(dependencies: LookUpNameDependencies): LookUpName {
  const { database, walletNames } = dependencies;
  return async (lookup) => {
    const isAllowed = await database.transaction((transaction) =>
      recordLookup(transaction, dependencies, lookup),
    );
    if (!isAllowed) return { kind: 'LIMIT_REACHED' };
    const { mode, operator, phone } = lookup;
    const found = await walletNames.find({ mode, operator, phone });
    return found.kind === 'FOUND' ? { kind: 'FOUND', maskedName: maskName(found.name) } : found;
  };
}

/** The audit log is the count: it outlives restarts, and is the same for all processes. */
const countSince = rowQuery<{ count: number }, [actor: string, firstId: string]>({
  name: 'wallet_names.lookups_since',
  text: `
SELECT count(*)::integer AS count FROM audit_records
WHERE actor = $1 AND id >= $2 AND action = 'wallet_name.looked_up'`,
});

async function recordLookup(
  transaction: Queryable,
  { clock, ids }: LookUpNameDependencies,
  { tenantId, merchantId, author, operator }: NameLookup,
): Promise<boolean> {
  await lockCount(transaction, `wallet name lookups of ${author.actor}`);
  const hourAgo = firstUuidAt(clock.nowMs() - hourMs);
  const { count } = (await countSince(transaction, author.actor, hourAgo))!;
  if (count >= mostLookups) return false;
  await writeAuditRecord(
    transaction,
    { clock, ids, ...author },
    {
      tenantId,
      action: 'wallet_name.looked_up',
      subject: formatId('me', merchantId),
      detail: { operator },
    },
  );
  return true;
}
