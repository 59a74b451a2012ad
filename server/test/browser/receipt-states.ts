import { receiptWords } from '../../src/storefront/receipts/page.words.ts';
import { confirmPhone, countOf, okPhone, poorPhone } from '../support/checkout.ts';
import { eventually, reach } from '../support/gateway.ts';
import { receiptTokenOf } from '../support/receipts.ts';
import { pay, says } from './pages.ts';
import type { Scene, State } from './scene.ts';

const latePhone = '+2389912139';

/** Pays over the API, and opens the receipt. */
async function open(
  { shop, page }: Scene,
  operatorPhone: string,
  status: 'DEBITED' | 'FAILED' | 'USER_CONFIRMING',
  then: (paymentId: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  const { zimbo, url } = shop.gateway;
  const externalId = 'ENC-2026-0007';
  const order = { amount: 141_000, operator: 'MOCK', operatorPhone, externalId } as const;
  const payment = await zimbo.payments.create(order);
  await reach(zimbo.payments, payment.id, status);
  await then(payment.id);
  await page.goto(`${url}/receipt/${await receiptTokenOf(shop.gateway, payment)}`);
}

const giveBack = (scene: Scene, amount: number) =>
  open(scene, okPhone, 'DEBITED', async (paymentIntentId) => {
    const { refunds } = scene.shop.gateway.zimbo;
    const { id } = await refunds.create({ paymentIntentId, amount });
    await reach(refunds, id, 'SUCCEEDED');
  });

/** Cancelled, then confirmed: the money is returned. */
const lateDebit = (scene: Scene) =>
  open(scene, latePhone, 'USER_CONFIRMING', async (paymentId) => {
    const { zimbo, api } = scene.shop.gateway;
    await zimbo.payments.cancel(paymentId);
    await eventually('it went back', async () => {
      const { body } = await api('GET', `/v1/payments/${paymentId}`);
      return body.status === 'CANCELLED' && (await countOf(scene.shop.gateway, succeeded)) > 0;
    });
  });
const succeeded = `reversals WHERE status = 'SUCCEEDED'`;

/** A receipt's text about a payment. */
export const receiptStates: State[] = [
  {
    name: 'receipt-paid',
    prepare: async ({ page, words }) => {
      await pay(page, '345');
      await says(page, words.paid.advice);
      await page.getByRole('link', { name: words.receipt }).click();
    },
    says: of((own) => own.paid),
  },
  {
    name: 'receipt-refunded',
    prepare: (scene) => giveBack(scene, 141_000),
    says: of((own) => own.notices.REFUNDED!.title),
  },
  {
    name: 'receipt-partly-refunded',
    prepare: (scene) => giveBack(scene, 41_000),
    says: of((own) => own.kept),
  },
  {
    name: 'receipt-open',
    prepare: (scene) => open(scene, confirmPhone, 'USER_CONFIRMING'),
    says: of((own) => own.notices.OPEN!.title),
  },
  {
    name: 'receipt-refused',
    prepare: (scene) => open(scene, poorPhone, 'FAILED'),
    says: of((own) => own.notices.FAILED!.title),
  },
  {
    name: 'receipt-late-debit',
    prepare: lateDebit,
    says: of((own) => own.notices.CANCELLED!.title),
  },
  {
    name: 'receipt-not-found',
    prepare: ({ shop, page }) => page.goto(`${shop.gateway.url}/receipt/nothing`),
    says: of((own) => own.notFound.title),
  },
];

function of(text: (own: (typeof receiptWords)['pt']) => string): State['says'] {
  return ({ language }) => text(receiptWords[language]);
}
