import { findAnyBatch } from '../../../money/disbursements/batches/store.ts';
import { findAnyDisbursement } from '../../../money/disbursements/store.ts';
import {
  findFeeStatement,
  readFeeNumber,
} from '../../../money/settlements/statement/fee-statement.ts';
import { findAnyByBankReference, findSettlementById } from '../../../money/settlements/store.ts';
import type { Html } from '../../../platform/text/html.ts';
import { formatId, type IdPrefix, readId } from '../../../platform/values/ids.ts';
import { findUnpaidOfOrder } from '../../../storefront/checkout/list.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import {
  findOwner,
  type OwnedObject,
  type OwnedTable,
} from '../../../tenants/merchants/find-owner.ts';
import { findMerchants, type Merchant, searchMerchants } from '../../../tenants/merchants/store.ts';
import { findPersonByEmail } from '../../../tenants/people/account-store.ts';
import { findBelongings } from '../../../tenants/people/member-store.ts';
import { given, idText } from '../parts/format.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';

/** Something of a merchant, and the page of staff that shows it. */
export interface FoundObject extends InCell {
  kind: FoundKind;
  name: Html | undefined;
  /** The merchant's name, unless it is the object. */
  merchantName?: string;
  href: string;
}

type FoundKind = 'me' | 'se' | 'di' | 'dib' | 'fees' | keyof typeof tables;

/** What has no page of its own for staff: the page of its merchant shows it. */
const tables = {
  cs: 'checkout_sessions',
  pl: 'payment_links',
  pr: 'products',
  we: 'webhook_endpoints',
  evt: 'events',
  ak: 'api_keys',
} as const satisfies Partial<Record<IdPrefix, OwnedTable>>;

const idInText =
  /(?:^|[^a-z0-9])((?:me|pe|se|dib?|cs|pl|pr|we|evt|ak)[_-][0-9a-z]{26})(?![a-z0-9])/i;
const mostMerchants = 10;

/**
 * The merchants, people, payouts and other objects that a text names: by an id in any case, with its prefix or
 * without; a merchant also by part of its name or the e-mail of a member; a payout by the bank's reference; a statement
 * of fees by its number; a payment link that is not paid by its order.
 */
export async function findObjects(visit: StaffContext, typed: string): Promise<FoundObject[]> {
  const text = idInText.exec(typed)?.[1] ?? typed;
  const named = (await Promise.all(byId.map((find) => find(visit, text)))).flat();
  if (named.length > 0 || namesAnId(text)) return named;
  const found = byName.map((find) => find(visit, text));
  return (await Promise.all(found)).flat();
}

type Find = (visit: StaffContext, text: string) => Promise<FoundObject[]>;

const prefixes: readonly IdPrefix[] = [
  'me',
  'pe',
  'se',
  'di',
  'dib',
  ...(Object.keys(tables) as (keyof typeof tables)[]),
];

/** Whether a text is an id with the prefix of something that has one, or contains it, as an address does. */
export function namesAnId(typed: string): boolean {
  const text = idInText.exec(typed)?.[1]?.toLowerCase();
  return text !== undefined && prefixes.some((prefix) => readId([prefix], text) !== undefined);
}

const byId: readonly Find[] = [
  async (visit, text) => {
    const id = readId(['me'], text);
    return id === undefined || !visit.can('merchants.read') ? [] : merchantsWith(visit, [id]);
  },
  async (visit, text) => {
    const id = readId(['pe'], text);
    return id === undefined ? [] : memberships(visit, id);
  },
  async (visit, text) => {
    const id = readId(['se'], text);
    if (id === undefined || !visit.can('settlements.read')) return [];
    const rows = await everywhere(visit, async (database) =>
      [await findSettlementById(database, id)].filter((row) => row !== undefined),
    );
    return rows.map((row) => payout(visit, row));
  },
  async (visit, text) => {
    const id = readId(['di'], text);
    if (id === undefined || !visit.can('payments.read')) return [];
    const rows = await everywhere(visit, async (database) =>
      [await findAnyDisbursement(database, id)].filter((row) => row !== undefined),
    );
    return rows.map((row) => pageOfOwn(visit, 'di', 'disbursements', row));
  },
  async (visit, text) => {
    const id = readId(['dib'], text);
    if (id === undefined || !visit.can('payments.read')) return [];
    const rows = await everywhere(visit, async (database) =>
      [await findAnyBatch(database, id)].filter((row) => row !== undefined),
    );
    return rows.map((row) => pageOfOwn(visit, 'dib', 'disbursement-batches', row));
  },
  ...(Object.keys(tables) as (keyof typeof tables)[]).map(
    (prefix): Find =>
      async (visit, text) => {
        const id = readId([prefix], text);
        if (id === undefined || !visit.can('merchants.read')) return [];
        if (prefix === 'ak' && !visit.can('api_keys.read')) return [];
        const rows = await everywhere(visit, (each) => findOwner(each, tables[prefix], id));
        return rows.map((row) => owned(visit, prefix, idText(prefix, row.id), row));
      },
  ),
];

const byName: readonly Find[] = [merchantsCalled, merchantsOf, payoutsOf, feesNumbered, linksOf];

async function merchantsCalled(visit: StaffContext, name: string): Promise<FoundObject[]> {
  if (!visit.can('merchants.read')) return [];
  const asked = { id: undefined, name, afterId: undefined, limit: mostMerchants };
  const rows = await everywhere(visit, (database) => searchMerchants(database, asked));
  return rows.slice(0, mostMerchants).map((row) => merchant(visit, row));
}

/** The merchants of the person with this e-mail. */
async function merchantsOf(visit: StaffContext, email: string): Promise<FoundObject[]> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return [];
  const person = await findPersonByEmail(visit.services.people.database, email);
  return person === undefined ? [] : memberships(visit, person.id);
}

async function memberships(visit: StaffContext, personId: string): Promise<FoundObject[]> {
  if (!visit.can('merchants.read')) return [];
  const { database } = visit.services.people;
  const belongings = await findBelongings(database, personId);
  return merchantsWith(
    visit,
    belongings.map(({ merchantId }) => merchantId),
  );
}

async function merchantsWith(visit: StaffContext, ids: readonly string[]): Promise<FoundObject[]> {
  if (ids.length === 0) return [];
  const rows = await everywhere(visit, (database) => findMerchants(database, ids));
  return rows.map((row) => merchant(visit, row));
}

async function payoutsOf(visit: StaffContext, reference: string): Promise<FoundObject[]> {
  if (reference.length < 3 || reference.length > 140 || !visit.can('settlements.read')) return [];
  const rows = await everywhere(visit, (database) => findAnyByBankReference(database, reference));
  return rows.map((row) => payout(visit, row));
}

async function feesNumbered(visit: StaffContext, text: string): Promise<FoundObject[]> {
  const number = readFeeNumber(text);
  if (number === undefined || !visit.can('merchants.read')) return [];
  const rows = await everywhere(visit, (database) => findFeeStatement(database, number));
  return rows.map((row) => owned(visit, 'fees', given(row.id), row));
}

async function linksOf(visit: StaffContext, order: string): Promise<FoundObject[]> {
  if (!visit.can('merchants.read')) return [];
  const rows = await everywhere(visit, (database) => findUnpaidOfOrder(database, order));
  return rows.map((row) => owned(visit, 'cs', idText('cs', row.id), row));
}

/** Something that the page of its merchant shows. */
const owned = (
  visit: StaffContext,
  kind: FoundKind,
  name: Html | undefined,
  { cell, merchantId, merchantName }: OwnedObject & InCell,
): FoundObject => ({
  kind,
  name,
  merchantName,
  href: pageOf(visit, { ...(cell !== undefined && { cell }) }, merchantId),
  ...(cell !== undefined && { cell }),
});

const merchant = (visit: StaffContext, row: Merchant & InCell): FoundObject => ({
  kind: 'me',
  name: given(row.name),
  href: pageOf(visit, row, row.id),
  ...(row.cell !== undefined && { cell: row.cell }),
});

const payout = (visit: StaffContext, row: { id: string } & InCell): FoundObject =>
  pageOfOwn(visit, 'se', 'settlements', row);

/** Something that has a page of its own. */
const pageOfOwn = (
  visit: StaffContext,
  kind: 'se' | 'di' | 'dib',
  folder: string,
  row: { id: string } & InCell,
): FoundObject => ({
  kind,
  name: idText(kind, row.id),
  href: visitOf(visit, row).to(`${folder}/${formatId(kind, row.id)}`),
  ...(row.cell !== undefined && { cell: row.cell }),
});

const pageOf = (visit: StaffContext, row: InCell, merchantId: string) =>
  visitOf(visit, row).to(`merchants/${formatId('me', merchantId)}`);
