/** The receipt in a real browser: reading, printing and sharing, checked by axe, with pictures. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { confirmPhone, okPhone, poorPhone, reachStatus } from '../support/checkout.ts';
import { reach } from '../support/gateway.ts';
import { receiptTokenOf } from '../support/receipts.ts';
import { fitsWidth } from './axe.ts';
import { lookAt, picture } from './look.ts';
import { newPage, openCart, openContext, openShop, pay, type Shop, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let shop: Shop;

describe('the receipt in a browser', { concurrency: 2 }, () => {
  before(async () => {
    shop = await openShop({ after: (step) => undo.unshift(step as () => unknown) });
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('leads from the payment page to a receipt that looks right everywhere', async () => {
    const page = await paidPage();
    await page.getByRole('link', { name: 'Ver recibo' }).click();
    await says(page, 'Valor pago');
    await says(page, 'Pastel com diabo dentro');
    await look(page, 'paid');
    await page.getByRole('link', { name: 'English' }).click();
    await says(page, 'Amount paid');
    await page.context().close();
  });

  for (const { name, phone, status, words } of [
    { name: 'refused', phone: poorPhone, status: 'FAILED', words: 'Não pago' },
    { name: 'open', phone: confirmPhone, status: 'USER_CONFIRMING', words: 'Ainda não pago' },
  ] as const) {
    test(`${name}: it says that it proves nothing`, async () => {
      const page = await receiptOf(phone, status);
      await says(page, words);
      await look(page, name);
      await page.context().close();
    });
  }

  test('shows the refunded and the remaining amount', async () => {
    const page = await receiptOf(okPhone, 'DEBITED', 40_000);
    await says(page, 'Pago após reembolsos');
    await look(page, 'refunded');
    await page.context().close();
  });

  test('prints and shares by its buttons', async () => {
    const page = await receiptOf(okPhone, 'DEBITED');
    await page.evaluate(`
      window.asked = [];
      window.print = () => asked.push('print');`);
    await page.getByRole('button', { name: 'Imprimir' }).click();
    assert.deepEqual(await page.evaluate('asked'), ['print']);
    await page.context().close();
    const sharing = await receiptOf(okPhone, 'DEBITED', 0, (one) =>
      one.addInitScript(`
        window.asked = [];
        navigator.share = async (data) => { asked.push(data.url); };`),
    );
    await sharing.getByRole('button', { name: 'Partilhar' }).click();
    assert.deepEqual(await sharing.evaluate('asked'), [sharing.url().split('?')[0]]);
    await sharing.context().close();
  });
});

async function paidPage(): Promise<Page> {
  const session = await openCart(shop);
  const page = await shop.open(session);
  await pay(page, '345');
  await reachStatus(shop.gateway, session, 'COMPLETED');
  return page;
}

async function receiptOf(
  operatorPhone: string,
  status: 'DEBITED' | 'FAILED' | 'USER_CONFIRMING',
  refundMinor = 0,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Page> {
  const { zimbo, url } = shop.gateway;
  const externalId = 'ENC-2026-0007';
  const order = { amount: 141_000, operator: 'MOCK', operatorPhone, externalId } as const;
  const payment = await zimbo.payments.create(order);
  await reach(zimbo.payments, payment.id, status);
  if (refundMinor > 0) {
    const wanted = { paymentIntentId: payment.id, amount: refundMinor };
    const { id } = await zimbo.refunds.create(wanted);
    await reach(zimbo.refunds, id, 'SUCCEEDED');
  }
  const page = await newPage(await openContext(shop.browser));
  await prepare(page);
  await page.goto(`${url}/receipt/${await receiptTokenOf(shop.gateway, payment)}`);
  return page;
}

/** On phone, tablet and desktop, light and dark, on A4 and on a till's paper roll. */
async function look(page: Page, name: string): Promise<void> {
  await lookAt(page, `receipt-${name}`, [360, 768, 1440]);
  // At 96 dpi: A4 within its margins, and the 72 mm width of a till printer.
  for (const [paper, width] of [
    ['a4', 680],
    ['80mm', 272],
  ] as const) {
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await page.setViewportSize({ width, height: 900 });
    assert.ok(await fitsWidth(page), paper);
    assert.equal(await page.getByRole('button').count(), 0, 'buttons are not printed');
    await picture(page, `receipt-${name}-${paper}`);
  }
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.setViewportSize({ width: 360, height: 740 });
}
