/** People and their accounts, and owners and their teams, over HTTP. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { type Member, testConsole } from '../support/console.ts';
import { goodPassword } from '../support/people.ts';
import { hiddenValue, invitationTo, joinedBy, Stranger } from '../support/stranger.ts';

const account = '/console/account';
const proof = '/console/prove?next=/console/account';

async function setUp(context: TestContext) {
  const site = await testConsole(context);
  const maria = new Stranger(site);
  const joined = await joinedBy(maria, await invitationTo(site, 'maria@loja.cv'));
  const { database } = site.gateway;
  /** Everybody reauthenticated long ago. */
  const letTimePass = () =>
    database.query({
      text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '10 minutes'`,
    });
  return { ...site, site, database, maria, letTimePass, ...joined };
}

test('changes sign-in methods only after reauthentication', async (context) => {
  const { maria, letTimePass, codeIn, recoveryCodes } = await setUp(context);
  await letTimePass();
  for (const action of ['passkey', 'remove-passkey', 'password', 'codes', 'recovery']) {
    const { status, location } = await maria.send(account, { action, changed: goodPassword });
    assert.deepEqual([status, location], [303, proof], action);
  }
  const page = await maria.get(account);
  assert.match(page.text, /Confirm your identity/);
  assert.doesNotMatch(page.text, /data-passkey|name="draft"/);
  const prove = (password: string, code: string) =>
    maria.send(proof, { action: 'password', password, code });
  assert.equal((await prove('wrong wrong wrong', codeIn(1))).status, 400);
  assert.equal((await prove(goodPassword, recoveryCodes[0]!)).location, account);
  const renewed = await maria.send(account, { action: 'recovery' });
  assert.equal(renewed.text.match(/<li><code>/g)?.length, 10);
  assert.ok(!renewed.text.includes(recoveryCodes[1]!));
  const change = { action: 'password', changed: 'uma outra palavra qualquer' };
  assert.equal((await maria.send(account, change)).location, `${account}?done=password`);
  const easy = await maria.send(account, { action: 'password', changed: 'password1234' });
  assert.equal(easy.status, 400);
  assert.match(easy.text, /too easy to guess/);
});

test('replaces the authenticator app with the password', async (context) => {
  const { maria } = await setUp(context);
  const { text } = await maria.get(account);
  const given = { action: 'codes', password: goodPassword, draft: hiddenValue(text, 'draft') };
  const wrong = await maria.send(account, { ...given, code: '000000' });
  assert.match(wrong.text, /not the code that the app shows now/);
  assert.equal(hiddenValue(wrong.text, 'draft'), given.draft, 'the picture stays the same');
});

test('saves name and language, and shows pages in that language', async (context) => {
  const { site, maria } = await setUp(context);
  await maria.send(account, { action: 'profile', name: 'Maria <b>', language: 'pt' });
  const page = await maria.get(`${account}?done=profile`);
  assert.match(page.text, /value="Maria &lt;b&gt;"/);
  assert.match(page.text, /Guardado\./);
  const nameless = await maria.send(account, { action: 'profile', name: ' ', language: 'pt' });
  assert.equal(nameless.status, 400);
  const stranger = new Stranger(site);
  const chosen = await stranger.get('/console/sign-in?lang=pt&next=/console/account');
  assert.match(chosen.text, /\?lang=en&amp;next=%2Fconsole%2Faccount/);
  assert.match((await stranger.get('/console/sign-in')).text, /Com palavra-passe e código/);
});

test('lists sessions, and ends one or all others', async (context) => {
  const { site, maria, recoveryCodes } = await setUp(context);
  const others = [new Stranger(site), new Stranger(site)] as const;
  const given = { action: 'password', email: 'maria@loja.cv', password: goodPassword };
  for (const [index, other] of others.entries()) {
    await other.send('/console/sign-in', { ...given, code: recoveryCodes[index]! });
    assert.equal((await other.get(account)).status, 200);
  }
  const { text } = await maria.get(account);
  const [first] = [...text.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id!);
  await maria.send(account, { action: 'end-session', session: first! });
  const open = async () =>
    (await Promise.all(others.map((other) => other.get(account)))).map(({ status }) => status);
  assert.deepEqual(new Set(await open()), new Set([200, 303]));
  await maria.send(account, { action: 'end-others' });
  assert.deepEqual(await open(), [303, 303]);
  assert.equal((await maria.get(account)).status, 200);
});

test('lets an owner invite, change and remove members', async (context) => {
  const { site, maria, origin, base } = await setUp(context);
  const team = `${base}/team`;
  const invited = await maria.send(team, {
    action: 'invite',
    email: 'Rui@loja.cv',
    role: 'SUPPORT',
  });
  assert.equal(invited.status, 200);
  const link = new RegExp(`${origin}(/console/invitation/[\\w-]+)`).exec(invited.text)![1]!;
  const rui = new Stranger(site);
  await joinedBy(rui, link);
  assert.equal((await rui.get(team)).status, 200);
  const again = await maria.send(team, { action: 'invite', email: 'rui@loja.cv', role: 'VIEWER' });
  assert.match(again.text, /already on the team/);
  const nobody = await maria.send(team, { action: 'invite', email: 'no mail', role: 'VIEWER' });
  assert.match(nobody.text, /Enter an e-mail address/);
  const { text } = await maria.get(team);
  const ids = [...text.matchAll(/name="person" value="(pe_[^"]+)"/g)].map(([, id]) => id!);
  assert.equal(ids.length, 2);
  const [owner, support] = ids as [string, string];
  const demoted = await maria.send(team, { action: 'role', person: owner, role: 'VIEWER' });
  assert.equal(demoted.status, 400);
  assert.match(demoted.text, /This is the last owner/);
  const changed = await maria.send(team, { action: 'role', person: support, role: 'FINANCE' });
  assert.equal(changed.location, `${team}?done=changed`);
  const removed = await maria.send(team, { action: 'remove', person: support });
  assert.equal(removed.location, `${team}?done=removed`);
  assert.match((await rui.get(team)).location!, /\/console\/sign-in/, 'signed out');
});

test('limits how often one mailbox is invited in a day', async (context) => {
  const { maria, base } = await setUp(context);
  const invite = (email: string) =>
    maria.send(`${base}/team`, { action: 'invite', email, role: 'VIEWER' });
  for (let n = 0; n < 5; n++) assert.equal((await invite('rui@loja.cv')).status, 200);
  const refused = await invite('Rui@loja.cv');
  assert.deepEqual([refused.status, /come back tomorrow/.test(refused.text)], [400, true]);
  assert.equal((await invite('eva@loja.cv')).status, 200, 'others can still be invited');
});

test('rejects a revoked invitation', async (context) => {
  const { site, maria, base } = await setUp(context);
  const link = await invitationTo(site, 'rui@loja.cv');
  const team = `${base}/team`;
  const invitation = hiddenValue((await maria.get(team)).text, 'invitation');
  await maria.send(team, { action: 'revoke', invitation });
  assert.equal((await new Stranger(site).get(link)).status, 404);
});

test('requires reauthentication for team changes, in test mode too', async (context) => {
  const { maria, base, merchantId, letTimePass } = await setUp(context);
  await letTimePass();
  const fields = { email: 'rui@loja.cv', role: 'OWNER', person: formatId('pe', merchantId) };
  for (const action of ['invite', 'revoke', 'role', 'remove']) {
    const { location } = await maria.send(`${base}/team`, { action, ...fields });
    assert.equal(location, `/console/prove?next=${encodeURIComponent(`${base}/team`)}`, action);
  }
});

test('shows the team to non-owners, without changes', async (context) => {
  const { site } = await setUp(context);
  const viewer: Member = await site.signIn('VIEWER');
  const { status, text } = await viewer.get('team');
  assert.equal(status, 200);
  assert.doesNotMatch(text, /name="person"|name="email"|name="invitation"/);
  const { text: own } = await viewer.get(account);
  const csrf = hiddenValue(own, 'csrf');
  const body = new URLSearchParams({ csrf, action: 'invite', email: 'x@y.cv', role: 'OWNER' });
  const headers = { origin: site.origin, cookie: viewer.cookie };
  const answer = await fetch(`${site.origin}${site.base}/team`, { method: 'POST', body, headers });
  assert.equal(answer.status, 403);
});
