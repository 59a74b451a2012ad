import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type LinkDependencies, requireDescription } from './create.ts';
import { type PaymentLink, recordedLink } from './payment-link.ts';
import { type LinkChange, lockLink, updateLink } from './store.ts';

/**
 * Changes a link for later uses; sessions that it has already made stay as they are.
 * @throws NOT_FOUND
 * @throws VALIDATION_ERROR a blank description; maxUses is below the number of uses so far
 */
export type ChangeLink = (
  key: Pick<PaymentLink, 'tenantId' | 'id'>,
  change: LinkChange,
  author: Author,
) => Promise<PaymentLink>;

export function makeChangeLink(dependencies: LinkDependencies): ChangeLink {
  const { database, clock, mask } = dependencies;
  return async ({ tenantId, id }, change, author) => {
    if (change.description !== undefined) requireDescription(change.description);
    return database.transaction(async (transaction) => {
      const seen = await lockLink(transaction, tenantId, id);
      if (!seen) throw notFound('payment link');
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      if (given.length === 0) return seen;
      const next: PaymentLink = {
        ...seen,
        ...Object.fromEntries(given),
        updatedAtMs: clock.nowMs(),
      };
      if (next.maxUses !== null && next.maxUses < seen.uses) {
        throw invalid('maxUses', `must be at least ${seen.uses}, as often as the link was used`);
      }
      const link = await updateLink(transaction, next);
      const [before, after] = [recordedLink(seen, mask), recordedLink(link, mask)];
      await writeAuditRecord(
        transaction,
        { ...dependencies, ...author },
        { tenantId, subject: formatId('pl', id), action: 'payment_link.changed', before, after },
      );
      return link;
    });
  };
}
