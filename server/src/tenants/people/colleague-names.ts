import { DomainError } from '../../platform/errors/errors.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/database.ts';

/** What readers see of a name: neither its case and accents, nor what takes no ink. */
export const seenName = (name: string): string =>
  name
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A colleague has this name: the till, the audit log and the sales of the day tell people apart by their names. */
export class NameTaken extends DomainError {
  constructor() {
    super('VALIDATION_ERROR', 'name is that of a colleague');
  }
}

const namesStatement = {
  name: 'memberships.colleagues_names',
  text: `
SELECT p.name FROM memberships m JOIN people p ON p.id = m.person_id
WHERE m.merchant_id = $1 AND m.person_id <> $2`,
};

/**
 * Reserves a name at these merchants until the transaction ends.
 * @throws NameTaken
 */
export async function requireFreeName(
  transaction: Queryable,
  { personId, name }: { personId: string; name: string },
  merchantIds: readonly string[],
): Promise<void> {
  const seen = seenName(name);
  // In one order, so that two people do not wait for each other.
  for (const merchantId of merchantIds.toSorted()) {
    await lockCount(transaction, `names at ${merchantId}`);
    const colleagues = await transaction.query<{ name: string }>(namesStatement, [
      merchantId,
      personId,
    ]);
    if (colleagues.some((each) => seenName(each.name) === seen)) throw new NameTaken();
  }
}
