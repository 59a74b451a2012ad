import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type Contact, type ContactChange, contactColumns, contactColumnsOf } from './contact.ts';
import { merchantName } from './create-merchant.ts';
import { checkLogo, type Logo } from './logo.ts';

/**
 * A change to a merchant's appearance on the payment page and its contacts: null clears a value, undefined keeps it.
 */
export interface BrandChange extends ContactChange {
  name?: string | null;
  /** `#rrggbb` */
  colour?: string | null;
  /** The bytes of an SVG or PNG file. */
  logo?: Buffer | null;
}

export interface Brand extends Contact {
  name: string | null;
  colour: string | null;
  logoBytes: number | null;
}

const brandColumns = `brand_name AS name, brand_colour AS colour, length(brand_logo) AS "logoBytes",
  ${contactColumns}`;

const lockText = `SELECT ${brandColumns} FROM merchants WHERE id = $1 FOR UPDATE`;

/**
 * Changes a merchant's appearance on the payment page; without changes, only returns it.
 * @throws VALIDATION_ERROR name, colour, logo, contactPhone, contactEmail or website
 * @throws NOT_FOUND the merchant
 */
export async function changeBrand(
  dependencies: Administration & { database: Database },
  merchantId: string,
  change: BrandChange,
): Promise<Brand> {
  const columns = columnsOf(change);
  return dependencies.database.transaction(async (transaction) => {
    const set = Object.keys(columns).map((column, index) => `${column} = $${index + 2}`);
    const text =
      set.length > 0
        ? `UPDATE merchants SET ${set.join(', ')} WHERE id = $1 RETURNING ${brandColumns}`
        : `SELECT ${brandColumns} FROM merchants WHERE id = $1`;
    const values = [merchantId, ...Object.values(columns)];
    const [before] = await transaction.query<Brand>({ text: lockText }, [merchantId]);
    const [brand] = await transaction.query<Brand>({ text }, values);
    if (!before || !brand) throw notFound('merchant');
    if (set.length > 0) {
      const subject = formatId('me', merchantId);
      const action = 'merchant.branded';
      await writeAuditRecord(transaction, dependencies, {
        tenantId: null,
        action,
        subject,
        before: { ...before },
        after: { ...brand },
      });
    }
    return brand;
  });
}

function columnsOf({ name, colour, logo, ...contact }: BrandChange): Record<string, unknown> {
  const checked = logo == null ? undefined : checkLogo(logo);
  return {
    ...(name !== undefined && { brand_name: name === null ? null : merchantName(name) }),
    ...(colour !== undefined && { brand_colour: colour === null ? null : checkColour(colour) }),
    ...(logo !== undefined && {
      brand_logo: checked?.bytes ?? null,
      brand_logo_type: checked?.type ?? null,
    }),
    ...contactColumnsOf(contact),
  };
}

function checkColour(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw invalid('colour', 'must look like #0b5d44');
  return text.toLowerCase();
}

/** The logo of the tenant's merchant; undefined without one. */
export const findLogo = rowQuery<Logo, [tenantId: string]>({
  name: 'merchants.find_logo',
  text: `
SELECT merchants.brand_logo_type AS type, merchants.brand_logo AS bytes
FROM tenants JOIN merchants ON merchants.id = tenants.merchant_id
WHERE tenants.id = $1 AND merchants.brand_logo IS NOT NULL`,
});
