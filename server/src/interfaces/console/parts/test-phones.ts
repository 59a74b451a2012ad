import { suffixesOf } from '../../../integrations/operators/simulator/behaviour.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { countryOf } from '../../../storefront/checkout/page/phone.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './payer.words.ts';

type Outcome = keyof (typeof allWords)['en']['outcomes'];

const failing = (code: Outcome) =>
  suffixesOf('FAIL').find(({ failureCode }) => failureCode === code)!.suffix;

/** The last digits that choose the outcome (docs/simulator.md): the most common outcomes. */
const endings: Record<Outcome, string> = {
  pays: '',
  INSUFFICIENT_FUNDS: failing('INSUFFICIENT_FUNDS'),
  PAYER_DECLINED: failing('PAYER_DECLINED'),
  never: suffixesOf('NEVER')[0]!.suffix,
};

/** Numbers to try the till with. A script makes them buttons (till.js); without it, people type them. */
export function testPhones(visit: Pick<MerchantContext, 'language'>, currency: Currency): Html {
  const words = allWords[visit.language];
  const { example, callingCode } = countryOf[currency];
  const choices = (Object.keys(endings) as Outcome[]).map((outcome) => {
    const number = endedBy(example, endings[outcome]);
    return html`<button type="button" data-phone="${number}" data-country="${callingCode}" disabled><b>${number}</b> ${words.outcomes[outcome]}</button>`;
  });
  return html`<div class="test-phones" role="group" aria-labelledby="test-phones"><p class="hint" id="test-phones">${words.testPhones}</p>${choices}</div>`;
}

/** The number with other last digits, in the same format. */
function endedBy(number: string, ending: string): string {
  if (ending === '') return number;
  const spaced = (_: string, first: string, second: string) =>
    `${ending[0]}${first}${ending[1]}${second}${ending[2]}`;
  return number.replace(/\d(\D*)\d(\D*)\d$/, spaced);
}
