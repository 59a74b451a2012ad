import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { Database } from '../../src/platform/postgres/database.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { hashApiKey } from '../../src/tenants/merchants/api-key.ts';
import { adminApi } from '../support/admin.ts';
import { testCells } from '../support/cells.ts';
import { memberIn, staffAt } from '../support/console.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { apiOf } from '../support/gateway.ts';

async function worldWithLog(context: TestContext) {
  const home = await testDatabase(context);
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => said.push(text) });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const environment = { CONSOLE_URL: origin };
  const world = await testCells(context, ['north', 'south'], { home, log, port, environment });
  const admin = await staffAt(origin, home.database, 'ADMIN');
  const merchant = 'SELECT id FROM merchants';
  const [{ id }] = (await home.database.query<{ id: string }>({ text: merchant })) as [
    { id: string },
  ];
  const member = await memberIn(origin, home.database, id);
  return { ...world, origin, admin, member, home: home.database, said };
}

/** Requests as a known merchant of north, so that the directory has the merchant. */
async function noteIn(home: Database, { key, cell }: { key: string; cell: string }) {
  const tenantId = randomUUID();
  const values = [tenantId, randomUUID(), cell];
  await home.query({ text: 'INSERT INTO cell_tenants VALUES ($1, $2, $3)' }, values);
  const hash = hashApiKey(key);
  await home.query({ text: 'INSERT INTO cell_keys VALUES ($1, $2)' }, [hash, tenantId]);
  return tenantId;
}

test('looks up nothing on behalf of strangers', async (context) => {
  const { origin, url, home, member, admin } = await worldWithLog(context);
  const api = await adminApi({ database: home, url });
  const old = await adminApi({ database: home, url }, { expiresAtMs: Date.now() + 2_000 });
  const elsewhere = await adminApi(
    { database: home, url },
    { allowedAddresses: ['203.0.113.9/32'] },
  );
  const id = formatId('pi', randomUUID());
  const [page, path] = [`/console/staff/payments/${id}`, `/admin/v1/payments/${id}`];
  const signedOut = await fetch(`${origin}${page}`, { redirect: 'manual' });
  assert.equal(signedOut.status, 302, await signedOut.text());
  assert.match(signedOut.headers.get('location')!, /^\/console\/sign-in\?/);
  assert.equal((await member.get(page)).status, 404);
  assert.equal((await fetch(`${url}${path}`)).status, 401);
  assert.equal((await apiOf(url, `ak_admin_${'a'.repeat(32)}`)('GET', path)).status, 401);
  assert.equal((await elsewhere('GET', path)).status, 403);
  assert.equal((await api('GET', path)).status, 404);
  assert.equal((await admin.get(page)).status, 404);
  await eventually('the key has expired', async () => (await old('GET', path)).status === 401);
});

test('warns once about a cell that this gateway does not serve', async (context) => {
  const { home, url, said } = await worldWithLog(context);
  const key = `sk_test_${'e'.repeat(32)}`;
  await noteIn(home, { key, cell: 'east' });
  for (let count = 0; count < 3; count += 1) {
    const { status, body } = await apiOf(url, key)('GET', '/v1/payments');
    assert.deepEqual([status, body.error.code], [500, 'UNAVAILABLE']);
  }
  assert.equal(said.filter((line) => line.includes('the cell east is not served')).length, 1);
});

test('tells only staff which cells exist', async (context) => {
  const { home, url, origin, admin, member } = await worldWithLog(context);
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
  assert.deepEqual(await answers('north'), [401, signIn, 404, 200, 200]);
  assert.deepEqual(await answers('nowhere'), [401, signIn, 404, 404, 404]);
});
