/** Two colleagues never have the same name: the till, the sales of the day and the audit log tell people apart by it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addMember,
  addPerson,
  joined,
  peopleWorld,
  signedIn,
  visitor,
} from '../../../test/support/people.ts';
import { looksLike, mixesAlphabets } from '../../platform/text/look-alikes.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { joinTeam } from './accept-invitation.ts';
import { acceptQr } from './accept-qr.ts';
import { findPerson } from './account-store.ts';
import { changeProfile } from './credentials.ts';
import { invite, inviteByQr } from './invitations.ts';
import { staffTeam } from './teams.ts';

const taken = { code: 'VALIDATION_ERROR', message: /^name is that of a colleague/ };

test('sees the same name whatever its case, accents and invisible characters', () => {
  for (const name of [
    'JOÃO  Évora',
    'joao evora',
    ' Joa\u0303o\u00a0E\u0301vora',
    'Jo\u200b\u00e3o \u202eÉvora\u2800',
    'ＪＯÃＯ Évora',
  ])
    assert.ok(looksLike(name, 'joao evora'), JSON.stringify(name));
  assert.ok(!looksLike('João Évora 2', 'João Évora'));
});

test('sees the same name in letters of another alphabet that look like Latin ones', () => {
  for (const [name, other] of [
    ['Аna', 'Ana'],
    ['Еса', 'Eca'],
    ['ΡΕΤΑ', 'PETA'],
    ['Вера', 'ВЕРА'],
  ] as const)
    assert.ok(looksLike(name, other), name);
  assert.ok(!looksLike('Ана', 'Ana'));
});

test('sees letters of two alphabets in a word', () => {
  for (const name of ['Аna', 'Аna Évora', 'Evа', 'Αna', 'Ꭺna', 'A\u200bна', 'Joа\u0303o'])
    assert.ok(mixesAlphabets(name), JSON.stringify(name));
  for (const name of [
    'Ana',
    'Анна',
    'Ana Анна',
    'Ʋɛɖɔ',
    "N'Golaʼa 2º",
    '山田 Ana',
    'Łukasz',
    'Joa\u0303o',
  ])
    assert.ok(!mixesAlphabets(name), name);
});

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const { dependencies, merchantId } = world;
  const rui = await joined(world, 'rui@loja.cv', 'OWNER', 'Rui Évora');
  const joinByQr = async (name: string) => {
    const { token } = await inviteByQr(dependencies, { merchantId });
    const proof = { kind: 'PIN', pin: '274916' } as const;
    const given = { ...visitor, token, language: 'pt', proof } as const;
    const accept = (typed: string) => acceptQr(dependencies, { ...given, name: typed });
    await accept(name);
    return accept;
  };
  return { ...world, world, rui, joinByQr };
}

test('refuses a new member the name of a colleague, and keeps the link for another name', async (context) => {
  const { world, dependencies, merchantId, joinByQr } = await setUp(context);
  await assert.rejects(joined(world, 'eva@loja.cv', 'VIEWER', 'rui\u200b evora'), taken);
  const { token } = await inviteByQr(dependencies, { merchantId });
  const proof = { kind: 'PIN', pin: '274916' } as const;
  const given = { ...visitor, token, language: 'pt', proof } as const;
  await assert.rejects(acceptQr(dependencies, { ...given, name: 'RUI ÉVORA' }), taken);
  await acceptQr(dependencies, { ...given, name: 'Rui Tavares' });
  await assert.rejects(joinByQr('rui  tavares'), taken);
});

test('refuses a name in letters of two alphabets, but keeps an older one', async (context) => {
  const { dependencies, database, rui, joinByQr } = await setUp(context);
  await assert.rejects(joinByQr('Аna'), { code: 'VALIDATION_ERROR', message: /two alphabets/ });
  await database.query({ text: `UPDATE people SET name = 'Аna' WHERE id = $1` }, [rui.personId]);
  await assert.rejects(joinByQr('Ana'), taken);
  await changeProfile(dependencies, rui.personId, { name: 'Аna', language: 'en' });
  assert.equal((await findPerson(database, rui.personId))!.language, 'en');
});

test('refuses somebody with an account who has the name of a colleague, until they change it', async (context) => {
  const { world, dependencies, merchantId } = await setUp(context);
  const other = await createMerchant(dependencies, 'Loja do Mindelo');
  const far = { ...world, merchantId: other.id };
  const guest = await joined(far, 'guest@loja.cv', 'OWNER', 'Rui Evora');
  const { token } = await invite(dependencies, { merchantId, role: 'VIEWER', email: guest.email });
  await assert.rejects(joinTeam(dependencies, guest, { ...visitor, token }), taken);
  await changeProfile(dependencies, guest.personId, { name: 'Rui do Mindelo', language: 'pt' });
  await joinTeam(dependencies, guest, { ...visitor, token });
  const back = changeProfile(dependencies, guest.personId, { name: 'Rui Évora', language: 'pt' });
  await assert.rejects(back, taken);
});

test('gives no two people of the staff one name', async (context) => {
  const { world, dependencies, database, merchantId, rui } = await setUp(context);
  const eva = await joined(world, 'eva@loja.cv', 'VIEWER', 'Eva');
  const join = async ({ email, personId }: { email: string; personId: string }) => {
    const { token } = await invite(dependencies, { ...staffTeam, role: 'ADMIN', email });
    await joinTeam(dependencies, { personId }, { ...visitor, token });
  };
  await join(rui);
  const other = await createMerchant(dependencies, 'Loja do Mindelo');
  const far = { ...world, merchantId: other.id };
  const twin = await joined(far, 'twin@loja.cv', 'OWNER', 'RUI EVORA');
  await assert.rejects(join(twin), taken);
  await join(eva);
  await database.query({ text: 'DELETE FROM memberships WHERE merchant_id = $1' }, [merchantId]);
  const change = changeProfile(dependencies, eva.personId, { name: 'Rui Évora', language: 'pt' });
  await assert.rejects(change, taken);
});

test('keeps the name of somebody who has had that of a colleague before', async (context) => {
  const { world, dependencies, database } = await setUp(context);
  const twins = [await addPerson(world, 'a@loja.cv'), await addPerson(world, 'b@loja.cv')];
  for (const each of twins) await addMember(world, each, 'VIEWER');
  await database.query({ text: `UPDATE people SET name = 'Maria' WHERE id = ANY ($1)` }, [twins]);
  const [first = ''] = twins;
  await signedIn(world, first);
  await changeProfile(dependencies, first, { name: 'Maria', language: 'en' });
  assert.equal((await findPerson(database, first))!.language, 'en');
  await changeProfile(dependencies, first, { name: 'Maria A', language: 'en' });
  const back = changeProfile(dependencies, first, { name: 'MARIA', language: 'en' });
  await assert.rejects(back, taken);
});

test('gives a name to one of two people who choose it at once', async (context) => {
  const { world, dependencies } = await setUp(context);
  const people = [await addPerson(world, 'a@loja.cv'), await addPerson(world, 'b@loja.cv')];
  for (const each of people) await addMember(world, each, 'VIEWER');
  const results = await Promise.allSettled(
    people.map((each) => changeProfile(dependencies, each, { name: 'Eva', language: 'pt' })),
  );
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});
