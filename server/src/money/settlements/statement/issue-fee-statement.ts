import { wallClockMs } from '../../../platform/values/local-day.ts';
import { type Currency, timeZoneOf } from '../../../platform/values/money.ts';
import { readBrand } from '../../../tenants/merchants/brand.ts';
import { findMerchant, findTenants } from '../../../tenants/merchants/store.ts';
import { type FeeStatementDependencies, feeStatementOf } from './fee-statement.ts';

/** Later runs need not look again: a statement that is still missing is issued when somebody opens it. */
const lastDayOfMonth = 7;

/**
 * Issues a live merchant's statement of fees for the month that has ended, so that it states the names and the tax of
 * that month even if nobody opens it for long. Does nothing after the first week of a month, or if it is issued.
 */
export async function issueLastFeeStatement(
  dependencies: FeeStatementDependencies,
  { tenantId, merchantId, currency }: { tenantId: string; merchantId: string; currency: Currency },
): Promise<void> {
  const { database, clock } = dependencies;
  const month = monthToIssue(currency, clock.nowMs());
  if (month === undefined) return;
  const [tenant] = await findTenants(database, [tenantId]);
  const merchant = await findMerchant(database, merchantId);
  if (tenant?.mode !== 'live' || !merchant) return;
  const { taxNumber } = await readBrand(database, merchantId);
  const payer = { tenantId, merchantId, mode: tenant.mode, name: merchant.name, taxNumber };
  await feeStatementOf(dependencies, payer, { month, currency });
}

function monthToIssue(currency: Currency, nowMs: number): string | undefined {
  const today = new Date(wallClockMs(nowMs, timeZoneOf[currency]));
  if (today.getUTCDate() > lastDayOfMonth) return undefined;
  const before = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
  return new Date(before).toISOString().slice(0, 7);
}
