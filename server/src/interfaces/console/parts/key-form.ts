import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
import { checkbox } from './form.ts';

const dayMs = 86_400_000;

/** For how many days a key may be made; none: until somebody revokes it. */
export const lifetimes = ['30', '90', '365'];

/** When the key is to end; null: never; undefined: the form offers no such thing. */
export function expiryIn({ nowMs }: RequestContext, sent: SentForm): number | null | undefined {
  const days = sent.text('expires');
  if (days === '') return null;
  return lifetimes.includes(days) ? nowMs + Number(days) * dayMs : undefined;
}

/** From where the key may be used, as it was typed: separated by spaces, lines, commas or semicolons. */
export const addressesIn = (sent: SentForm): string[] =>
  sent
    .text('addresses')
    .split(/[\s,;]+/)
    .filter(Boolean);

/** What the key may do, each with its words. */
export const permissionsField = (
  words: { permissions: string; permissionsHint: string },
  choices: readonly (readonly [value: string, label: string, isChosen: boolean])[],
  error: string | undefined,
): Html =>
  html`<fieldset${error === undefined ? undefined : html` aria-describedby="permissions-error"`}><legend>${words.permissions}</legend>
<p class="hint">${words.permissionsHint}</p>
${error === undefined ? undefined : html`<p class="error" id="permissions-error">${error}</p>`}
<div class="choices">${choices.map(([value, label, isChosen]) => checkbox('permissions', label, value, isChosen))}</div></fieldset>`;
