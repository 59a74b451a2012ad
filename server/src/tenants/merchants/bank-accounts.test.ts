import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { peopleWorld } from '../../../test/support/people.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { checkAccount } from './bank-account.ts';
import { listAccounts, listCurrentAccounts } from './bank-account-store.ts';
import { changeBankAccount, writeBankAccount } from './change-bank-account.ts';

const cv = 'CV64000500000020108215144';
const ao = 'AO06004400006729503010102';
const pt = 'PT50000201231234567890154';
const details = { currency: 'CVE', accountNumber: cv, holder: 'Maria Lopes', bic: null };

const begin = async () => {
  const world = await peopleWorld({ after: (work) => after(work as () => void) });
  const { database, clock, merchantId, dependencies } = world;
  const { ids } = dependencies;
  const author = { actor: 'person:pe_ana', origin: '192.0.2.8' };
  const parts = { database, clock, ids, fourEyes: noFourEyes, ...author };
  const change = (given: object) => changeBankAccount(parts, merchantId, { ...details, ...given });
  return { database, clock, merchantId, parts, change };
};

async function recordsOf({ database }: Awaited<ReturnType<typeof begin>>) {
  const text = `SELECT actor, origin, subject, before, after, detail FROM audit_records
    WHERE action = 'merchant.bank_account_changed' ORDER BY id`;
  return database.query<Record<'actor' | 'origin' | 'subject' | 'before' | 'after', unknown>>({
    text,
  });
}

test('ends the previous account at a change, and logs each change with its author and a masked number', async () => {
  const world = await begin();
  const { clock, merchantId, database, change } = world;
  const first = await change({
    accountNumber: ' cv64 0005 0000 0020 1082 1514 4 ',
    bic: 'bcatcvcv',
  });
  const angolan = await change({ currency: 'AOA', accountNumber: ao });
  clock.at += 1_000;
  const second = await change({ accountNumber: pt });
  assert.deepEqual(await listAccounts(database, merchantId, { limit: 9 }), [
    second,
    angolan,
    { ...first, validUntilMs: second.validFromMs },
  ]);
  assert.deepEqual(await listCurrentAccounts(database, merchantId), [second, angolan]);
  assert.deepEqual([first.accountNumber, first.bic], [cv, 'BCATCVCV']);
  const records = await recordsOf(world);
  const { actor, origin, subject, before, after: then } = records[2]!;
  assert.deepEqual(
    [actor, origin, subject],
    ['person:pe_ana', '192.0.2.8', formatId('me', merchantId)],
  );
  const masked = { currency: 'CVE', account: '…5144', bic: 'BCATCVCV' };
  assert.deepEqual(before, { id: formatId('ba', first.id), ...masked });
  assert.deepEqual(then, { ...masked, id: formatId('ba', second.id), account: '…0154', bic: null });
  assert.equal(records[0]!.before, null);
  assert.doesNotMatch(JSON.stringify(records), /Maria|0005000|0002012|0044000/);
});

test('ignores the same account, without a record', async () => {
  const world = await begin();
  const first = await world.change({});
  assert.deepEqual(await world.change({ accountNumber: cv.replace(/.{4}/g, '$& ') }), first);
  assert.equal((await recordsOf(world)).length, 1);
});

test('serializes two concurrent changes: the second ends the account of the first', async () => {
  const world = await begin();
  const { merchantId, database, parts, change } = world;
  await change({});
  const [one, other] = await database.transaction(async (transaction) => {
    const made = await writeBankAccount(transaction, parts, merchantId, checked('A'));
    const second = change({ holder: 'B' });
    second.catch(() => {});
    await eventually('the second waits', async () => {
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query({ text })).length > 0;
    });
    return [made, second] as const;
  });
  const { id } = await other;
  const all = await listAccounts(database, merchantId, { limit: 9 });
  assert.deepEqual(all.map((each) => [each.id, each.validUntilMs === null]).slice(0, 2), [
    [id, true],
    [one.id, false],
  ]);
  const [, , last] = await recordsOf(world);
  assert.equal((last!.before as { id: string }).id, formatId('ba', one.id));
});

const checked = (holder: string) => checkAccount({ ...details, holder });

test('refuses details that a bank could not use, by field', () => {
  const wrong: [string, object][] = [
    ['currency', { currency: 'EUR' }],
    ['accountNumber', { accountNumber: 'CV64000500000020108215145' }],
    ['holder', { holder: ' ' }],
    ['holder', { holder: '\u3164' }],
    ['holder', { holder: 'x'.repeat(141) }],
    ['holder', { holder: 'two\nlines' }],
    ['holder', { holder: 'a\u2028b' }],
    ['holder', { holder: 'aLda\u202e.' }],
    ['holder', { holder: 'a\u0000' }],
    ['holder', { holder: 'a\ud800' }],
    ['holder', { holder: 'Maria +238 991 76 54' }],
    ['holder', { holder: 'Maria 9917654' }],
    ['bic', { bic: 'BCAT' }],
  ];
  for (const [field, given] of wrong) {
    assert.throws(
      () => checkAccount({ ...details, ...given }),
      { code: 'VALIDATION_ERROR', message: new RegExp(`^${field} `) },
      JSON.stringify(given),
    );
  }
  const longest = 'ã'.repeat(140);
  assert.equal(checkAccount({ ...details, holder: ` ${longest} ` }).holder, longest);
});

test('refuses an unknown merchant, and a change by one person under four eyes', async () => {
  const { parts, database, merchantId } = await begin();
  const nobody = '00000000-0000-7000-8000-000000000000';
  await assert.rejects(changeBankAccount(parts, nobody, details), { code: 'NOT_FOUND' });
  const guarded = { ...parts, fourEyes: new Set(['bank-accounts'] as const) };
  await assert.rejects(changeBankAccount(guarded, merchantId, details), {
    name: 'ApprovalNeeded',
    message: /second person. Request it in the console/,
  });
  assert.deepEqual(await database.query({ text: 'SELECT FROM bank_accounts' }), []);
});
