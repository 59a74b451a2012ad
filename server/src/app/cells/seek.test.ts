import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { AddressLimiter } from '../../platform/http/address-limit.ts';
import { RateLimiter } from '../../platform/http/rate-limit.ts';
import { Outages } from '../../platform/observability/outage.ts';
import { cellAway, type Directory, notNow } from '../../tenants/cells/directory.ts';
import type { Sought } from '../../tenants/cells/place-store.ts';
import { makeSeek } from './seek.ts';

/** A gateway that lets each address ask once for what nobody has. */
function setUp(
  find: (sought: Sought) => Promise<string | undefined>,
  proof?: () => Promise<boolean>,
) {
  const asked: Sought[] = [];
  const directory = {
    find(sought: Sought) {
      asked.push(sought);
      return find(sought);
    },
  } as unknown as Directory;
  const unknown = new AddressLimiter(new RateLimiter({ perSecond: 0.001, burst: 1 }));
  const seek = makeSeek({ directory, unknown, staffProof: () => proof });
  return { asked, ask: (sought: Sought) => seek(sought, {} as IncomingMessage, '192.0.2.1') };
}

const thing = (): Sought => ({ kind: 'THING', of: 'pi', id: randomUUID() });
const merchant = (): Sought => ({ kind: 'MERCHANT', id: randomUUID() });
const nobody = async () => undefined;

test('what nobody has costs its address, and is not looked for again for a moment', async () => {
  const { ask, asked } = setUp(nobody);
  const stranger = merchant();
  assert.equal(await ask(stranger), 'home');
  assert.equal(await ask(stranger), 'home');
  assert.equal(asked.length, 1);
  await assert.rejects(ask(merchant()), { code: 'RATE_LIMITED' });
  assert.equal(asked.length, 1);
});

test('what is found costs nothing, and neither does what the home could not say', async () => {
  const found = setUp(async () => 'north');
  for (let count = 0; count < 3; count += 1) assert.equal(await found.ask(merchant()), 'north');
  const outages = new Outages({ log: silentLog, nowMs: () => 0, host: () => 'home' });
  const outage = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  outages.failed(outage);
  for (const error of [outage, notNow]) {
    const away = setUp(() => Promise.reject(error));
    const sought = merchant();
    for (let count = 0; count < 3; count += 1)
      await assert.rejects(away.ask(sought), (thrown) => thrown === error);
    assert.equal(away.asked.length, 3);
  }
});

test('charges for guesses while a further cell is away', async () => {
  const { ask } = setUp(() => Promise.reject(cellAway));
  await assert.rejects(ask(merchant()), { code: 'UNAVAILABLE' });
  await assert.rejects(ask(merchant()), { code: 'RATE_LIMITED' });
});

test('many requests at once about the same, of one address, have one price, whatever it comes to', async () => {
  const answer = Promise.withResolvers<string | undefined>();
  const { ask, asked } = setUp(() => answer.promise);
  const sought = merchant();
  const all = Array.from({ length: 150 }, () => ask(sought));
  answer.resolve('north');
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['north']));
  assert.equal(asked.length, 1);
  assert.equal(await ask(merchant()), 'north', 'and it was given back');
});

test('a thing is looked for only for whoever the home knows as one of the staff', async () => {
  const unproven = setUp(nobody);
  for (let count = 0; count < 3; count += 1) assert.equal(await unproven.ask(thing()), 'home');
  const untrue = setUp(nobody, async () => false);
  assert.equal(await untrue.ask(thing()), 'home');
  await assert.rejects(untrue.ask(thing()), { code: 'RATE_LIMITED' }, 'a guess has a price');
  assert.deepEqual([unproven.asked, untrue.asked], [[], []]);
  const staff = setUp(nobody, async () => true);
  for (let count = 0; count < 3; count += 1) assert.equal(await staff.ask(thing()), 'home');
  assert.equal(staff.asked.length, 3);
});
