/** A phone looks the same to people however it was copied, so each door takes each spelling. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openSession, pageOf, reachPayment } from '../support/checkout.ts';
import { testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { testDataDir } from '../support/process.ts';
import { runZimbo } from '../support/zimbo.ts';

const stored = '+2389912345';
const pasted = {
  'direction marks, from a contact list': '\u202a+238 991 23 45\u202c',
  'isolates and a left-to-right mark': '\u2066+238\u200e991 23 45\u2069',
  'what joins or separates words unseen': '+238\u200b991\u200c23\u200d45\u2060\ufeff',
  'variation selectors': '+2\ufe0f3\ufe0f8\ufe0f 991 23 4\ufe0e5',
  'dashes of several kinds': '+238‐991‑23–45—−',
  'wide digits and plus': '＋２３８ ９９１ ２３ ４５',
  'spaces that do not break': '+238\u00a0991\u202f23\u300045',
  'a link': 'tel:+238-991-23-45',
  'a link with zeros': 'TEL:00238 9912345',
};

/** Without NUL, as an argument of a program must be. */
const worst = '\u202atel:＋２３８\u200b–９\ufe0f９１\u00a0２３\u2060‑４５\u202c';

test('takes a pasted phone from the API, the payment page and the till, and finds it in the console', async (context) => {
  const site = await testConsole(context);
  const { gateway } = site;
  const { zimbo } = gateway;
  const owner = await site.signIn();
  for (const [what, phone] of Object.entries({ ...pasted, everything: worst })) {
    const made = await zimbo.payments.create({
      amount: 1_000,
      operator: 'MOCK',
      operatorPhone: phone,
    });
    assert.equal(made.operatorPhone, stored, what);
    assert.equal((await zimbo.operators.predict({ phone })).phone, stored, what);

    const session = await openSession(gateway);
    assert.equal((await pageOf(gateway, session).pay(phone)).status, 303, what);
    const paid = await reachPayment(gateway, session, 'DEBITED');
    assert.equal(paid.operatorPhone, stored, what);

    const sale = { action: 'charge', key: randomUUID(), currency: 'CVE', amount: '10,00' };
    const payer = { country: '238', phone, operator: 'MOCK' };
    const { location } = await owner.send('charge', { ...sale, ...payer });
    const charged = /charge\/(pi_\w+)/.exec(location ?? '')?.[1];
    assert.equal((await zimbo.payments.get(charged!)).operatorPhone, stored, what);

    const found = await owner.get(`payments?q=${encodeURIComponent(phone)}`);
    assert.ok(found.text.includes(paid.id), what);
  }
});

test('takes a pasted phone from the command line, for payments and for a person’s data', async (context) => {
  const { gateway } = await testConsole(context);
  const { url, key, databaseUrl, zimbo } = gateway;
  const dataDir = await testDataDir(context);
  const run = async (...args: string[]) => {
    const settings = {
      DATA_DIR: dataDir,
      ZIMBO_URL: url,
      ZIMBO_API_KEY: key,
      DATABASE_URL: databaseUrl,
      ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const { ended, output } = runZimbo(context, args, settings);
    assert.equal(await ended, 0, `${args.join(' ')}\n${output.stderr}`);
    return output.stdout;
  };
  const create = ['payments', 'create', '--amount', '500', '--operator', 'MOCK', '--json'];
  const payment = JSON.parse(await run(...create, '--operator-phone', worst));
  assert.equal(payment.operatorPhone, stored);
  assert.equal(JSON.parse(await run('operator-status', 'predict', worst, '--json')).phone, stored);
  await reach(zimbo.payments, payment.id, 'DEBITED');
  assert.match(await run('privacy', 'export', '--phone', worst), new RegExp(payment.id.slice(3)));
  await run('phones', 'block', worst, '--reason', 'asked us');
  assert.match(await run('phones', 'list', '--json'), /\+238•••••45/);
  await run('privacy', 'erase', '--phone', worst);
  assert.equal((await zimbo.payments.get(payment.id)).operatorPhone, '+00000000');
});
