import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import type { PaymentLink } from '../../../storefront/payment-links/payment-link.ts';
import { listLinks } from '../../../storefront/payment-links/store.ts';
import { findProducts } from '../../../storefront/products/store.ts';
import type { Redirect, View } from '../page.ts';
import { form } from '../parts/form.ts';
import { amount, day } from '../parts/format.ts';
import { keyedRequest } from '../parts/idempotency-key.ts';
import { listPage, type MerchantListPage } from '../parts/list-page.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { reusableLinkPath, stateOf } from './reusable-link.ts';
import { linkForm, readLinkForm } from './reusable-link-form.ts';
import { words as allWords } from './reusable-links.words.ts';

const path = 'links/reusable';

/** Reusable links, and a form for another. */
export const reusableLinksPage: MerchantListPage = listPage({
  path,
  permission: 'payments.read',
  words: allWords,
  cursor: 'pl',
  load: ({ services, tenantId }, _, page) => listLinks(services.database, tenantId, {}, page),
  async columns(visit, words, rows) {
    const { database, linkUrls } = visit.services;
    const urls = await linkUrls.ofAll(rows);
    const sold = rows.flatMap(({ productId }) => productId ?? []);
    const products = sold.length === 0 ? [] : await findProducts(database, visit.tenantId, sold);
    const names = new Map(products.map(({ id, name }) => [id, name]));
    return [
      {
        head: words.description,
        cell: ({ id, description }) =>
          html`<a href="${visit.to(reusableLinkPath(id))}">${named(description)}</a>`,
      },
      { head: words.amount, isNumber: true, cell: (row) => amountOf(visit, row, names) },
      {
        head: words.uses,
        isNumber: true,
        cell: ({ uses, maxUses }) => (maxUses === null ? `${uses}` : `${uses} / ${maxUses}`),
      },
      { head: words.state, cell: (row) => words.states[stateOf(visit, row)] },
      {
        head: words.until,
        cell: ({ expiresAtMs }) => (expiresAtMs === null ? '–' : day(visit, expiresAtMs)),
      },
      {
        head: words.address,
        cell: ({ id }) => {
          const { shortUrl } = urls.get(id)!;
          return html`<a href="${shortUrl}"><code>${shortUrl}</code></a>`;
        },
      },
      {
        head: words.action,
        cell: (row) => (visit.can('links.write') ? toggle(visit, row) : undefined),
      },
    ];
  },
  below: async (visit, _, { sent }) =>
    visit.can('links.write') ? linkForm(visit, sent) : undefined,
  actions: {
    create: { permission: 'links.write', run: create },
    'turn-on': { permission: 'links.write', run: (visit, sent) => turn(visit, sent, true) },
    'turn-off': { permission: 'links.write', run: (visit, sent) => turn(visit, sent, false) },
  },
  scripts: ['till.css'],
});

function amountOf(
  visit: MerchantContext,
  link: PaymentLink,
  names: ReadonlyMap<string, string>,
): Html | string {
  const { productId, amountMinor, minAmountMinor, maxAmountMinor, currency } = link;
  if (amountMinor !== null) return amount(visit, amountMinor, currency);
  if (minAmountMinor === null || maxAmountMinor === null) {
    const { product, productGone } = allWords[visit.language];
    const name = names.get(productId!);
    return name === undefined ? productGone : html`<span>${product} ${named(name)}</span>`;
  }
  return html`<span>${amount(visit, minAmountMinor, currency)} – ${amount(visit, maxAmountMinor, currency)}</span>`;
}

function toggle(visit: MerchantContext, { id, active, description }: PaymentLink): Html {
  const words = allWords[visit.language];
  const [action, label] = active ? ['turn-off', words.turnOff] : ['turn-on', words.turnOn];
  return form(
    visit,
    html`<input type="hidden" name="link" value="${formatId('pl', id)}">
<button class="button plain" name="action" value="${action}">${label}<span class="unseen"> ${words.toggleOf(nameText(description))}</span></button>`,
  );
}

const wrong = (visit: MerchantContext, sent: SentForm): Promise<View> =>
  reusableLinksPage.view(visit, { problem: allWords[visit.language].wrong, sent });

async function create(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const { services, tenantId, author, terms } = visit;
  const given = await readLinkForm(visit, sent);
  if (!given) return wrong(visit, sent);
  const meant = Object.entries(given).map(([name, value]) => [name, value?.toString() ?? null]);
  const idempotency = keyedRequest(sent, Object.fromEntries(meant));
  const without = { returnUrl: null, completionUrl: null, metadata: null };
  const rest = { ...without, tenantId, active: true, apiKey: null };
  try {
    const made = await services.createLink({ ...given, ...rest, author, terms, idempotency });
    const { id } = JSON.parse(made.json) as { id: string };
    return { to: visit.to(`${path}/${id}`, { done: made.replayed ? 'earlier' : 'created' }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The product was taken off sale meanwhile.
    if (error.code === 'VALIDATION_ERROR') return wrong(visit, sent);
    if (error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    return { to: visit.to(path, { done: 'earlier' }) };
  }
}

async function turn(visit: MerchantContext, sent: SentForm, active: boolean): Promise<Redirect> {
  const { services, tenantId, author } = visit;
  const id = parseId('pl', sent.text('link'));
  if (id === undefined) throw notFound('payment link');
  await services.changeLink({ tenantId, id }, { active }, author);
  return { to: visit.to(path, { done: 'changed' }) };
}
