import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPerson, peopleWorld } from '../../../test/support/people.ts';
import { makeFirstLink, useFirstLink } from './first-sign-in-link.ts';
import { findInvitation } from './invitations.ts';
import { findSession } from './sessions.ts';
import { sweepPeople } from './sweep.ts';

const consoleUrl = 'http://localhost:3000';
const here = { address: '127.0.0.1', userAgent: null, language: 'en' } as const;
const tokenOf = (link: string | undefined) => link!.split('/').at(-1)!;

test('signs a new user in as owner: once, from this machine, within a quarter of an hour', async (context) => {
  const { dependencies, clock, merchantId, database } = await peopleWorld(context);
  const make = () => makeFirstLink(dependencies, { merchantId, consoleUrl });
  const link = await make();
  assert.match(link!, /^http:\/\/localhost:3000\/console\/welcome\/[\w-]{43}$/);
  const open = (address: string | null, token = tokenOf(link)) =>
    useFirstLink(dependencies, token, { ...here, address });
  for (const address of ['192.0.2.7', '::2', null, 'localhost.example.com']) {
    assert.equal(await open(address), undefined, String(address));
  }
  assert.equal(await findInvitation(dependencies, tokenOf(link)), undefined, 'it is no invitation');
  const opened = await open('::ffff:127.0.0.1');
  const session = await findSession(dependencies, opened!.token);
  assert.deepEqual(
    session!.memberships.map(({ merchantId: id, role }) => [id, role]),
    [[merchantId, 'OWNER']],
  );
  assert.equal(await open('127.0.0.1'), undefined, 'it was used');

  const [second, third] = [await make(), await make()];
  assert.equal(await open('127.0.0.1', tokenOf(second)), undefined, 'there is a newer one');
  clock.at += 15 * 60_000;
  assert.equal(await open('127.0.0.1', tokenOf(third)), undefined, 'it is late');
  const again = await open('::1', tokenOf(await make()));
  const person = await findSession(dependencies, again!.token);
  assert.equal(person!.personId, session!.personId);
  clock.at += 31 * 24 * 3_600_000;
  assert.ok((await sweepPeople(database, clock.at)) > 0);
  assert.deepEqual(await database.query({ text: 'SELECT FROM person_sessions' }), []);
});

test('creates no link if others have accounts, or the console is on another machine', async (context) => {
  const world = await peopleWorld(context);
  const { dependencies, merchantId } = world;
  const elsewhere = { merchantId, consoleUrl: 'https://pay.example.cv' };
  assert.equal(await makeFirstLink(dependencies, elsewhere), undefined);
  const link = await makeFirstLink(dependencies, { merchantId, consoleUrl });
  await addPerson(world, 'maria@loja.cv');
  assert.equal(await useFirstLink(dependencies, tokenOf(link), here), undefined);
  assert.equal(await makeFirstLink(dependencies, { merchantId, consoleUrl }), undefined);
});
