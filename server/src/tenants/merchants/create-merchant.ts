import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { idempotencyKeyReused, invalid } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { isVisible } from '../../platform/text/look-alikes.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import { findMerchant, insertMerchant, type Merchant } from './store.ts';

const longestName = 255;

/**
 * Creates a merchant with two tenants, live and test.
 * @throws VALIDATION_ERROR for a name that is empty or longer than 255 characters
 */
export function createMerchant(
  dependencies: Administration & { database: Database },
  name: string,
): Promise<Merchant> {
  return dependencies.database.transaction((transaction) =>
    addMerchant(transaction, dependencies, name),
  );
}

/**
 * The same for an order that may be repeated: it creates one merchant.
 * @param once the author of the order, and their id for it
 * @throws IDEMPOTENCY_KEY_REUSED the same order had another name
 */
export async function createMerchantOnce(
  dependencies: Administration & { database: Database },
  given: string,
  once: { by: string; key: string },
): Promise<{ merchant: Merchant; replayed: boolean }> {
  const name = merchantName(given);
  const id = derivedUuid(once.by, `merchant ${once.key}`);
  const made = await dependencies.database.transaction((transaction) =>
    tryMerchant(transaction, dependencies, { id, name }),
  );
  if (made) return { merchant: made, replayed: false };
  const before = (await findMerchant(dependencies.database, id))!;
  if (before.name !== name) throw idempotencyKeyReused();
  return { merchant: before, replayed: true };
}

/** The same in a transaction. */
export async function addMerchant(
  transaction: Queryable,
  administration: Administration,
  givenName: string,
): Promise<Merchant> {
  const id = administration.ids.next(administration.clock.nowMs());
  const name = merchantName(givenName);
  return (await tryMerchant(transaction, administration, { id, name }))!;
}

/** Undefined if a merchant with this id exists. */
async function tryMerchant(
  transaction: Queryable,
  administration: Administration,
  { id, name }: { id: string; name: string },
): Promise<Merchant | undefined> {
  const createdAtMs = administration.clock.nowMs();
  const tenants = (['live', 'test'] as const).map((mode) => ({
    id: administration.ids.next(createdAtMs),
    merchantId: id,
    mode,
  }));
  if (!(await insertMerchant(transaction, { id, name, createdAtMs }, tenants))) return undefined;
  await writeAuditRecord(transaction, administration, {
    tenantId: null,
    action: 'merchant.created',
    subject: formatId('me', id),
    after: { name },
  });
  return { id, name, createdAtMs };
}

/** @throws VALIDATION_ERROR for a name that is empty or longer than 255 characters */
export function merchantName(given: string): string {
  const name = given.trim();
  if (!isVisible(name) || name.length > longestName || name.includes('\0')) {
    throw invalid('name', `must have 1 to ${longestName} characters`);
  }
  return name;
}
