import { findEvent } from '../../../integrations/events/list.ts';
import { findEndpoint } from '../../../integrations/webhooks/endpoint-store.ts';
import { findBatch } from '../../../money/disbursements/batches/store.ts';
import {
  findDisbursement,
  findDisbursementsByExternalId,
} from '../../../money/disbursements/store.ts';
import { readFeeNumber } from '../../../money/settlements/statement/fee-statement.ts';
import { findByBankReference, findSettlement } from '../../../money/settlements/store.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { formatId, type IdPrefix, readId } from '../../../platform/values/ids.ts';
import { listSessions } from '../../../storefront/checkout/list.ts';
import { findLink } from '../../../storefront/payment-links/store.ts';
import { findProducts } from '../../../storefront/products/store.ts';
import type { MerchantContext } from '../request-context.ts';
import { hrefOfObject } from './object-pages.ts';

type Find = (database: Queryable, tenantId: string, id: string) => Promise<unknown>;

/** The objects that the search for payments does not find. */
const finders: Partial<Record<IdPrefix, Find>> = {
  se: findSettlement,
  pl: findLink,
  pr: async (database, tenantId, id) => (await findProducts(database, tenantId, [id]))[0],
  di: findDisbursement,
  dib: findBatch,
  we: findEndpoint,
  evt: findEvent,
};

export interface FoundObject {
  /** The id or the number, as it is written. */
  name: string;
  href: string;
}

/**
 * The objects of this shop that the text of the search box names: by an id with its prefix, in any case; by the bank's
 * reference of a payout; by the number of a statement of fees; by the order of payment links, paid or not; or by the merchant's reference of
 * disbursements.
 */
export async function findObjects(visit: MerchantContext, typed: string): Promise<FoundObject[]> {
  const text = typed.trim();
  const found = (await findById(visit, text)) ?? feeStatementIn(visit, text);
  if (found) return [found];
  return [
    ...(await findPayouts(visit, text)),
    ...(await findSessions(visit, text)),
    ...(await findDisbursements(visit, text)),
  ];
}

async function findById(visit: MerchantContext, text: string): Promise<FoundObject | undefined> {
  const prefix = /^([a-z]{2,3})[_\s\p{Dash}]/iu.exec(text)?.[1]?.toLowerCase() as
    | IdPrefix
    | undefined;
  const find = prefix && finders[prefix];
  const id = find && readId([prefix], text);
  if (id === undefined) return undefined;
  const name = formatId(prefix!, id);
  const href = hrefOfObject(visit, name);
  if (href === undefined || !(await find!(visit.services.database, visit.tenantId, id)))
    return undefined;
  return { name, href };
}

function feeStatementIn(visit: MerchantContext, text: string): FoundObject | undefined {
  const read = readFeeNumber(text);
  const isOurs = read && formatId('me', visit.merchant.id).toUpperCase().endsWith(read.code);
  if (!isOurs || !visit.can('money.read')) return undefined;
  const { number: name, month, currency } = read;
  return { name, href: visit.to('fee-statement', { month, currency }) };
}

async function findPayouts(visit: MerchantContext, text: string): Promise<FoundObject[]> {
  if (text.length < 3 || text.length > 140 || !visit.can('money.read')) return [];
  const rows = await findByBankReference(visit.services.database, visit.tenantId, text);
  return rows.map(({ id }) => {
    const name = formatId('se', id);
    return { name, href: visit.to(`settlements/${name}`) };
  });
}

const mostNamed = 5;

/** The newest payment links of an order. Its payments stand in the list below. */
async function findSessions(visit: MerchantContext, text: string): Promise<FoundObject[]> {
  if (text === '' || text.length > 255 || !visit.can('payments.read')) return [];
  const { services, tenantId } = visit;
  const page = { limit: mostNamed };
  const rows = await listSessions(services.database, tenantId, { externalId: text }, page);
  return rows.slice(0, mostNamed).map(({ id }) => {
    const name = formatId('cs', id);
    return { name, href: visit.to(`links/${name}`) };
  });
}

/** The newest disbursements with this reference of the merchant's. */
async function findDisbursements(visit: MerchantContext, text: string): Promise<FoundObject[]> {
  const mayFind = visit.can('disbursements.read');
  if (text === '' || text.length > 255 || !mayFind) return [];
  const { services, tenantId } = visit;
  const rows = await findDisbursementsByExternalId(services.database, tenantId, text, mostNamed);
  return rows.map(({ id }) => {
    const name = formatId('di', id);
    return { name, href: visit.to(`disbursements/${name}`) };
  });
}
