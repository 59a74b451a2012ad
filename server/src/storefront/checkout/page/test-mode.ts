import type { PaymentFailureCode } from '../../../integrations/operators/operator.ts';
import { suffixesOf } from '../../../integrations/operators/simulator/behaviour.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from './locale.ts';

/** Says that this is a test, and what each test number does (docs/simulator.md). */
export function testBanner(words: Locale): Html {
  const { banner, numbers, endsIn, neverConfirmed, anyOther } = words.test;
  const failures = suffixesOf('FAIL').map(({ suffix, failureCode }) =>
    line(suffix, words.failures[failureCode as PaymentFailureCode].split('.')[0]!),
  );
  const never = suffixesOf('NEVER').map(({ suffix }) => line(suffix, neverConfirmed));
  return html`<aside class="test"><p>${banner}</p>
    <details><summary>${numbers}</summary><p>${endsIn}</p>
    <ul>${failures}${never}<li>${anyOther}</li></ul></details></aside>`;
}

const line = (suffix: string, outcome: string) =>
  html`<li><code>…${suffix}</code><span>${outcome}</span></li>`;
