/** Shared phones: revoking one ends what is open on it, and each shop keeps its own. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addMember,
  addPerson,
  auditOf,
  peopleWorld,
  signedIn,
  visitor,
} from '../../../test/support/people.ts';
import { formatId } from '../../platform/values/ids.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { removeMember } from './members.ts';
import { setPin, signInWithPin } from './pins.ts';
import { closeAfterRestore } from './session-store.ts';
import { findSession, listSessions, openSession } from './sessions.ts';
import { enrolTill, findTill, listTills, revokeTill } from './till-devices.ts';

const pin = '274916';

async function setUp(context: TestContext) {
  const world = await peopleWorld(context);
  const { dependencies, merchantId } = world;
  const member = async (email: string) => {
    const personId = await addPerson(world, email);
    await addMember(world, personId, 'OWNER');
    const session = await signedIn(world, personId);
    await setPin(dependencies, session, { ...visitor, pin });
    return personId;
  };
  const maria = await member('maria@loja.cv');
  const enrol = (personId = maria, replaced?: string) =>
    enrolTill(dependencies, { merchantId, personId, label: 'Firefox', replaced });
  const enter = async (till: string, personId = maria) => {
    const result = await signInWithPin(dependencies, { ...visitor, till, personId, pin });
    return result.kind === 'SIGNED_IN' ? result.token : result.kind;
  };
  const idOf = async (till: string) => (await findTill(dependencies.database, till))!.id;
  return { ...world, member, maria, enrol, enter, idOf };
}

test('ends the sessions on a revoked phone at once, and only those', async (context) => {
  const { dependencies, database, merchantId, member, maria, enrol, enter, idOf } =
    await setUp(context);
  const rui = await member('rui@loja.cv');
  const [lost, kept] = [await enrol(), await enrol()];
  const [byMaria, byRui, elsewhere] = [
    await enter(lost),
    await enter(lost, rui),
    await enter(kept, rui),
  ];
  const id = await idOf(lost);
  assert.equal(await revokeTill(dependencies, { id, merchantId }), true);
  assert.equal(await findSession(dependencies, byMaria), undefined);
  assert.equal(await findSession(dependencies, byRui), undefined, 'another person');
  assert.ok(await findSession(dependencies, elsewhere), 'another phone');
  const open = (await listSessions(dependencies, rui)).map(({ signedInWith }) => signedInWith);
  assert.deepEqual(open.sort(), ['PASSKEY', 'PIN'], 'the list on the account page');
  assert.equal(await enter(lost), 'NOT_HERE');
  assert.equal(await findTill(database, lost), undefined);
  assert.equal(await revokeTill(dependencies, { id, merchantId }), false, 'again');
  const records = (await auditOf(database)).filter(({ action }) => action === 'till.revoked');
  assert.deepEqual(
    records.map(({ subject }) => subject),
    [formatId('td', id)],
  );
  assert.equal((await listTills(dependencies, { personId: maria })).length, 1);
});

test('opens nothing for somebody who typed the PIN while the phone was revoked', async (context) => {
  const { dependencies, database, merchantId, maria, enrol, idOf } = await setUp(context);
  const id = await idOf(await enrol());
  await revokeTill(dependencies, { id, merchantId });
  const opening = { ...visitor, personId: maria, signedInWith: 'PIN', tillDeviceId: id } as const;
  const late = await database.transaction((transaction) =>
    openSession(transaction, dependencies, opening),
  );
  assert.equal(await findSession(dependencies, late!.token), undefined);
});

test('ends every shared phone after a restore, because some were revoked since', async (context) => {
  const { database, clock, enrol } = await setUp(context);
  const till = await enrol();
  await database.transaction((transaction) => closeAfterRestore(transaction, clock.at));
  assert.equal(await findTill(database, till), undefined);
});

test('revokes a phone only for its shop, or for the person who enrolled it', async (context) => {
  const { dependencies, database, member, maria, enrol, idOf } = await setUp(context);
  const rui = await member('rui@loja.cv');
  const till = await enrol();
  const id = await idOf(till);
  const other = await createMerchant(dependencies, 'Loja do Mindelo');
  assert.equal(await revokeTill(dependencies, { id, merchantId: other.id }), false);
  assert.equal(await revokeTill(dependencies, { id, personId: rui }), false);
  assert.deepEqual(await listTills(dependencies, { merchantId: other.id }), []);
  assert.ok(await findTill(database, till));
  assert.equal(await revokeTill(dependencies, { id, personId: maria }), true);
});

test('revokes the phones that a removed member enrolled, which they may have kept', async (context) => {
  const { dependencies, database, merchantId, member, enrol, enter } = await setUp(context);
  const rui = await member('rui@loja.cv');
  const [theirs, ours] = [await enrol(rui), await enrol()];
  const session = await enter(theirs);
  await removeMember(dependencies, { merchantId, personId: rui });
  assert.equal(await findTill(database, theirs), undefined);
  assert.equal(await findSession(dependencies, session), undefined, 'another person on that phone');
  assert.ok(await findTill(database, ours));
});

test('replaces the till of a browser that is enrolled again', async (context) => {
  const { dependencies, database, enrol, enter, maria } = await setUp(context);
  const first = await enrol();
  const session = await enter(first);
  const second = await enrol(maria, first);
  assert.equal(await findTill(database, first), undefined);
  assert.equal(await findSession(dependencies, session), undefined);
  assert.ok(await findTill(database, second));
});

test('stores no token of a phone, and takes 20 phones of a shop', async (context) => {
  const { dependencies, database, merchantId, maria, enrol, idOf } = await setUp(context);
  const token = await enrol();
  const text = 'SELECT d::text AS whole FROM till_devices d';
  const [row] = await database.query<{ whole: string }>({ text });
  assert.ok(!row!.whole.includes(token));
  const more = await Promise.allSettled(Array.from({ length: 25 }, () => enrol()));
  assert.equal(more.filter(({ status }) => status === 'fulfilled').length, 19);
  const refused = enrolTill(dependencies, { merchantId, personId: maria, label: 'Firefox' });
  await assert.rejects(refused, { code: 'LIMIT_REACHED' });
  await revokeTill(dependencies, { id: await idOf(token), merchantId });
  await enrol();
});
