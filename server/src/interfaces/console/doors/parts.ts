import { renderSVG } from 'uqr';
import { Html, html } from '../../../platform/text/html.ts';
import type { CodesDraft } from '../../../tenants/people/credentials.ts';
import { NameTaken } from '../../../tenants/people/member-store.ts';
import type { Redirect } from '../page.ts';
import { type FieldErrors, field, hidden, notice } from '../parts/form.ts';
import { formErrors, type RefusalWords } from '../parts/form-errors.ts';
import type { Caller, OwnCaller } from './door.ts';
import { words as allWords } from './parts.words.ts';

/** Leads to sign-in, and back to this page. */
export const signInFirst = ({ address, path }: Caller): Redirect => ({
  to: address(`/console/sign-in?next=${encodeURIComponent(path)}`),
});

/** The files of a page with a passkey. */
export const passkeyScripts = ['webauthn.js', 'passkey.js'];

/**
 * A button that requests a passkey from the browser and submits the answer as `response`. Hidden if
 * the browser lacks passkeys.
 */
export function passkeyButton(
  { language }: Pick<Caller, 'language'>,
  kind: 'create' | 'get',
  options: object,
  label: string,
): Html {
  const words = allWords[language];
  const failed = kind === 'create' ? words.notMade : words.notShown;
  return html`<div data-passkey="${kind}" data-options="${JSON.stringify(options)}" hidden>
<input type="hidden" name="response">
<button type="button" class="button primary wide">${label}</button>
<p class="error" role="alert" data-failed="${failed}"></p>
</div>
<noscript><p class="hint">${words.needsScript}</p></noscript>`;
}

/** The browser's answer; undefined if it is not JSON. */
export function responseOf<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** Setting a password and its codes: the QR code to scan, and the first code. */
export function passwordFields(
  { language }: Pick<Caller, 'language'>,
  { draft, secret, uri }: CodesDraft,
  errors: FieldErrors,
): Html {
  const words = allWords[language];
  const code = { inputMode: 'numeric', maxLength: 10, autoComplete: 'one-time-code' } as const;
  return html`${hidden('draft', draft)}
${newPasswordField({ language }, errors)}
<div class="codes">
<p><b>${words.scan}</b></p>
<p class="hint">${words.scanHint}</p>
<div class="qr" role="img" aria-label="${words.picture}">${new Html(renderSVG(uri, { ecc: 'M', border: 2 }))}</div>
<p class="hint">${words.secret}</p>
<p><code class="secret">${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p>
</div>
${field('code', words.firstCode, { ...code, error: errors.code })}`;
}

export const newPasswordField = (
  { language }: Pick<Caller, 'language'>,
  errors: FieldErrors,
  name = 'password',
): Html =>
  field(name, allWords[language].newPassword, {
    type: 'password',
    autoComplete: 'new-password',
    maxLength: 200,
    hint: allWords[language].newPasswordHint,
    error: errors.password,
  });

/** Recovery codes, shown only in this answer. */
export function recoveryCodes(
  { language, words: common }: Pick<Caller, 'language' | 'words'>,
  codes: readonly string[],
  next: string,
): Html {
  const words = allWords[language];
  return html`<h1>${words.recovery}</h1>
<p>${words.recoveryHint}</p>
<ul class="recovery">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p class="bar"><button class="button plain" type="button" data-copy="${codes.join('\n')}" data-copied="${common.copied}">${common.copy}</button> <a class="button primary" href="${next}">${words.kept}</a></p>`;
}

/** The header of personal pages: a link back, and sign-out. */
export const personBar = ({ who, words, address }: OwnCaller): Html =>
  html`<div class="bar spread own"><span class="hint">${who.person.email ?? who.person.name}</span><form method="post" action="${address('/console/sign-out')}">${hidden('csrf', who.csrfToken)}<button class="link">${words.signOut}</button></form></div>`;

/**
 * The mistakes of a form, by field; `page` is the form as a whole. @throws any error that is not a
 * mistake of the form
 */
export function mistakesOf(
  error: unknown,
  { language, words }: Pick<Caller, 'language' | 'words'>,
  codes: RefusalWords['codes'] = {},
): FieldErrors {
  const { mistakes } = allWords[language];
  const isLength = error instanceof Error && /characters/.test(error.message);
  const password = isLength ? mistakes.length : mistakes.tooEasy;
  const name = error instanceof NameTaken ? mistakes.nameTaken : mistakes.name;
  const wrong = { ...mistakes, name, password };
  const { draft, ...errors } = formErrors({ words }, error, { wrong, codes });
  return draft === undefined ? errors : { code: draft };
}

/** For people who came in by a link and cannot reauthenticate: how to get a sign-in method. */
export const noWay = ({ language, who }: OwnCaller): Html =>
  notice(allWords[language].noWay(who.person.email ?? who.person.name), 'note');

/** The rest of a pause, in words. */
export function pauseText({ language }: Pick<Caller, 'language'>, retryInMs: number): string {
  const seconds = Math.ceil(retryInMs / 1_000);
  const words = allWords[language];
  return seconds < 90 ? words.waitSeconds(seconds) : words.waitMinutes(Math.ceil(seconds / 60));
}
