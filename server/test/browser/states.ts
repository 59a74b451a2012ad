import type { CreateCheckoutSessionBody } from '../../../sdk/typescript/src/index.ts';
import { confirmPhone, countOf, reachPayment, reachStatus } from '../support/checkout.ts';
import { eventually, reach } from '../support/gateway.ts';
import { linkStates } from './link-states.ts';
import { addressOf, cart, endAt, fill, pay } from './pages.ts';
import { receiptStates } from './receipt-states.ts';
import type { Scene, State } from './scene.ts';

const hour = 3_600_000;
const confirmSuffix = confirmPhone.slice(-3);
const lateSuffix = '139';

const failAs = (suffix: string) => async (scene: Scene) => {
  await pay(scene.page, suffix);
  await reachPayment(scene.shop.gateway, scene.session, 'FAILED');
};

async function wait({ shop, session, page }: Scene, suffix = confirmSuffix): Promise<void> {
  await pay(page, suffix);
  await reachPayment(shop.gateway, session, 'USER_CONFIRMING');
}

async function changeNumber({ page, words }: Scene): Promise<void> {
  await page.getByText(words.wrongNumber).click();
  await page.getByRole('button', { name: words.otherNumber }).click();
}

export async function payAll({ shop, session, page }: Scene): Promise<string> {
  await pay(page, '345');
  const { paymentIntentId } = await reachStatus(shop.gateway, session, 'COMPLETED');
  return paymentIntentId!;
}

async function sendWrong(scene: Scene, phone: string): Promise<void> {
  const { page } = scene;
  await page.locator('#pay').evaluate((form) => void Object.assign(form, { noValidate: true }));
  await page.locator('#phone').fill(phone);
  await page.locator('#pay button').click();
}

async function timeOut(scene: Scene, suffix: string): Promise<void> {
  await wait(scene, suffix);
  const text = `UPDATE payments SET expires_at = now(), due_at = now() WHERE id =
    (SELECT latest_payment_id FROM checkout_sessions WHERE link_secret = $1)`;
  await scene.shop.gateway.database.query({ text }, [secretOf(scene)]);
  await reachPayment(scene.shop.gateway, scene.session, 'EXPIRED');
}

/** Refunds this much of the payment, and opens the page again. */
async function giveBack(scene: Scene, amount: number): Promise<void> {
  const { zimbo } = scene.shop.gateway;
  const { id } = await zimbo.refunds.create({ paymentIntentId: await payAll(scene), amount });
  await reach(zimbo.refunds, id, 'SUCCEEDED');
  await scene.page.reload();
}

async function setSession(scene: Scene, change: string): Promise<void> {
  const text = `UPDATE checkout_sessions SET ${change} WHERE link_secret = $1`;
  await scene.shop.gateway.database.query({ text }, [secretOf(scene)]);
  await scene.page.reload();
}

const secretOf = ({ session }: Scene) =>
  Buffer.from(new URL(session.url).pathname.split('/').at(-1)!, 'base64url').subarray(32);

const longNames: CreateCheckoutSessionBody = {
  description:
    'Encomenda para a festa de São João em Porto Novo, a entregar até às 18 horas de sexta-feira',
  items: [
    {
      name: 'Cesto de produtos da terra com café do Fogo, queijo de cabra, grogue velho e doce de papaia',
      description:
        'Embalado à mão, com fita e cartão. Conserva-se uma semana em lugar fresco e seco.',
      quantity: 1_200,
      unitPrice: 7_999_950,
    },
    { name: 'Pano-d’obra-bicho-'.repeat(6), quantity: 9_999, unitPrice: 100 },
  ],
  returnUrl: cart.returnUrl,
};

/** Every state of a session's page. */
const sessionStates: State[] = [
  { name: 'form', says: (words) => words.total },
  { name: 'form-typed', prepare: ({ page }) => fill(page, '345'), says: ({ phone }) => phone },
  {
    name: 'form-suggested',
    prepare: ({ page }) => page.locator('#phone').pressSequentially('991 23 45'),
    says: (words) => words.suggested,
  },
  {
    name: 'test-numbers',
    prepare: ({ page }) => page.locator('summary').click(),
    says: (words) => words.phone,
  },
  {
    name: 'form-wrong',
    prepare: (scene) => sendWrong(scene, '123'),
    says: (words) => words.operatorMissing,
  },
  {
    name: 'form-other-country',
    prepare: (scene) => sendWrong(scene, '+244 923 123 456'),
    says: (words) => words.phoneOfOtherCountry('CVE'),
  },
  { name: 'form-angola', asks: angola(), says: (words) => words.phone },
  { name: 'form-long', asks: longNames, says: (words) => words.phone },
  {
    name: 'contacting',
    prepare: async (scene) => {
      await wait(scene);
      const text = `UPDATE payments SET status = 'OPERATOR_PENDING', due_at = now() + interval '1 hour'
        WHERE id = (SELECT latest_payment_id FROM checkout_sessions WHERE link_secret = $1)`;
      await scene.shop.gateway.database.query({ text }, [secretOf(scene)]);
      await scene.page.reload();
    },
    says: (words) => words.contacting('MOCK').title,
  },
  { name: 'waiting', prepare: (scene) => wait(scene), says: (words) => words.wrongNumber },
  {
    name: 'checking',
    prepare: async (scene) => {
      await wait(scene);
      const text = `UPDATE payments SET mismatched = true, version = version + 1
        WHERE id = (SELECT latest_payment_id FROM checkout_sessions WHERE link_secret = $1)`;
      await scene.shop.gateway.database.query({ text }, [secretOf(scene)]);
      await scene.page.reload();
    },
    says: (words) => words.checking('MOCK').title,
  },
  {
    name: 'waiting-elsewhere',
    prepare: async (scene) => {
      await wait(scene);
      await scene.page.goto(addressOf(scene.shop.gateway, scene.session));
    },
    says: () => '••• 159',
  },
  {
    name: 'change-number',
    prepare: async (scene) => {
      await wait(scene);
      await scene.page.getByText(scene.words.wrongNumber).click();
    },
    says: (words) => words.changeNumber,
  },
  {
    name: 'number-changed',
    prepare: async (scene) => {
      await wait(scene);
      await changeNumber(scene);
    },
    says: (words) => words.cancelled.title,
  },
  {
    name: 'late-debit',
    prepare: async (scene) => {
      await timeOut(scene, lateSuffix);
      const of = `reversals WHERE status = 'SUCCEEDED' AND payment_id =
        (SELECT id FROM payments WHERE status = 'EXPIRED' ORDER BY created_at DESC LIMIT 1)`;
      await eventually('it went back', async () => (await countOf(scene.shop.gateway, of)) === 1);
      await scene.page.reload();
    },
    says: (words) => words.failures.CONFIRMATION_TIMEOUT,
  },
  { name: 'refused', prepare: failAs('049'), says: ({ failures }) => failures.INSUFFICIENT_FUNDS },
  { name: 'wrong-pin', prepare: failAs('099'), says: ({ failures }) => failures.PAYER_AUTH_FAILED },
  {
    name: 'timed-out',
    prepare: (scene) => timeOut(scene, confirmSuffix),
    says: (words) => words.failures.CONFIRMATION_TIMEOUT,
  },
  { name: 'paid', prepare: payAll, says: (words) => words.paid.advice },
  {
    name: 'paid-onward',
    asks: { ...cart, completionUrl: 'https://shop.cv/thanks' },
    prepare: async (scene) => {
      // The page redirects after a few seconds to an address that does not answer, so it stays.
      await scene.page.route('https://shop.cv/**', (route) => route.fulfill({ status: 204 }));
      await payAll(scene);
    },
    says: (words) => words.onward,
  },
  {
    name: 'already-paid',
    prepare: async (scene) => {
      await payAll(scene);
      const earlier = new Date(Date.now() - hour).toISOString();
      await setSession(scene, `updated_at = '${earlier}'`);
    },
    says: (words) => words.alreadyPaid.advice,
  },
  {
    name: 'refunded',
    prepare: (scene) => giveBack(scene, 141_000),
    says: (words) => words.refunded.advice,
  },
  {
    name: 'partly-refunded',
    prepare: (scene) => giveBack(scene, 45_000),
    says: (words) => words.partlyRefunded.advice,
  },
  {
    name: 'expired',
    prepare: async ({ shop, session, page }) => {
      await endAt(shop, session, new Date());
      await page.reload();
    },
    says: (words) => words.expired.title,
  },
  {
    name: 'cancelled-by-shop',
    asks: { amount: 850_00 },
    prepare: async ({ shop, session }) => {
      await shop.gateway.api('POST', `/v1/checkout/sessions/${session.id}/expire`);
    },
    says: (words) => words.expired.title,
  },
  {
    name: 'no-attempts-left',
    prepare: (scene) => setSession(scene, 'attempt_count = 10'),
    says: (words) => words.noAttemptsLeft,
  },
  {
    name: 'refused-for-good',
    prepare: async (scene) => {
      await failAs('049')(scene);
      await setSession(scene, `attempt_count = 10, status = 'EXPIRED'`);
    },
    says: (words) => words.noAttemptsLeft,
  },
  { name: 'suspended', shop: 'suspended', says: (words) => words.shopNotNow },
  {
    name: 'not-found',
    prepare: ({ shop, page }) => page.goto(`${shop.gateway.url}/pay/nothing/here`),
    says: (words) => words.notFound.title,
  },
];

function angola(): CreateCheckoutSessionBody {
  return { amount: 1_250_000, currency: 'AOA', description: 'Quota de novembro' };
}

const plainStates = [...sessionStates, ...linkStates, ...receiptStates];
const orange = ['form', 'refused', 'waiting', 'paid', 'expired', 'link-free', 'receipt-paid'];

/**
 * Every state that a customer can see; some repeated in a shop with an orange brand, and in one
 * with a long name.
 */
export const states: State[] = [
  ...plainStates,
  ...again('orange', orange),
  ...again('long', ['form', 'paid', 'link-fixed', 'receipt-paid']),
];

function again(shop: 'orange' | 'long', names: string[]): State[] {
  return plainStates
    .filter(({ name }) => names.includes(name))
    .map((state) => ({ ...state, name: `${shop}-${state.name}`, shop }));
}
