import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { runZimbo } from '../../test/support/zimbo.ts';

const [oldKey, newKey, lostKey] = [1, 2, 3].map((byte) =>
  Buffer.alloc(32, byte).toString('hex'),
) as [string, string, string];

async function world(context: TestContext) {
  const { url, database } = await testDatabase(context);
  const zimbo = async (args: string[], key = oldKey, more: Record<string, string> = {}) => {
    const settings = { DATABASE_URL: url, ...(key && { ZIMBO_SECRET_KEY: key }), ...more };
    const { ended, output } = runZimbo(context, args, settings);
    return { code: await ended, ...output };
  };
  return { database, zimbo };
}

test('blocks, lists and unblocks phones, each with an audit record', async (context) => {
  const { database, zimbo } = await world(context);
  assert.match((await zimbo(['phones', 'list'])).stdout, /No phone is blocked/);
  const block = ['phones', 'block', '+238 991 23 45', '--reason', 'asked us'];
  assert.match((await zimbo(block)).stdout, /^Blocked/);
  assert.match((await zimbo(['phones', 'block', '+2389912345'])).stdout, /already/);
  const [row] = JSON.parse((await zimbo(['phones', 'list', '--json'])).stdout);
  assert.equal(row.phone, '+238•••••45');
  assert.equal(row.reason, 'asked us');
  assert.match((await zimbo(['phones', 'list'])).stdout, /\+238•••••45 .*asked us/);
  const allow = ['phones', 'allow', '+238 9912345', '--json'];
  assert.deepEqual(JSON.parse((await zimbo(allow)).stdout), { changed: true });
  assert.deepEqual(JSON.parse((await zimbo(allow)).stdout), { changed: false });
  const records = await database.query<{ action: string; actor: string; detail: unknown }>({
    text: 'SELECT action, actor, detail FROM audit_records ORDER BY at',
  });
  assert.deepEqual(
    records.map(({ action }) => action),
    ['phone.blocked', 'phone.allowed'],
  );
  assert.ok(records.every(({ actor }) => actor.startsWith('cli:')));
  assert.doesNotMatch(JSON.stringify(records), /9912345/);
});

test('removes the phone from a recorded reason', async (context) => {
  const { database, zimbo } = await world(context);
  const reason = 'owner of +2389917654 and 00238 991 7654 called';
  await zimbo(['phones', 'block', '+2389912345', '--reason', reason]);
  const { stdout } = await zimbo(['merchants', 'create', '--name', 'Loja', '--json']);
  const create = ['keys', 'create', '--merchant', JSON.parse(stdout).id, '--mode', 'test'];
  assert.equal((await zimbo([...create, '--label', 'phone 2389917654'])).code, 0);
  const records = await database.query<{ detail: object; after: object }>({
    text: `SELECT detail, after FROM audit_records
      WHERE action IN ('phone.blocked', 'api_key.issued') ORDER BY id`,
  });
  const [blocked, issued] = records;
  const kept = { phone: '+238•••••45', reason: 'owner of +…54 and …54 called' };
  assert.deepEqual(blocked!.detail, kept);
  assert.partialDeepStrictEqual(issued!.after, { label: 'phone …54' });
  assert.match((await zimbo(['phones', 'list'])).stdout, /owner of \+2389917654/, 'for people');
});

test('explains an invalid phone, and a missing or wrong key', async (context) => {
  const { zimbo } = await world(context);
  await zimbo(['phones', 'block', '+2389912345']);
  const wrong = await zimbo(['phones', 'block', '991']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /"991" is not an international number/);
  assert.match((await zimbo(['phones', 'block', '+2389912345'], '')).stderr, /ZIMBO_SECRET_KEY is/);
  assert.match((await zimbo(['phones', 'block', '+2389912345'], newKey)).stderr, /another ZIMBO_/);
});

test('keeps a phone blocked when the secret key is replaced', async (context) => {
  const { zimbo } = await world(context);
  await zimbo(['phones', 'block', '+2389912345']);
  const rotate = (previous: string) =>
    zimbo(['secrets', 'rotate'], newKey, { ZIMBO_SECRET_KEY_PREVIOUS: previous });
  const failed = await rotate(lostKey);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /Neither key decrypts the digest key/);
  assert.equal((await rotate(oldKey)).code, 0);
  const again = await zimbo(['phones', 'block', '+2389912345', '--json'], newKey);
  assert.deepEqual(JSON.parse(again.stdout), { changed: false });
});
