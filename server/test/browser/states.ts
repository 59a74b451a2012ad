import type { Page } from 'playwright-core';
import type { CheckoutSession } from '../../../sdk/src/index.ts';
import { confirmPhone, reachPayment, reachStatus } from '../support/checkout.ts';
import { addressOf, endAt, openCart, pay, type Shop, says } from './pages.ts';

const hour = 3_600_000;

interface State {
  name: string;
  /** Brings a session into the state. */
  prepare?(shop: Shop, session: CheckoutSession, page: Page): Promise<void>;
  /** What the page says then. */
  says: string;
  path?: string;
}

const failAs = (suffix: string) => async (shop: Shop, session: CheckoutSession, page: Page) => {
  await pay(page, suffix);
  await reachPayment(shop.gateway, session, 'FAILED');
};

/** Every state that a customer can see. */
export const states: State[] = [
  { name: 'form', says: 'Pagar 1.410,00 CVE' },
  {
    name: 'test-numbers',
    prepare: async (_shop, _session, page) => page.locator('summary').click(),
    says: 'Pagar',
  },
  {
    name: 'form-wrong',
    prepare: async (_shop, _session, page) => {
      await page.locator('form').evaluate((form) => {
        Object.assign(form, { noValidate: true });
      });
      await page.locator('#phone').fill('123');
      await page.locator('form button').click();
    },
    says: 'Escreva o número completo',
  },
  {
    name: 'waiting',
    prepare: async (shop, session, page) => {
      await pay(page, confirmPhone.slice(-3));
      await reachPayment(shop.gateway, session, 'USER_CONFIRMING');
    },
    says: 'Confirme o pagamento no seu telemóvel',
  },
  {
    name: 'change-number',
    prepare: async (shop, session, page) => {
      await pay(page, confirmPhone.slice(-3));
      await reachPayment(shop.gateway, session, 'USER_CONFIRMING');
      await page.getByText('Enganou-se no número?').click();
    },
    says: 'pode escrever outro número',
  },
  {
    name: 'number-changed',
    prepare: async (shop, session, page) => {
      await pay(page, confirmPhone.slice(-3));
      await reachPayment(shop.gateway, session, 'USER_CONFIRMING');
      await page.getByText('Enganou-se no número?').click();
      await page.getByRole('button', { name: 'Escrever outro número' }).click();
    },
    says: 'Pedido anterior cancelado',
  },
  { name: 'failed', prepare: failAs('049'), says: 'Saldo insuficiente' },
  {
    name: 'paid',
    prepare: async (shop, session, page) => {
      await pay(page, '345');
      await reachStatus(shop.gateway, session, 'COMPLETED');
    },
    says: 'O seu pagamento foi recebido',
  },
  {
    name: 'already-paid',
    prepare: async (shop, session, page) => {
      await pay(page, '345');
      await reachStatus(shop.gateway, session, 'COMPLETED');
      await backDate(shop, session);
      await page.reload();
    },
    says: 'já foi feito',
  },
  {
    name: 'expired',
    prepare: (shop, session) => endAt(shop, session, new Date()),
    says: 'Este link expirou',
  },
  {
    name: 'no-attempts-left',
    prepare: async (shop, session, page) => {
      await setSession(shop, session, 'attempt_count = 10');
      await page.reload();
    },
    says: 'Já não há mais tentativas',
  },
  {
    name: 'payment-link',
    prepare: async (shop, _session, page) => {
      const bounds = { minAmount: 10_000, maxAmount: 500_000 };
      const link = { description: 'Donativo para a escola', ...bounds };
      const { body } = await shop.gateway.api('POST', '/v1/payment-links', link);
      await page.goto(addressOf(shop.gateway, body));
    },
    says: 'Quanto quer pagar?',
  },
  { name: 'not-found', path: '/pay/nothing/here', says: 'Página de pagamento não encontrada' },
];

/** Opens a page and brings it into a state. */
export async function showState(shop: Shop, state: State, page: Page, session: CheckoutSession) {
  await state.prepare?.(shop, session, page);
  if (state.path) await page.goto(`${shop.gateway.url}${state.path}`);
  else if (state.name === 'expired') await page.reload();
  await says(page, state.says);
}

export const sessionFor = (shop: Shop) => openCart(shop);

function backDate(shop: Shop, session: CheckoutSession): Promise<void> {
  const earlier = new Date(Date.now() - hour).toISOString();
  return setSession(shop, session, `updated_at = '${earlier}'`);
}

async function setSession(
  { gateway }: Shop,
  session: CheckoutSession,
  change: string,
): Promise<void> {
  const secret = Buffer.from(new URL(session.url).pathname.split('/').at(-1)!, 'base64url');
  const text = `UPDATE checkout_sessions SET ${change} WHERE link_secret = $1`;
  await gateway.database.query({ text }, [secret.subarray(32)]);
}
