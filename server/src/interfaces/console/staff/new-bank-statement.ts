import { readFile } from 'node:fs/promises';
import { csvColumnNames } from '../../../backoffice/bank-statements/bank-csv.ts';
import {
  BankStatementError,
  bankStatementLimits,
} from '../../../backoffice/bank-statements/bank-line.ts';
import { takeBankStatement } from '../../../backoffice/bank-statements/upload.ts';
import { CsvError } from '../../../platform/formats/csv.ts';
import { XmlError } from '../../../platform/formats/xml.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { button, field, form, notice, select } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { plainText } from '../parts/plain-text.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './bank-statements.words.ts';

/** Uploads a bank statement. */
export const newBankStatementPage: StaffPage = {
  path: 'bank-statements/new',
  permission: 'settlements.decide',
  uploadBytes: bankStatementLimits.fileBytes,
  show: (visit) => Promise.resolve(view(visit)),
  actions: { upload: { permission: 'settlements.decide', run: upload } },
};

async function upload(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const { wrong } = allWords[visit.language];
  const { upload: file } = sent;
  if (file === undefined) return view(visit, sent, wrong.file);
  if (file === 'TOO_LARGE') return view(visit, sent, wrong.large);
  const { services, author } = visit;
  const columns = Object.fromEntries(csvColumnNames.map((name) => [name, sent.text(name)]));
  const currency = currencies.find((each) => each === sent.text('currency')) ?? 'CVE';
  try {
    const bytes = await readFile(file.path);
    const taken = await takeBankStatement(
      { ...services, ...author },
      { name: file.name, bytes, columns, currency },
    );
    const page = `bank-statements/${formatId('bs', taken.statement.id)}`;
    return { to: visit.to(page, { done: taken.isNew ? 'uploaded' : 'known' }) };
  } catch (error) {
    return view(visit, sent, problemOf(visit, error));
  }
}

/** The problem of the file, in the reader's words. @throws any other error */
function problemOf(visit: StaffContext, error: unknown): string | undefined {
  const words = allWords[visit.language];
  const { wrong } = words;
  if (error instanceof CsvError) return wrong.csv(String(error.line));
  if (error instanceof XmlError) {
    const texts = {
      ENCODING: wrong.encoding,
      DOCTYPE: wrong.doctype,
      ENTITY: wrong.doctype,
      SYNTAX: wrong.xml,
      SIZE: wrong.size,
    };
    return texts[error.problem];
  }
  if (!(error instanceof BankStatementError)) return formErrors(visit, error, {}).page;
  const [about = '', more = ''] = error.about.map((each) => plainText(each, 300));
  const column = csvColumnNames.find((name) => name === about);
  const texts = {
    NOT_CAMT: wrong.notCamt,
    TOO_MANY_LINES: wrong.lines,
    AMOUNT: wrong.amount(about, more),
    DAY: wrong.day(about, more),
    NO_COLUMN: wrong.column(column ? words[column] : about, more),
    ENCODING: wrong.encoding,
    EMPTY: wrong.empty,
  };
  return texts[error.problem];
}

/** The file comes last: the fields before it show whether the form is ours. */
function view(visit: StaffContext, sent?: SentForm, problem?: string): View {
  const words = allWords[visit.language];
  const column = (name: (typeof csvColumnNames)[number]) =>
    field(name, words[name], { value: sent?.text(name), maxLength: 100 });
  const fields = html`<details class="more"${sent ? html` open` : undefined}><summary>${words.csvOnly}</summary>
<p class="hint">${words.csvHint}</p>
<div class="pair">${column('date')}${column('amount')}</div>
<div class="pair">${column('reference')}${column('description')}</div>
${select(
  'currency',
  words.currency,
  currencies.map((each) => [each, each]),
  { value: sent?.text('currency') },
)}</details>
<div class="field"><label for="file">${words.file}</label><input id="file" name="file" type="file" accept=".xml,.csv,text/xml,application/xml,text/csv" required></div>
${button('upload', words.send)}`;
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
<p class="hint">${words.newHint}</p>
<section class="card upload">${form(visit, fields, html` enctype="multipart/form-data"`)}</section>`;
  const shown = { title: words.upload, main, scripts: ['staff.css'] };
  return problem === undefined ? shown : { ...shown, status: 400 };
}
