import { type Html, html } from '../../../platform/text/html.ts';
import { icon } from '../icons.ts';
import type { MerchantContext } from '../request-context.ts';

/** Ways to share an address: the phone's own dialog, WhatsApp, SMS, or a copy. */
export function shareBar(visit: MerchantContext, text: string, url: string): Html {
  const { copy, copied } = visit.words;
  const message = encodeURIComponent(`${text} ${url}`);
  return html`<div class="bar share">
<button type="button" class="button plain" data-share="${url}" data-text="${text}" hidden>${icon('share')} ${shareWords[visit.language]}</button>
<a class="button plain" href="https://wa.me/?text=${message}" target="_blank" rel="noopener noreferrer">WhatsApp</a>
<a class="button plain" href="sms:?body=${message}">SMS</a>
<button type="button" class="button plain" data-copy="${url}" data-copied="${copied}">${copy}</button>
</div>`;
}

const shareWords = { pt: 'Partilhar', en: 'Share' };
