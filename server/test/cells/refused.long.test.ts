import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { tokenOf } from '../../src/storefront/checkout/link.ts';
import { hashApiKey } from '../../src/tenants/merchants/api-key.ts';
import { adminApi } from '../support/admin.ts';
import { testCells } from '../support/cells.ts';
import { cleanUp } from '../support/cleanup.ts';
import { memberIn, staffAt } from '../support/console.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { apiOf } from '../support/gateway.ts';
import { Line } from '../support/line.ts';

/** The cell north can be cut off. */
async function worldWithLine(context: TestContext, isCutBefore: boolean) {
  const home = await testDatabase(context);
  const line = await Line.open(home.url);
  cleanUp(context, () => line.close());
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => said.push(text) });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const world = await testCells(context, ['north', 'south'], {
    home,
    log,
    port,
    environment: { CONSOLE_URL: origin },
    cellUrls: { north: line.url, south: home.url },
    beforeStart: () => {
      if (isCutBefore) line.set('cut');
    },
  });
  const admin = await staffAt(origin, home.database, 'ADMIN');
  const merchant = 'SELECT id FROM merchants';
  const [{ id }] = (await home.database.query<{ id: string }>({ text: merchant })) as [
    { id: string },
  ];
  const member = await memberIn(origin, home.database, id);
  return { ...world, origin, admin, member, home: home.database, line, said };
}

const pageOf = async (answer: Promise<Response>) => {
  const { status, headers } = await answer;
  const names = ['content-type', 'retry-after', 'x-request-id'];
  return [status, ...names.map((name) => headers.get(name))];
};
const html = 'text/html; charset=utf-8';

/** As the directory knows a merchant of north that has asked before. */
async function noteIn(home: Database, { key, cell }: { key: string; cell: string }) {
  const tenantId = randomUUID();
  const values = [tenantId, randomUUID(), cell];
  await home.query({ text: 'INSERT INTO cell_tenants VALUES ($1, $2, $3)' }, values);
  const hash = hashApiKey(key);
  await home.query({ text: 'INSERT INTO cell_keys VALUES ($1, $2)' }, [hash, tenantId]);
  return tenantId;
}

test('nothing is looked for on behalf of strangers', async (context) => {
  const { origin, url, home, member, admin, line } = await worldWithLine(context, false);
  const api = await adminApi({ database: home, url });
  const old = await adminApi({ database: home, url }, { expiresAtMs: Date.now() + 2_000 });
  const elsewhere = await adminApi(
    { database: home, url },
    { allowedAddresses: ['203.0.113.9/32'] },
  );
  // Whoever is looked for now cannot be found: one cell does not say whether it has it.
  line.set('cut');
  const id = formatId('pi', randomUUID());
  const [page, path] = [`/console/staff/payments/${id}`, `/admin/v1/payments/${id}`];
  const signedOut = await fetch(`${origin}${page}`, { redirect: 'manual' });
  assert.equal(signedOut.status, 302, await signedOut.text());
  assert.match(signedOut.headers.get('location')!, /^\/console\/sign-in\?/);
  assert.equal((await member.get(page)).status, 404);
  assert.equal((await fetch(`${url}${path}`)).status, 401);
  assert.equal((await apiOf(url, `ak_admin_${'a'.repeat(32)}`)('GET', path)).status, 401);
  assert.equal((await elsewhere('GET', path)).status, 403);
  assert.equal((await api('GET', path)).body.error.code, 'UNAVAILABLE');
  const { status, headers } = await admin.get(page);
  assert.deepEqual([status, headers.get('content-type')], [500, html]);
  await eventually('the key has expired', async () => (await old('GET', path)).status === 401);
});

test('what is for a cell that is not there yet is answered as its routes answer, and counted', async (context) => {
  const world = await worldWithLine(context, true);
  const { admin, home, keys, said, url } = world;
  const tenantId = await noteIn(home, { key: keys.north!, cell: 'north' });
  const token = tokenOf({ tenantId, id: randomUUID(), linkSecret: randomBytes(16) });
  const headers = { 'x-request-id': 'mine' };
  for (const path of [`/pay/${token}`, `/pay/link/${token}`, `/receipt/${token}`]) {
    const answer = await pageOf(fetch(`${url}${path}`, { headers }));
    assert.deepEqual(answer, [500, html, '1', 'mine'], path);
  }
  const authorization = `Bearer ${keys.north}`;
  const asked = fetch(`${url}/v1/payments`, { headers: { ...headers, authorization } });
  assert.deepEqual(await pageOf(asked), [500, 'application/json; charset=utf-8', '1', 'mine']);
  const page = await admin.get('/console/staff/cells/north/merchants');
  assert.deepEqual([page.status, page.headers.get('content-type')], [500, html]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  for (const route of ['/pay/\\*', '/v1/payments'])
    assert.match(
      metrics,
      new RegExp(`_count{method="GET",route="${route}",status="500",cell="home"} 1`),
    );
  assert.doesNotMatch(said.join(''), /restart it|cannot be found| failed/);
});

test('that a cell is not served here is said once', async (context) => {
  const { home, url, said } = await worldWithLine(context, false);
  const key = `sk_test_${'e'.repeat(32)}`;
  await noteIn(home, { key, cell: 'east' });
  for (let count = 0; count < 3; count += 1) {
    const { status, body } = await apiOf(url, key)('GET', '/v1/payments');
    assert.deepEqual([status, body.error.code], [500, 'UNAVAILABLE']);
  }
  assert.equal(said.filter((line) => line.includes('the cell east is not served')).length, 1);
});

test('only staff hear which cells there are', async (context) => {
  const { home, url, origin, admin, member } = await worldWithLine(context, true);
  const api = await adminApi({ database: home, url });
  const answers = async (cell: string) => {
    const headers = { 'zimbo-cell': cell };
    const page = `/console/staff/cells/${cell}/merchants`;
    const signedOut = await fetch(`${origin}${page}`, { redirect: 'manual' });
    return [
      (await fetch(`${url}/admin/v1/merchants`, { headers })).status,
      signedOut.headers.get('location')?.replace(cell, 'CELL'),
      (await member.get(page)).status,
      (await api('GET', '/admin/v1/merchants', undefined, headers)).status,
      (await admin.get(page)).status,
    ];
  };
  const signIn = '/console/sign-in?next=%2Fconsole%2Fstaff%2Fcells%2FCELL%2Fmerchants';
  assert.deepEqual(await answers('south'), [401, signIn, 404, 200, 200]);
  assert.deepEqual(await answers('north'), [401, signIn, 404, 500, 500]);
  assert.deepEqual(await answers('nowhere'), [401, signIn, 404, 404, 404]);
});
