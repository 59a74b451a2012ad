import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  auditOf,
  goodPassword,
  joined,
  peopleWorld,
  signedIn,
  visitor,
} from '../../../test/support/people.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import {
  changePassword,
  changeProfile,
  draftCodes,
  readDraft,
  renewRecoveryCodes,
  setPassword,
} from './credentials.ts';
import { codeNow } from './one-time-codes.ts';
import { countCodesByKey, reencryptCodes } from './reencrypt.ts';
import { findSession } from './sessions.ts';
import { signInWithPassword } from './sign-in.ts';

const email = 'maria@loja.cv';
const newPassword = 'outras quatro palavras';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const person = await joined(world, email);
  const { personId } = person;
  const elsewhere = await signedIn(world, personId);
  const session = { id: person.sessionId, personId, email };
  const { dependencies, clock } = world;
  const signIn = (password: string, code: string) =>
    signInWithPassword(dependencies, { ...visitor, email, password, code });
  const kindOf = async (password: string, secret = person.secret) => {
    clock.at += 60_000;
    return (await signIn(password, codeNow(secret, clock.at))).kind;
  };
  return { ...world, person, elsewhere, session, signIn, kindOf };
}

test('replaces the password, and signs out elsewhere', async (context) => {
  const { dependencies, person, session, elsewhere, kindOf } = await setUp(context);
  await assert.rejects(changePassword(dependencies, session, { ...visitor, password: email }), {
    code: 'VALIDATION_ERROR',
  });
  await changePassword(dependencies, session, { ...visitor, password: newPassword });
  assert.equal(await kindOf(goodPassword), 'WRONG');
  assert.equal(await kindOf(newPassword), 'SIGNED_IN');
  assert.ok(await findSession(dependencies, person.token));
  assert.equal(await findSession(dependencies, elsewhere.token), undefined);
});

test('replaces the codes, including recovery codes', async (context) => {
  const { dependencies, database, person, session, clock, signIn, kindOf } = await setUp(context);
  const { draft, secret } = draftCodes(dependencies, person.personId, email);
  const code = codeNow(secret, clock.at);
  const given = { ...visitor, password: newPassword, draft, code };
  const codes = await setPassword(dependencies, session, given);
  assert.equal((await signIn(newPassword, code)).kind, 'WRONG', 'it showed that the app works');
  assert.equal(await kindOf(newPassword), 'WRONG');
  assert.equal(await kindOf(newPassword, secret), 'SIGNED_IN');
  assert.equal((await signIn(newPassword, person.recoveryCodes[0]!)).kind, 'WRONG');
  assert.equal((await signIn(newPassword, codes[0]!)).kind, 'SIGNED_IN');
  const [renewed] = await renewRecoveryCodes(dependencies, session, visitor);
  assert.equal((await signIn(newPassword, codes[1]!)).kind, 'WRONG');
  assert.equal((await signIn(newPassword, renewed!)).kind, 'SIGNED_IN');
  const actions = (await auditOf(database)).map(({ action }) => action);
  assert.deepEqual(
    actions.filter((action) => /^(password|codes)/.test(action)),
    ['password.changed', 'password.changed', 'codes.reset', 'codes.reset'],
  );
});

test('accepts a draft of codes only from its person, for an hour', async (context) => {
  const { dependencies, clock, person } = await setUp(context);
  const { draft, secret } = draftCodes(dependencies, person.personId, email);
  assert.ok(!Buffer.from(draft, 'base64url').includes(secret));
  const read = (personId: string) => readDraft(dependencies, personId, email, draft)?.secret;
  assert.equal(read(person.personId), secret);
  assert.equal(read(person.invitation.id), undefined);
  clock.at += 3_600_000;
  assert.equal(read(person.personId), undefined);
});

test('stores neither password nor codes readably', async (context) => {
  const { database, person } = await setUp(context);
  const [people] = await database.query<{ whole: string }>({
    text: `SELECT string_agg(p::text, '') || (SELECT string_agg(r::text, '') FROM recovery_codes r) AS whole
      FROM people p`,
  });
  const stored = Buffer.from(people!.whole);
  for (const hidden of [goodPassword, person.secret, ...person.recoveryCodes]) {
    assert.ok(!stored.includes(hidden), hidden);
    assert.ok(!stored.includes(Buffer.from(hidden).toString('hex')), hidden);
  }
});

test('keeps codes valid after a replacement of the secret key', async (context) => {
  const { dependencies, database, person, clock } = await setUp(context);
  const next = Buffer.alloc(32, 9);
  const both = createSecretBox(next, Buffer.alloc(32, 7));
  assert.deepEqual(await countCodesByKey(database, both), {
    current: 0,
    previous: 1,
    unreadable: [],
  });
  const alone = createSecretBox(next);
  assert.deepEqual(await reencryptCodes(database, alone), [person.personId]);
  assert.deepEqual(await reencryptCodes(database, both), []);
  assert.equal((await countCodesByKey(database, alone)).current, 1);
  const given = {
    ...visitor,
    email,
    password: goodPassword,
    code: codeNow(person.secret, clock.at),
  };
  const result = await signInWithPassword({ ...dependencies, secrets: alone }, given);
  assert.equal(result.kind, 'SIGNED_IN');
});

test('lets a person choose their name and language', async (context) => {
  const { dependencies, person } = await setUp(context);
  const profile = { name: ' Maria Andrade ', language: 'en' } as const;
  await changeProfile(dependencies, person.personId, profile);
  const { name, language } = (await findSession(dependencies, person.token))!;
  assert.deepEqual([name, language], ['Maria Andrade', 'en']);
  await assert.rejects(changeProfile(dependencies, person.personId, { ...profile, name: '' }), {
    code: 'VALIDATION_ERROR',
  });
});
