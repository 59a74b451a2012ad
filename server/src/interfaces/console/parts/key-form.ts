import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
import { checkbox } from './form.ts';

const dayMs = 86_400_000;

/** The lifetimes of a key in days; none: until it is revoked. */
export const lifetimes = ['30', '90', '365'];

/** The key's expiry; null: never; undefined: not a choice of the form. */
export function expiryIn({ nowMs }: RequestContext, sent: SentForm): number | null | undefined {
  const days = sent.text('expires');
  if (days === '') return null;
  return lifetimes.includes(days) ? nowMs + Number(days) * dayMs : undefined;
}

/** The key's allowed networks as typed: separated by spaces, lines, commas or semicolons. */
export const addressesIn = (sent: SentForm): string[] =>
  sent
    .text('addresses')
    .split(/[\s,;]+/)
    .filter(Boolean);

/** The key's permissions, with their words. */
export const permissionsField = (
  words: { permissions: string; permissionsHint: string },
  choices: readonly (readonly [value: string, label: string, isChosen: boolean])[],
  error: string | undefined,
): Html =>
  html`<fieldset${error === undefined ? undefined : html` aria-describedby="permissions-error"`}><legend>${words.permissions}</legend>
<p class="hint">${words.permissionsHint}</p>
${error === undefined ? undefined : html`<p class="error" id="permissions-error">${error}</p>`}
<div class="choices">${choices.map(([value, label, isChosen]) => checkbox('permissions', label, value, isChosen))}</div></fieldset>`;
