import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Authenticator } from '../../../test/support/authenticator.ts';
import {
  addMember,
  addPerson,
  auditOf,
  goodPassword,
  joined,
  peopleWorld,
  visitor,
} from '../../../test/support/people.ts';
import { formatId } from '../../platform/values/ids.ts';
import { acceptInvitation, codesForLink } from './accept-invitation.ts';
import { findPerson } from './account-store.ts';
import { changePassword, draftCodes, renewRecoveryCodes, setPassword } from './credentials.ts';
import { findInvitation, invite, makeReset } from './invitations.ts';
import { changeRole, disablePerson, removeMember } from './members.ts';
import { codeNow } from './one-time-codes.ts';
import { addPasskey, passkeyCreation, removePasskey } from './passkeys.ts';
import { setPin } from './pins.ts';
import { authorOf } from './sessions.ts';
import { insertIdentity } from './sso/identity-store.ts';
import { unlinkIdentity } from './sso/sign-on.ts';
import { staffTeam } from './teams.ts';

const email = 'maria@loja.cv';
const password = 'outras quatro palavras';

/** Everything that removes or renews a credential of Maria's, in her session or by the gateway's operator. */
const ways = ['passkey', 'identity', 'password', 'codes', 'recovery', 'reset', 'disabled'] as const;

for (const way of ways) {
  test(`revokes open invitations to all teams, and the PIN, with a credential of their author: ${way}`, async (context) => {
    const world = await peopleWorld(context);
    const { dependencies, database, clock, merchantId } = world;
    const { personId, sessionId } = await joined(world, email);
    await joined(world, 'rui@loja.cv');
    const session = { id: sessionId, personId, email };
    const device = new Authenticator(dependencies.consoleUrl);
    const options = await passkeyCreation(dependencies, { id: personId, email, name: 'Maria' });
    const given = { ...visitor, response: device.create(options), label: '' };
    const passkey = await addPasskey(dependencies, session, given);
    const identity = { issuer: 'https://id.example.cv', subject: 'maria' };
    await insertIdentity(database, identity, personId, clock.at);
    const author = { ...dependencies, ...authorOf(personId, visitor) };
    const invited = await Promise.all([
      invite(author, { merchantId, role: 'OWNER', email: 'thief@evil.example' }),
      invite(author, { ...staffTeam, role: 'ADMIN', email: 'thief@evil.example' }),
    ]);
    const others = await invite(dependencies, { merchantId, role: 'VIEWER', email: 'eva@loja.cv' });
    const codesOf = ({ draft, secret }: { draft: string; secret: string }) => ({
      draft,
      code: codeNow(secret, clock.at),
    });
    const work = {
      passkey: () => removePasskey(dependencies, session, { ...visitor, id: passkey }),
      identity: () => unlinkIdentity(dependencies, personId, identity, visitor),
      password: () => changePassword(dependencies, session, { ...visitor, password }),
      codes: () => {
        const codes = codesOf(draftCodes(dependencies, personId, email));
        return setPassword(dependencies, session, { ...visitor, password, ...codes });
      },
      recovery: () => renewRecoveryCodes(dependencies, session, visitor),
      reset: async () => {
        const { token } = await makeReset(dependencies, email);
        const link = (await findInvitation(dependencies, token))!;
        const codes = codesOf(codesForLink(dependencies, link));
        const proof = { kind: 'PASSWORD', password: goodPassword, ...codes } as const;
        const form = { ...visitor, token, name: '', language: 'en', proof } as const;
        await acceptInvitation(dependencies, form);
      },
      disabled: () => disablePerson(dependencies, personId, true),
    } satisfies Record<(typeof ways)[number], () => Promise<unknown>>;
    await setPin(dependencies, session, { ...visitor, pin: '274916' });
    await work[way]();
    assert.equal((await findPerson(database, personId))!.hasPin, false);
    const isOpen = async (token: string) =>
      (await findInvitation(dependencies, token)) !== undefined;
    for (const { token } of invited) assert.equal(await isOpen(token), false);
    assert.equal(await isOpen(others.token), true, 'another author’s invitation stays');
    const records = await auditOf(database);
    const revoked = records.filter(({ action }) => action === 'person.invitation_revoked');
    assert.deepEqual(
      revoked.map(({ subject }) => subject).toSorted(),
      invited.map(({ id }) => formatId('iv', id)).toSorted(),
    );
    const actor = way === 'disabled' ? 'cli:maria' : `person:${formatId('pe', personId)}`;
    for (const record of revoked) assert.equal(record.actor, actor);
  });
}

test('records each invitation revoked by another change', async (context) => {
  const world = await peopleWorld(context);
  const { dependencies, database, merchantId } = world;
  await joined(world, email);
  const personId = await addPerson(world, 'rui@loja.cv');
  await addMember(world, personId, 'OWNER');
  const author = { ...dependencies, ...authorOf(personId, visitor) };
  const order = { merchantId, role: 'VIEWER', email: 'eva@loja.cv' } as const;
  const replaced = await invite(author, order);
  const second = await invite(author, order);
  await changeRole(dependencies, { merchantId, personId, role: 'VIEWER' });
  const third = await invite(author, { ...order, email: 'ana@loja.cv' });
  await removeMember(dependencies, { merchantId, personId });
  const records = await auditOf(database);
  const revoked = records.filter(({ action }) => action === 'person.invitation_revoked');
  assert.deepEqual(
    revoked.map(({ actor, subject }) => [actor, subject]),
    [
      [author.actor, formatId('iv', replaced.id)],
      ['cli:maria', formatId('iv', second.id)],
      ['cli:maria', formatId('iv', third.id)],
    ],
  );
  for (const { whole } of revoked) assert.match(whole, new RegExp(formatId('me', merchantId)));
});
