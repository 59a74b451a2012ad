import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseId } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { memberIn, staffAt } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { type Item, payment, staffCells } from '../support/staff-cells.ts';

test('gives each cell its own staff pages, with links to the others', async (context) => {
  const { admin, merchants } = await staffCells(context);
  const list = await admin.get('/console/staff/cells/north/merchants');
  assert.equal(list.status, 200);
  assert.match(list.text, /Loja north/);
  assert.doesNotMatch(list.text, /Loja (south|home)/);
  const merchant = `/console/staff/cells/north/merchants/${merchants.north}`;
  assert.match(list.text, new RegExp(`href="${merchant}"`));
  for (const folder of ['', '/cells/south'])
    assert.match(list.text, new RegExp(`href="/console/staff${folder}/merchants"`));
  const page = await admin.get(merchant);
  assert.equal(page.status, 200);
  // All its links stay in the cell, except those that leave it on purpose.
  const links = [...page.text.matchAll(/(?:href|action)="(\/console\/staff[^"]*)"/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^\/console\/staff\/cells\/(north|south)(\/|$)/.test(link));
  assert.deepEqual([...new Set(links)], ['/console/staff/merchants']);
});

test('finds an object in its cell by its id alone', async (context) => {
  const { admin, merchants, zimbos } = await staffCells(context);
  const { id } = await zimbos.south!.payments.create(payment);
  await reach(zimbos.south!.payments, id, 'DEBITED');
  const led = await admin.get(`/console/staff/payments/${id}?lang=en`);
  assert.equal(led.status, 307);
  assert.equal(led.location, `/console/staff/cells/south/payments/${id}?lang=en`);
  assert.match((await admin.get(led.location!)).text, /Loja south/);
  const merchant = await admin.get(`/console/staff/merchants/${merchants.north}`);
  assert.equal(merchant.location, `/console/staff/cells/north/merchants/${merchants.north}`);
  const own = await zimbos.home!.payments.create(payment);
  assert.equal((await admin.get(`/console/staff/payments/${own.id}`)).status, 200);
  const nobodys = id.replace(/.{8}$/, '00000000');
  assert.equal((await admin.get(`/console/staff/payments/${nobodys}`)).status, 404);
});

test('reveals no cell to a person who may not see the object', async (context) => {
  const { databases, origin, url, merchants, zimbos } = await staffCells(context);
  const { id } = await zimbos.north!.payments.create(payment);
  const signedOut = await fetch(`${origin}/console/staff/payments/${id}`, { redirect: 'manual' });
  assert.match(signedOut.headers.get('location')!, /^\/console\/sign-in\?/);
  const stranger = await memberIn(origin, databases.home!, parseId('me', merchants.home!)!);
  const auditor = await staffAt(origin, databases.home!, 'AUDITOR');
  for (const page of [
    'merchants',
    `payments/${id}`,
    `cells/north/merchants`,
    'cells/north/reviews',
  ]) {
    assert.equal((await stranger.get(`/console/staff/${page}`)).status, 404, page);
  }
  assert.equal((await auditor.get('/console/staff/cells/north/admin-keys/new')).status, 403);
  assert.equal((await auditor.get('/console/staff/cells/nowhere/merchants')).status, 404);
  const narrow = await adminApi(
    { database: databases.home!, url },
    { permissions: ['merchants.read'] },
  );
  assert.equal((await narrow('GET', `/admin/v1/payments/${id}`)).status, 403);
  assert.equal((await narrow('GET', '/admin/v1/reviews')).status, 403);
  const north = await narrow('GET', '/admin/v1/merchants', undefined, { 'zimbo-cell': 'north' });
  assert.deepEqual(
    north.body.data.map((each: Item) => [each.id, 'cell' in each]),
    [[merchants.north, false]],
  );
});
