import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { AddressLimiter } from '../../platform/http/address-limit.ts';
import { RateLimiter } from '../../platform/http/rate-limit.ts';
import { Outages } from '../../platform/observability/outage.ts';
import {
  cellUnavailable,
  type Directory,
  directoryBusy,
} from '../../tenants/cells/cell-directory.ts';
import type { CellLookup } from '../../tenants/cells/cell-directory-store.ts';
import { makeFindCell } from './route-request.ts';

/** A gateway that allows each address one look-up of unknown keys or links. */
function setUp(
  find: (lookup: CellLookup) => Promise<string | undefined>,
  proof?: () => Promise<boolean>,
) {
  const lookups: CellLookup[] = [];
  const directory = {
    find(lookup: CellLookup) {
      lookups.push(lookup);
      return find(lookup);
    },
  } as unknown as Directory;
  const unknown = new AddressLimiter(new RateLimiter({ perSecond: 0.001, burst: 1 }));
  const findCell = makeFindCell({ directory, unknown, staffProof: () => proof });
  return {
    lookups,
    lookUp: (lookup: CellLookup) => findCell(lookup, {} as IncomingMessage, '192.0.2.1'),
  };
}

const thing = (): CellLookup => ({ kind: 'OBJECT', of: 'pi', id: randomUUID() });
const merchant = (): CellLookup => ({ kind: 'MERCHANT', id: randomUUID() });
const nobody = async () => undefined;

test('charges the address for an unknown key, and does not look it up again for a moment', async () => {
  const { lookUp, lookups } = setUp(nobody);
  const stranger = merchant();
  assert.equal(await lookUp(stranger), 'home');
  assert.equal(await lookUp(stranger), 'home');
  assert.equal(lookups.length, 1);
  await assert.rejects(lookUp(merchant()), { code: 'RATE_LIMITED' });
  assert.equal(lookups.length, 1);
});

test('charges nothing for a hit, or while the home cannot answer', async () => {
  const found = setUp(async () => 'north');
  for (let count = 0; count < 3; count += 1) assert.equal(await found.lookUp(merchant()), 'north');
  const outages = new Outages({ log: silentLog, nowMs: () => 0, host: () => 'home' });
  const outage = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  outages.failed(outage);
  for (const error of [outage, directoryBusy]) {
    const away = setUp(() => Promise.reject(error));
    const lookup = merchant();
    for (let count = 0; count < 3; count += 1)
      await assert.rejects(away.lookUp(lookup), (thrown) => thrown === error);
    assert.equal(away.lookups.length, 3);
  }
});

test('charges for guesses while a further cell is away', async () => {
  const { lookUp } = setUp(() => Promise.reject(cellUnavailable));
  await assert.rejects(lookUp(merchant()), { code: 'UNAVAILABLE' });
  await assert.rejects(lookUp(merchant()), { code: 'RATE_LIMITED' });
});

test('charges concurrent requests for the same key from one address once', async () => {
  const answer = Promise.withResolvers<string | undefined>();
  const { lookUp, lookups } = setUp(() => answer.promise);
  const lookup = merchant();
  const all = Array.from({ length: 150 }, () => lookUp(lookup));
  answer.resolve('north');
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['north']));
  assert.equal(lookups.length, 1);
  assert.equal(await lookUp(merchant()), 'north', 'the charge was returned');
});

test('looks up objects by id only for proven staff', async () => {
  const unproven = setUp(nobody);
  for (let count = 0; count < 3; count += 1) assert.equal(await unproven.lookUp(thing()), 'home');
  const untrue = setUp(nobody, async () => false);
  assert.equal(await untrue.lookUp(thing()), 'home');
  await assert.rejects(untrue.lookUp(thing()), { code: 'RATE_LIMITED' }, 'charges for a guess');
  assert.deepEqual([unproven.lookups, untrue.lookups], [[], []]);
  const staff = setUp(nobody, async () => true);
  for (let count = 0; count < 3; count += 1) assert.equal(await staff.lookUp(thing()), 'home');
  assert.equal(staff.lookups.length, 3);
});
