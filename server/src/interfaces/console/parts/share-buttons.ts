import { type Html, html } from '../../../platform/text/html.ts';
import { icon } from '../icons.ts';
import type { MerchantContext } from '../request-context.ts';

/**
 * Ways to share an address: the phone's own dialog, WhatsApp, SMS, or a copy.
 * @param phone the recipient, `+238…`; a masked one leaves the choice to the sender
 */
export function shareBar(visit: MerchantContext, text: string, url: string, phone = ''): Html {
  const { copy, copied } = visit.words;
  const message = encodeURIComponent(`${text} ${url}`);
  const recipient = /^\+\d+$/.test(phone) ? phone : '';
  return html`<div class="bar share">
<button type="button" class="button plain" data-share="${url}" data-text="${text}" hidden>${icon('share')} ${shareWords[visit.language]}</button>
<a class="button plain" href="https://wa.me/${recipient.slice(1)}?text=${message}" target="_blank" rel="noopener noreferrer">WhatsApp</a>
<a class="button plain" href="sms:${recipient}?body=${message}">SMS</a>
<button type="button" class="button plain" data-copy="${url}" data-copied="${copied}">${copy}</button>
</div>`;
}

const shareWords = { pt: 'Partilhar', en: 'Share' };

/** Ways to send a receipt to the payer; a masked phone leaves the recipient to the sender. */
export function receiptBar(visit: MerchantContext, receipt: string, phone: string): Html {
  const { title, text } = receiptWords[visit.language];
  return html`<section class="no-print"><h2>${title}</h2>
${shareBar(visit, text, receipt, phone)}</section>`;
}

const receiptWords = {
  pt: { title: 'Enviar o recibo', text: 'O seu recibo:' },
  en: { title: 'Send the receipt', text: 'Your receipt:' },
};
