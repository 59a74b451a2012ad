import { invalid } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { DisbursementTerms } from '../../../platform/values/merchant-terms.ts';
import { type Currency, currencies } from '../../../platform/values/money.ts';
import { changeDisbursementTerms } from '../../../tenants/merchants/disbursement-terms.ts';
import { parseAmount, typedAmount } from '../parts/amount.ts';
import { authorInCell } from '../parts/author.ts';
import { button, checkbox, field, form } from '../parts/form.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './disbursement-card.words.ts';
import type { Shown } from './merchant.ts';

/** The limits, by their names in the admin API. */
const limits = {
  maxDisbursement: 'maxMinor',
  maxDisbursedPerDay: 'maxPerDayMinor',
  maxDisbursedPerWalletAndDay: 'maxPerWalletAndDayMinor',
} as const satisfies Record<string, keyof DisbursementTerms>;
type Limit = keyof typeof limits;
const names = Object.keys(limits) as Limit[];

/** Whether this installation disburses at all. */
export const disburses = ({ services }: StaffContext): boolean =>
  services.staff.config.disbursements.isOn;

/** Changes the terms. @returns a word for the result */
export async function changeDisbursing(
  visit: StaffContext,
  sent: SentForm,
  merchantId: string,
): Promise<string> {
  const change = {
    isAllowed: sent.text('allowed') !== '',
    maxMinor: limitIn(sent, 'maxDisbursement'),
    maxPerDayMinor: limitIn(sent, 'maxDisbursedPerDay'),
    maxPerWalletAndDayMinor: limitIn(sent, 'maxDisbursedPerWalletAndDay'),
    keepBalances: Object.fromEntries(
      currencies.map((each) => [each, limitIn(sent, `keepBalance.${each}`)]),
    ),
  };
  await changeDisbursementTerms(authorInCell(visit), merchantId, change);
  return 'disbursing';
}

/** Null: none. @throws VALIDATION_ERROR */
function limitIn(sent: SentForm, name: Limit | `keepBalance.${Currency}`): bigint | null {
  const text = sent.text(name);
  const minor = text === '' ? null : parseAmount(text);
  if (minor === undefined) throw invalid(name, 'is no amount');
  return minor;
}

/** Whether a merchant may disburse, and how much. */
export function disbursementCard(
  visit: StaffContext,
  { merchant, terms, errors, sent }: Shown,
): Html {
  const words = allWords[visit.language];
  const now = terms.disbursements;
  const typed = sent?.text('action') === 'disbursements' ? sent : undefined;
  const asked = {
    action: 'merchant.disbursement_terms_changed',
    merchant: formatId('me', merchant.id),
  };
  const given = (name: string, label: string, minor: bigint | null, hint?: string) => {
    const value = typed?.text(name) ?? (minor === null ? '' : typedAmount(visit, minor));
    const told = hint === undefined ? {} : { hint };
    const error = errors[name];
    return field(name, label, { value, error, inputMode: 'decimal', maxLength: 20, ...told });
  };
  const isAllowed = typed === undefined ? now.isAllowed : typed.text('allowed') !== '';
  return html`<section class="card"><h2>${words.title}</h2>
<p class="hint">${words.hint}</p>
${visit.can('audit.read') ? html`<p><a href="${visit.to('audit', asked)}">${words.whoChanged}</a></p>` : undefined}
${form(
  visit,
  html`${checkbox('allowed', words.allowed, 'yes', isAllowed)}
${names.map((name) => given(name, words[name], now[limits[name]]))}
${currencies.map((each) => given(`keepBalance.${each}`, words.keepBalance(each), now.keepBalances[each] ?? null, words.keepBalanceHint))}
${button('disbursements', visit.words.save, 'plain')}`,
)}</section>`;
}
