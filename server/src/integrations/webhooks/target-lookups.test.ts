import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receive, requestTo, senderFor, until } from '../../../test/support/webhook-receiver.ts';
import { lookupLimits, TargetLookups } from './target-lookups.ts';

const owner = (tenantId: string, mode: 'live' | 'test' = 'test') => ({ tenantId, mode });
const names = (tenant: string, count: number) =>
  Array.from({ length: count }, (_, index) => `h${index}.${tenant}.example`);

test('limits concurrent look-ups of a tenant, while those of others go on', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const underWay = new Set<string>();
  const silent = Promise.withResolvers<never>();
  t.after(() => silent.reject(new Error('the test is over')));
  const lookup = async (hostname: string) => {
    if (hostname === 'shop.example') return [{ address: '127.0.0.1' }];
    underWay.add(hostname);
    return silent.promise;
  };
  const sender = senderFor(t, { lookup });
  const request = (host: string, tenantId: string) => ({
    ...requestTo(receiver.url.replace('127.0.0.1', host)),
    tenantId,
  });
  const attempts = names('evil', 100).map((host) => sender.send(request(host, 'a')));
  await until(() => underWay.size > 0);
  assert.equal((await sender.send(request('shop.example', 'b'))).delivered, true);
  assert.equal(underWay.size, lookupLimits.perTenant);
  silent.reject(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }));
  await Promise.all(attempts);
});

/** Look-ups that last until the test ends them, by their names. */
function heldLookups(changed: Partial<typeof lookupLimits> = {}) {
  const underWay = new Map<string, () => void>();
  const lookups = new TargetLookups(
    (hostname, { tenantId }) =>
      new Promise((resolve) => {
        underWay.set(`${tenantId} ${hostname}`, () => {
          underWay.delete(`${tenantId} ${hostname}`);
          resolve([{ address: '127.0.0.1' }]);
        });
      }),
    { ...lookupLimits, ...changed },
  );
  return { lookups, underWay };
}

test('reserves look-ups for live tenants, and gives queues turns', async () => {
  const { lookups, underWay } = heldLookups({ perTenant: 2, test: 4, overall: 5 });
  const asked = ['a', 'b', 'c'].flatMap((tenant) =>
    names(tenant, 4).map((name) => lookups.lookUp(name, owner(tenant))),
  );
  asked.push(lookups.lookUp('shop.example', owner('x', 'live')));
  await until(() => underWay.size === 5);
  assert.deepEqual(
    [...underWay.keys()].map((key) => key[0]),
    ['a', 'a', 'b', 'b', 'x'],
  );
  underWay.get('a h0.a.example')!();
  await until(() => underWay.size === 5 && !underWay.has('a h0.a.example'));
  underWay.get('a h1.a.example')!();
  await until(() => underWay.has('c h0.c.example'));
  while (underWay.size > 0) {
    for (const end of underWay.values()) end();
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
});

test("shares one look-up among a tenant's waiting connections, and looks up again for later ones", async () => {
  const { lookups, underWay } = heldLookups();
  const first = lookups.lookUp('shop.example', owner('a'));
  assert.equal(lookups.lookUp('shop.example', owner('a')), first);
  const other = lookups.lookUp('shop.example', owner('b'));
  assert.notEqual(other, first, 'a tenant does not wait in the line of another');
  await until(() => underWay.size === 2);
  for (const end of underWay.values()) end();
  await Promise.all([first, other]);
  const later = lookups.lookUp('shop.example', owner('a'));
  assert.notEqual(later, first);
  await until(() => underWay.size === 1);
  underWay.get('a shop.example')!();
  await later;
});

test('tells a connection that waited too long for a look-up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { lookups } = heldLookups({ perTenant: 1 });
  void lookups.lookUp('one.example', owner('a'));
  const waiting = assert.rejects(lookups.lookUp('two.example', owner('a')), /being looked up/);
  t.mock.timers.tick(lookupLimits.longestWaitMs);
  await waiting;
});
