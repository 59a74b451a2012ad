import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { ownBuckets } from '../../../platform/http/rate-limit.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { linkOf } from '../link.ts';
import { createLinkSecrets } from '../link-secrets.ts';
import { CustomerLimiter, linkOpener } from './authenticate.ts';

const tenantId = '019aa5d4-e0fb-7000-8000-000000000001';
const id = '019aa5d4-e0fb-7000-8000-000000000002';
const linkSecrets = createLinkSecrets(Buffer.alloc(32, 1));
const reply = { header: () => reply } as unknown as FastifyReply;
const ip = '192.0.2.7';

/** Opens links on a database with one session at most, and counts queries. */
function opener(linkSecret?: Buffer) {
  const asked = { count: 0, broken: false };
  const query = async () => {
    asked.count++;
    if (asked.broken) throw new Error('gone');
    return linkSecret ? [{ tenantId, id, linkSecret, items: '[]', hasMoreItems: false }] : [];
  };
  const database = { query } as unknown as Database;
  const clock = { nowMs: () => 0 };
  const unknownLinks = { perSecond: 1, burst: 3 };
  const open = linkOpener({ database, clock, linkSecrets, unknownLinks, makeBuckets: ownBuckets });
  const token = (secret: Buffer) => linkOf({ tenantId, id, linkSecret: secret }, '').slice(5);
  return {
    asked,
    open: (secret: Buffer, address = ip) => open({ ip: address }, reply, token(secret)),
  };
}

const guess = (number: number) => Buffer.alloc(16, number);

test('looks up no unknown links once the bucket of their address is empty', async () => {
  const { asked, open } = opener();
  for (let number = 0; number < 3; number++)
    await assert.rejects(open(guess(number)), /payment page/);
  for (let number = 3; number < 9; number++) await assert.rejects(open(guess(number)), /Too many/);
  assert.equal(asked.count, 3);
  const neighbours = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4'];
  for (const address of neighbours) await assert.rejects(open(guess(9), address));
  assert.equal(asked.count, 6, 'a /64 of IPv6 is one stranger');
});

test('opens a link of ours whatever others behind its address try', async () => {
  const ours = linkSecrets.make({ tenantId, id });
  const { open } = opener(ours);
  for (let number = 0; number < 9; number++) await assert.rejects(open(guess(number)));
  assert.equal((await open(ours)).id, id);
});

test('lets the row decide: a link of ours without a session opens nothing', async () => {
  await assert.rejects(opener().open(linkSecrets.make({ tenantId, id })), /payment page/);
});

test('opens a link under a long-replaced key, and charges the bucket nothing', async () => {
  const old = guess(7);
  const { open } = opener(old);
  for (let time = 0; time < 9; time++) assert.equal((await open(old)).id, id);
});

test('opens a link a hundred times at once, then more slowly, independently of other links', async () => {
  const ours = linkSecrets.make({ tenantId, id });
  const { asked, open } = opener(ours);
  for (let time = 0; time < 100; time++) await open(ours);
  await assert.rejects(open(ours, '192.0.2.8'), /Too many/);
  assert.equal(asked.count, 100);
  await assert.rejects(open(linkSecrets.make({ tenantId, id: tenantId })), /payment page/);
});

test('limits an address at each shop, and to ten times as much at all shops', async () => {
  const limiter = new CustomerLimiter('attempts', { count: 2, windowMs: 60_000 }, ownBuckets);
  const may = async (tenant: string) =>
    (await limiter.refusal('192.0.2.1', tenant, 0)) === undefined;
  assert.deepEqual([await may('a'), await may('a'), await may('a')], [true, true, false]);
  limiter.giveBack('192.0.2.1', 'a', 0);
  assert.equal(await may('a'), true);
  const shops = Array.from({ length: 12 }, (_, index) => `shop ${index}`);
  let allowed = 2;
  for (const shop of [...shops, ...shops]) if (await may(shop)) allowed += 1;
  assert.equal(allowed, 20);
  assert.equal(await limiter.refusal('192.0.2.2', 'a', 0), undefined, 'another address is free');
});
