/**
 * Every form that four eyes may guard, opened and submitted by every role under every setting: it
 * works, it requests an approval and says so, or it was not offered.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewItemOf } from '../../src/money/review/review-item.ts';
import { insertReviewItem } from '../../src/money/review/store.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { type GuardedAct, guardedActs } from '../../src/platform/values/four-eyes.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { roles } from '../../src/tenants/people/permissions.ts';
import { staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { processingSettlement } from '../support/settled.ts';

interface WalkedForm {
  name: string;
  of: 'STAFF' | 'MERCHANT';
  /** The act that its second person approves, or the setting of large refunds. */
  act?: GuardedAct | 'refunds';
  page: (world: World) => Promise<string> | string;
  fields: Record<string, string>;
  /** Under its act nobody is offered it, because others request it elsewhere. */
  isHiddenThen?: boolean;
}

type World = Awaited<ReturnType<typeof setUp>>;

const merchant = ({ id }: World) => `merchants/${id}`;
const account = { currency: 'CVE', accountNumber: 'CV64000500000020108215144', holder: 'Loja' };

const forms: readonly WalkedForm[] = [
  { name: 'test key', of: 'STAFF', page: merchant, fields: { action: 'key', mode: 'test' } },
  {
    name: 'live key',
    of: 'STAFF',
    act: 'live-keys',
    page: merchant,
    fields: { action: 'key', mode: 'live' },
    isHiddenThen: true,
  },
  {
    name: 'bank account',
    of: 'STAFF',
    act: 'bank-accounts',
    page: merchant,
    fields: { action: 'bank-account', ...account },
  },
  { name: 'terms', of: 'STAFF', page: merchant, fields: { action: 'terms', maxPayment: '' } },
  {
    name: 'schedule',
    of: 'STAFF',
    page: merchant,
    fields: { action: 'schedule', schedule: 'DAILY' },
  },
  { name: 'brand', of: 'STAFF', page: merchant, fields: { action: 'brand', name: 'Loja' } },
  { name: 'owner', of: 'STAFF', page: merchant, fields: { action: 'invite', email: 'a@loja.cv' } },
  { name: 'suspend', of: 'STAFF', page: merchant, fields: { action: 'suspend' } },
  { name: 'resume', of: 'STAFF', page: merchant, fields: { action: 'resume' } },
  {
    name: 'admin key',
    of: 'STAFF',
    page: () => 'admin-keys/new',
    fields: { action: 'create', label: 'k', permissions: 'merchants.read' },
  },
  {
    name: 'own live key',
    of: 'MERCHANT',
    act: 'live-keys',
    page: ({ live }) => `${live}/keys/new`,
    fields: { action: 'create', label: 'k', permissions: 'payments:read' },
  },
  {
    name: 'own test key',
    of: 'MERCHANT',
    page: () => 'keys/new',
    fields: { action: 'create', label: 'k', permissions: 'payments:read' },
  },
  {
    name: 'sample key',
    of: 'MERCHANT',
    page: () => 'reference',
    fields: { action: 'create' },
  },
  {
    name: 'rolled live key',
    of: 'MERCHANT',
    act: 'live-keys',
    page: ({ liveKey, live }) => `${live}/keys/${liveKey}`,
    fields: { action: 'roll', overlap: '24' },
    isHiddenThen: true,
  },
  {
    name: 'refund',
    of: 'MERCHANT',
    act: 'refunds',
    page: (world) => world.pay(),
    fields: { action: 'refund', amount: '1500', reason: 'x' },
  },
  {
    name: 'review',
    of: 'STAFF',
    act: 'reviews',
    page: (world) => world.review(),
    fields: { action: 'close' },
  },
  {
    name: 'settlement',
    of: 'STAFF',
    act: 'settlements',
    page: (world) => world.settlement(),
    fields: { action: 'complete' },
  },
];

type Setting = GuardedAct | 'refunds';
const settings: readonly (readonly Setting[])[] = [
  [],
  ...guardedActs.map((act) => [act]),
  ['refunds'],
  [...guardedActs, 'refunds'],
];

async function setUp(context: Parameters<typeof testConsole>[0], guarded: readonly Setting[]) {
  const acts = guarded.filter((each) => each !== 'refunds').join();
  const environment = {
    ZIMBO_ALLOW_LIVE_EMBEDDED: 'true',
    ...(acts !== '' && { FOUR_EYES: acts }),
    ...(guarded.includes('refunds') && { REFUND_APPROVAL_ABOVE: 'CVE=50000' }),
  };
  const site = await testConsole(context, { environment });
  const { gateway, merchantId } = site;
  const { database } = gateway;
  const live = site.baseOf(merchantId, 'live');
  return {
    site,
    live,
    id: formatId('me', merchantId),
    liveKey: await addLiveKey(site),
    /** A paid payment's form of refunds. */
    async pay() {
      const order = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
      const { id } = await gateway.zimbo.payments.create(order);
      await reach(gateway.zimbo.payments, id, 'DEBITED');
      return `payments/${id}/refund`;
    },
    /** A case that nobody has closed. */
    async review() {
      const { id } = await gateway.zimbo.payments.create({
        amount: 1_000,
        operator: 'MOCK',
        operatorPhone: '+2389912345',
      });
      const text = 'SELECT tenant_id AS "tenantId", id, operator FROM payments WHERE id = $1';
      const [row] = await database.query<{ tenantId: string; id: string; operator: 'MOCK' }>(
        { text },
        [parseId('pi', id)],
      );
      const booked = { outcome: 'OPEN', transactions: [] };
      const detail = { booked, told: { transactionStatus: 'completed' }, by: 'callback' };
      const finding = { kind: 'CONTRADICTION', about: 'callback', detail } as const;
      await insertReviewItem(database, reviewItemOf('PAYMENT', row!, finding, Date.now()));
      return `reviews/${id}`;
    },
    async settlement() {
      const keys =
        "DELETE FROM api_keys WHERE tenant_id IN (SELECT id FROM tenants WHERE mode = 'live')";
      await database.query({ text: keys });
      return `settlements/${await processingSettlement(gateway)}`;
    },
  };
}

/** A live key from before the setting. */
async function addLiveKey({ gateway, merchantId }: TestConsole): Promise<string> {
  const parts = { database: gateway.database, clock: systemClock, ids: randomIds() };
  const order = { merchantId, mode: 'live' as const, terms: { label: 'old' }, once: 'old' };
  return formatId('ak', (await issueKey(parts, order)).id);
}

/** The fields that the form of this button holds, or none if the page has no such button or choice. */
function offeredFields(text: string, wanted: Record<string, string>) {
  const found = [...text.matchAll(/<form method="post".*?<\/form>/gs)]
    .map(([each]) => each)
    .find((each) => each.includes(`name="action" value="${wanted.action}"`));
  if (found === undefined) return undefined;
  const isChoice = wanted.mode === undefined || found.includes(`<option value="${wanted.mode}"`);
  const held = [...found.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const reason = /name="(reason_[^"]+)"/.exec(found)?.[1];
  return isChoice
    ? {
        ...Object.fromEntries(held.map(([, name, value]) => [name!, value!])),
        ...(reason && { [reason]: 'explained' }),
      }
    : undefined;
}

async function walk(member: Member, page: string, form: WalkedForm): Promise<string> {
  const shown = await member.get(page);
  const fields = shown.status === 200 ? offeredFields(shown.text, form.fields) : undefined;
  if (fields === undefined) return 'not offered';
  const { status, location, text } = await member.post(page, { ...fields, ...form.fields });
  if (status === 200) return 'done';
  if (status !== 303) return `${status} ${/class="notice bad"[^>]*>([^<]*)/.exec(text)?.[1]}`;
  if (!/done=(asked|accountAsked)/.test(location!)) return 'done';
  const after = await member.get(location!);
  assert.match(after.text, /class="notice good"[^>]*>[^<]*(?:approve|approval)/, form.name);
  return 'asked';
}

for (const guarded of settings) {
  test(`offers only forms that work with ${guarded.join(', ') || 'no four eyes'}`, async (context) => {
    const world = await setUp(context, guarded);
    const { site } = world;
    const staff = await Promise.all(staffRoles.map((role) => site.signInStaff(role)));
    const members = await Promise.all(roles.map((role) => site.signIn(role)));
    for (const form of forms) {
      const outcomes = new Set<string>();
      const page = await form.page(world);
      for (const member of form.of === 'STAFF' ? staff : members) {
        outcomes.add(await walk(member, page, form));
      }
      outcomes.delete('not offered');
      const isGuarded = form.act !== undefined && guarded.includes(form.act);
      const unguarded = isGuarded ? 'asked' : 'done';
      const expected = isGuarded && form.isHiddenThen ? [] : [unguarded];
      assert.deepEqual([...outcomes], expected, form.name);
    }
  });
}
