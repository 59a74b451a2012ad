import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localInstantMs, localText } from '../../src/interfaces/console/parts/local-time.ts';
import { plainText, prettyJson } from '../../src/interfaces/console/parts/plain-text.ts';
import { eventually } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
const eventIn = (text: string) => /events\/(evt_[0-9a-z]{26})/.exec(text)?.[1];

test('lists events by type and day, and shows them as sent with masked phones', async (context) => {
  const site = await sharedConsole();
  const receiver = await testReceiver(context);
  const { zimbo } = site.gateway;
  const endpoint = await zimbo.webhooks.create({ url: receiver.url, events: ['payment.created'] });
  await zimbo.payments.create({ ...payment, metadata: { note: '</pre><script>\u202e' } });
  await eventually('it arrives', () => receiver.received.length === 1);
  const owner = await site.signIn();
  const list = await owner.get('events?type=payment.created');
  const event = eventIn(list.text)!;
  assert.equal(event, receiver.received[0]!.event.id);
  assert.equal(eventIn((await owner.get('events?type=refund.created')).text), undefined);
  assert.equal(eventIn((await owner.get('events?until=2020-01-01')).text), undefined);
  const createdAtMs = Date.parse(receiver.received[0]!.event.createdAt);
  const day = localText(createdAtMs, 'Atlantic/Cape_Verde').slice(0, 10);
  assert.equal(
    eventIn((await owner.get(`events?type=payment.created&from=${day}&until=${day}`)).text),
    event,
  );
  assert.equal(eventIn((await owner.get('events?from=2090-01-01')).text), undefined);
  assert.ok(eventIn((await owner.get('events?from=2020-01-01&until=2090-01-01')).text));

  const page = await owner.get(`events/${event}`);
  assert.ok(page.text.includes('&quot;operatorPhone&quot;: &quot;+2389912345&quot;'));
  assert.ok(page.text.includes('&lt;/pre&gt;&lt;script&gt;'));
  assert.ok(page.text.includes(`endpoints/${endpoint.id}/deliveries/dl_`));
  const developer = await site.signIn('DEVELOPER');
  const masked = await developer.get(`events/${event}`);
  assert.ok(!masked.text.includes('9912345'));
  assert.match(masked.text, /Phones are masked/);

  const fields = { action: 'redeliver', endpoint: endpoint.id };
  const again = await developer.send(`events/${event}`, fields);
  assert.match((await developer.get(again.location!)).text, /The event will be sent again/);
  await eventually('it comes again', () => receiver.received.length === 2);
  await zimbo.webhooks.update(endpoint.id, { status: 'DISABLED' });
  const refused = await developer.send(`events/${event}`, fields);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /enable it first/);
  const viewer = await site.signIn('VIEWER');
  assert.equal((await viewer.get(`events/${event}`)).status, 403);
  const live = site.base.replace(/test$/, 'live');
  assert.equal((await owner.get(`${live}/events/${event}`)).status, 404);
});

test('filters the request log by its address', async () => {
  const site = await sharedConsole();
  const { api } = site.gateway;
  await api('GET', '/v1/payments', undefined, { 'x-request-id': 'good-one' });
  await api('GET', '/v1/payments/pi_nothing', undefined, { 'x-request-id': 'bad-one' });
  const developer = await site.signIn('DEVELOPER');
  const all = await eventually('both are there', async () => {
    const { text } = await developer.get('requests');
    return text.includes('good-one') && text.includes('bad') && text;
  });
  const shows = async (query: string) => {
    const { text } = await developer.get(`requests?${query}`);
    return [text.includes('<code>good-one'), text.includes('<code>bad')];
  };
  assert.deepEqual(await shows('status=2'), [true, false]);
  assert.deepEqual(await shows('status=4'), [false, true]);
  assert.deepEqual(await shows('method=POST'), [false, false]);
  assert.deepEqual(await shows('route=/v1/payments'), [true, false]);
  assert.deepEqual(await shows('request_id=good-one'), [true, false]);
  assert.deepEqual(await shows('starting_after=1.x'), [false, false]);
  assert.deepEqual(await shows('starting_after=nonsense&key=ak_nothing'), [true, true]);
  const [, key] = /value="(ak_[0-9a-z]{26})"/.exec(all)!;
  assert.deepEqual(await shows(`key=${key}`), [true, true]);
  for (const role of ['SUPPORT', 'FINANCE', 'VIEWER'] as const) {
    assert.equal((await (await site.signIn(role)).get('requests')).status, 403, role);
  }
});

test('shows what a request made, linked to its page', async () => {
  const site = await sharedConsole();
  const { api } = site.gateway;
  const { body } = await api('POST', '/v1/products', { name: 'Café', price: 100 });
  await api('GET', `/v1/products/${body.id}`);
  const developer = await site.signIn('DEVELOPER');
  const linked = `<a href="${site.base}/products/${body.id}"><code>${body.id}</code></a>`;
  const text = await eventually('the request is there', async () => {
    const page = await developer.get('requests?route=/v1/products');
    return page.text.includes(body.id) && page.text;
  });
  assert.ok(text.includes(linked), text);
  assert.equal(text.split(body.id).length - 1, 2);
});

test('truncates text of strangers, and removes characters that reorder or hide the rest', () => {
  assert.equal(plainText('a\u202eb\u0000c\u200d\ud800'), 'a\\u{202e}b\\u{0}c\\u{200d}\ufffd');
  assert.equal(plainText('one\n\ttwo'), 'one\n\ttwo');
  assert.equal(plainText('x'.repeat(10), 4), 'xxxx…');
});

test('formats JSON in lines, with each number as written', () => {
  const json = '{"a":100000000000000000001,"b":[],"c":{"d":"{,:\\"}"},"e":[1.50,null]}';
  const pretty = prettyJson(json);
  assert.deepEqual(JSON.parse(pretty), JSON.parse(json));
  assert.match(pretty, /"a": 100000000000000000001,\n {2}"b": \[\],/);
  assert.match(pretty, /1\.50/);
});

test('formats truncated JSON in lines, too', () => {
  const text = '\\"'.repeat(500_000);
  assert.equal(prettyJson(`{"a":1,"b":"${text}`), `{\n  "a": 1,\n  "b": "${text}`);
});

test("reads a form's time as local time", () => {
  const zone = 'Atlantic/Cape_Verde';
  const atMs = Date.parse('2026-11-22T10:30:00Z');
  assert.equal(localInstantMs('2026-11-22T09:30', zone), atMs);
  assert.equal(localText(atMs, zone), '2026-11-22T09:30');
  assert.equal(localInstantMs('2026-06-01', 'Europe/Lisbon'), Date.parse('2026-05-31T23:00:00Z'));
  for (const wrong of ['', '2026-02-30', '2026-11-22T09:30Z', 'now']) {
    assert.equal(localInstantMs(wrong, zone), undefined, wrong);
  }
});
