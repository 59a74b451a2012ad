import { type SideWords, sideWords } from '../../../backoffice/resolutions/case-labels.ts';
import { viewFor } from '../../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../../money/review/open-cases.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { money } from '../../../storefront/checkout/page/money.ts';
import { given } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './reviews.words.ts';

/** Both sides in the reader's words, with statuses and amounts as on other pages. */
export const sideWordsFor = ({ language, words }: StaffContext): SideWords => ({
  ...sideWords[language],
  status: (status) => words.statuses[status] ?? status,
  amount: (amountMinor, currency) => money(amountMinor, currency, language),
});

const longestSide = 600;

/** Our records next to the operator's answer. */
export function sides(visit: StaffContext, waiting: Waiting): Html {
  const words = allWords[visit.language];
  const view = viewFor(visit.can('phones.read'), waiting, visit.nowMs, sideWordsFor(visit));
  const side = (text: string) => given(plainText(text), longestSide) ?? visit.words.none;
  return html`<div class="columns sides">
<div><p class="hint">${words.ours}</p><p>${side(view.ledger)}</p></div>
<div><p class="hint">${words.theirs}: ${visit.words.operators[waiting.operator]}</p><p>${side(view.operatorSays)}</p></div>
</div>`;
}
