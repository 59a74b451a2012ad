import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { startGateway } from '../../src/app/start.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import { type CollectedSpan, type Collector, testCollector } from '../support/collector.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { anotherGateway, eventually, testGateway } from '../support/gateway.ts';
import { testDataDir } from '../support/process.ts';
import { testReceiver } from '../support/receiver.ts';

const phone = '+2389912345';
/** Spans are sent in the background, which a busy machine delays. */
const limitMs = 45_000;

async function tracedGateway(context: TestContext, collector: Collector, share = '1') {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: share,
  };
  return testGateway(context, { environment });
}

async function span(collector: Collector, name: string): Promise<CollectedSpan> {
  return eventually(`the span "${name}"`, () => collector.find(name), limitMs);
}

/** A span ends after its children, and may be sent later. */
function parentOf(collector: Collector, { name, parentSpanId }: CollectedSpan) {
  const isParent = ({ spanId }: CollectedSpan) => spanId === parentSpanId;
  return eventually(`the parent of "${name}"`, () => collector.spans.find(isParent), limitMs);
}

const pay = (operatorPhone = phone) => ({ amount: 10_000, operator: 'MOCK', operatorPhone });

test('traces a payment from its request to its last webhook delivery', async (context) => {
  const collector = await testCollector(context);
  const { api } = await tracedGateway(context, collector);
  const receiver = await testReceiver(context);
  const events = ['payment.created', 'payment.debited'];
  await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const { body: payment } = await api('POST', '/v1/payments', pay());

  const delivery = await span(collector, 'webhook payment.debited');
  const request = await span(collector, 'POST /v1/payments');
  const created = await span(collector, 'payment CREATED');
  assert.equal(request.parentSpanId, undefined);
  assert.equal(request.attributes['http.response.status_code'], '200');
  assert.equal(created.parentSpanId, request.spanId);
  for (const name of ['process payment', 'operator notification', 'webhook payment.created']) {
    assert.equal((await span(collector, name)).parentSpanId, created.spanId, name);
  }
  const processor = await span(collector, 'process payment');
  for (const name of ['payment OPERATOR_PENDING', 'operator requestDebit']) {
    assert.equal((await span(collector, name)).parentSpanId, processor.spanId, name);
  }
  // The debit may come first from the operator's notification, or from the answer to a query.
  const debited = await span(collector, 'payment DEBITED');
  const heard = await parentOf(collector, debited);
  assert.equal(heard.parentSpanId, created.spanId);
  assert.equal(delivery.parentSpanId, created.spanId);
  assert.equal(delivery.attributes['http.response.status_code'], '200');
  assert.equal(delivery.attributes['zimbo.payment.id'], payment.id);
  for (const { name, traceId } of [created, processor, debited, delivery]) {
    assert.equal(traceId, request.traceId, name);
  }
});

test('keeps one trace for a request whose body follows its headers later', async (context) => {
  const collector = await testCollector(context);
  const { url, key } = await tracedGateway(context, collector);
  const authorization = `Bearer ${key}`;
  const headers = { authorization, 'content-type': 'application/json', expect: '100-continue' };
  const request = httpRequest(`${url}/v1/payments`, { method: 'POST', headers, agent: false });
  request.flushHeaders();
  await once(request, 'continue');
  request.end(JSON.stringify(pay()));
  const [answer] = await once(request, 'response');
  answer.resume();
  const created = await span(collector, 'payment CREATED');
  assert.equal(created.parentSpanId, (await span(collector, 'POST /v1/payments')).spanId);
});

test('keeps the traces of payments in one batch apart', async (context) => {
  const collector = await testCollector(context);
  const { api } = await tracedGateway(context, collector);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => api('POST', '/v1/payments', pay())),
  );
  const tracesOf = (id: string) =>
    new Set(
      collector.spans
        .filter(({ attributes }) => attributes['zimbo.payment.id'] === id)
        .map(({ traceId }) => traceId),
    );
  // If an answer and a notification arrive together, the second has nothing to write.
  const debited = ({ name, attributes }: CollectedSpan) =>
    name === 'payment DEBITED' && attributes['zimbo.written'] === 'true';
  await eventually('all debits', () => collector.spans.filter(debited).length === 40, limitMs);
  const traces = answers.map(({ body }) => [...tracesOf(body.id)]);
  assert.ok(traces.every((ids) => ids.length === 1));
  assert.equal(new Set(traces.flat()).size, 40);
});

test('keeps the traces of gets that share a statement apart', async (context) => {
  const collector = await testCollector(context);
  const { api } = await tracedGateway(context, collector);
  const { body } = await api('POST', '/v1/payments', pay());
  await Promise.all(Array.from({ length: 20 }, () => api('GET', `/v1/payments/${body.id}`)));
  const named = (wanted: string) => collector.spans.filter(({ name }) => name === wanted);
  const requests = () => named('GET /v1/payments/:id');
  await eventually('all spans', () => requests().length === 20, limitMs);
  for (const request of requests()) {
    const reads = named('statement payments.read').filter(
      ({ traceId }) => traceId === request.traceId,
    );
    assert.equal(reads.length, 1);
    assert.equal(reads[0]!.parentSpanId, request.spanId);
    assert.equal(reads[0]!.attributes['zimbo.payment.id'], body.id);
  }
});

test('records sampled traces completely', async (context) => {
  const collector = await testCollector(context);
  const { api } = await tracedGateway(context, collector, '0.5');
  const requests = () => collector.spans.filter(({ name }) => name === 'POST /v1/payments');
  // Each trace is sampled with even probability, so forty include both cases.
  for (let made = 0; made < 40; made++) await api('POST', '/v1/payments', pay());
  const debited = () => collector.spans.filter(({ name }) => name === 'payment DEBITED');
  const isWhole = ({ traceId }: CollectedSpan) => debited().some((of) => of.traceId === traceId);
  const areWhole = () => requests().length > 0 && requests().every(isWhole);
  await eventually('their debits', areWhole, limitMs);
  assert.ok(requests().length < 40);
  const known = new Set(requests().map(({ traceId }) => traceId));
  for (const { traceId, name } of debited()) assert.ok(known.has(traceId), name);
});

test('finds a payment continued by another process by its id', async (context) => {
  const collector = await testCollector(context);
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'zimbo-api',
    ZIMBO_ROLE: 'api',
  };
  const first = await testGateway(context, { environment });
  const { body: payment } = await first.api('POST', '/v1/payments', pay());
  const worker = { ...environment, ZIMBO_ROLE: 'worker', OTEL_SERVICE_NAME: 'zimbo-worker' };
  await anotherGateway(context, first.databaseUrl, { environment: worker });
  const processor = await span(collector, 'process payment');
  const request = await span(collector, 'POST /v1/payments');
  assert.equal(processor.parentSpanId, undefined);
  assert.notEqual(processor.traceId, request.traceId);
  assert.equal(processor.attributes['zimbo.payment.id'], payment.id);
  const names = collector.raw.join('\n');
  assert.ok(names.includes('zimbo-api') && names.includes('zimbo-worker'));
});

test('shows statements, refunds and deliveries in the trace of a request', async (context) => {
  const collector = await testCollector(context);
  const { api } = await tracedGateway(context, collector);
  const receiver = await testReceiver(context);
  receiver.answer = () => 500;
  await api('POST', '/v1/webhooks', { url: receiver.url, events: ['refund.succeeded'] });
  const { body: payment } = await api('POST', '/v1/payments', pay());
  const path = `/v1/payments/${payment.id}`;
  await eventually('DEBITED', async () => (await api('GET', path)).body.status === 'DEBITED');
  const statement = await span(collector, 'statement payments.read');
  assert.equal((await parentOf(collector, statement)).name, 'GET /v1/payments/:id');
  await api('POST', '/v1/refunds', { paymentIntentId: payment.id });
  const delivery = await span(collector, 'webhook refund.succeeded');
  const { traceId } = await span(collector, 'payment CREATED');
  assert.equal(delivery.traceId, traceId);
  assert.equal(delivery.failed, true);
  assert.equal((await span(collector, 'operator reverse')).traceId, traceId);
});

test('keeps phones, keys, secrets and webhook addresses out of traces', async (context) => {
  const collector = await testCollector(context);
  const gateway = await tracedGateway(context, collector);
  const { api, key, url } = gateway;
  const receiver = await testReceiver(context);
  receiver.answer = (index) => (index === 0 ? 500 : 200);
  const target = `${receiver.url}?token=hidden-token`;
  const events = ['payment.created', 'payment.failed'];
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: target, events });
  const metadata = { note: 'hidden-note' };
  const phones = [phone, '+2389912049'];
  for (const operatorPhone of phones) {
    await api('POST', '/v1/payments', { ...pay(operatorPhone), metadata });
  }
  await api('GET', `/v1/payments?customer_id=${encodeURIComponent(phone)}`);
  await api('POST', '/v1/payments', pay('no phone: 99 123 45'));
  const { body: session } = await api('POST', '/v1/checkout/sessions', {
    amount: 100,
  });
  await fetch(session.url.replace(/^https?:\/\/[^/]+/, url));
  await eventually('the page', () =>
    collector.spans.some(({ name }) => name.startsWith('GET /pay')),
  );
  await span(collector, 'webhook payment.failed');
  const all = collector.raw.join('\n');
  const hidden = [key, key.slice(8), endpoint.secret, 'hidden', session.url.split('/').pop()];
  for (const text of [...hidden, ...phones.map((full) => full.slice(4)), '99 123']) {
    assert.ok(!all.includes(text), `"${text}" is in a trace`);
  }
});

test('tolerates a failing collector without delay, and reports it once', async (context) => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const collector = await testCollector(context);
  collector.status = 400;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const { api } = await testGateway(context, { environment, log });
  const told = () => lines.filter((line) => line.includes('traces cannot be sent'));
  for (let round = 0; round < 2; round++) {
    const before = collector.raw.length;
    assert.equal((await api('POST', '/v1/payments', pay())).status, 200);
    await eventually('spans arrive', () => collector.raw.length > before, limitMs);
  }
  await eventually('a line in the log', () => told().length === 1, limitMs);
  collector.status = 200;
  assert.equal((await api('POST', '/v1/payments', pay())).status, 200);
  await eventually(
    'it works again',
    () => lines.some((line) => line.includes('sent again')),
    limitMs,
  );
  collector.status = 0;
  assert.equal((await api('POST', '/v1/payments', pay())).status, 200);
  assert.equal(told().length, 1);
});

test('sends the remaining spans when the gateway stops', async (context) => {
  const collector = await testCollector(context);
  const { url } = await testDatabase(context);
  const dataDir = await testDataDir(context);
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const gateway = await startGateway(config, silentLog);
  await fetch(`${gateway.url}/v1/balance`);
  await gateway.stop();
  assert.ok(collector.find('GET /v1/balance'));
});
