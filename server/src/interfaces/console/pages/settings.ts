import { notFound } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { accentRules } from '../../../storefront/checkout/page/assets.ts';
import { sendPicture } from '../../../storefront/checkout/page/routes.ts';
import {
  type BrandChange,
  changeBrand,
  columnsOf,
  findLogo,
  readBrand,
} from '../../../tenants/merchants/brand.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { authorInCell } from '../parts/author.ts';
import { type FieldErrors, notice } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as checkoutWords } from './checkout-settings.words.ts';
import { words as allWords } from './settings.words.ts';
import { colourOf, type Shown, settingsForm } from './settings-form.ts';
import { previews } from './settings-preview.ts';

/** Owners' settings of their shop, with previews of what customers see. */
export const settingsPage: ConsolePage = {
  path: 'settings',
  permission: 'settings.write',
  show: (visit) => view(visit),
  actions: {
    save: { permission: 'settings.write', run: save },
    preview: { permission: 'settings.write', run: preview },
  },
};

/** The shop's logo. */
export const settingsLogo: ConsolePage = {
  path: 'settings/logo',
  permission: 'settings.write',
  async show({ services, tenantId }) {
    const logo = await findLogo(services.database, tenantId);
    if (!logo) throw notFound('logo');
    return { send: (reply) => sendPicture(logo, reply) };
  },
};

/** The previews' colours as a file, because the page's policy allows no other style. */
export const settingsColours: ConsolePage = {
  path: 'settings/colours',
  permission: 'settings.write',
  async show({ query }) {
    const colour = `#${query.get('colour')}`;
    if (!/^#[0-9a-f]{6}$/.test(colour)) throw notFound('colour');
    const style = accentRules(colour, '.screen');
    return { send: (reply) => reply.header('content-type', 'text/css; charset=utf-8').send(style) };
  },
};

async function save(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const logo = await logoIn(sent);
  try {
    await changeBrand(authorInCell(visit), visit.merchant.id, changeIn(sent, logo));
  } catch (error) {
    const { wrong } = allWords[visit.language];
    return view(visit, { sent, logo, errors: formErrors(visit, error, { wrong }) });
  }
  return { to: visit.to('settings', { done: 'saved' }) };
}

/** Shows the input as customers would see it, and stores nothing. */
async function preview(visit: MerchantContext, sent: SentForm): Promise<View> {
  const logo = await logoIn(sent);
  try {
    columnsOf(changeIn(sent, logo));
  } catch (error) {
    const { wrong } = allWords[visit.language];
    return view(visit, { sent, logo, errors: formErrors(visit, error, { wrong }) });
  }
  return view(visit, { sent, logo });
}

/** A chosen file, or the one that was chosen for an earlier preview; undefined keeps the stored logo. */
async function logoIn(sent: SentForm): Promise<Buffer | null | undefined> {
  if (sent.text('without') !== '') return null;
  const earlier = sent.text('keptLogo');
  return (await sent.file('logo')) ?? (earlier === '' ? undefined : Buffer.from(earlier, 'base64'));
}

function changeIn(sent: SentForm, logo: Buffer | null | undefined): BrandChange {
  const text = (name: string) => sent.text(name) || null;
  return {
    name: text('name'),
    colour: colourOf(sent.text('colour')),
    ...(logo !== undefined && { logo }),
    contactPhone: text('contactPhone'),
    contactEmail: text('contactEmail'),
    website: text('website'),
    taxNumber: text('taxNumber'),
    receiptText: text('receiptText'),
    pageLanguages: sent.text('pageLanguages') === '' ? null : sent.text('pageLanguages').split(','),
    defaultCurrency: text('defaultCurrency'),
    timeZone: text('timeZone'),
  };
}

interface Again {
  sent?: SentForm;
  logo?: Buffer | null | undefined;
  errors?: FieldErrors;
}

async function view(
  visit: MerchantContext,
  { sent, logo, errors = {} }: Again = {},
): Promise<View> {
  const words = allWords[visit.language];
  const brand = await readBrand(visit.services.database, visit.merchant.id);
  const isWrong = Object.keys(errors).length > 0;
  const shown: Shown = { brand, sent, logo: errors.logo === undefined ? logo : undefined, errors };
  const problem = errors.page ?? visit.words.errors.VALIDATION_ERROR;
  const main = html`${isWrong ? notice(problem, 'bad') : doneNotice(visit, words.done)}
<p class="hint">${words.hint}</p>
<p><a href="${visit.to('settings/checkout')}">${checkoutWords[visit.language].toPage}</a></p>
<div class="columns settings">${settingsForm(visit, shown)}${previews(visit, shown)}</div>`;
  const scripts = ['settings.css'];
  return { title: words.title, main, scripts, ...(isWrong && { status: 400 }) };
}
