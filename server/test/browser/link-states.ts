import { linkWords } from '../../src/storefront/payment-links/page/page.words.ts';
import { addressOf } from './pages.ts';
import type { Scene, State } from './scene.ts';

const free = { description: 'Donativo para a escola', minAmount: 10_000, maxAmount: 500_000 };
const fixed = { description: 'Quota mensal do grupo desportivo', amount: 85_000 };

/** Creates a reusable link, and opens it. */
async function open({ shop, page }: Scene, asked: object): Promise<string> {
  const { body } = await shop.gateway.api('POST', '/v1/payment-links', asked);
  await page.goto(addressOf(shop.gateway, body));
  return body.id;
}

const ofProduct = (product: object) => async (scene: Scene) => {
  const { id } = await scene.shop.gateway.zimbo.products.create({
    name: 'Café do Fogo, 250 g',
    price: 65_000,
    ...product,
  });
  await open(scene, { description: 'Café do Fogo', productId: id });
};

/** The page of a payment link, before a session exists. */
export const linkStates: State[] = [
  { name: 'link-free', prepare: (scene) => open(scene, free), says: words((own) => own.amount) },
  {
    name: 'link-free-wrong',
    prepare: async (scene) => {
      await open(scene, free);
      await scene.page.locator('#amount').fill('50');
      await scene.page.locator('form button').click();
    },
    says: words((own) => own.amount),
  },
  {
    name: 'link-fixed',
    prepare: (scene) => open(scene, fixed),
    says: words((own) => own.onward),
  },
  {
    name: 'link-product',
    prepare: ofProduct({ description: 'Torrado e moído na ilha do Fogo.' }),
    says: words((own) => own.onward),
  },
  {
    name: 'link-used-up',
    prepare: async (scene) => {
      await open(scene, { ...fixed, maxUses: 1 });
      const address = scene.page.url();
      await scene.page.locator('form button').click();
      await scene.page.locator('#pay').waitFor();
      await scene.page.goto(address);
    },
    says: words((own) => own.closed.title),
  },
  {
    name: 'link-paused',
    prepare: async (scene) => {
      const id = await open(scene, fixed);
      await scene.shop.gateway.zimbo.paymentLinks.update(id, { active: false });
      await scene.page.reload();
    },
    says: words((own) => own.paused.title),
  },
  {
    name: 'link-expired',
    prepare: async (scene) => {
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      await open(scene, { ...fixed, description: 'Rifa de Natal', expiresAt });
      const text = `UPDATE payment_links SET expires_at = now() WHERE description = 'Rifa de Natal'`;
      await scene.shop.gateway.database.query({ text });
      await scene.page.reload();
    },
    says: words((own) => own.closed.title),
  },
];

function words(of: (own: (typeof linkWords)['pt']) => string): State['says'] {
  return ({ language }) => of(linkWords[language]);
}
