import type { TestContext } from 'node:test';
import type { Zimbo } from '../../../sdk/typescript/src/index.ts';
import { makeCreateDisbursement } from '../../src/money/disbursements/create.ts';
import { idempotentRequest } from '../../src/platform/idempotency/idempotency.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { invite } from '../../src/tenants/people/invitations.ts';
import { createMerchantRole } from '../../src/tenants/people/merchant-roles.ts';
import { enrolTill, listTills } from '../../src/tenants/people/till-devices.ts';
import { heldBatches } from './batches.ts';
import { confirmPhone, okPhone } from './checkout.ts';
import { type TestConsole, testConsole } from './console.ts';
import { disbursementInput, disbursing } from './disbursing.ts';
import { anotherGateway, eventually, reach, zimboOf } from './gateway.ts';
import { testReceiver } from './receiver.ts';

const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };

/** One of each object that a page of the console shows, by the name that tests use. */
export type Things = Record<
  | 'payment'
  | 'openPayment'
  | 'openCharge'
  | 'wrongCharge'
  | 'refund'
  | 'link'
  | 'product'
  | 'key'
  | 'endpoint'
  | 'delivery'
  | 'event'
  | 'settlement'
  | 'disbursement'
  | 'batch'
  | 'failedBatch'
  | 'person'
  | 'reusable'
  | 'invitation'
  | 'role'
  | 'cashier'
  | 'till',
  string
>;

export interface Shop {
  merchantId: string;
  test: Things;
}

/**
 * Two merchants with one of each object, and a console whose gateway runs no workers: only requests
 * change the database.
 */
export async function twoShops(
  context: Pick<TestContext, 'after'>,
): Promise<{ site: TestConsole; ours: Shop; theirs: Shop }> {
  const site = await testConsole(context, {
    environment: { ZIMBO_ROLE: 'api', RATE_LIMIT: 'off' },
  });
  const { database, databaseUrl } = site.gateway;
  const { url: hook } = await testReceiver(context);
  const working = await anotherGateway(context, databaseUrl);
  const [ours, theirs] = await Promise.all(
    ['Loja da Praia', 'Loja do Mindelo'].map(async (name) => {
      const { id: merchantId } = await createMerchant({ database, ...author }, name);
      const test = await things(site, { merchantId, url: working.url, hook });
      return { merchantId, test };
    }),
  );
  await working.gateway.stop();
  // Only now, so that no worker takes what waits.
  const waiting = async ({ merchantId, test }: NonNullable<typeof ours>): Promise<Shop> => ({
    merchantId,
    test: { ...test, ...(await disburse(database, merchantId)) },
  });
  return { site, ours: await waiting(ours!), theirs: await waiting(theirs!) };
}

async function things(
  site: TestConsole,
  { merchantId, url, hook }: { merchantId: string; url: string; hook: string },
): Promise<Omit<Things, 'disbursement' | 'batch' | 'failedBatch'>> {
  const { database } = site.gateway;
  const issued = await issueKey({ database, ...author }, { merchantId, mode: 'test' });
  const zimbo = zimboOf(url, issued.key);
  const endpoint = await zimbo.webhooks.create({ url: hook, events: ['payment.debited'] });
  const { personId } = await site.signIn('VIEWER', merchantId);
  const order = { merchantId, email: 'rui@loja.cv', role: 'VIEWER' } as const;
  const invitation = await invite({ database, ...author }, order);
  const cashierId = await cashierAt(database, site, merchantId);
  const product = await zimbo.products.create({ name: 'Café', price: 10_000, currency: 'CVE' });
  return {
    ...(await money(zimbo)),
    ...(await sent(zimbo, endpoint.id)),
    endpoint: endpoint.id,
    product: product.id,
    link: (await zimbo.checkout.sessions.create({ amount: 10_000 })).id,
    reusable: (await zimbo.paymentLinks.create({ description: 'Quota', amount: 10_000 })).id,
    key: formatId('ak', await keyOf(database, merchantId)),
    person: formatId('pe', personId),
    invitation: formatId('iv', invitation.id),
    cashier: formatId('pe', cashierId),
    role: formatId('ro', await roleAt(database, merchantId)),
    till: formatId('td', await tillAt(database, merchantId, cashierId)),
  };
}

const roleAt = (database: Database, merchantId: string) =>
  createMerchantRole(
    { database, ...author },
    { merchantId, name: 'Armazém', permissions: ['products.write'], holds: () => true },
  );

/** A member without e-mail, as a QR code makes them. */
async function cashierAt(database: Database, site: TestConsole, merchantId: string) {
  const { personId } = await site.signIn('CASHIER', merchantId);
  await database.query({ text: 'UPDATE people SET email = NULL WHERE id = $1' }, [personId]);
  return personId;
}

async function tillAt(database: Database, merchantId: string, personId: string): Promise<string> {
  await enrolTill({ database, ...author }, { merchantId, personId, label: 'Chrome, Android' });
  return (await listTills({ database }, { merchantId }))[0]!.id;
}

async function money(zimbo: Zimbo) {
  const about = { amount: 10_000, operator: 'MOCK', operatorPhone: okPhone } as const;
  const paid = await zimbo.payments.create(about);
  await reach(zimbo.payments, paid.id, 'DEBITED');
  const refund = await zimbo.refunds.create({ paymentIntentId: paid.id, amount: 100 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  const settlement = (await zimbo.settlements.process())!;
  await reach(zimbo.settlements, settlement.id, 'COMPLETED');
  const payment = await zimbo.payments.create(about);
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const openOne = async () => {
    const { id } = await zimbo.payments.create({ ...about, operatorPhone: confirmPhone });
    await reach(zimbo.payments, id, 'USER_CONFIRMING');
    return id;
  };
  const [openPayment, openCharge, wrongCharge] = [
    await openOne(),
    await openOne(),
    await openOne(),
  ];
  const [refunded, settled] = [refund.id, settlement.id];
  const open = { openPayment, openCharge, wrongCharge };
  return { payment: payment.id, ...open, refund: refunded, settlement: settled };
}

/** Waits until all deliveries have arrived, so that nothing changes later. */
async function sent(zimbo: Zimbo, endpointId: string) {
  const delivered = await eventually('both events are delivered', async () => {
    const { data } = await zimbo.webhooks.deliveries.list(endpointId).page();
    return data.length === 2 && data.every(({ status }) => status === 'SUCCEEDED') && data;
  });
  const delivery = delivered[0]!.id;
  return { delivery, event: delivery.replace(/^dl/, 'evt') };
}

/** One that waits for a worker, which the gateway of the console does not run. */
async function disburse(database: Database, merchantId: string) {
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [merchantId]);
  const parts = { ...disbursing(), database, onDisbursement() {} };
  const create = makeCreateDisbursement(parts);
  const input = disbursementInput({ tenantId: tenant!.id });
  const idempotency = idempotentRequest(merchantId, {}, () => ({}))!;
  const { id } = (await create({ ...input, idempotency })).disbursement;
  return { disbursement: formatId('di', id), ...(await heldBatches(database, tenant!.id)) };
}

async function keyOf(database: Database, merchantId: string): Promise<string> {
  const text = `
SELECT k.id FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
WHERE t.merchant_id = $1 AND t.mode = 'test' LIMIT 1`;
  return (await database.query<{ id: string }>({ text }, [merchantId]))[0]!.id;
}

const kindOf: Record<string, keyof Things> = {
  payments: 'payment',
  charge: 'payment',
  links: 'link',
  products: 'product',
  keys: 'key',
  endpoints: 'endpoint',
  events: 'event',
  settlements: 'settlement',
  disbursements: 'disbursement',
  roles: 'role',
};

const kindBelow: Record<string, keyof Things> = {
  'links/reusable/': 'reusable',
  'disbursements/batches/': 'batch',
};

/** The address of the page about an object. */
export function addressOf(path: string, things: Things): string {
  const [special] = Object.keys(kindBelow).filter((folder) => path.startsWith(folder));
  const kind = kindBelow[special ?? ''] ?? kindOf[path.split('/')[0]!];
  if (kind === undefined) throw new Error(`${path} names an object that no shop of the tests has`);
  return path.replace(':id', things[kind]).replace(':delivery', things.delivery);
}

/** Sessions and request logs do not count as changes. */
const notes = ['audit_records', 'person_sessions', 'api_request_chunks', 'running_processes'];

/** A digest of each table, except those that record visits and processes. */
export async function digests(database: Database): Promise<Map<string, string>> {
  const list = `
SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> ALL ($1) ORDER BY 1`;
  const tables = await database.query<{ name: string }>({ text: list }, [notes]);
  const texts = tables.map(
    ({ name }) => `
SELECT '${name}' AS name, coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest FROM "${name}" t`,
  );
  const text = texts.join('\nUNION ALL\n');
  const rows = await database.query<{ name: string; digest: string }>({ text });
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}
