import { type Html, html } from '../../../platform/text/html.ts';
import type { RequestContext } from '../request-context.ts';

/** The mistakes of a form: a message for each field. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

export interface FieldOptions {
  type?: 'text' | 'tel' | 'url' | 'password' | 'date' | 'datetime-local' | 'number' | 'search';
  value?: string | undefined;
  hint?: string;
  error?: string | undefined;
  isRequired?: boolean;
  maxLength?: number;
  /** Fields of type `email` reject letters beyond ASCII, so addresses use text fields. */
  inputMode?: 'decimal' | 'numeric' | 'tel' | 'text' | 'email';
  autoComplete?: string;
  placeholder?: string;
  /** Offered while a person types. */
  choices?: readonly string[];
}

/** A form of this page; its buttons have `name="action"`. Pressing a button repeatedly submits it once. */
export const form = (
  visit: Pick<RequestContext, 'csrfToken' | 'words'>,
  content: Html | Html[],
  more?: Html,
): Html =>
  html`<form method="post"${more} data-once="${visit.words.sending}" data-retrying="${visit.words.retrying}">
<input type="hidden" name="csrf" value="${visit.csrfToken}">
${content}
</form>`;

/** A labelled field with its hint and its error. */
export function field(name: string, label: string, options: FieldOptions = {}): Html {
  const { type = 'text', value, hint, error } = options;
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}"${describedBy(name, hint, error)}${attributes(options)}${options.choices && html` list="${name}-choices"`}>
${options.choices && html`<datalist id="${name}-choices">${options.choices.map((each) => html`<option value="${each}">`)}</datalist>`}${notes(name, hint, error)}
</div>`;
}

/** Text of several lines. */
export function area(name: string, label: string, options: FieldOptions = {}): Html {
  const { value, hint, error } = options;
  return html`<div class="field">
<label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="3"${describedBy(name, hint, error)}${attributes(options)}>${value}</textarea>
${notes(name, hint, error)}
</div>`;
}

export type Choice = readonly [value: string, label: string];

/** A choice of one value. */
export function select(
  name: string,
  label: string,
  choices: readonly Choice[],
  { value, hint, error }: FieldOptions = {},
): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${describedBy(name, hint, error)}>${choices.map(([each, text]) => option(each, text, each === value))}</select>
${notes(name, hint, error)}
</div>`;
}

const option = (value: string, text: string, isChosen: boolean) =>
  isChosen
    ? html`<option value="${value}" selected>${text}</option>`
    : html`<option value="${value}">${text}</option>`;

/** A checkbox. */
export const checkbox = (name: string, label: string, value: string, isChecked = false): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked ? html` checked` : undefined}> <span>${label}</span></label>`;

/** A submit button; `kind` is its weight. */
export const button = (
  action: string,
  label: string,
  kind: 'primary' | 'plain' | 'danger' = 'primary',
): Html => html`<button name="action" value="${action}" class="button ${kind}">${label}</button>`;

/** A hidden value. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** The result of the last action, or why it failed. */
export const notice = (text: string, kind: 'good' | 'bad' | 'note' = 'note'): Html =>
  html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;

function attributes({
  isRequired,
  maxLength,
  inputMode,
  autoComplete,
  placeholder,
  error,
}: FieldOptions) {
  return [
    isRequired ? html` required` : undefined,
    maxLength === undefined ? undefined : html` maxlength="${maxLength}"`,
    inputMode === undefined ? undefined : html` inputmode="${inputMode}"`,
    autoComplete === undefined ? undefined : html` autocomplete="${autoComplete}"`,
    placeholder === undefined ? undefined : html` placeholder="${placeholder}"`,
    error === undefined ? undefined : html` aria-invalid="true" autofocus`,
  ].filter((each) => each !== undefined);
}

function describedBy(name: string, hint?: string, error?: string): Html | undefined {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return ids === '' ? undefined : html` aria-describedby="${ids}"`;
}

const notes = (name: string, hint?: string, error?: string) => [
  hint === undefined ? html`` : html`<p class="hint" id="${name}-hint">${hint}</p>`,
  error === undefined ? html`` : html`<p class="error" id="${name}-error">${error}</p>`,
];
