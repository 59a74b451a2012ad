import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { peopleWorld, visitor } from '../../../../test/support/people.ts';
import type { Proven, Provider } from './provider.ts';
import { beginSignOn, finishSignOn } from './sign-on.ts';

const proven: Proven = {
  issuer: 'https://id.example.cv',
  subject: 'maria',
  sid: null,
  name: 'Maria',
  email: 'maria@loja.cv',
  isEmailVerified: true,
  authenticatedAtMs: null,
  ticket: { kind: 'ACCESS', token: 'access' },
};

/** A provider that accepts a code repeatedly, which a real one must not. */
const careless: Provider = {
  label: 'company account',
  issuer: proven.issuer,
  address: ({ state }) => Promise.resolve(`${proven.issuer}/authorize?state=${state}`),
  finish: () => Promise.resolve(proven),
  ask: () => Promise.resolve({ kind: 'REFUSED' }),
  readLogout: () => Promise.resolve(undefined),
};

async function setOut(context: TestContext) {
  const world = await peopleWorld(context);
  const people = { ...world.dependencies, provider: careless };
  const { cookie } = await beginSignOn(people, { kind: 'SIGN_IN' }, undefined);
  const returned = {
    ...visitor,
    cookie,
    query: '?code=1',
    language: 'en',
    present: undefined,
  } as const;
  const comeBack = () => finishSignOn(people, returned);
  return { ...world, comeBack };
}

test('accepts one round trip to the provider once, whatever the provider accepts', async (context) => {
  const { comeBack } = await setOut(context);
  const both = await Promise.all([comeBack(), comeBack()]);
  const reasons = both.map((result) => result.kind === 'REFUSED' && result.why);
  assert.deepEqual(reasons.map(String).toSorted(), ['INVALID', 'UNKNOWN']);
  assert.deepEqual(await comeBack(), { kind: 'REFUSED', why: 'INVALID', error: undefined });
});

test('restarts a sign-in that returns after ten minutes', async (context) => {
  const { comeBack, clock } = await setOut(context);
  clock.at += 600_000;
  assert.deepEqual(await comeBack(), { kind: 'REFUSED', why: 'INVALID', error: undefined });
});
