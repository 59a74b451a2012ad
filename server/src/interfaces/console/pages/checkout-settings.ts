import type { DomainError } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import {
  longestFrameOrigin,
  mostFrameOrigins,
} from '../../../storefront/checkout/settings/frame-origins.ts';
import { findCheckoutSettings } from '../../../storefront/checkout/settings/store.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { code } from '../parts/code-block.ts';
import { area, button, form, notice } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './checkout-settings.words.ts';

/** The sites that may show the payment page of this mode in a frame, and what to write into them. */
export const checkoutSettingsPage: ConsolePage = {
  path: 'settings/checkout',
  permission: 'settings.write',
  async show(visit) {
    const { frameOrigins } = await findCheckoutSettings(visit.services.database, visit.tenantId);
    return view(visit, visit.kept?.text('origins') ?? frameOrigins.join('\n'));
  },
  actions: {
    save: { permission: 'settings.write', isSensitive: true, run: save },
  },
};

async function save(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const text = sent.text('origins');
  const frameOrigins = text.split(/\s+/).filter((origin) => origin !== '');
  const { changeCheckoutSettings } = visit.services;
  const changed = await refusalOr(
    changeCheckoutSettings(visit.tenantId, { frameOrigins }, visit.author),
  );
  if (!('code' in changed)) return { to: visit.to('settings/checkout', { done: 'saved' }) };
  return view(visit, text, problemOf(visit, frameOrigins, changed));
}

function problemOf(
  { language }: MerchantContext,
  origins: readonly string[],
  { param }: DomainError,
): string {
  const index = /^frameOrigins\[(\d+)\]$/.exec(param ?? '')?.[1];
  const words = allWords[language];
  return index === undefined ? words.tooMany : words.wrong(origins[Number(index)]!);
}

const sample = (publicUrl: string) => `<script src="${publicUrl}/pay/checkout.js" defer></script>

<zimbo-button session="${publicUrl}/pay/…"></zimbo-button>`;

function view(visit: MerchantContext, origins: string, error?: string): View {
  const { language, mode } = visit;
  const words = allWords[language];
  const field = area('origins', words.origins, {
    value: origins,
    hint: words.originsHint[mode],
    error,
    maxLength: mostFrameOrigins * (longestFrameOrigin + 2),
  });
  const main = html`${error === undefined ? doneNotice(visit, words.done) : notice(error, 'bad')}
<p>${words.about}</p>
<section class="card">${form(visit, html`${field}<p class="hint">${words.mode[mode]}</p>${button('save', visit.words.save)}`)}</section>
${code(visit, words.code, sample(visit.services.publicUrl))}
<p class="hint">${words.codeHint}</p>`;
  const isWrong = error !== undefined;
  return { title: words.title, main, scripts: ['developers.css'], ...(isWrong && { status: 400 }) };
}
