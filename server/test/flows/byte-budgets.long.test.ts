import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { claimDueDeliveries } from '../../src/integrations/webhooks/delivery-store.ts';
import { pageBytes } from '../../src/platform/postgres/page-bytes.ts';
import { listSessions } from '../../src/storefront/checkout/list.ts';
import { claimDueSessions } from '../../src/storefront/checkout/store.ts';
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

const mebibyte = 1024 * 1024;
/** More than one page of sessions of nearly a mebibyte. */
const sessionCount = 12;

/** A cart as large as a request allows. */
const cart = {
  items: Array.from({ length: 900 }, (_, index) => ({
    name: `${index} `.padEnd(255, 'x'),
    description: 'y'.repeat(780),
    quantity: 1,
    unitPrice: 1,
  })),
};

async function withCarts({ api }: TestGateway, count = sessionCount): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { status, body } = await api('POST', '/v1/checkout/sessions', cart);
    assert.equal(status, 200, body.error?.message);
    ids.push(body.id);
  }
  return ids.reverse();
}

/** All pages of a list, each with its length and the ids on it. */
async function walk({ api }: TestGateway, path: string) {
  const pages: { bytes: number; ids: string[] }[] = [];
  for (let after = ''; ; ) {
    const { status, text, body } = await api('GET', `${path}?limit=100${after}`);
    assert.equal(status, 200);
    const ids: string[] = body.data.map(({ id }: { id: string }) => id);
    pages.push({ bytes: Buffer.byteLength(text), ids });
    if (!body.hasMore) return pages;
    assert.ok(ids.length > 0, 'a page with more to come has something on it');
    after = `&starting_after=${ids.at(-1)}`;
  }
}

test('keeps pages of large sessions and of their events short, and a walk finds each once', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const ids = await withCarts(gateway);
  for (const id of ids) await gateway.api('POST', `/v1/checkout/sessions/${id}/expire`);
  for (const path of ['/v1/checkout/sessions', '/v1/events']) {
    const pages = await walk(gateway, path);
    assert.equal(pages.length, 2, path);
    assert.ok(
      pages.every(({ bytes }) => bytes < pageBytes + 2 * mebibyte),
      path,
    );
    const found = pages.flatMap((page) => page.ids);
    assert.equal(new Set(found).size, sessionCount, path);
    if (path.endsWith('sessions')) assert.deepEqual(found, ids);
  }
  const [tenant] = await gateway.database.query<{ id: string }>({
    text: 'SELECT tenant_id AS id FROM checkout_sessions LIMIT 1',
  });
  const rows = await listSessions(gateway.database, tenant!.id, {}, { limit: 100 });
  assert.ok(rows.length < sessionCount, 'what a page has no room for is not even read');
});

test('returns a whole page of the largest payments: 100 of them fit', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const largest = {
    amount: 100_000_000,
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    metadata: { note: 'x'.repeat(64 * 1024 - 11) },
    ...Object.fromEntries(
      ['description', 'externalId', 'customerId'].map((name) => [name, '"'.repeat(255)]),
    ),
  };
  for (let count = 0; count < 101; count++) {
    const { status, body } = await gateway.api('POST', '/v1/payments', largest);
    assert.equal(status, 200, body.error?.message);
  }
  const { body } = await gateway.api('GET', '/v1/payments?limit=100');
  assert.deepEqual([body.data.length, body.hasMore], [100, true]);
});

test('limits a claim of sessions or deliveries in bytes, and leaves the rest due', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const { database, api } = gateway;
  const receiver = await testReceiver(context);
  const ids = await withCarts(gateway);
  const endpoint = await api('POST', '/v1/webhooks', {
    url: receiver.url,
    events: ['checkout.expired'],
  });
  const farMs = Date.parse('2100-01-01T00:00:00Z');
  const sessions = await claimDueSessions(database, farMs, farMs + 1_000, 100);
  assert.ok(sessions.length >= 1 && sessions.length <= 3, `${sessions.length} sessions`);
  const others = await claimDueSessions(database, farMs, farMs + 1_000, 100);
  assert.equal(others.length, sessions.length, 'the rest is still due');

  for (const id of ids) await api('POST', `/v1/checkout/sessions/${id}/expire`);
  const redeliver = `/v1/webhooks/${endpoint.body.id}/redeliver`;
  const told: number[] = [];
  for (let since: string | null = '2020-01-01T00:00:00Z'; since !== null; ) {
    const { body } = await api('POST', redeliver, { since });
    told.push(body.count);
    since = body.nextSince;
  }
  assert.equal(told.length, 2, 'a redelivery has the same budget');
  const claim = {
    nowMs: farMs,
    leaseMs: farMs + 1_000,
    limit: 500,
    bytes: pageBytes,
    bytesPerTenant: pageBytes,
    full: { endpointIds: [], tenantIds: [], test: false },
  };
  const live = { ...claim, full: { ...claim.full, test: true } };
  assert.deepEqual(await claimDueDeliveries(database, live), []);
  const small = { ...claim, bytes: mebibyte / 2 };
  assert.deepEqual(await claimDueDeliveries(database, small), [], 'what has no room waits');
  await api('POST', `/v1/webhooks/${endpoint.body.id}/test`);
  const hidden = await claimDueDeliveries(database, small);
  assert.equal(hidden.length, 1, 'and hides nothing that has');
  const few = await claimDueDeliveries(database, { ...claim, bytesPerTenant: 1 });
  assert.equal(few.length, 1, 'at least one');
  const most = await claimDueDeliveries(database, claim);
  assert.ok(most.length >= 7 && most.length < sessionCount - 1, `${most.length} deliveries`);
});

test('limits and shows answers that nobody reads, which delay neither other tenants nor small requests', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  await withCarts(gateway, 8);
  const { hostname, port } = new URL(gateway.url);
  const request = `GET /v1/checkout/sessions?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.key}\r\n\r\n`;
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    context.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.pause();
    socket.write(request);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const heldBytes = async () => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    const figure = (name: string) =>
      Number(
        new RegExp(`^${name}\\{use="requests",mode="test"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
      );
    const held = figure('zimbo_memory_bytes');
    assert.equal(figure('zimbo_memory_largest_tenant_bytes'), held);
    assert.ok(held <= figure('zimbo_memory_limit_bytes'));
    return held;
  };
  await eventually('one answer is held, and no more', async () => {
    const held = await heldBytes();
    return held > pageBytes / 2 && held <= pageBytes;
  });
  const payment = { amount: 100, operator: 'MOCK', operatorPhone: '+2389912345' };
  assert.equal((await gateway.api('POST', '/v1/payments', payment)).status, 200);
  const late = await gateway.api('GET', '/v1/checkout/sessions?limit=100');
  assert.equal(late.status, 429, 'what nobody reads gives no room back');
  for (const socket of sockets) socket.destroy();
  await eventually('who hung up holds nothing', async () => (await heldBytes()) === 0);
});

test('charges the rate limit for a large answer: one request more for each 64 KiB', async (context) => {
  const gateway = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', RATE_LIMIT: '1/200' },
  });
  const [id] = await withCarts(gateway, 1);
  const leftAfter = async (path: string) => {
    const { headers } = await gateway.api('GET', path);
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')![1]);
  };
  const before = await leftAfter(`/v1/checkout/sessions/${id}`);
  const after = await leftAfter('/v1/balance');
  assert.ok(before - after >= 10, `${before} were left, then ${after}`);
});

test('charges the rate limit for a body: one request more for each 8 KiB', async (context) => {
  const gateway = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', RATE_LIMIT: '1/500' },
  });
  const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
  const leftAfter = async (bytes: number) => {
    const metadata = { text: 'x'.repeat(bytes) };
    const { status, headers } = await gateway.api('POST', '/v1/payments', { ...payment, metadata });
    assert.equal(status, 200);
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')![1]);
  };
  // The answer to the next request shows the charge of one. Some tokens come back meanwhile.
  const before = await leftAfter(7_000);
  const small = await leftAfter(60_000);
  const large = await leftAfter(60_000);
  const larger = await leftAfter(0);
  assert.ok(before - small <= 1, `${before} were left, then ${small}`);
  assert.ok(small - large >= 5 && small - large <= 8, `${small} were left, then ${large}`);
  assert.ok(large - larger >= 5, `${large} were left, then ${larger}`);
});
