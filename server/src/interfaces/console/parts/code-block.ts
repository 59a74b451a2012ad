import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';

type Reader = Pick<RequestContext, 'words'>;

const copyButton = ({ words }: Reader, text: string): Html =>
  html`<button type="button" class="button plain copy" data-copy="${text}" data-copied="${words.copied}">${words.copy}</button>`;

/** Text for programs, with a button that copies it; never wider than the page. */
export const code = (reader: Reader, name: string, text: string): Html =>
  html`<figure class="code"><figcaption><span>${name}</span>${copyButton(reader, text)}</figcaption>
${quoted(name, text)}</figure>`;

/** Text of others, without a button, because nobody should copy it unread. */
export const quoted = (name: string, text: string): Html =>
  html`<pre dir="ltr" tabindex="0" role="region" aria-label="${name}">${text}</pre>`;

/** A key or secret, shown only once. */
export const shownOnce = (reader: Reader, name: string, value: string, hint: string): Html =>
  html`<section class="card once" role="status"><h2>${name}</h2>
<p class="bar"><code class="secret" id="secret">${value}</code>${copyButton(reader, value)}</p>
<p>${hint}</p></section>`;
