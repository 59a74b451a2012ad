/** The payment page and the till say before the customer tries that an operator does not work well. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { apiOf, eventually, zimboOf } from '../support/gateway.ts';
import { countMeasurements, silentOperator } from '../support/operator-statuses.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext, phone } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;
let liveKey: string;

before(async () => {
  const environment = {
    ...silentOperator,
    OPERATOR_UNITEL_TMAIS_URL: 'http://127.0.0.1:9',
    OPERATOR_UNITEL_TMAIS_SECRET: 'hunter2',
    OPERATOR_UNITEL_TMAIS_ACCOUNT: 'organisationid@1234',
  };
  const options = { environment, timing: { statusLookMs: 50 } };
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) }, options);
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  const base = { database: site.gateway.database, clock: systemClock, ids: randomIds() };
  liveKey = (await issueKey(base, { merchantId: site.merchantId, mode: 'live' })).key;
});
after(async () => {
  for (const step of undo) await step();
});

/** CVMOVEL has this status from now on. */
async function becomes(status: string, unanswered: number): Promise<void> {
  await countMeasurements(site, { answered: 20, unanswered });
  const live = apiOf(site.gateway.url, liveKey);
  await eventually(`it is ${status}`, async () => {
    return (await live('GET', '/v1/operators/CVMOVEL')).body.status === status;
  });
}

async function openPayment(lang: 'pt' | 'en'): Promise<Page> {
  const zimbo = zimboOf(site.gateway.url, liveKey);
  const { url } = await zimbo.checkout.sessions.create({ amount: 45_000, currency: 'CVE' });
  const context = await openContext(browser, { viewport: phone });
  const page = await newPage(context);
  await page.goto(`${site.gateway.url}${new URL(url).pathname}?lang=${lang}`);
  return page;
}

async function openTill(mode: 'live' | 'test'): Promise<Page> {
  const { cookie } = await site.signIn('OWNER');
  const context = await openContext(browser, { viewport: phone });
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.baseOf(site.merchantId, mode)}/charge`);
  return page;
}

/** The names of the choices as a screen reader says them. */
const choices = (page: Page) =>
  page
    .locator('.choices label')
    .evaluateAll((labels) =>
      labels.map((label) => (label as { innerText: string }).innerText.replace(/\s+/g, ' ')),
    );

test('says nothing of operators that work', async () => {
  const page = await openPayment('pt');
  assert.deepEqual(await choices(page), ['CVMóvel', 'Unitel T+']);
  assert.equal(await page.getByText('pode demorar ou falhar').count(), 0);
  await page.context().close();
});

test('shows at the till of live payments which operator has problems, and not in test mode', async () => {
  await becomes('DEGRADED', 2);
  const live = await openTill('live');
  assert.deepEqual(await choices(live), ['CVMóvel Com falhas', 'Unitel T+']);
  await lookAt(live, 'till-operator-degraded');
  await live.context().close();
  const page = await openTill('test');
  assert.deepEqual(await choices(page), ['CVMóvel', 'Unitel T+', 'Simulador']);
  await page.context().close();
});

// Last, because it calls the operator, which does not answer.
test('shows on the payment page which operator has problems, and still lets the customer try', async () => {
  await becomes('DOWN', 60);
  const page = await openPayment('pt');
  assert.deepEqual(await choices(page), ['CVMóvel Fora de serviço', 'Unitel T+']);
  await page.getByText('o pagamento pode demorar ou falhar').waitFor();
  await lookAt(page, 'operator-down-pt');
  const radio = page.getByRole('radio', { name: 'CVMóvel Fora de serviço' });
  await page.locator('#phone').fill('991 23 45');
  await radio.check();
  await page.locator('#pay button').click();
  await page.getByText('Estamos a contactar a CVMóvel').waitFor();
  await page.context().close();
  const english = await openPayment('en');
  assert.deepEqual(await choices(english), ['CVMóvel Out of service', 'Unitel T+']);
  await lookAt(english, 'operator-down-en');
  await english.context().close();
});
