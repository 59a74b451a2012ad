/**
 * Every button of the console, for each role, other merchants, each mode and foreign forms; and
 * arbitrary values in addresses and forms: each gets a page with an explanation, and never a
 * failure.
 */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { pages } from '../../src/interfaces/console/pages/index.ts';
import { can, roles } from '../../src/tenants/people/permissions.ts';
import type { Member, PageAnswer } from '../support/console.ts';
import {
  actionOf,
  allButtons as all,
  buttons,
  type Fields,
  fresh,
} from '../support/console-buttons.ts';
import { addressOf, digests, type Things, twoShops } from '../support/console-shops.ts';

/** One set of shops for all tests; the test that changes them is last. */
async function setUp(context: Pick<TestContext, 'after'>) {
  const shops = await twoShops(context);
  const { database } = shops.site.gateway;
  /** The database is unchanged afterwards. */
  const unchanged = async (work: () => Promise<void>, whose: string) => {
    const before = await digests(database);
    await work();
    assert.deepEqual(await digests(database), before, whose);
  };
  return { ...shops, database, unchanged };
}

const shops = setUp({ after: (work) => after(work as () => void) });

test('lists exactly the existing buttons in this test', () => {
  assert.deepEqual(Object.keys(buttons).toSorted(), [...actionOf.keys()].toSorted());
});

test('rejects forms of strangers, other sites and other merchants without a change', async () => {
  const { site, ours, theirs, unchanged } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const other = await site.signIn('OWNER', theirs.merchantId);
  const base = site.baseOf(ours.merchantId);
  const { origin } = site;
  await unchanged(async () => {
    for (const { name, press } of all) {
      const { path, fields } = press(ours.test);
      const status = async (answer: ReturnType<Member['post']>) => (await answer).status;
      const stranger = { origin, cookie: '' };
      const asked = await owner.post(path, fields, stranger);
      assert.match(asked.location!, /\/console\/sign-in\?next=/, name);
      assert.equal(await status(other.post(`${base}/${path}`, fields)), 404, name);
      const foreign = { origin: 'https://evil.example' };
      assert.equal(await status(owner.post(path, fields, foreign)), 403, name);
      assert.equal(await status(owner.post(path, fields, {})), 403, name);
      for (const csrf of ['', 'x'.repeat(43)]) {
        assert.equal(await status(owner.post(path, { ...fields, csrf })), 403, name);
      }
    }
    for (const action of ['', 'constructor', '__proto__', 'toString']) {
      for (const { path } of pages) {
        const { status } = await owner.post(path.replaceAll(/:\w+/g, 'x'), { action });
        assert.ok([403, 404].includes(status), `${path} ${action}: ${status}`);
      }
    }
  }, 'nobody');
});

test('requires reauthentication in live mode to move money or grant rights', async () => {
  const { site, ours, database, unchanged } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const text = `UPDATE person_sessions SET reauthenticated_at = now() - interval '10 minutes'`;
  await database.query({ text });
  const sensitive = all.filter(({ action }) => action.isSensitive);
  assert.ok(sensitive.length >= 12);
  const live = site.baseOf(ours.merchantId, 'live');
  await unchanged(async () => {
    for (const { name, press, action } of sensitive) {
      const { path, fields } = press(ours.test);
      const { status, location } = await owner.post(`${live}/${path}`, fields);
      assert.equal(status, 303, name);
      assert.equal(location, `/console/prove?next=${encodeURIComponent(`${live}/${path}`)}`);
      if (action.isSensitive !== 'ALWAYS') continue;
      assert.match((await owner.post(path, fields)).location!, /\/console\/prove\?next=/, name);
    }
  }, 'whoever proves nothing');
});

test('hides objects of another merchant or mode', async () => {
  const { site, ours, theirs, unchanged } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const live = site.baseOf(ours.merchantId, 'live');
  const withId = all.filter(({ name }) => name.includes(':'));
  const shown = pages.filter(({ path }) => path.includes(':id'));
  // Both modes share people, and their roles.
  const isShared = (path: string) => path.startsWith('roles/');
  await unchanged(async () => {
    for (const { name, press } of withId) {
      const { path, fields } = press(theirs.test);
      assert.equal((await owner.post(path, fields)).status, 404, name);
      const own = press(ours.test);
      if (isShared(own.path)) continue;
      const inLive = await owner.post(`${live}/${own.path}`, own.fields);
      assert.equal(inLive.status, 404, `live: ${name}`);
    }
    for (const { path } of shown) {
      const address = addressOf(path, theirs.test);
      // The till leads to its last charge; the logo is the shop's own, or missing.
      assert.equal((await owner.get(address)).status, 404, address);
      if (isShared(path)) continue;
      const own = addressOf(path, ours.test);
      assert.equal((await owner.get(`${live}/${own}`)).status, 404, `live: ${own}`);
    }
    for (const [path, fields] of smuggled(ours.test, theirs.test)) {
      const { status, text } = await owner.post(path, fields);
      assert.ok(status === 404 || status === 400, `${path} ${fields.action}: ${status}`);
      for (const id of Object.values(theirs.test)) assert.ok(!text.includes(`/${id}`), path);
    }
  }, 'things of others');
});

/** Forms of our pages that name another merchant's objects. */
const smuggled = (ours: Things, theirs: Things): [string, Fields][] => [
  [`payments/${ours.payment}`, { ...theirs, action: 'redeliver' }],
  [`payments/${ours.payment}`, { ...theirs, event: ours.event, action: 'redeliver' }],
  [`payments/${ours.payment}`, { ...theirs, endpoint: ours.endpoint, action: 'redeliver' }],
  [`disbursements/${ours.disbursement}`, { ...theirs, action: 'redeliver' }],
  [`events/${ours.event}`, { endpoint: theirs.endpoint, action: 'redeliver' }],
  [`endpoints/${ours.endpoint}/deliveries/${theirs.delivery}`, { action: 'redeliver' }],
  [`endpoints/${theirs.endpoint}/deliveries/${ours.delivery}`, { action: 'redeliver' }],
  ['team', { action: 'revoke', invitation: theirs.invitation }],
  ['team', { action: 'role', person: theirs.person, role: 'OWNER' }],
  ['team', { action: 'remove', person: theirs.person }],
  ...['charge', 'links/new'].map((path): [string, Fields] => [
    path,
    {
      ...fresh(),
      action: path === 'charge' ? 'link' : 'create',
      currency: 'CVE',
      [`quantity.${theirs.product}`]: '1',
    },
  ]),
];

test('shows no form or link that a person may not use', async () => {
  const { site, ours } = await shops;
  const dead: string[] = [];
  for (const role of roles) {
    const member = await site.signIn(role, ours.merchantId);
    const links = new Map<string, string>();
    for (const { path, actions = {} } of pages) {
      const address = path.includes(':') ? addressOf(path, ours.test) : path;
      const { status, text } = await member.get(address);
      if (status !== 200) continue;
      const shown = [...text.matchAll(/name="action" value="([^"]*)"/g)].map(([, name]) => name!);
      for (const name of shown) {
        const action = actions[name];
        if (action === undefined || !can(role, action.permission)) {
          dead.push(`${role} at ${address}: ${name}`);
        }
      }
      for (const [, to] of text.matchAll(/ href="([^"#?]*\/console\/me_[^"#?]*)/g))
        links.set(to!, address);
    }
    for (const [to, from] of links) {
      if ((await member.get(to)).status === 403) dead.push(`${role} at ${from}: ${to}`);
    }
  }
  assert.deepEqual(dead, []);
});

/** Values in addresses. */
const hostile = [
  '%00',
  '1e400',
  '0000-01-01',
  '9999-12-31',
  '9999-12-31T23:59',
  '999999999999999.x',
  '%25%5F%5C%27%22%3Cscript%3E',
  `%2B${'9'.repeat(4_000)}`,
];

/** Values in place of an id. */
const noIds = ['%00', 'constructor', 'pi_00000000000000000000000000', 'x'.repeat(4_000)];

/** The page-specific query parameters, in addition to the common ones. */
const asked: Record<string, readonly string[]> = {
  '': ['days', 'csv'],
  payments: [
    'q',
    'status',
    'operator',
    'from',
    'until',
    'amount_from',
    'amount_until',
    'customer',
    'order',
    'column',
    'starting_after',
  ],
  'payments/export': ['from', 'until', 'amount_from', 'amount_until', 'customer', 'order'],
  refunds: ['status', 'starting_after'],
  charge: ['again', 'currency'],
  links: ['status', 'starting_after'],
  'links/new': ['currency'],
  'links/reusable': ['starting_after'],
  'links/reusable/:id': ['starting_after'],
  products: ['starting_after'],
  endpoints: ['starting_after'],
  'endpoints/:id': ['status', 'starting_after', 'count', 'since', 'after', 'until', 'of'],
  events: ['type', 'from', 'until', 'starting_after'],
  requests: ['status', 'method', 'route', 'key', 'request_id', 'starting_after'],
  money: ['before', 'currency'],
  disbursements: ['status', 'from', 'until', 'starting_after', 'done'],
  'disbursements/new': ['currency', 'done'],
  'disbursements/batches': ['status', 'starting_after'],
  'disbursements/batches/:id': ['starting_after', 'done'],
  'disbursements/file.csv': ['status', 'from', 'until'],
  settlements: ['status', 'starting_after'],
  'settlements/:id': ['starting_after'],
  statement: ['from', 'until', 'currency', 'print'],
  'statement.csv': ['from', 'until', 'currency'],
  'statement/movements.csv': ['from', 'until', 'currency'],
  audit: ['action', 'actor', 'subject', 'from', 'until', 'starting_after'],
};

/** A page, a picture or a file; or a page that explains the problem. */
function check({ status, text, headers }: PageAnswer, address: string, faults: string[]): void {
  const type = headers.get('content-type') ?? '';
  const isPage = type.startsWith('text/html') && (text.includes('<h1') || text.includes('poster'));
  const isFile = status === 200 && /^(image\/|text\/csv|application\/)/.test(type);
  const isDesigned = isPage || isFile || (status >= 300 && status < 400);
  const isPrivate = headers.get('cache-control') === 'no-store';
  const isFramed = !headers.get('content-security-policy')?.includes("frame-ancestors 'none'");
  if (status < 500 && isDesigned && isPrivate && !isFramed) return;
  faults.push(`${status} ${type} ${headers.get('cache-control')} ${address.slice(0, 120)}`);
}

test('never fails for any address of a page', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  const look = async (address: string) => check(await owner.get(address), address, faults);
  for (const { path } of pages) {
    const address = path.includes(':') ? addressOf(path, ours.test) : path;
    for (const name of asked[path] ?? []) {
      for (const value of hostile) await look(`${address}?${name}=${value}`);
      await look(`${address}?${name}=2026-01-01&${name}=%00&${name}`);
    }
    await look(`${address}?done=constructor&lang=%00&lang=pt&=&%&%zz=%zz&=%00`);
    if (!path.includes(':')) continue;
    for (const value of noIds) await look(path.replace(':id', value).replace(':delivery', value));
  }
  for (const nowhere of [
    'nowhere',
    'payments/',
    'payments/x/y/z',
    '/console/',
    '/console/nowhere',
  ]) {
    const answer = await owner.get(nowhere);
    check(answer, nowhere, faults);
    assert.equal(answer.status, 404, nowhere);
  }
  assert.deepEqual(faults, []);
});

const doors = ['', '/sign-in', '/prove', '/account', '/sign-out', '/invitation/x', '/welcome/x'];

test('never fails for any address of the sign-in pages', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  for (const door of doors) {
    const address = `/console${door}`;
    for (const value of hostile) {
      const query = ['next', 'done', 'lang'].map((name) => `${name}=${value}`).join('&');
      check(await owner.get(`${address}?${query}`), `${door}?${value}`, faults);
    }
    for (const action of ['constructor', '__proto__', 'toString', 'nothing']) {
      const answer = await owner.post(address, { action });
      check(answer, `${door} ${action}`, faults);
      if (answer.status !== 404) faults.push(`${door} ${action}: ${answer.status}`);
    }
  }
  for (const value of ['\0', 'null', '[]', '{"id":7}', '{"id":"\\u0000"}', 'x'.repeat(9_000)]) {
    for (const action of ['password', 'passkey', 'profile', 'codes', 'remove-passkey']) {
      const names = ['name', 'email', 'code', 'draft', 'response', 'passkey', 'label', 'language'];
      const fields = Object.fromEntries(names.map((name) => [name, value]));
      for (const door of ['/account', '/prove', '/sign-in']) {
        const headers = door === '/sign-in' ? { origin: site.origin, cookie: '' } : undefined;
        const answer = await owner.post(`/console${door}`, { ...fields, action }, headers);
        check(answer, `${door} ${action} ${value}`, faults);
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('answers a malformed form with a page', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  const { origin } = site;
  const address = `${origin}${site.baseOf(ours.merchantId)}/charge`;
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', '']) {
    const headers = { origin, cookie: owner.cookie, ...(type !== '' && { 'content-type': type }) };
    const answer = await fetch(address, { method: 'POST', headers, body: '{"action":' });
    const { status, headers: sent } = answer;
    const text = await answer.text();
    check({ status, text, headers: sent, location: null }, type, faults);
  }
  const long = await owner.post('charge', { action: 'charge', amount: 'x'.repeat(300_000) });
  check(long, 'long', faults);
  assert.equal(long.status, 400);
  assert.deepEqual(faults, []);
});

test('never fails for any value in a form', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  const values = [
    '\0',
    '1e400',
    '9'.repeat(60),
    '9999-12-31T23:59',
    'https://[::',
    'x'.repeat(9_000),
  ];
  for (const { name, press } of all) {
    const { path, fields } = press(ours.test);
    for (const field of Object.keys(fields).filter((each) => each !== 'action')) {
      for (const value of values) {
        const sent = { ...press(ours.test).fields, [field]: value };
        check(await owner.post(path, sent), `${name} ${field}=${value}`, faults);
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('lets a role press exactly the buttons of its permissions', async () => {
  const { site, theirs, unchanged } = await shops;
  const members: [(typeof roles)[number], Member][] = [];
  for (const role of roles) members.push([role, await site.signIn(role, theirs.merchantId)]);
  const of = (role: (typeof roles)[number], isAllowed: boolean) =>
    all.filter(
      ({ page, action }) =>
        (can(role, page.permission) && can(role, action.permission)) === isAllowed,
    );
  for (const [role, member] of members) {
    await unchanged(async () => {
      for (const { name, press } of of(role, false)) {
        const { path, fields } = press(theirs.test);
        assert.equal((await member.post(path, fields)).status, 403, `${role}: ${name}`);
      }
    }, role);
  }
  for (const [role, member] of members) {
    for (const { name, press } of of(role, true)) {
      const { path, fields } = press(theirs.test);
      const { status, location } = await member.post(path, fields);
      const said = `${role}: ${name}: ${status}`;
      // The owner comes first; afterwards the object may be gone or processed. Another test covers
      // other people's requests: here nobody has made any.
      if (name.startsWith('approvals ')) assert.equal(status, 404, said);
      else if (role === 'OWNER') assert.ok(status === 200 || status === 303, said);
      // People cancel only their own charges at the till.
      else if (path.startsWith('charge/')) assert.ok([303, 403, 404, 409].includes(status), said);
      else assert.ok([200, 303, 400, 404, 409].includes(status), said);
      assert.doesNotMatch(location ?? '', /console\/(sign-in|prove)/, said);
    }
  }
});
