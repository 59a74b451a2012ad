import { type Administration, writeAuditRecord } from '../audit/record.ts';
import { invalid } from '../errors.ts';
import { formatId } from '../ids.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { insertMerchant, type Merchant } from './store.ts';

const longestName = 255;

/**
 * Makes a merchant with its two tenants, live and test.
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

/** The same as part of a transaction. */
export async function addMerchant(
  transaction: Queryable,
  administration: Administration,
  givenName: string,
): Promise<Merchant> {
  const name = merchantName(givenName);
  const createdAtMs = administration.clock.nowMs();
  const id = administration.ids.next(createdAtMs);
  const tenants = (['live', 'test'] as const).map((mode) => ({
    id: administration.ids.next(createdAtMs),
    merchantId: id,
    mode,
  }));
  await insertMerchant(transaction, { id, name, createdAtMs }, tenants);
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
