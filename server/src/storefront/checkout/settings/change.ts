import { type Author, writeAuditRecord } from '../../../platform/audit/record.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { formatId, type Ids } from '../../../platform/values/ids.ts';
import { checkFrameOrigins } from './frame-origins.ts';
import { type CheckoutSettings, lockCheckoutSettings, updateCheckoutSettings } from './store.ts';

/** A change: what is left out stays as it is. */
export type CheckoutSettingsChange = { frameOrigins?: readonly string[] | undefined };

/**
 * Changes the settings of a tenant's payment pages, and returns them.
 * @throws VALIDATION_ERROR names the origin
 */
export type ChangeCheckoutSettings = (
  tenantId: string,
  change: CheckoutSettingsChange,
  author: Author,
) => Promise<CheckoutSettings>;

export function makeChangeCheckoutSettings(dependencies: {
  database: Database;
  clock: Clock;
  ids: Ids;
}): ChangeCheckoutSettings {
  return (tenantId, { frameOrigins }, author) =>
    dependencies.database.transaction(async (transaction) => {
      const { mode, merchantId, ...before } = (await lockCheckoutSettings(transaction, tenantId))!;
      if (frameOrigins === undefined) return before;
      const after = { frameOrigins: checkFrameOrigins(frameOrigins, mode) };
      if (after.frameOrigins.join() === before.frameOrigins.join()) return before;
      await updateCheckoutSettings(transaction, tenantId, after);
      await writeAuditRecord(
        transaction,
        { ...dependencies, ...author },
        {
          tenantId,
          action: 'checkout.settings_changed',
          subject: formatId('me', merchantId),
          before: { ...before },
          after,
        },
      );
      return after;
    });
}
