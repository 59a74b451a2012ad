import {
  reconciliationLimits,
  type Scope,
} from '../../../backoffice/reconciliations/reconciliation.ts';
import { EmptyPeriodError } from '../../../money/ledger/reconcile-statement.ts';
import { operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { CsvError } from '../../../platform/formats/csv.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { parseId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { dayEndMs, dayStartMs } from '../parts/day-field.ts';
import { button, type FieldErrors, field, form, notice, select } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { plainText } from '../parts/plain-text.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as newWords } from './new-reconciliation.words.ts';
import { pageOf, wordsOf } from './reconciliation-parts.ts';

/** Uploads a statement, and reports problems of its lines at once. */
export const newReconciliationPage: StaffPage = {
  path: 'reconciliations/new',
  permission: 'reconciliations.write',
  uploadBytes: reconciliationLimits.fileBytes,
  show: (visit) => Promise.resolve(view(visit)),
  actions: { upload: { permission: 'reconciliations.write', run: upload } },
};

async function upload(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const { scope, errors } = scopeIn(visit, sent);
  const { upload: file } = sent;
  const { wrong } = newWords[visit.language];
  const isFile = file !== undefined && file !== 'TOO_LARGE';
  if (!isFile) errors.file = file === undefined ? wrong.file : wrong.large;
  const isWrong = Object.values(errors).some((each) => each !== undefined);
  if (isWrong || !isFile || scope === undefined) return refused(visit, sent, errors);
  try {
    const taken = await visit.services.reconciliations.take(visit.author, scope, file);
    const done = taken.isNew ? 'uploaded' : 'known';
    return { to: visit.to(pageOf(taken), { done }) };
  } catch (error) {
    return refused(visit, sent, problemOf(visit, error));
  }
}

const refused = (visit: StaffContext, sent: SentForm, errors: FieldErrors): View => ({
  ...view(visit, sent, errors),
  status: 400,
});

type Errors = Record<string, string | undefined>;

/** The scope of the comparison, from the form. */
function scopeIn(visit: StaffContext, sent: SentForm): { scope?: Scope; errors: Errors } {
  const { wrong } = newWords[visit.language];
  const errors: Errors = {};
  const operator = operatorNames.find((each) => each === sent.text('operator'));
  if (operator === undefined) errors.operator = wrong.operator;
  const merchant = sent.text('merchant');
  const merchantId = merchant === '' ? null : parseId('me', merchant);
  if (merchantId === undefined) errors.merchant = wrong.merchant;
  const day = (name: 'from' | 'to', of: (text: string) => number | undefined) => {
    const atMs = of(sent.text(name));
    if (atMs === undefined) errors[name] = wrong[name];
    return atMs ?? null;
  };
  const askedFromMs = day('from', (text) => dayStartMs(text, visit));
  const lastMs = day('to', (text) => dayEndMs(text, visit));
  if (operator === undefined || merchantId === undefined) return { errors };
  const scope: Scope = {
    operator,
    mode: sent.text('mode') === 'test' ? 'test' : 'live',
    merchantId,
    currency: currencies.find((each) => each === sent.text('currency')) ?? null,
    askedFromMs,
    askedUntilMs: lastMs === null ? null : lastMs + 1,
  };
  return { scope, errors };
}

/** The problem of the file, in the reader's words. @throws any other error */
function problemOf(visit: StaffContext, error: unknown): FieldErrors {
  const { wrong, problems } = newWords[visit.language];
  if (error instanceof CsvError) {
    const what = problems[error.problem](...error.about.map((each) => plainText(each, 200)));
    return { page: wrong.line(String(error.line), what) };
  }
  if (error instanceof EmptyPeriodError) return { page: wrong.emptyPeriod };
  const codes = { NOT_FOUND: { merchant: wrong.merchant }, LIMIT_REACHED: wordsOf(visit).waiting };
  return formErrors(visit, error, { codes });
}

function view(visit: StaffContext, sent?: SentForm, errors: FieldErrors = {}): View {
  const words = { ...wordsOf(visit), ...newWords[visit.language] };
  const main = html`${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
<p class="hint">${words.newHint}</p>
<section class="card upload">
${form(visit, fields(visit, sent, errors), html` enctype="multipart/form-data"`)}
</section>
<p><a href="${visit.to('reconciliations')}">${words.back}</a></p>`;
  return { title: words.newTitle, main, scripts: ['staff.css'] };
}

/** The file comes last: the fields before it show whether the form is ours. */
function fields(visit: StaffContext, sent: SentForm | undefined, errors: FieldErrors): Html {
  const words = { ...wordsOf(visit), ...newWords[visit.language] };
  const { operators } = visit.words;
  const value = (name: string) => sent?.text(name);
  const modes = (['live', 'test'] as const).map((each) => [each, visit.words[each]] as const);
  const choices = [
    ['', words.allCurrencies] as const,
    ...currencies.map((each) => [each, each] as const),
  ];
  return html`<div class="pair">${select(
    'operator',
    words.operator,
    operatorNames.map((name) => [name, operators[name]] as const),
    { value: value('operator'), error: errors.operator },
  )}
${select('mode', words.mode, modes, { value: value('mode') })}</div>
${field('merchant', words.merchant, { value: value('merchant'), hint: words.allMerchants, error: errors.merchant, maxLength: 40 })}
${select('currency', words.currency, choices, { value: value('currency') })}
<div class="pair">${field('from', words.from, { type: 'date', value: value('from'), error: errors.from, isRequired: true })}
${field('to', words.to, { type: 'date', value: value('to'), error: errors.to, isRequired: true })}</div>
<p class="hint">${words.periodHint}</p>
<div class="field"><label for="file">${words.chooseFile}</label><input id="file" name="file" type="file" accept=".csv,text/csv" required>${errors.file === undefined ? undefined : html`<p class="error">${errors.file}</p>`}</div>
${button('upload', words.send)}`;
}
