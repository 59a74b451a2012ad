import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testKey } from '../../../test/support/gateway.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { type Clock, monotonicClock } from '../../platform/process/clock.ts';
import { hashApiKey } from '../merchants/api-key.ts';
import { cellAway, Directory, type DirectoryOptions, notNow } from './directory.ts';
import { NotServed } from './not-served.ts';
import type { Sought } from './place-store.ts';
import { Places } from './places.ts';

/** A home and a further cell, each a database of its own, with a merchant in the further one. */
async function setUp(context: TestContext, changes: Partial<DirectoryOptions> = {}) {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  const key = await testKey(north);
  const asked: string[] = [];
  const watched = (name: string, database: Database): Queryable => ({
    query(statement, values) {
      asked.push(`${name} ${statement.name}`);
      return database.query(statement, values);
    },
  });
  const cells = new Map([
    ['home', watched('home', home)],
    ['north', watched('north', north)],
  ]);
  const open = (clock: Clock = monotonicClock, more: Partial<DirectoryOptions> = {}) => {
    const common = { clock, log: silentLog, intervalMs: 20, ...changes, ...more };
    const own = cells.get('home')!;
    const directory = new Directory({ home: own, looks: own, cells, ...common });
    cleanUp(context, () => directory.stop());
    return directory;
  };
  const sought: Sought = { kind: 'KEY', hash: hashApiKey(key) };
  const merchantText = 'SELECT id FROM merchants';
  const [merchant] = await north.query<{ id: string }>({ text: merchantText });
  const move = (state: string, { holds = '30 s', age = '0 s' } = {}) =>
    home.query(
      {
        text: `
WITH moved AS (UPDATE cell_tenants SET cell = 'home' WHERE $2 = 'SWITCHED')
INSERT INTO cell_moves (merchant_id, move_id, from_cell, to_cell, state, holds_until, began_at, changed_at)
VALUES ($1, $1, 'north', 'home', $2, now() + $3::interval, now(), now() - $4::interval)
ON CONFLICT (merchant_id) DO UPDATE SET state = excluded.state, holds_until = excluded.holds_until`,
      },
      [merchant!.id, state, holds, age],
    );
  return { home, north, cells, open, sought, asked, move };
}

/** Of what would be waited for for ever, were it not refused. */
async function refusalOf(finding: Promise<unknown>): Promise<unknown> {
  let refusal: unknown;
  finding.catch((error) => {
    refusal = error;
  });
  return eventually('it is refused', () => refusal);
}

test('what nobody has noted is asked of each cell once, and then of nobody', async (context) => {
  const { open, sought, asked, home } = await setUp(context);
  const directory = open();
  assert.equal(directory.known(sought), undefined);
  assert.deepEqual(await Promise.all([directory.find(sought), directory.find(sought)]), [
    'north',
    'north',
  ]);
  assert.equal(asked.filter((text) => text === 'north api_keys.lives_here').length, 1);
  assert.equal(directory.known(sought), 'north');
  asked.length = 0;
  assert.equal(await open().find(sought), 'north');
  assert.deepEqual(asked, ['home cell_keys.find'], 'another process finds it noted');
  const rows = await home.query({ text: 'SELECT FROM cell_keys' });
  assert.equal(rows.length, 1);
});

test('what no cell has is not noted; and if one does not answer, nobody can say so', async (context) => {
  const { open, home, cells } = await setUp(context);
  const stranger: Sought = { kind: 'TENANT', id: randomUUID() };
  assert.equal(await open().find(stranger), undefined);
  assert.equal((await home.query({ text: 'SELECT FROM cell_tenants' })).length, 0);
  const fails = (error: Error) => cells.set('north', { query: () => Promise.reject(error) });
  for (const away of [Object.assign(new Error(), { code: 'ECONNREFUSED' }), new NotServed()]) {
    fails(away);
    await assert.rejects(open().find(stranger), (error) => error === cellAway);
  }
  fails(new Error('a mistake'));
  await assert.rejects(open().find(stranger), /a mistake/);
});

test('a further cell that hangs is not waited for; a thing takes as long as it takes', async (context) => {
  const { open, cells, sought } = await setUp(context, { patienceMs: 20 });
  const north = cells.get('north')!;
  const query = north.query.bind(north);
  const answers = Promise.withResolvers<void>();
  north.query = async (...given) => {
    await answers.promise;
    return query(...given);
  };
  const directory = open();
  const finding = directory.find({ kind: 'THING', of: 'pi', id: randomUUID() });
  assert.equal(await refusalOf(directory.find(sought)), cellAway);
  answers.resolve();
  assert.equal(await finding, undefined);
});

test('a merchant that has left, or not arrived, does not live there, and is no stranger', async (context) => {
  const { open, north, sought } = await setUp(context);
  for (const state of ['ARRIVING', 'GONE']) {
    await north.query({
      text: `INSERT INTO moving_merchants (merchant_id, move_id, state)
        SELECT id, id, '${state}' FROM merchants ON CONFLICT (merchant_id) DO UPDATE SET state = excluded.state`,
    });
    await assert.rejects(open().find(sought), { code: 'UNAVAILABLE' }, state);
  }
});

test('a move is followed, whoever knows the merchant by what; and what is held is let go', async (context) => {
  const { open, sought, move } = await setUp(context);
  const directory = open();
  await directory.find(sought);
  await directory.start();
  await move('HOLDING');
  const held = await eventually('it is held', async () => directory.held(sought) !== undefined);
  assert.ok(held);
  const released = directory.held(sought);
  await move('SWITCHED');
  await released;
  assert.equal(directory.known(sought), 'home');
  assert.equal(directory.held(sought), undefined);
});

test('a hold ends by itself, even if nobody hears of its end', async (context) => {
  const { open, sought, move, cells } = await setUp(context);
  const directory = open();
  await directory.find(sought);
  await move('HOLDING', { holds: '1 s' });
  await directory.start();
  const released = directory.held(sought);
  assert.ok(released);
  const home = cells.get('home')!;
  home.query = () => Promise.reject(new Error('away'));
  await released;
});

test('a move is heard of however long the home was away, and what is known stays known', async (context) => {
  const { open, sought, move, cells, asked } = await setUp(context);
  const home = cells.get('home')!;
  const query = home.query.bind(home);
  // The last look that was answered is three hours old.
  home.query = async <Row>(...given: Parameters<Queryable['query']>) => {
    const rows = await query<Row>(...given);
    if (given[0].name === 'cell_moves.since')
      (rows as unknown as { asOfMs: number }[])[0]!.asOfMs -= 10_800_000;
    return rows;
  };
  let nowMs = 0;
  const directory = open({ nowMs: () => nowMs });
  await directory.find(sought);
  await directory.start();
  let looks = 0;
  home.query = () => {
    looks += 1;
    return Promise.reject(new Error('away'));
  };
  nowMs = 10_800_000;
  await eventually('it has looked', async () => looks > 2);
  assert.equal(directory.known(sought), 'north');
  await move('SWITCHED', { age: '2 h' });
  home.query = query;
  asked.length = 0;
  await eventually('it is followed', async () => directory.known(sought) === 'home');
  assert.deepEqual([...new Set(asked)], ['home cell_moves.since']);
});

test('a move is followed once, however often it is told', async (context) => {
  const { open, sought, move, asked } = await setUp(context);
  const follow = context.mock.method(Places.prototype, 'follow');
  const directory = open();
  await directory.find(sought);
  await directory.start();
  await move('SWITCHED');
  await eventually('it is followed', async () => directory.known(sought) === 'home');
  asked.length = 0;
  await eventually('it is told again', async () => asked.length > 3);
  await move('DONE');
  asked.length = 0;
  await eventually('its end is told', async () => asked.length > 3);
  const followed = follow.mock.calls.map(({ this: places }) => places);
  assert.equal(followed.length, 2, 'keys, and tenants');
  assert.notEqual(followed[0], followed[1]);
});

test('an answer from before a move, which comes after it, misleads nobody', async (context) => {
  const { open, sought, move, cells } = await setUp(context);
  await open().find(sought);
  const directory = open();
  const home = cells.get('home')!;
  const query = home.query.bind(home);
  const late = Promise.withResolvers<void>();
  home.query = async <Row>(...given: Parameters<Queryable['query']>) => {
    const rows = await query<Row>(...given);
    if (given[0].name === 'cell_keys.find') await late.promise;
    return rows;
  };
  const finding = directory.find(sought);
  await move('SWITCHED');
  await directory.start();
  late.resolve();
  assert.equal(await finding, 'home');
  assert.equal(directory.known(sought), 'home');
});

test('a move is heard of while all connections to the home are busy, and its silence is told once', async (context) => {
  const told: string[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => told.push(JSON.parse(text).msg) });
  const { open, sought, move, home, cells } = await setUp(context);
  let looks = 0;
  let isAway = false;
  const lookAlone: Queryable = {
    query(...given) {
      looks += 1;
      return isAway ? Promise.reject(new Error('away')) : home.query(...given);
    },
  };
  const directory = open(monotonicClock, { looks: lookAlone, log });
  await directory.find(sought);
  await directory.start();
  cells.get('home')!.query = () => new Promise(() => {});
  await move('SWITCHED');
  await eventually('it is followed', () => directory.known(sought) === 'home');
  [isAway, looks] = [true, 0];
  await eventually('it looks again and again', () => looks > 12);
  assert.deepEqual(told, ['the home does not say which merchants move: moves are not followed']);
});

test('what has begun to move again is where it moves from', async (context) => {
  const { open, sought, move, home } = await setUp(context);
  const directory = open();
  await directory.find(sought);
  await move('COPYING');
  // An earlier move, of which nobody has heard.
  await home.query({ text: `UPDATE cell_moves SET from_cell = 'south'` });
  await directory.start();
  assert.equal(directory.known(sought), 'south');
});

test('so much is asked of all cells at once and no more; things have a bound of their own', async (context) => {
  const mostAsked = { places: 1, things: 1 };
  const { open, sought, cells, north } = await setUp(context, { mostAsked, patienceMs: 60_000 });
  const noted = { kind: 'KEY', hash: hashApiKey(await testKey(north)) } as const;
  await open().find(noted);
  const directory = open();
  const watched = cells.get('north')!;
  const query = watched.query.bind(watched);
  const answers = Promise.withResolvers<void>();
  let asks = 0;
  watched.query = async (...given) => {
    asks += 1;
    await answers.promise;
    return query(...given);
  };
  const thing = (): Sought => ({ kind: 'THING', of: 'pi', id: randomUUID() });
  const merchant = (): Sought => ({ kind: 'MERCHANT', id: randomUUID() });
  const under = [directory.find(sought), directory.find(sought), directory.find(thing())];
  await eventually('the cell is asked', () => asks === 2);
  for (const more of [merchant(), thing()])
    assert.equal(await refusalOf(directory.find(more)), notNow);
  assert.equal(await directory.find(noted), 'north', 'what the home has noted needs no cell');
  answers.resolve();
  assert.deepEqual(await Promise.all(under), ['north', 'north', undefined]);
  assert.equal(await directory.find(thing()), undefined);
});

test('whose key is found is found by links as well, and wherever the merchant goes', async (context) => {
  const { open, sought, north, move } = await setUp(context);
  const directory = open();
  await directory.find(sought);
  const [tenant] = await north.query<{ id: string }>({
    text: 'SELECT tenant_id AS id FROM api_keys',
  });
  const linked: Sought = { kind: 'TENANT', id: tenant!.id };
  assert.equal(directory.known(linked), 'north');
  const learned = open();
  await learned.learn([(sought as { hash: Buffer }).hash]);
  assert.equal(learned.known(linked), 'north');
  // Of this one no key is known.
  const byLink = open();
  assert.equal(await byLink.find(linked), 'north');
  for (const one of [directory, byLink]) await one.start();
  await move('HOLDING');
  for (const one of [directory, byLink])
    await eventually('it is held', () => one.held(linked) !== undefined);
  await move('SWITCHED');
  for (const one of [directory, byLink])
    await eventually('it is followed', () => one.known(linked) === 'home');
});

test('keys that the home has noted are learned at once', async (context) => {
  const { open, sought, asked, north } = await setUp(context);
  await open().find(sought);
  const stranger = hashApiKey(await testKey(north));
  const directory = open();
  asked.length = 0;
  await directory.learn([(sought as { hash: Buffer }).hash, stranger]);
  assert.equal(directory.known(sought), 'north');
  assert.equal(directory.known({ kind: 'KEY', hash: stranger }), undefined);
  assert.deepEqual(asked, ['home cell_keys.find_all']);
});

test('what is remembered is bounded, and what nobody has used goes', async (context) => {
  const { open, sought, north } = await setUp(context, { maxEntries: 4 });
  const directory = open();
  await directory.find(sought);
  const unused = { kind: 'KEY', hash: hashApiKey(await testKey(north)) } as const;
  await directory.find(unused);
  for (let more = 0; more < 3; more += 1) {
    assert.equal(directory.known(sought), 'north');
    await directory.find({ kind: 'KEY', hash: hashApiKey(await testKey(north)) });
  }
  assert.equal(directory.known(sought), 'north');
  assert.equal(directory.known(unused), undefined);
});
