import { type Administration, writeAuditRecord } from '../audit/record.ts';
import { invalid } from '../errors.ts';
import { formatId } from '../ids.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { findMerchant, insertMerchant, type Merchant } from './store.ts';

const longestName = 255;

/**
 * Makes a merchant with its two tenants, live and test.
 * @param once the id that it gets: asked for again, it makes no second one
 * @throws VALIDATION_ERROR for a name that is empty or longer than 255 characters
 */
export function createMerchant(
  dependencies: Administration & { database: Database },
  name: string,
  once?: string,
): Promise<Merchant> {
  return dependencies.database.transaction((transaction) =>
    addMerchant(transaction, dependencies, name, once),
  );
}

/** The same as part of a transaction. */
export async function addMerchant(
  transaction: Queryable,
  administration: Administration,
  givenName: string,
  once?: string,
): Promise<Merchant> {
  const name = merchantName(givenName);
  const createdAtMs = administration.clock.nowMs();
  const id = once ?? administration.ids.next(createdAtMs);
  const tenants = (['live', 'test'] as const).map((mode) => ({
    id: administration.ids.next(createdAtMs),
    merchantId: id,
    mode,
  }));
  if (!(await insertMerchant(transaction, { id, name, createdAtMs }, tenants))) {
    return (await findMerchant(transaction, id))!;
  }
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
  if (name === '' || name.length > longestName || name.includes('\0')) {
    throw invalid('name', `must have 1 to ${longestName} characters`);
  }
  return name;
}
