import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Need, Room, type RoomLimits } from './admission-control.ts';

const limits: RoomLimits = {
  perTenant: 10,
  test: 20,
  overall: 30,
  forSmall: { perTenant: 0, test: 0, overall: 0 },
  small: 2,
  places: { perTenant: 2, test: 3, overall: 4 },
  waitingPerTenant: 2,
  waiting: 10,
  longestWaitMs: 60_000,
};

/** A room, and the decisions about its guests, by name: `tenant number`; tenant x is a live one. */
function openRoom(changed: Partial<RoomLimits> = {}) {
  const room = new Room({ ...limits, ...changed });
  const decisions: string[] = [];
  const enter = (name: string, needed: number | (() => Need)) => {
    const tenantId = name.split(' ')[0]!;
    const need = typeof needed === 'number' ? () => ({ bytes: needed, places: 0 }) : needed;
    const stay = room.stay({ tenantId, mode: tenantId === 'x' ? 'live' : 'test' }, need);
    stay.enter((admitted) => decisions.push(admitted ? name : `${name} refused`));
    return stay;
  };
  return { room, decisions, enter };
}

test('a tenant holds no more than its share, and its next request waits for room', () => {
  const { decisions, enter } = openRoom();
  const first = enter('a 1', 10);
  enter('a 2', 4);
  enter('b 1', 10);
  assert.deepEqual(decisions, ['a 1', 'b 1']);
  first.shrink(6);
  assert.deepEqual(decisions, ['a 1', 'b 1', 'a 2']);
  first.leave();
  first.leave();
  enter('a 3', 6);
  assert.deepEqual(decisions.slice(3), ['a 3'], 'it has left once, however often it says so');
});

test('test tenants leave room for live ones', () => {
  const { decisions, enter } = openRoom();
  for (const name of ['a 1', 'b 1', 'c 1', 'x 1']) enter(name, 10);
  assert.deepEqual(decisions, ['a 1', 'b 1', 'x 1']);
});

test('lines take turns, and one that is full refuses', () => {
  const { decisions, enter } = openRoom({ perTenant: 30, test: 30, waitingPerTenant: 3 });
  const first = enter('a 1', 30);
  const waiting = ['a 2', 'a 3', 'a 4', 'b 1', 'c 1'].map((name) => enter(name, 15));
  enter('a 5', 1);
  assert.deepEqual(decisions, ['a 1', 'a 5 refused']);
  first.leave();
  assert.deepEqual(decisions.slice(2), ['a 2', 'b 1']);
  waiting[0]!.leave();
  waiting[3]!.leave();
  assert.deepEqual(decisions.slice(4), ['c 1', 'a 3']);
});

test('a client that hangs up no longer waits', () => {
  const { decisions, enter } = openRoom();
  const first = enter('a 1', 10);
  enter('a 2', 10).leave();
  enter('a 3', 10);
  first.leave();
  assert.deepEqual(decisions, ['a 1', 'a 3']);
});

test('a request larger than its tenant’s share may use all of the share', () => {
  const { room, decisions, enter } = openRoom();
  enter('a 1', 1_000);
  assert.deepEqual(decisions, ['a 1']);
  assert.equal(room.budget.heldBy('a'), 10);
  assert.equal(room.budget.largest('test'), 10);
});

test('a request that waits too long is refused', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { decisions, enter } = openRoom();
  const first = enter('a 1', 10);
  enter('a 2', 10);
  context.mock.timers.tick(limits.longestWaitMs);
  assert.deepEqual(decisions, ['a 1', 'a 2 refused']);
  first.leave();
  assert.deepEqual(decisions.length, 2);
});

const guess = (bytes: number) => () => ({ bytes, places: 1 });

test('few come in by a guess, and each that is known makes room for the next', () => {
  const { decisions, enter } = openRoom({ waitingPerTenant: 5 });
  const stays = ['a 1', 'a 2', 'a 3', 'b 1', 'b 2'].map((name) => enter(name, guess(1)));
  assert.deepEqual(decisions, ['a 1', 'a 2', 'b 1'], 'two of a tenant, three of all test tenants');
  stays[0]!.settle(1);
  assert.deepEqual(decisions.slice(3), ['a 3']);
  stays[1]!.leave();
  assert.deepEqual(decisions.slice(4), ['b 2']);
});

test('what was guessed too low counts as what it is, and others wait for it', () => {
  const { room, decisions, enter } = openRoom();
  const first = enter('a 1', guess(1));
  first.settle(12);
  assert.equal(room.budget.heldBy('a'), 12);
  enter('a 2', guess(1));
  enter('b 1', 10);
  enter('c 1', guess(8));
  assert.deepEqual(decisions, ['a 1', 'c 1'], 'eight bytes are left');
  first.leave();
  assert.deepEqual(decisions, ['a 1', 'c 1', 'a 2', 'b 1']);
});

test('large ones that nobody reads keep no small one out', () => {
  const { room, decisions, enter } = openRoom({ forSmall: { perTenant: 2, test: 4, overall: 4 } });
  for (const name of ['a 1', 'b 1']) enter(name, 10);
  const wrong = enter('c 1', guess(2));
  enter('d 1', 2);
  wrong.settle(9);
  assert.equal(room.budget.heldBy('c'), 9);
  enter('e 1', 2);
  enter('f 1', 3);
  assert.deepEqual(decisions, ['a 1', 'b 1', 'c 1', 'd 1', 'e 1']);
});

test('a request in the line needs what is known when its turn comes', () => {
  const { decisions, enter } = openRoom({ waitingPerTenant: 5 });
  let known = 10;
  const need = () => ({ bytes: known, places: 0 });
  const first = enter('a 1', need);
  for (const name of ['a 2', 'a 3']) enter(name, need);
  assert.deepEqual(decisions, ['a 1']);
  known = 2;
  first.settle(2);
  assert.deepEqual(decisions, ['a 1', 'a 2', 'a 3']);
});

test('no more wait than may, of one tenant and of all', () => {
  const { decisions, enter } = openRoom({ waiting: 2 });
  for (const name of ['a 1', 'a 2', 'b 1', 'b 2', 'c 1', 'c 2']) enter(name, 10);
  assert.deepEqual(decisions, ['a 1', 'b 1', 'c 1 refused', 'c 2 refused']);
});

test('where a tenant leaves as much as it holds, a few never hold all', () => {
  const { room, decisions, enter } = openRoom({
    perTenant: 100,
    test: 100,
    overall: 100,
    leavesAsMuch: true,
  });
  for (const tenant of ['a', 'b', 'c', 'd'])
    for (let count = 1; count <= 100; count++) enter(`${tenant} ${count}`, 1);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((tenant) => room.budget.heldBy(tenant)),
    [50, 25, 12, 6],
  );
  decisions.length = 0;
  enter('e 1', 3);
  assert.deepEqual(decisions, ['e 1']);
});

test('a few tenants never take all places in the line', () => {
  const { decisions, enter } = openRoom({
    waitingPerTenant: 50,
    waiting: 100,
    test: 40,
    overall: 40,
  });
  for (const tenant of ['a', 'b', 'c', 'd'])
    for (let count = 1; count <= 100; count++) enter(`${tenant} ${count}`, 10);
  decisions.length = 0;
  enter('e 1', 10);
  assert.deepEqual(decisions, []);
});
