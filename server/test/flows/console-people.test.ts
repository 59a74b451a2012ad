/** Cashiers, sessions by PIN, custom roles and QR codes: what each opens, and what each never opens. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pages } from '../../src/interfaces/console/pages/index.ts';
import { csrfTokenOf } from '../../src/interfaces/console/session.ts';
import { staffPages } from '../../src/interfaces/console/staff/index.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { type Permission, permissions } from '../../src/tenants/people/permissions.ts';
import { type Member, memberWith, type TestConsole } from '../support/console.ts';
import { allButtons } from '../support/console-buttons.ts';
import { addressOf, digests, twoShops } from '../support/console-shops.ts';
import { Stranger } from '../support/stranger.ts';

const world = twoShops({ after: (work) => after(work as () => void) });
const forTill: Permission = 'payments.charge';
const pin = '274916';

/** Enrols a browser as a till of the merchant, and signs the person in there by PIN. */
async function byPin(site: TestConsole, member: Member, merchantId: string) {
  const phone = await tillOf(site, member, merchantId);
  const entered = await phone.send('/console/till', enter(member.personId));
  assert.equal(entered.status, 303, entered.text);
  return phone;
}

const enter = (personId: string, typed = pin) => ({
  action: 'enter',
  person: formatId('pe', personId),
  pin: typed,
});

async function tillOf(site: TestConsole, member: Member, merchantId: string): Promise<Stranger> {
  const set = await member.send('/console/account', { action: 'pin', pin });
  assert.match(set.location!, /done=pin$/);
  const merchant = formatId('me', merchantId);
  const enrolled = await member.send('/console/account', { action: 'till', merchant });
  const cookie = enrolled.headers.getSetCookie().find((each) => each.startsWith('zimbo_till='))!;
  assert.match(cookie, /HttpOnly/);
  assert.match(cookie, /SameSite=Strict/);
  assert.match(cookie, /Path=\/console(;|$)/);
  const phone = new Stranger(site);
  phone.cookies.set('zimbo_till', /=([^;]*)/.exec(cookie)![1]!);
  return phone;
}

const tokenIn = (phone: Stranger) => phone.cookies.get('zimbo')!;

test('lets cashiers and sessions by PIN open the till, and no other page or action', async () => {
  const { site, ours } = await world;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const phone = await byPin(site, owner, ours.merchantId);
  const cashier = await site.signIn('CASHIER', ours.merchantId);
  const people: [string, Member][] = [
    ['cashier', cashier],
    ['PIN of an owner', memberWith(site, ours.merchantId, owner.personId, tokenIn(phone))],
  ];
  for (const [name, member] of people) {
    const home = await member.get('');
    assert.equal(home.status, 303, name);
    assert.match(home.location!, /\/test\/charge$/, name);
    const till = await member.get('charge');
    assert.equal(till.status, 200, name);
    assert.doesNotMatch(till.text, /role="search"|class="bell"/, name);
    assert.match(till.text, /class="brand" href="[^"]*\/charge"/, name);
    for (const { path, permission } of pages.filter((page) => page.path !== '')) {
      if (permission === forTill) continue;
      const address = path.includes(':') ? addressOf(path, ours.test) : path;
      assert.equal((await member.get(address)).status, 403, `${name}: ${path}`);
    }
    for (const { path } of staffPages) {
      const address = `/console/staff/${path.replaceAll(/:\w+/g, 'x')}`.replace(/\/$/, '');
      assert.equal((await member.get(address)).status, 404, `${name}: ${address}`);
    }
    const before = await digests(site.gateway.database);
    for (const button of allButtons.filter(({ action }) => action.permission !== forTill)) {
      const { path, fields } = button.press(ours.test);
      assert.equal((await member.post(path, fields)).status, 403, `${name}: ${button.name}`);
    }
    assert.deepEqual(await digests(site.gateway.database), before, name);
  }
});

test('signs out on a phone the person who makes it a till', async () => {
  const { site, ours } = await world;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const phone = await tillOf(site, owner, ours.merchantId);
  // The next person with the phone goes back to the owner's pages.
  assert.match((await owner.get('/console/account')).location!, /\/console\/sign-in\?next=/);
  assert.match((await owner.get('team')).location!, /\/console\/sign-in\?next=/);
  assert.equal((await phone.get('/console/till')).status, 200);
});

test('asks a session by PIN for a full sign-in wherever a person is meant', async () => {
  const { site, ours } = await world;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const phone = await byPin(site, owner, ours.merchantId);
  for (const path of ['/console/account', '/console/prove']) {
    assert.match((await phone.get(path)).location!, /\/console\/sign-in\?next=/, path);
    const csrf = csrfTokenOf(tokenIn(phone));
    const posted = await phone.post(path, { csrf, action: 'pin', pin: '918273' });
    assert.ok(posted.status === 404 || /sign-in/.test(posted.location ?? ''), path);
  }
  assert.equal((await phone.get('/console/sign-in')).status, 200);
  const other = await site.signIn('CASHIER', (await world).theirs.merchantId);
  assert.equal(
    (await phone.send('/console/till', enter(other.personId))).status,
    400,
    'other shop',
  );
});

test('ends sessions by PIN with the phone, the role, the person and the clock', async () => {
  const { site, ours } = await world;
  const { database } = site.gateway;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const base = site.baseOf(ours.merchantId);
  const opens = async (phone: Stranger) => (await phone.get(`${base}/charge`)).status === 200;
  const fresh = async () => {
    const seller = await site.signIn('SUPPORT', ours.merchantId);
    const phone = await byPin(site, seller, ours.merchantId);
    assert.ok(await opens(phone));
    return { phone, person: formatId('pe', seller.personId), personId: seller.personId };
  };
  const revoked = await fresh();
  const text = 'SELECT id FROM till_devices WHERE enrolled_by = $1';
  const [till] = await database.query<{ id: string }>({ text }, [revoked.personId]);
  await owner.send('team', { action: 'end-till', till: formatId('td', till!.id) });
  assert.ok(!(await opens(revoked.phone)), 'revoked');
  assert.match((await revoked.phone.get('/console/till')).text, /não é uma caixa/);
  const changed = await fresh();
  await owner.send('team', { action: 'role', person: changed.person, role: 'VIEWER' });
  assert.ok(!(await opens(changed.phone)), 'role');
  const again = await changed.phone.send('/console/till', enter(changed.personId));
  assert.equal(again.status, 400, 'a viewer may not charge');
  const removed = await fresh();
  await owner.send('team', { action: 'remove', person: removed.person });
  assert.ok(!(await opens(removed.phone)), 'removed');
  const old = await fresh();
  const age = `UPDATE person_sessions SET created_at = now() - interval '12 hours' WHERE person_id = $1`;
  await database.query({ text: age }, [old.personId]);
  assert.ok(!(await opens(old.phone)), 'twelve hours');
});

test('locks a PIN after five wrong ones, until a full sign-in', async () => {
  const { site, ours } = await world;
  const { database } = site.gateway;
  const seller = await site.signIn('SUPPORT', ours.merchantId);
  const phone = await tillOf(site, seller, ours.merchantId);
  // At once: each try counts before it is compared.
  const wrong = Array.from({ length: 12 }, () =>
    phone.post('/console/till', enter(seller.personId, '918273')),
  );
  for (const { status } of await Promise.all(wrong)) assert.equal(status, 400);
  const locked = await phone.post('/console/till', enter(seller.personId));
  assert.equal(locked.status, 400);
  assert.match(locked.text, /PIN is locked/);
  const failures = `SELECT FROM audit_records WHERE action = 'pin.failed' AND subject = $1`;
  const subject = formatId('pe', seller.personId);
  assert.equal((await database.query({ text: failures }, [subject])).length, 5);
  await database.query({ text: 'UPDATE people SET pin_tries = 4 WHERE id = $1' }, [
    seller.personId,
  ]);
  assert.equal((await phone.post('/console/till', enter(seller.personId))).status, 303);
});

test('puts custom roles together, at once for their members, and never with more than the author', async () => {
  const { site, ours } = await world;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const base = site.baseOf(ours.merchantId);
  const form = {
    action: 'create',
    name: 'Balcão',
    permission: ['payments.charge', 'products.write'],
  };
  assert.match((await owner.send('roles/new', form)).location!, /roles\?done=made/);
  for (const permission of [['people.write'], ['everything'], []]) {
    const refused = await owner.send('roles/new', { ...form, name: 'Mais', permission });
    assert.equal(refused.status, 400, permission.join());
  }
  assert.equal((await owner.send('roles/new', form)).status, 400, 'the name is taken');
  const role = /roles\/(ro_\w+)">(?:<bdi>)?Balcão/.exec((await owner.get('roles')).text)![1]!;
  const seller = await site.signIn('VIEWER', ours.merchantId);
  const person = formatId('pe', seller.personId);
  await owner.send('team', { action: 'role', person, role });
  const text = `UPDATE person_sessions SET ended_at = NULL WHERE person_id = $1`;
  await site.gateway.database.query({ text }, [seller.personId]);
  assert.match((await seller.get('')).location!, new RegExp(`${base}/charge$`));
  assert.equal((await seller.get('products/new')).status, 200);
  assert.equal((await seller.get('payments')).status, 403);
  await owner.send(`roles/${role}`, { ...form, action: 'change', permission: 'payments.read' });
  assert.equal((await seller.get('payments')).status, 200);
  assert.equal((await seller.get('products/new')).status, 403);
  assert.equal((await owner.send(`roles/${role}`, { action: 'delete' })).status, 400, 'in use');
  await owner.send('team', { action: 'role', person, role: 'VIEWER' });
  assert.match((await owner.send(`roles/${role}`, { action: 'delete' })).location!, /done=deleted/);
  const theirs = site.baseOf((await world).theirs.merchantId);
  assert.equal((await owner.get(`${theirs}/roles`)).status, 404);
  for (const language of ['pt', 'en']) {
    const { text: page } = await owner.get(`roles?lang=${language}`);
    assert.equal(page.split('<tr>').length - 1 >= permissions.length, true);
  }
});

test('opens a page by none of its buttons to a role that may not see the page', async () => {
  const { site, ours } = await world;
  const { database } = site.gateway;
  const member = await site.signIn('VIEWER', ours.merchantId);
  const made = `
WITH made AS (INSERT INTO merchant_roles (merchant_id, id, name, permissions, created_at)
  VALUES ($1, gen_random_uuid(), 'Um botão', '{}', now()) RETURNING id)
UPDATE memberships SET role = 'CUSTOM', role_id = (SELECT id FROM made) WHERE person_id = $2
RETURNING role_id AS id`;
  const [role] = await database.query<{ id: string }>({ text: made }, [
    ours.merchantId,
    member.personId,
  ]);
  const grant = 'UPDATE merchant_roles SET permissions = $2 WHERE id = $1';
  const hidden = allButtons.filter(({ page, action }) => action.permission !== page.permission);
  assert.ok(hidden.length > 20);
  for (const { name, action, press } of hidden) {
    await database.query({ text: grant }, [role!.id, [action.permission]]);
    const { path, fields } = press(ours.test);
    const before = await digests(database);
    // Not even with a form whose mistakes the page would show.
    for (const sent of [{ action: fields.action! }, fields])
      assert.equal((await member.post(path, sent)).status, 403, name);
    assert.deepEqual(await digests(database), before, name);
  }
});

test('lets somebody without e-mail join by a QR code, once, as a cashier for good', async () => {
  const { site, ours } = await world;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const linkIn = (page: string) =>
    /data-copy="[^"]*(\/console\/invitation\/[^"]+)"/.exec(page)![1]!;
  const made = linkIn((await owner.send('team', { action: 'qr' })).text);
  const seller = await site.signIn('SUPPORT', ours.merchantId);
  const phone = await tillOf(site, seller, ours.merchantId);
  const easy = await phone.send(made, { action: 'pin', name: 'Rosa', pin: '123456' });
  assert.equal(easy.status, 400);
  const joined = await phone.send(made, { action: 'pin', name: 'Rosa', pin });
  assert.match(joined.text, /You are ready/);
  assert.ok(!phone.cookies.has('zimbo'), 'a PIN alone does not sign in');
  assert.equal((await new Stranger(site).get(made)).status, 404, 'used');
  const { text } = await phone.get('/console/till');
  const person = /value="(pe_\w+)"[^>]*> <b>(?:<bdi>)?Rosa/.exec(text)![1]!;
  assert.equal((await phone.send('/console/till', { action: 'enter', person, pin })).status, 303);
  const raised = await owner.send('team', { action: 'role', person, role: 'OWNER' });
  assert.equal(raised.status, 400);
  assert.match(raised.text, /stay cashiers/);
  const again = linkIn((await owner.send('team', { action: 'new-pin', person })).text);
  assert.match((await phone.send(again, { action: 'pin', pin: '918274' })).text, /You are ready/);
  const base = site.baseOf(ours.merchantId);
  assert.notEqual((await phone.get(`${base}/charge`)).status, 200, 'the earlier session ended');
  const mailed = formatId('pe', owner.personId);
  assert.equal((await owner.send('team', { action: 'new-pin', person: mailed })).status, 400);
});
