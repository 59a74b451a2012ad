import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKeyPage } from '../../src/interfaces/console/pages/new-key.ts';
import type { MerchantContext } from '../../src/interfaces/console/request-context.ts';
import { commonWords } from '../../src/interfaces/console/words/common.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { allPermissions } from '../../src/tenants/merchants/api-key.ts';
import { can, roles } from '../../src/tenants/people/permissions.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { apiOf } from '../support/gateway.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const order = { action: 'create', label: 'till 3', permissions: [...allPermissions], expires: '' };
const keyIn = (text: string) => /sk_(?:test|live)_[0-9A-Za-z]{32}/.exec(text)?.[0];
const liveOf = ({ base }: TestConsole) => base.replace(/test$/, 'live');

/** The id of the key with this label, from the list. */
async function idOf(member: Member, label: string, list = 'keys'): Promise<string> {
  const { text } = await member.get(list);
  const [, id] = new RegExp(`keys/(ak_[0-9a-z]{26})"?[^>]*>(?:<bdi>)?${label}<`).exec(text) ?? [];
  assert.ok(id, `${label} is in the list`);
  return id;
}

async function auditText({ gateway }: TestConsole): Promise<string> {
  const text = 'SELECT row_to_json(audit_records)::text AS line FROM audit_records';
  const rows = await gateway.database.query<{ line: string }>({ text });
  return rows.map(({ line }) => line).join('\n');
}

test('creates a key as the form says, and shows it only in that answer', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('DEVELOPER');
  const made = await member.send('keys/new', {
    ...order,
    permissions: ['payments:read', 'phones:read'],
    expires: '30',
    maxPayment: '250,5',
    maxRefunded: '1000',
    addresses: '127.0.0.1\n192.0.2.0/24',
    once: 'one',
  });
  const key = keyIn(made.text);
  assert.equal(made.status, 200);
  assert.equal(made.location, null, 'no address ever holds a key');
  assert.equal(made.headers.get('cache-control'), 'no-store');
  assert.ok(key);
  assert.doesNotMatch(made.text, /data-refresh-ms/, 'or the key would be gone after some seconds');
  const api = apiOf(site.gateway.url, key);
  assert.equal((await api('GET', '/v1/payments')).status, 200);
  const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
  assert.equal((await api('POST', '/v1/payments', payment)).status, 403);

  const page = await member.get(`keys/${await idOf(member, 'till 3')}`);
  assert.match(page.text, new RegExp(`…${key.slice(-4)}`));
  for (const said of ['250.5', '1000', '127.0.0.1, 192.0.2.0/24', 'See payments']) {
    assert.ok(page.text.includes(said), said);
  }
  for (const path of ['keys', 'keys/new', 'reference', 'requests']) {
    assert.equal(keyIn((await member.get(path)).text), undefined, path);
  }
  assert.equal(keyIn(page.text), undefined);
  const audit = await auditText(site);
  assert.match(audit, /api_key\.issued/);
  assert.match(audit, /"actor":"person:pe_/);
  assert.equal(keyIn(audit), undefined);
});

test('creates one key for a form sent twice, even at once', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn();
  const send = () => member.send('keys/new', { ...order, once: 'the same' });
  const answers = await Promise.all([send(), send(), send()]);
  const shown = answers.filter(({ text }) => keyIn(text) !== undefined);
  assert.equal(shown.length, 1);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  const text = `SELECT count(*)::integer AS count FROM api_keys WHERE label = 'till 3'`;
  assert.deepEqual(await site.gateway.database.query({ text }), [{ count: 1 }]);
  const other = await site.signIn();
  const again = await other.send('keys/new', { ...order, once: 'another' });
  assert.ok(keyIn(again.text));
});

test('shows each mistake next to its field, and keeps the input', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  for (const [field, wrong] of Object.entries({
    label: 'a\u202eb',
    permissions: [],
    expires: '7000',
    addresses: '10.0.0.1 <b>',
    maxPayment: '1.000',
    maxRefunded: '-1',
  })) {
    const { status, text } = await member.send('keys/new', { ...order, [field]: wrong });
    assert.equal(status, 400, field);
    assert.match(text, new RegExp(`id="${field}-error"`));
    assert.equal(keyIn(text), undefined);
    if (field !== 'label') assert.match(text, /value="till 3"/);
  }
});

test('keeps a rolled key valid for the chosen time, and rolls it once', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  const first = keyIn((await member.send('keys/new', { ...order, once: '1' })).text)!;
  const page = `keys/${await idOf(member, 'till 3')}`;
  const roll = () => member.send(page, { action: 'roll', overlap: '24' });
  const answers = await Promise.all([roll(), roll()]);
  const keys = answers.map(({ text }) => keyIn(text)).filter((key) => key !== undefined);
  assert.equal(keys.length, 1);
  for (const key of [first, keys[0]!]) {
    assert.equal((await apiOf(site.gateway.url, key)('GET', '/v1/payments')).status, 200);
  }
  const after = await member.get(page);
  assert.equal(keyIn(after.text), undefined);
  assert.match(after.text, /Replaced by/);
  assert.doesNotMatch(after.text, /value="roll"/);
});

test('rejects a revoked key, and shows it as revoked', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  const key = keyIn((await member.send('keys/new', { ...order, once: '1' })).text)!;
  const page = `keys/${await idOf(member, 'till 3')}`;
  const { status, location } = await member.send(page, { action: 'revoke' });
  assert.equal(status, 303);
  const after = await member.get(location!);
  assert.match(after.text, /The key has been revoked/);
  assert.doesNotMatch(after.text, /value="revoke"/);
  assert.equal((await apiOf(site.gateway.url, key)('GET', '/v1/payments')).status, 401);
});

test('hides and protects keys of other merchants and modes', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  const made = await member.send(`${liveOf(site)}/keys/new`, { ...order, once: '1' });
  assert.ok(keyIn(made.text)?.startsWith('sk_live_'));
  const id = await idOf(member, 'till 3', `${liveOf(site)}/keys`);
  assert.equal((await member.get(`keys/${id}`)).status, 404);
  const csrf = { ...order, once: '2' };
  await member.send('keys/new', csrf);
  for (const action of ['roll', 'revoke']) {
    const { text } = await member.get('keys/new');
    const [, token] = /name="csrf" value="([^"]*)"/.exec(text)!;
    const answer = await fetch(`${site.origin}${site.base}/keys/${id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: member.cookie, origin: site.origin },
      body: new URLSearchParams({ csrf: token!, action }),
    });
    assert.equal(answer.status, 404, action);
  }
  const state = await member.get(`${liveOf(site)}/keys/${id}`);
  assert.match(state.text, /data-status="VALID"/);
});

test('creates live keys only after reauthentication', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('DEVELOPER');
  const stale = `UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'`;
  await site.gateway.database.query({ text: stale });
  const live = await member.send(`${liveOf(site)}/keys/new`, { ...order, once: '1' });
  assert.equal(live.status, 303);
  assert.match(live.location!, /\/console\/prove\?next=/);
  assert.ok(keyIn((await member.send('keys/new', { ...order, once: '2' })).text));
  const text = `SELECT count(*)::integer AS count FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE t.mode = 'live'`;
  assert.deepEqual(await site.gateway.database.query({ text }), [{ count: 0 }]);
});

test('creates no live keys on a trial database, like the command line', async () => {
  const services = { allowsLiveKeys: false, ids: randomIds() };
  const visit = {
    mode: 'live',
    language: 'en',
    words: commonWords.en,
    nowMs: 0,
    services,
  } as unknown as MerchantContext;
  const form = {
    text: () => '',
    all: () => [...allPermissions],
    file: () => Promise.resolve(undefined),
  };
  for (const view of [
    await newKeyPage.show(visit),
    await newKeyPage.actions!.create!.run(visit, form),
  ]) {
    assert.ok('main' in view);
    assert.equal(view.status, 400);
    assert.match(view.main.text, /DATABASE_URL/);
  }
});

test('shows and creates keys only for owners and developers', async () => {
  const site = await sharedConsole();
  for (const role of roles) {
    const member = await site.signIn(role);
    const isAllowed = role === 'OWNER' || role === 'DEVELOPER';
    assert.equal((await member.get('keys')).status, isAllowed ? 200 : 403, role);
    const own = await member.get(can(role, 'payments.read') ? 'payments' : 'charge');
    const [, csrf] = /name="csrf" value="([^"]*)"/.exec(own.text)!;
    const answer = await fetch(`${site.origin}${site.base}/keys/new`, {
      method: 'POST',
      headers: { cookie: member.cookie, origin: site.origin },
      body: new URLSearchParams({ csrf: csrf!, ...order, permissions: 'payments:read' }),
    });
    assert.equal(answer.status, isAllowed ? 200 : 403, role);
  }
});

test('fills a test key into the reference once', async () => {
  const site = await sharedConsole();
  const member = await site.signIn('DEVELOPER');
  const before = await member.get('reference');
  assert.equal(keyIn(before.text), undefined);
  assert.ok(before.text.includes(`export ZIMBO_API_KEY=&#39;sk_test_…&#39;`));
  const fields = { action: 'create', once: 'here' };
  const made = await member.send('reference', fields);
  const key = keyIn(made.text)!;
  assert.ok(made.text.includes(`export ZIMBO_API_KEY=&#39;${key}&#39;`));
  assert.equal((await apiOf(site.gateway.url, key)('GET', '/v1/payments')).status, 200);
  const again = await member.send('reference', fields);
  assert.equal(again.status, 409);
  assert.equal(keyIn(again.text), undefined);
  const live = await member.send(`${liveOf(site)}/keys/new`, { action: 'nothing' });
  assert.equal(live.status, 404);
  const page = await member.get(`${liveOf(site)}/reference`);
  assert.doesNotMatch(page.text, /value="create"/);
});

test('limits the disbursements of a key that may disburse, in the form, the list and the request', async (context) => {
  const site = await testConsole(context, { environment: { FOUR_EYES: 'live-keys' } });
  const member = await site.signIn();
  const limits = { maxDisbursement: '250,5', maxDisbursedPerDay: '1000' };
  const disburses = { ...order, permissions: ['disbursements:write'], ...limits };
  for (const name of Object.keys(limits)) {
    const wrong = await member.send('keys/new', { ...disburses, [name]: '1.000,00' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, new RegExp(`id="${name}-error"`));
  }
  const none = await member.send('keys/new', { ...disburses, maxDisbursement: '0' });
  assert.match(none.text, /id="maxDisbursement-error"/);
  const text = `SELECT max_disbursement_minor AS one, max_disbursed_per_day_minor AS day
    FROM api_keys WHERE label = $1`;
  const limitsOf = (label: string) => site.gateway.database.query({ text }, [label]);
  await member.send('keys/new', { ...disburses, label: 'salaries' });
  assert.deepEqual(await limitsOf('salaries'), [{ one: 25_050n, day: 100_000n }]);
  const page = (await member.get(`keys/${await idOf(member, 'salaries')}`)).text;
  assert.match(page, /Disbursement: 250\.5/);
  assert.match(page, /Disbursements per day: 1000/);
  await member.send('keys/new', { ...disburses, label: 'reader', permissions: ['payments:read'] });
  assert.deepEqual(await limitsOf('reader'), [{ one: null, day: null }]);
  await member.send(`${liveOf(site)}/keys/new`, { ...disburses, label: 'live' });
  const [asked] = await site.gateway.database.query<{ request: string }>({
    text: 'SELECT request FROM approvals',
  });
  const { maxDisbursementMinor, maxDisbursedPerDayMinor } = JSON.parse(asked!.request);
  assert.deepEqual([maxDisbursementMinor, maxDisbursedPerDayMinor], ['25050', '100000']);
  const shown = (await member.get(`${liveOf(site)}/approvals`)).text;
  assert.match(
    shown,
    /Limit per disbursement[\s\S]*250\.50[\s\S]*Daily disbursement limit[\s\S]*1,000\.00/,
  );
});

test('offers no limits of disbursements where disbursements are off', async (context) => {
  const site = await testConsole(context, { environment: { DISBURSEMENTS: 'off' } });
  const member = await site.signIn('DEVELOPER');
  assert.doesNotMatch((await member.get('keys/new')).text, /maxDisburse/);
});
