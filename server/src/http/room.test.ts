import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Room, type RoomLimits } from './room.ts';

const limits: RoomLimits = {
  perTenant: 10,
  test: 20,
  overall: 30,
  waitingPerTenant: 2,
  longestWaitMs: 60_000,
};

/** A room, and what its guests were told, by name: `tenant number`; tenant x is a live one. */
function openRoom(changed: Partial<RoomLimits> = {}) {
  const room = new Room({ ...limits, ...changed });
  const told: string[] = [];
  const enter = (name: string, bytes: number) => {
    const tenantId = name.split(' ')[0]!;
    const stay = room.stay({ tenantId, mode: tenantId === 'x' ? 'live' : 'test' }, bytes);
    stay.enter((admitted) => told.push(admitted ? name : `${name} refused`));
    return stay;
  };
  return { room, told, enter };
}

test('a tenant holds no more than its share, and its next request waits for room', () => {
  const { told, enter } = openRoom();
  const first = enter('a 1', 10);
  enter('a 2', 4);
  enter('b 1', 10);
  assert.deepEqual(told, ['a 1', 'b 1']);
  first.shrink(6);
  assert.deepEqual(told, ['a 1', 'b 1', 'a 2']);
  first.leave();
  first.leave();
  enter('a 3', 6);
  assert.deepEqual(told.slice(3), ['a 3'], 'it has left once, however often it says so');
});

test('test tenants leave room for live ones', () => {
  const { told, enter } = openRoom();
  for (const name of ['a 1', 'b 1', 'c 1', 'x 1']) enter(name, 10);
  assert.deepEqual(told, ['a 1', 'b 1', 'x 1']);
});

test('lines take turns, and one that is full refuses', () => {
  const { told, enter } = openRoom({ perTenant: 30, test: 30, waitingPerTenant: 3 });
  const first = enter('a 1', 30);
  const waiting = ['a 2', 'a 3', 'a 4', 'b 1', 'c 1'].map((name) => enter(name, 15));
  enter('a 5', 1);
  assert.deepEqual(told, ['a 1', 'a 5 refused']);
  first.leave();
  assert.deepEqual(told.slice(2), ['a 2', 'b 1']);
  waiting[0]!.leave();
  waiting[3]!.leave();
  assert.deepEqual(told.slice(4), ['c 1', 'a 3']);
});

test('a client that hangs up no longer waits', () => {
  const { told, enter } = openRoom();
  const first = enter('a 1', 10);
  enter('a 2', 10).leave();
  enter('a 3', 10);
  first.leave();
  assert.deepEqual(told, ['a 1', 'a 3']);
});

test('a request larger than its tenant’s share may use all of the share', () => {
  const { room, told, enter } = openRoom();
  enter('a 1', 1_000);
  assert.deepEqual(told, ['a 1']);
  assert.equal(room.budget.heldBy('a'), 10);
  assert.equal(room.budget.largest('test'), 10);
});

test('a request that waits too long is refused', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { told, enter } = openRoom();
  const first = enter('a 1', 10);
  enter('a 2', 10);
  context.mock.timers.tick(limits.longestWaitMs);
  assert.deepEqual(told, ['a 1', 'a 2 refused']);
  first.leave();
  assert.deepEqual(told.length, 2);
});
