import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { formatId } from '../../platform/values/ids.ts';
import { timeZoneOf } from '../../platform/values/money.ts';
import { type Contact, type ContactChange, contactColumns, contactColumnsOf } from './contact.ts';
import { merchantName } from './create-merchant.ts';
import { checkLogo, type Logo } from './logo.ts';
import {
  type ShopSettings,
  type ShopSettingsChange,
  shopSettingsColumns,
  shopSettingsColumnsOf,
} from './shop-settings.ts';
import {
  always,
  changeTimeZone,
  ownCurrencyOf,
  type StoredTimeZone,
  type TimeZones,
  timeZoneColumns,
  timeZonesOf,
} from './time-zone.ts';

/** A change to a merchant's appearance, contacts and settings: null clears a value, undefined keeps it. */
export interface BrandChange extends ContactChange, ShopSettingsChange {
  name?: string | null;
  /** `#rrggbb` */
  colour?: string | null;
  /** The bytes of an SVG or PNG file. */
  logo?: Buffer | null;
}

export interface Brand extends Contact, ShopSettings {
  name: string | null;
  colour: string | null;
  logoBytes: number | null;
  /** Since when which time zone holds or will hold; empty until one was set. */
  timeZoneHistory: { from: string | null; timeZone: string }[];
}

type Row = Omit<Brand, 'timeZoneHistory'> & StoredTimeZone & { hasPayments: boolean };

const selectText = `
SELECT m.brand_name AS name, m.brand_colour AS colour, length(m.brand_logo) AS "logoBytes", ${contactColumns},
  ${shopSettingsColumns}, ${timeZoneColumns}, EXISTS (
    -- In the order of the key: for a tenant without payments, the planner would otherwise read those of all others.
    SELECT FROM tenants t
    JOIN LATERAL (SELECT FROM payments p WHERE p.tenant_id = t.id ORDER BY p.id LIMIT 1) AS paid ON true
    WHERE t.merchant_id = m.id) AS "hasPayments"
FROM merchants m WHERE m.id = $1`;

/** A merchant's appearance, contacts and settings. @throws NOT_FOUND the merchant */
export const readBrand = async (database: Queryable, merchantId: string): Promise<Brand> =>
  brandOf(await rowOf(database, merchantId));

/**
 * Changes a merchant's appearance, contacts and settings; without changes, only returns them.
 * @throws VALIDATION_ERROR names the field
 * @throws NOT_FOUND the merchant
 */
export async function changeBrand(
  dependencies: Administration & { database: Database },
  merchantId: string,
  change: BrandChange,
): Promise<Brand> {
  const columns = columnsOf(change);
  if (Object.keys(columns).length === 0) return readBrand(dependencies.database, merchantId);
  return dependencies.database.transaction(async (transaction) => {
    const lock = 'SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE';
    await transaction.query({ text: lock }, [merchantId]);
    const before = await rowOf(transaction, merchantId);
    await update(transaction, merchantId, columns);
    const changed = await rowOf(transaction, merchantId);
    const history = historyOf(before, changed, dependencies.clock.nowMs());
    await update(transaction, merchantId, { time_zone_history: history });
    const brand = brandOf({ ...changed, timeZoneHistory: history });
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'merchant.branded',
      subject: formatId('me', merchantId),
      before: { ...brandOf(before) },
      after: { ...brand },
    });
    return brand;
  });
}

async function rowOf(database: Queryable, merchantId: string): Promise<Row> {
  const [row] = await database.query<Row>({ text: selectText }, [merchantId]);
  if (!row) throw notFound('merchant');
  return row;
}

async function update(
  transaction: Queryable,
  merchantId: string,
  columns: Record<string, unknown>,
): Promise<void> {
  const set = Object.keys(columns).map((column, index) => `${column} = $${index + 2}`);
  const text = `UPDATE merchants SET ${set.join(', ')} WHERE id = $1`;
  await transaction.query({ text }, [merchantId, ...Object.values(columns)]);
}

function brandOf(stored: Row): Brand {
  const { firstCurrency: _first, hasPayments: _payments, timeZoneHistory, ...row } = stored;
  const zones: TimeZones =
    timeZoneHistory === null ? [] : (JSON.parse(timeZoneHistory) as TimeZones);
  const history = zones.map(({ fromMs, timeZone }) => ({
    from: fromMs === 0 ? null : new Date(fromMs).toISOString(),
    timeZone,
  }));
  return { ...row, timeZoneHistory: history };
}

/** Without payments there are no months to protect, and a new shop sees its own time zone at once. */
function historyOf(before: Row, after: Row, nowMs: number): string | null {
  const { timeZone, defaultCurrency, hasPayments } = after;
  if (timeZone === before.timeZone && defaultCurrency === before.defaultCurrency) {
    return before.timeZoneHistory;
  }
  const currency = ownCurrencyOf(after);
  const wanted = timeZone ?? (currency && timeZoneOf[currency]);
  if (wanted === null) return null;
  if (!hasPayments) {
    return timeZone === null && defaultCurrency === null ? null : JSON.stringify(always(wanted));
  }
  const zones = timeZonesOf(before, wanted);
  const next = JSON.stringify(changeTimeZone(zones, wanted, nowMs));
  return before.timeZoneHistory === null && next === JSON.stringify(zones) ? null : next;
}

/** The columns of a change. @throws VALIDATION_ERROR names the field */
export function columnsOf(change: BrandChange): Record<string, unknown> {
  const { name, colour, logo } = change;
  const checked = logo == null ? undefined : checkLogo(logo);
  return {
    ...(name !== undefined && { brand_name: name === null ? null : merchantName(name) }),
    ...(colour !== undefined && { brand_colour: colour === null ? null : checkColour(colour) }),
    ...(logo !== undefined && {
      brand_logo: checked?.bytes ?? null,
      brand_logo_type: checked?.type ?? null,
    }),
    ...contactColumnsOf(change),
    ...shopSettingsColumnsOf(change),
  };
}

function checkColour(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw invalid('colour', 'must look like #0b5d44');
  return text.toLowerCase();
}

const setUpQuery = rowQuery<object, [merchantId: string]>({
  name: 'merchants.is_set_up',
  text: `
SELECT FROM merchants WHERE id = $1
  AND coalesce(brand_name, brand_colour, brand_logo_type, contact_phone, contact_email, contact_website) IS NOT NULL`,
});

/** Whether anybody has given the shop a look or a contact. */
export const isSetUp = async (database: Queryable, merchantId: string): Promise<boolean> =>
  (await setUpQuery(database, merchantId)) !== undefined;

/** The logo of the tenant's merchant; undefined without one. */
export const findLogo = rowQuery<Logo, [tenantId: string]>({
  name: 'merchants.find_logo',
  text: `
SELECT merchants.brand_logo_type AS type, merchants.brand_logo AS bytes
FROM tenants JOIN merchants ON merchants.id = tenants.merchant_id
WHERE tenants.id = $1 AND merchants.brand_logo IS NOT NULL`,
});
