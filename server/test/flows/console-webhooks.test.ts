import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { can, roles } from '../../src/tenants/people/permissions.ts';
import { type Member, type PageAnswer, type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
const secretIn = (text: string) => /whsec_[0-9A-Za-z+/]{43}=/.exec(text)?.[0];
const endpointIn = ({ text }: PageAnswer) => /endpoints\/(we_[0-9a-z]{26})/.exec(text)![1]!;
const deliveryIn = (text: string) => /deliveries\/(dl_[0-9a-z]{26})/.exec(text)?.[1];

const keyIn = (text: string) => /name="key" value="([^"]*)"/.exec(text)![1]!;

const create = (member: Member, url: string, once = '1', events = ['payment.created']) =>
  member.send('endpoints/new', { action: 'create', url, events, once, description: 'the till' });

/** Submits a form with another page's token to a page that the role may not see. */
async function post({ origin, base }: TestConsole, member: Member, path: string, fields: object) {
  // Each role sees one of these pages.
  const pages = [await member.get('payments'), await member.get('charge')];
  const { text } = pages.find(({ status }) => status === 200)!;
  const [, csrf] = /name="csrf" value="([^"]*)"/.exec(text)!;
  const body = new URLSearchParams({ csrf: csrf!, ...fields });
  const headers = { cookie: member.cookie, origin };
  const init = { method: 'POST', redirect: 'manual', headers, body } as const;
  return (await fetch(`${origin}${base}/${path}`, init)).status;
}

async function auditText({ gateway }: TestConsole): Promise<string> {
  const text = 'SELECT row_to_json(audit_records)::text AS line FROM audit_records';
  const rows = await gateway.database.query<{ line: string }>({ text });
  return rows.map(({ line }) => line).join('\n');
}

test('creates an endpoint once, shows its secret once, and delivers events', async (context) => {
  const site = await testConsole(context);
  const receiver = await testReceiver(context);
  const member = await site.signIn('DEVELOPER');
  const answers = await Promise.all([create(member, receiver.url), create(member, receiver.url)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  const made = answers.find(({ text }) => secretIn(text) !== undefined)!;
  assert.equal(answers.filter(({ text }) => secretIn(text) !== undefined).length, 1);
  assert.equal(made.location, null);
  assert.equal((await site.gateway.zimbo.webhooks.list().page()).data.length, 1);
  await site.gateway.zimbo.payments.create(payment);
  await eventually('it arrives', () => receiver.received.length === 1);
  const endpoint = endpointIn(made);
  for (const path of ['endpoints', `endpoints/${endpoint}`, 'endpoints/new', 'events']) {
    assert.equal(secretIn((await member.get(path)).text), undefined, path);
  }
  assert.equal(secretIn(await auditText(site)), undefined);
  const list = await eventually('its health is told', async () => {
    const { text } = await member.get('endpoints');
    return text.includes('1 of the latest 1 delivered') && text;
  });
  assert.match(list, /the till/);
});

test('changes, disables, enables, tests and deletes an endpoint by its buttons', async (context) => {
  const site = await testConsole(context);
  const receiver = await testReceiver(context);
  const member = await site.signIn();
  const page = `endpoints/${endpointIn(await create(member, receiver.url))}`;
  const act = async (action: string, fields = {}) => {
    const answer = await member.send(page, { action, ...fields });
    assert.equal(answer.status, 303, action);
    return member.get(answer.location!);
  };
  const url = `${receiver.url}/other`;
  const events = ['payment.debited', 'refund.created'];
  const changed = await act('change', { url, events, description: '' });
  assert.match(changed.text, /Your changes have been saved/);
  assert.match(changed.text, /payment\.debited, refund\.created/);
  const kept = keyIn((await member.get(page)).text);
  assert.match((await act('disable')).text, /data-status="DISABLED"/);
  const refused = await member.send(page, { action: 'test', key: kept });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /enable it first/);
  assert.match((await act('enable')).text, /data-status="ACTIVE"/);
  const key = keyIn((await member.get(page)).text);
  const sent = await Promise.all([1, 2].map(() => member.send(page, { action: 'test', key })));
  assert.equal(sent[0]!.location, sent[1]!.location, 'one form, one event');
  assert.match((await member.get(sent[0]!.location!)).text, /The test event is on its way/);
  const old = '0190a000-0000-7000-8000-000000000001';
  assert.equal((await member.send(page, { action: 'test', key: old })).status, 400);
  await eventually('it arrives', () => receiver.received[0]?.event.type === 'webhook.test');
  await act('test', { key: keyIn((await member.get(page)).text) });
  await eventually('the next form sends the next', () => receiver.received.length === 2);
  assert.match((await act('remove')).text, /The endpoint has been deleted/);
  assert.equal((await member.get(page)).status, 404);
  assert.match(await auditText(site), /"webhook\.deleted"[^\n]*|person:pe_/);
});

test('shows a wrong address or a missing event in the form', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  for (const url of ['ftp://shop.cv/', 'https://a:b@shop.cv/', 'https://', 'javascript:alert(1)']) {
    const { status, text } = await create(member, url);
    assert.equal(status, 400, url);
    assert.match(text, /id="url-error"/);
  }
  const { text } = await create(member, 'https://shop.cv/', '2', []);
  assert.match(text, /id="events-error"/);
  assert.match(text, /value="https:\/\/shop\.cv\/"/);
});

test('rotates a secret once, however often the form is sent', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  const page = `endpoints/${endpointIn(await create(member, 'http://127.0.0.1:9/'))}`;
  const { text } = await member.get(page);
  const [, version] = /name="version" value="(\d+)"/.exec(text)!;
  const rotate = () => member.send(page, { action: 'rotate', version: version!, overlap: '24' });
  const answers = await Promise.all([rotate(), rotate(), rotate()]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  const shown = answers.filter((answer) => secretIn(answer.text) !== undefined);
  assert.equal(shown.length, 1);
  assert.match(shown[0]!.text, /The old secret signs until/);
  assert.equal(secretIn((await member.get(page)).text), undefined);
  assert.equal((await member.send(page, { action: 'rotate' })).status, 409);
});

test("shows an endpoint's answer as text, with masked phones", async (context) => {
  const site = await sharedConsole();
  const receiver = await testReceiver(context);
  receiver.answer = () => 500;
  const hostile = '</pre><script>alert(1)</script>\u202egnp.exe\u0000 tel +238 991 23 45';
  receiver.body = hostile + 'A'.repeat(1_000_000);
  const owner = await site.signIn();
  const made = await create(owner, receiver.url);
  await site.gateway.zimbo.payments.create(payment);
  const list = await eventually('the delivery is listed', async () => {
    const { text } = await owner.get(`endpoints/${endpointIn(made)}?status=PENDING`);
    return deliveryIn(text) !== undefined && text;
  });
  const path = `endpoints/${endpointIn(made)}/deliveries/${deliveryIn(list)!}`;
  const page = await eventually('an attempt is told', async () => {
    const { text } = await owner.get(path);
    return text.includes('answered 500') && text;
  });
  assert.ok(page.includes('&lt;/pre&gt;&lt;script&gt;alert(1)'), 'it is shown as it is');
  assert.ok(!page.includes('<script>alert'));
  assert.ok(page.includes('\\u{202e}gnp.exe'));
  assert.ok(!page.includes('\u202e') && !page.includes('\u0000'));
  assert.ok(page.length < 40_000, `${page.length} characters`);
  assert.ok(page.includes('991 23 45'), 'the owner may read phones');
  const developer = await site.signIn('DEVELOPER');
  const masked = (await developer.get(path)).text;
  assert.ok(!masked.includes('991 23 45'));
  assert.ok(masked.includes('alert(1)'));
  assert.ok(page.includes('&quot;operatorPhone&quot;: &quot;+2389912345&quot;'), 'the body sent');
  assert.ok(!masked.includes('+2389912345'));
  const { 'webhook-id': id, 'webhook-timestamp': sentAt } = receiver.received.at(-1)!.headers;
  for (const header of [`webhook-id: ${String(id)}`, 'Content-Type: application/json']) {
    assert.ok(page.includes(header), header);
  }
  assert.match(page, /webhook-timestamp: \d{10}/);
  assert.ok(Number(sentAt) > 0);
  const portuguese = await owner.get(`${path}?lang=pt`);
  assert.match(portuguese.text, /respondeu 500/);
});

test('redelivers one event, and those of a period', async (context) => {
  const site = await testConsole(context);
  const receiver = await testReceiver(context);
  const owner = await site.signIn();
  const endpoint = endpointIn(await create(owner, receiver.url));
  for (let index = 0; index < 3; index++) await site.gateway.zimbo.payments.create(payment);
  const list = await eventually('three were sent', async () => {
    const { text } = await owner.get(`endpoints/${endpoint}?status=SUCCEEDED`);
    return text.split('payment.created</code></td>').length === 4 && text;
  });
  const path = `endpoints/${endpoint}/deliveries/${deliveryIn(list)!}`;
  const support = await site.signIn('SUPPORT');
  const one = await support.send(path, { action: 'redeliver' });
  assert.match(one.location!, /done=redelivered/);
  await eventually('it comes again', () => receiver.received.length === 4);
  const many = await owner.send(`endpoints/${endpoint}`, {
    action: 'redeliver',
    since: '2020-01-01T00:00',
    until: '',
    of: 'SUCCEEDED',
  });
  assert.match(many.location!, /count=/);
  assert.match((await owner.get(many.location!)).text, /Events that will be sent again: [23]\./);
  await eventually('all come again', () => receiver.received.length >= 6);
  const wrong = { action: 'redeliver', since: '2026-02-30T00:00' };
  assert.match((await owner.send(`endpoints/${endpoint}`, wrong)).text, /id="since-error"/);
  const backwards = { action: 'redeliver', since: '2026-01-02T00:00', until: '2026-01-01T00:00' };
  assert.match((await owner.send(`endpoints/${endpoint}`, backwards)).text, /id="until-error"/);
  assert.match(await auditText(site), /webhook\.redelivered/);
});

test('limits each role to its permissions on endpoints and deliveries', async () => {
  const site = await sharedConsole();
  const owner = await site.signIn();
  const endpoint = endpointIn(await create(owner, 'http://127.0.0.1:9/'));
  const key = keyIn((await owner.get(`endpoints/${endpoint}`)).text);
  const tested = await owner.send(`endpoints/${endpoint}`, { action: 'test', key });
  const delivery = `endpoints/${endpoint}/deliveries/${deliveryIn(tested.location!)!}`;
  const fields = { url: 'http://127.0.0.1:9/', events: 'payment.created' };
  for (const role of roles) {
    const member = await site.signIn(role);
    for (const action of ['enable', 'change', 'rotate', 'disable', 'enable', 'test']) {
      const status = await post(site, member, `endpoints/${endpoint}`, { action, ...fields });
      const isAllowed = can(role, 'endpoints.write');
      assert.equal(status === 403, !isAllowed, `${role} ${action}: ${status}`);
    }
    const again = await post(site, member, delivery, { action: 'redeliver' });
    assert.equal(again, can(role, 'deliveries.redeliver') ? 303 : 403, role);
  }
});

test('hides endpoints and deliveries of another merchant', async () => {
  const site = await sharedConsole();
  const member = await site.signIn();
  const live = site.base.replace(/test$/, 'live');
  const url = 'https://shop.example/hooks';
  const fields = { action: 'create', url, events: ['payment.created'], once: '1' };
  const made = await member.send(`${live}/endpoints/new`, fields);
  assert.ok(secretIn(made.text));
  const endpoint = endpointIn(made);
  assert.equal((await member.get(`${live}/endpoints/${endpoint}`)).status, 200);
  assert.equal((await member.get(`endpoints/${endpoint}`)).status, 404);
  const actions = ['change', 'disable', 'rotate', 'remove', 'test', 'redeliver'];
  for (const action of actions) {
    const status = await post(site, member, `endpoints/${endpoint}`, { action, version: '1' });
    assert.equal(status, 404, action);
  }
  const delivery = formatId('dl', '019ac000-0000-7000-8000-000000000000');
  assert.equal((await member.get(`endpoints/${endpoint}/deliveries/${delivery}`)).status, 404);
});
