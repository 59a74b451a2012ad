import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { findSessionByKeys } from '../../../storefront/checkout/store.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, field, form, notice, select } from '../parts/form.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { amountField, openSale, productFields, type Sale, type Sum, sumOf } from '../parts/sale.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './new-link.words.ts';

const longestText = 255;
/** The contract allows 5 minutes to a day (section 4.1). */
const lifetimes = [15, 60, 480, 1440] as const;

/** Creates a payment link: a checkout session that a customer pays by phone, anywhere. */
export const newLinkPage: ConsolePage = {
  path: 'links/new',
  permission: 'links.write',
  show: async (visit) => view(visit, { sale: await openSale(visit) }),
  actions: {
    create: { permission: 'links.write', run: create },
    find: {
      permission: 'links.write',
      run: async (visit, sent) => view(visit, { sale: await openSale(visit, sent), sent }),
    },
  },
};

interface Filled {
  sale: Sale;
  sent?: SentForm;
  saleError?: string | undefined;
  errors?: Readonly<Record<string, string>>;
}

function view(visit: MerchantContext, { sale, sent, saleError, errors = {} }: Filled): View {
  const words = allWords[visit.language];
  const typed = (name: string) => ({
    value: sent?.text(name),
    error: errors[name],
    maxLength: 255,
  });
  const choices = lifetimes.map((each) => [String(each), words.lifetimes[each]] as const);
  const content = html`${keyField(visit, sent)}
${amountField(visit, sale, saleError)}
${productFields(visit, sale, 'create')}
${field('description', words.description, { ...typed('description'), hint: words.descriptionHint })}
${select('expires', words.expires, choices, { value: sent?.text('expires') ?? '1440' })}
<details class="more"><summary>${words.more}</summary><div class="fields">
${field('order', words.order, typed('order'))}
${field('customer', words.customer, typed('customer'))}
</div></details>
<div class="bar">${button('create', words.create)} ${visit.can('payments.read') ? html`<a class="button plain" href="${visit.to('links')}">${visit.words.cancel}</a>` : undefined}</div>`;
  const isBad = saleError !== undefined || Object.keys(errors).length > 0;
  const main = html`${isBad ? notice(visit.words.errors.VALIDATION_ERROR, 'bad') : undefined}
${form(visit, content, html` class="card till" data-steady data-decimal="${visit.language === 'pt' ? ',' : '.'}"`)}`;
  const scripts = ['till.css', 'till.js'];
  return { title: words.title, main, scripts, ...(isBad && { status: 400 }) };
}

async function create(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const sale = await openSale(visit, sent);
  if (sale.isSearch) return view(visit, { sale, sent });
  const sum = sumOf(visit, sale);
  const errors = tooLong(visit, sent);
  const expiresInMinutes = lifetimes.find((each) => String(each) === sent.text('expires')) ?? 1440;
  const saleError = 'error' in sum ? sum.error : undefined;
  if ('error' in sum || Object.keys(errors).length > 0) {
    return view(visit, { sale, sent, saleError, errors });
  }
  return createLink(visit, sent, {
    ...sum,
    currency: sale.currency,
    description: sent.text('description') || null,
    customerId: sent.text('customer') || null,
    order: sent.text('order') || null,
    expiresInMinutes,
  });
}

function tooLong(visit: MerchantContext, sent: SentForm): Record<string, string> {
  const names = ['description', 'order', 'customer'];
  const long = names.filter((name) => Array.from(sent.text(name)).length > longestText);
  return Object.fromEntries(long.map((name) => [name, allWords[visit.language].tooLong]));
}

interface NewLink extends Sum {
  currency: Currency;
  description: string | null;
  customerId: string | null;
  /** Kept in the metadata too, where programs of before look for it. */
  order: string | null;
  expiresInMinutes: number;
}

/** Creates the requested link once, and redirects to its page. */
export async function createLink(
  visit: MerchantContext,
  sent: SentForm,
  link: NewLink,
): Promise<Redirect> {
  const { services, tenantId, terms, author } = visit;
  const { amountMinor, order, ...given } = link;
  const metadata = order === null ? null : JSON.stringify({ order });
  const idempotency = keyedRequest(sent, { ...link, amountMinor: Number(amountMinor) });
  try {
    const { session, replayed } = await services.createSession({
      ...given,
      tenantId,
      amountMinor: given.items === null ? Number(amountMinor) : null,
      returnUrl: null,
      completionUrl: null,
      externalId: order,
      metadata,
      apiKey: null,
      terms,
      idempotency,
    });
    const subject = formatId('cs', session.id);
    if (!replayed) {
      const after = { amount: amountMinor.toString(), currency: link.currency };
      const record = { tenantId, action: 'checkout.created', subject, after } as const;
      await writeAuditRecord(services.database, { ...services, ...author }, record);
    }
    return { to: visit.to(`links/${subject}`, { done: 'created' }) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    const session = await findSessionByKeys(services.database, tenantId, [idempotency.key]);
    if (session === undefined) throw notFound('link');
    return { to: visit.to(`links/${formatId('cs', session.id)}`, { done: 'earlier' }) };
  }
}
