import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { tokenOf } from '../../src/storefront/checkout/link.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { testCells } from '../support/cells.ts';
import { cleanUp } from '../support/cleanup.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anotherGateway, apiOf, reach, zimboOf } from '../support/gateway.ts';
import { Line } from '../support/line.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

test('each key reaches the cell of its merchant, and no other', async (context) => {
  const { zimbos, databases, url, keys } = await testCells(context, ['north', 'south']);
  for (const [cell, zimbo] of Object.entries(zimbos)) {
    const { id } = await zimbo.payments.create(payment);
    await reach(zimbo.payments, id, 'DEBITED');
    for (const [other, database] of Object.entries(databases)) {
      const [row] = await database.query<{ count: number }>({
        text: 'SELECT count(*)::integer AS count FROM payments',
      });
      const made = Object.keys(zimbos).indexOf(other) <= Object.keys(zimbos).indexOf(cell);
      assert.equal(row!.count, made ? 1 : 0, `${other} after ${cell}`);
      assert.deepEqual(await checkLedger(database), []);
    }
  }
  const unknown = await apiOf(url, `sk_test_${'a'.repeat(32)}`)('GET', '/v1/payments');
  assert.equal(unknown.status, 401);
  const wrong = await apiOf(url, `${keys.north}x`)('GET', '/v1/payments');
  assert.equal(wrong.status, 401);
});

test('links, receipts and pages of the console lead to the cell, too', async (context) => {
  const { zimbos, url } = await testCells(context, ['north']);
  const session = await zimbos.north!.checkout.sessions.create({ amount: 100_000 });
  const page = await fetch(`${url}${new URL(session.url).pathname}`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /1\.000/);
  const link = await zimbos.north!.paymentLinks.create({ amount: 50_000, description: 'Quota' });
  assert.equal((await fetch(`${url}${new URL(link.url).pathname}`)).status, 200);
});

test('whoever guesses links of several cells has one limit for all', async (context) => {
  const { url, databases } = await testCells(context, ['north'], {
    environment: { RATE_LIMIT_UNAUTHORIZED: '1/20' },
  });
  const links: string[] = [];
  for (const database of Object.values(databases)) {
    const [tenant] = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants' });
    const guess = () =>
      tokenOf({ tenantId: tenant!.id, id: randomUUID(), linkSecret: randomBytes(16) });
    links.push(...Array.from({ length: 40 }, guess));
  }
  const answers = await Promise.all(links.map((link) => fetch(`${url}/pay/${link}`)));
  const looked = answers.filter(({ status }) => status === 404).length;
  // The bucket fills up while a busy machine answers; two of them would hold forty.
  assert.ok(looked >= 20 && looked < 40, `${looked} were looked up`);
});

test('with the home away, keys that were used go on, and the cell takes payments', async (context) => {
  const { url: homeUrl, database } = await testDatabase(context);
  const line = await Line.open(homeUrl);
  cleanUp(context, () => line.close());
  const world = await testCells(context, ['north', 'south'], {
    home: { url: line.url, database },
    cellUrls: { north: homeUrl, south: homeUrl },
  });
  const { north, south } = world.zimbos;
  await north!.payments.create(payment);
  line.set('cut');
  const { id } = await north!.payments.create(payment);
  await reach(north!.payments, id, 'DEBITED');
  // Nobody has asked for this one yet, and nobody knows where it is.
  await assert.rejects(south!.payments.create(payment), { status: 500, code: 'UNAVAILABLE' });
  line.set('open');
  await eventually('the key is found', () =>
    south!.payments.create(payment).catch(() => undefined),
  );
});

test('a cell that is away at the start keeps nobody back, and is served when it is there', async (context) => {
  const { url: homeUrl, database } = await testDatabase(context);
  const line = await Line.open(homeUrl);
  cleanUp(context, () => line.close());
  const world = await testCells(context, ['north', 'south'], {
    home: { url: homeUrl, database },
    cellUrls: { north: line.url },
    beforeStart: () => line.set('cut'),
  });
  const { home, north, south } = world.zimbos;
  for (const zimbo of [home, south]) {
    const { id } = await zimbo!.payments.create(payment);
    await reach(zimbo!.payments, id, 'DEBITED');
  }
  // A key of the cell that is away is not taken for one that nobody has.
  await assert.rejects(north!.payments.create(payment), { status: 500, code: 'UNAVAILABLE' });
  const unknown = await apiOf(world.url, `sk_test_${'b'.repeat(32)}`)('GET', '/v1/payments');
  assert.equal(unknown.status, 500);
  line.set('open');
  await eventually('the cell is served', () =>
    north!.payments.create(payment).catch(() => undefined),
  );
});

test('requests of a merchant that is held wait, and go where it went', async (context) => {
  const { url, zimbos, databases } = await testCells(context, ['north']);
  const { home, north } = databases;
  await zimbos.home!.payments.create(payment);
  const made = await zimbos.north!.payments.create(payment);
  const merchantText = 'SELECT id FROM merchants';
  const [merchant] = await north!.query<{ id: string }>({ text: merchantText });
  const move = (state: string) =>
    home!.query(
      {
        text: `
INSERT INTO cell_moves (merchant_id, move_id, from_cell, to_cell, state, holds_until, began_at, changed_at)
VALUES ($1, $1, 'north', 'home', $2, now() + interval '30 s', now(), now())
ON CONFLICT (merchant_id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at`,
      },
      [merchant!.id, state],
    );
  await move('HOLDING');
  const held = await eventually('a request is held', async () => {
    const one = { isAnswered: false, asked: zimbos.north!.payments.get(made.id) };
    const mark = () => {
      one.isAnswered = true;
    };
    one.asked.then(mark, mark);
    await Promise.race([one.asked, delay(300)]);
    return !one.isAnswered && one;
  });
  // Nobody has used this key yet, and so nobody knows whose it is.
  const base = { database: north!, clock: systemClock, ids: randomIds() };
  const { key } = await issueKey(base, { merchantId: merchant!.id, mode: 'test' });
  const first = zimboOf(url, key).payments.get(made.id);
  const answered = first.then(() => 'answered');
  await zimbos.home!.payments.create(payment);
  assert.equal(await Promise.race([answered, delay(300, 'waiting')]), 'waiting');
  assert.equal(held.isAnswered, false);
  await move('COPYING');
  await held.asked;
  assert.equal((await first).id, made.id);
});

test('after a restart, keys that were used lately need no home', async (context) => {
  const { url: homeUrl, database } = await testDatabase(context);
  const line = await Line.open(homeUrl);
  cleanUp(context, () => line.close());
  const home = { url: homeUrl, database };
  const { zimbos, databases, keys } = await testCells(context, ['north'], {
    home,
    cellUrls: { north: homeUrl },
  });
  const { id } = await zimbos.north!.payments.create(payment);
  await databases.north!.query({ text: 'UPDATE api_keys SET last_used_at = now()' });
  const { url } = await anotherGateway(context, line.url);
  line.set('cut');
  assert.equal((await zimboOf(url, keys.north!).payments.get(id)).id, id);
});
