/** Reusable payment links. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { countOf } from '../support/checkout.ts';
import {
  anotherGateway,
  apiOf,
  eventually,
  type TestGateway,
  testGateway,
  testKey,
} from '../support/gateway.ts';

const free = { description: 'Donativo', minAmount: 10_000, maxAmount: 500_000 };

/** A browser without JavaScript. */
function pageOf({ url }: Pick<TestGateway, 'url'>, link: { url: string }) {
  const address = `${url}${new URL(link.url).pathname}`;
  const send = async (init: RequestInit) => {
    const answer = await fetch(address, { redirect: 'manual', ...init });
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      text: await answer.text(),
      to: location && new URL(location, address).href,
    };
  };
  return {
    address,
    look: () => send({}),
    use: (amount = '') => send({ method: 'POST', body: new URLSearchParams({ amount }) }),
  };
}

async function open(context: TestContext, body: object, environment: Record<string, string> = {}) {
  const gateway = await testGateway(context, { environment });
  const { status, body: link, text } = await gateway.api('POST', '/v1/payment-links', body);
  assert.equal(status, 200, text);
  return { gateway, link, page: pageOf(gateway, link) };
}

test('makes a session of its own for each use, which is paid like any other', async (context) => {
  const { gateway, link, page } = await open(context, {
    description: 'Quota mensal',
    amount: 50_000,
    metadata: { club: 'Praia' },
    completionUrl: 'https://shop.cv/thanks',
  });
  assert.match(link.id, /^pl_/);
  const { text } = await page.look();
  assert.match(text, /500\$00 CVE/);
  assert.match(text, /<bdi>Quota mensal<\/bdi>/);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 0, 'opening stores nothing');
  const [one, other] = [await page.use(), await page.use()];
  assert.equal(one.status, 303);
  assert.notEqual(one.to, other.to);
  const paid = await fetch(one.to!, {
    method: 'POST',
    body: new URLSearchParams({ phone: '9912345', operator: 'MOCK', attempt: '0' }),
  });
  assert.equal(paid.status, 200);
  const [completed] = await eventually('it is paid', async () => {
    const { body } = await gateway.api('GET', '/v1/checkout/sessions?status=COMPLETED');
    return body.data.length === 1 && body.data;
  });
  assert.deepEqual(completed.metadata, { club: 'Praia', paymentLinkId: link.id });
  assert.deepEqual([completed.amount, completed.description], ['50000', 'Quota mensal']);
  assert.equal(completed.completionUrl, 'https://shop.cv/thanks');
  assert.equal((await gateway.api('GET', `/v1/payment-links/${link.id}`)).body.uses, 2);
});

test('keeps a free amount within its bounds, to the centavo', async (context) => {
  const { gateway, page } = await open(context, free);
  assert.match((await page.look()).text, /De 100\$00 CVE a 5\.000\$00 CVE/);
  for (const wrong of ['', '99,99', '5000,01', 'x', '-100', '1.00.0']) {
    const { status, text } = await page.use(wrong);
    assert.equal(status, 400, wrong);
    assert.match(text, /aria-invalid="true"/);
  }
  assert.equal(await countOf(gateway, 'checkout_sessions'), 0);
  for (const right of ['100', '5.000,00', '1 234,56'])
    assert.equal((await page.use(right)).status, 303);
  const text = 'SELECT amount_minor AS minor FROM checkout_sessions ORDER BY id';
  const made = await gateway.database.query<{ minor: bigint }>({ text });
  assert.deepEqual(
    made.map(({ minor }) => minor),
    [10_000n, 500_000n, 123_456n],
  );
});

test('lets as many concurrent uses succeed as the link allows, in any process', async (context) => {
  const { gateway, link, page } = await open(context, {
    description: 'Bilhete',
    amount: 100,
    maxUses: 5,
  });
  const { url } = await anotherGateway(context, gateway.databaseUrl);
  const other = pageOf({ url }, link);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? page : other).use()),
  );
  assert.equal(answers.filter(({ status }) => status === 303).length, 5);
  for (const { status, text } of answers.filter(({ status }) => status !== 303)) {
    assert.equal(status, 409);
    assert.match(text, /Este link já não está disponível/);
  }
  assert.equal(await countOf(gateway, 'checkout_sessions'), 5);
});

test('does not deadlock with more concurrent uses of a product than connections', async (context) => {
  const gateway = await testGateway(context, { environment: { DATABASE_CONNECTIONS: '3' } });
  const { id: productId } = await gateway.zimbo.products.create({ name: 'Café', price: 45_000 });
  const body = { description: 'Café', productId };
  const page = pageOf(gateway, (await gateway.api('POST', '/v1/payment-links', body)).body);
  const answers = await Promise.all(Array.from({ length: 20 }, () => page.use()));
  for (const { status } of answers) assert.equal(status, 303);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 20);
});

test('accepts nothing through a link that is off, over or of another product', async (context) => {
  const { gateway, link, page } = await open(context, { description: 'Quota', amount: 100 });
  const change = (body: object) => gateway.api('PATCH', `/v1/payment-links/${link.id}`, body);
  const isClosed = async (closed: typeof page) => {
    assert.match((await closed.look()).text, /já não está disponível|De momento não se pode/);
    assert.equal((await closed.use()).status, 409);
  };
  assert.equal((await change({ active: false })).body.active, false);
  await isClosed(page);
  await change({ active: true, expiresAt: new Date(Date.now() - 1_000).toISOString() });
  await isClosed(page);
  await change({ expiresAt: null });
  assert.equal((await page.use()).status, 303);
  assert.equal((await change({ maxUses: 1 })).body.maxUses, 1);
  await isClosed(page);

  const product = await gateway.zimbo.products.create({ name: 'Café', price: 45_000 });
  const body = { description: 'Café', productId: product.id };
  const sold = pageOf(gateway, (await gateway.api('POST', '/v1/payment-links', body)).body);
  await gateway.zimbo.products.update(product.id, { price: 50_000 });
  assert.match((await sold.look()).text, /500\$00 CVE/, 'the price of now');
  assert.equal((await sold.use()).status, 303);
  await gateway.zimbo.products.update(product.id, { currency: 'AOA' });
  await isClosed(sold);
  await gateway.zimbo.products.update(product.id, { currency: 'CVE', active: false });
  await isClosed(sold);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 2);
});

test('charges no price in another currency, if the product changes while a customer pays', async (context) => {
  const gateway = await testGateway(context);
  const { database, zimbo } = gateway;
  const product = await zimbo.products.create({ name: 'Café', price: 45_000 });
  const body = { description: 'Café', productId: product.id };
  const page = pageOf(gateway, (await gateway.api('POST', '/v1/payment-links', body)).body);
  const used = await database.transaction(async (transaction) => {
    await transaction.query({ text: 'SELECT FROM payment_links FOR UPDATE' });
    const using = page.use();
    const text = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await eventually('the use waits', async () => (await database.query({ text })).length > 0);
    await zimbo.products.update(product.id, { currency: 'AOA' });
    return { using };
  });
  assert.equal((await used.using).status, 409);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 0);
});

test('rejects an invalid link, with the field', async (context) => {
  const gateway = await testGateway(context);
  const post = (body: object) => gateway.api('POST', '/v1/payment-links', body);
  for (const [body, message] of [
    [{ description: 'x' }, /Exactly one of productId, amount/],
    [{ description: 'x', amount: 1, minAmount: 1, maxAmount: 2 }, /Exactly one/],
    [{ description: 'x', minAmount: 1 }, /Exactly one/],
    [{ ...free, minAmount: 600_000 }, /maxAmount/],
    [{ ...free, maxAmount: 100_000_001 }, /maxAmount/],
    [{ amount: 1 }, /description/],
    [{ description: 'x', amount: 1, returnUrl: 'javascript:alert(1)' }, /returnUrl/],
    [{ description: 'x', amount: 1, expiresAt: '2020-01-01T00:00:00.000Z' }, /expiresAt/],
    [{ description: 'x', amount: 1, maxUses: 0 }, /maxUses/],
    [
      {
        description: 'x',
        amount: 1,
        metadata: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [at, 1])),
      },
      /metadata/,
    ],
  ] as const) {
    const { status, body: answer } = await post(body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(answer.error.message, message);
  }
  assert.equal((await post({ description: 'x', productId: 'pr_nobody' })).status, 404);
  assert.equal(await countOf(gateway, 'payment_links'), 0);
});

test('makes one link for one key, and keeps its answer', async (context) => {
  const gateway = await testGateway(context);
  const post = (body: object) =>
    gateway.api('POST', '/v1/payment-links', body, { 'idempotency-key': 'quota' });
  const answers = await Promise.all([post(free), post(free), post(free)]);
  for (const { text } of answers) assert.equal(text, answers[0]!.text);
  const { id } = answers[0]!.body;
  await gateway.api('PATCH', `/v1/payment-links/${id}`, { active: false });
  assert.equal((await post({ ...free, currency: null })).text, answers[0]!.text);
  assert.equal((await post({ ...free, maxUses: 1 })).status, 409);
  assert.equal(await countOf(gateway, 'payment_links'), 1);
});

test('slows down strangers, and does not let other sites use a link', async (context) => {
  const { gateway, page } = await open(
    context,
    { description: 'Quota', amount: 100 },
    { PAGE_ATTEMPTS_PER_ADDRESS: '3/15', RATE_LIMIT_UNAUTHORIZED: '1/5' },
  );
  const foreign = await fetch(page.address, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams(),
  });
  assert.equal(foreign.status, 400);
  const statuses = [];
  for (let uses = 0; uses < 5; uses++) statuses.push((await page.use()).status);
  assert.deepEqual(statuses, [303, 303, 303, 429, 429]);
  assert.equal(await countOf(gateway, 'checkout_sessions'), 3);
  const wrong = page.address.replace(/.{8}$/, 'AAAAAAAA');
  const tries = [];
  for (let count = 0; count < 8; count++) tries.push((await fetch(wrong)).status);
  assert.equal(tries[0], 404);
  assert.ok(tries.includes(429));
  assert.equal((await page.look()).status, 200);
});

test('locks out only the person who opens a link again and again', async (context) => {
  const { page } = await open(
    context,
    { description: 'Quota', amount: 100 },
    { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_UNAUTHORIZED: '1/5' },
  );
  const from = async (address: string) => {
    const answer = await fetch(page.address, { headers: { 'x-forwarded-for': address } });
    await answer.text();
    return answer.status;
  };
  // Ten at once: one after the other, a slow machine would stay below one in a second.
  await eventually('one of them has to wait', async () => {
    const answers = Array.from({ length: 10 }, () => from('192.0.2.1'));
    return (await Promise.all(answers)).includes(429);
  });
  assert.equal(await from('192.0.2.2'), 200);
});

test('keeps an address of a link that no new link may have', async (context) => {
  const returnUrl = 'intent://shop#Intent;end';
  const given = { description: 'Quota', amount: 50_000 };
  const { gateway, page } = await open(context, given);
  const { body: link } = await gateway.api('POST', '/v1/payment-links', given);
  for (const description of [' \u00a0', '\u200b\u2060', '\u3164', '\u2800 \ufe0f', '\u0301']) {
    const blank = { ...given, description };
    const unnamed = await gateway.api('POST', '/v1/payment-links', blank);
    assert.deepEqual([unnamed.status, unnamed.body.error.param], [400, 'description']);
    const emptied = await gateway.api('PATCH', `/v1/payment-links/${link.id}`, { description });
    assert.deepEqual([emptied.status, emptied.body.error.param], [400, 'description']);
  }
  const refused = await gateway.api('POST', '/v1/payment-links', { ...given, returnUrl });
  assert.deepEqual([refused.status, refused.body.error.param], [400, 'returnUrl']);
  await gateway.database.query({ text: 'UPDATE payment_links SET return_url = $1' }, [returnUrl]);
  assert.equal((await page.use()).status, 303);
});

test('limits one address at each shop, but not for requests that make no session', async (context) => {
  const { gateway, page } = await open(context, free, { PAGE_ATTEMPTS_PER_ADDRESS: '2/15' });
  for (let count = 0; count < 5; count++) assert.equal((await page.use('99,99')).status, 400);
  const other = apiOf(gateway.url, await testKey(gateway.database));
  const ticket = { description: 'Bilhete', amount: 100, maxUses: 1 };
  const once = pageOf(gateway, (await other('POST', '/v1/payment-links', ticket)).body);
  const statuses = [];
  for (let count = 0; count < 4; count++) statuses.push((await page.use('100')).status);
  assert.deepEqual(statuses, [303, 303, 429, 429]);
  assert.equal((await once.use()).status, 303, 'another shop is free');
  for (let count = 0; count < 3; count++) assert.equal((await once.use()).status, 409);
  const { body } = await other('POST', '/v1/payment-links', free);
  assert.equal((await pageOf(gateway, body).use('100')).status, 303, 'what is over counts nothing');
});
