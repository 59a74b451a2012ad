import type { Queryable } from '../../../platform/postgres/database.ts';
import { rowQuery } from '../../../platform/postgres/query.ts';

/** What a merchant sets for the payment pages of one mode. */
export interface CheckoutSettings {
  /** The sites that may show the payment page inside their pages: `https://shop.cv`. */
  frameOrigins: string[];
}

type Stored = CheckoutSettings & { merchantId: string; mode: 'live' | 'test' };

const columns = `coalesce(frame_origins, '{}') AS "frameOrigins", merchant_id AS "merchantId", mode`;

const findQuery = rowQuery<Stored, [tenantId: string]>({
  name: 'tenants.find_checkout_settings',
  text: `SELECT ${columns} FROM tenants WHERE id = $1`,
});

/** The settings of a tenant's payment pages. */
export async function findCheckoutSettings(
  database: Queryable,
  tenantId: string,
): Promise<CheckoutSettings> {
  return { frameOrigins: (await findQuery(database, tenantId))!.frameOrigins };
}

/** Locks the settings until the transaction ends. */
export const lockCheckoutSettings = rowQuery<Stored, [tenantId: string]>({
  name: 'tenants.lock_checkout_settings',
  text: `SELECT ${columns} FROM tenants WHERE id = $1 FOR NO KEY UPDATE`,
});

const updateStatement = {
  name: 'tenants.update_frame_origins',
  text: `UPDATE tenants SET frame_origins = nullif($2::text[], '{}') WHERE id = $1`,
};

export async function updateCheckoutSettings(
  database: Queryable,
  tenantId: string,
  { frameOrigins }: CheckoutSettings,
): Promise<void> {
  await database.query(updateStatement, [tenantId, frameOrigins]);
}
