import { majorOf, minorOf } from '../../../integrations/operators/amount.ts';
import { operatorLabels, operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { invalid } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Fee } from '../../../platform/values/fee.ts';
import type { MerchantTerms } from '../../../platform/values/merchant-terms.ts';
import type { TermsChange } from '../../../tenants/merchants/change-terms.ts';
import { parseAmount, typedAmount } from '../parts/amount.ts';
import { field } from '../parts/form.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './merchant.words.ts';

const rows = ['ALL', ...operatorNames];

/**
 * A form's fees and limits. An operator without both parts keeps the configured fee. @throws
 * VALIDATION_ERROR with the field
 */
export function termsIn(sent: SentForm): TermsChange {
  const fees = rows.flatMap((operator): [string, Fee][] => {
    const [shareText, fixedText] = [sent.text(`share_${operator}`), sent.text(`fixed_${operator}`)];
    if (shareText === '' && fixedText === '') return [];
    const basisPoints = shareText === '' ? 0n : basisPointsOf(shareText);
    const fixedMinor = fixedText === '' ? 0n : parseAmount(fixedText);
    if (basisPoints === undefined || fixedMinor === undefined) throw invalid('fees', 'are wrong');
    return [[operator, { basisPoints: Number(basisPoints), fixedMinor }]];
  });
  const limit = sent.text('maxPayment');
  const maxPaymentMinor = limit === '' ? null : parseAmount(limit);
  if (maxPaymentMinor === undefined) throw invalid('maxPayment', 'is no amount');
  return { fees: Object.fromEntries(fees), maxPaymentMinor };
}

/** `1,5` is 150: a percentage has two decimals. */
const basisPointsOf = (text: string): bigint | undefined =>
  /^\d{1,3}([.,]\d{1,2})?\s*%?$/.test(text)
    ? minorOf(text.replace(',', '.').replace(/\s*%$/, ''))
    : undefined;

/** The fields for all operators, and below them those for each. */
export function feeFields(
  visit: StaffContext,
  { fees }: MerchantTerms,
  sent: SentForm | undefined,
): Html {
  const words = allWords[visit.language];
  const pair = (operator: string, label: string) => {
    const fee = fees[operator];
    const part = fee && majorOf(BigInt(fee.basisPoints));
    const shareNow = visit.language === 'pt' ? part?.replace('.', ',') : part;
    const fixedNow = fee && typedAmount(visit, fee.fixedMinor);
    const of = (name: string, now: string | undefined) => sent?.text(`${name}_${operator}`) ?? now;
    return html`<fieldset><legend>${label}</legend><div class="pair">
${field(`share_${operator}`, words.share, { value: of('share', shareNow), inputMode: 'decimal', maxLength: 8 })}
${field(`fixed_${operator}`, words.fixed, { value: of('fixed', fixedNow), inputMode: 'decimal', maxLength: 20 })}
</div></fieldset>`;
  };
  const isAgreed = operatorNames.some((name) => fees[name] !== undefined) || sent !== undefined;
  return html`${pair('ALL', words.allOperators)}
<details class="more"${isAgreed ? html` open` : undefined}><summary>${words.byOperator}</summary>
<div class="fields">${operatorNames.map((name) => pair(name, operatorLabels[name]))}</div></details>`;
}
