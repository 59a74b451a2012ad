import type { CsvProblem } from '../../../platform/formats/csv.ts';
import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

type Problems = Record<CsvProblem, (...about: readonly string[]) => string>;

/** What a column takes, where that is more than a list of codes. */
const rulesPt: Readonly<Record<string, string>> = {
  amount: 'um número como 1234.50 ou 1234,50',
  completed_at: 'um instante como 2026-11-21T09:30:00Z ou 2026-11-21 09:30:00',
};

const pt = {
  newTitle: labels.pt.uploadAStatement,
  newHint:
    'Um ficheiro CSV em UTF-8, até 128 MiB, com vírgulas, pontos e vírgulas ou tabulações, e com as colunas transaction_id, reference, type, amount, currency, status e completed_at. Só estas colunas são guardadas, durante 90 dias.',
  allMerchants: 'Vazio: todos. Se for só um, o identificador me_…',
  allCurrencies: 'Todas',
  from: labels.pt.from,
  to: labels.pt.until,
  periodHint: 'Os dias completos que o extrato abrange: assim se vê se falta o princípio ou o fim.',
  chooseFile: labels.pt.file,
  send: 'Carregar e comparar',
  wrong: {
    file: messages.pt.chooseAFile,
    operator: 'Escolha o operador.',
    merchant: 'Nenhum estabelecimento tem este identificador.',
    from: 'Indique o primeiro e o último dia do extrato.',
    to: 'Indique o primeiro e o último dia do extrato.',
    large: 'O ficheiro tem mais de 128 MiB.',
    emptyPeriod: messages.pt.emptyPeriod,
    line: (line: string, what: string) => `Linha ${line}: ${what} Nada foi guardado.`,
  },
  problems: {
    ENCODING: () => 'o ficheiro tem de estar em UTF-8: guarde-o como «CSV UTF-8».',
    NUL: () => 'há um carácter NUL: o ficheiro tem de ser CSV em UTF-8, não UTF-16 nem Excel.',
    QUOTE_OPEN: () => 'faltam as aspas de fecho.',
    QUOTE_PLACE: () => 'há aspas num sítio errado.',
    ROW_LENGTH: () => 'a linha é demasiado longa: faltam aspas, ou não é um ficheiro CSV.',
    EMPTY: () => 'o ficheiro está vazio.',
    NO_COLUMN: (column = '') =>
      `a primeira linha tem de ter os nomes das colunas; falta ${column}.`,
    COLUMN_TWICE: (column = '') => `a coluna ${column} aparece duas vezes.`,
    FIELDS: (found = '', named = '') =>
      `tem ${found} campos, e a primeira linha tem ${named}: há uma vírgula a mais?`,
    FIELD_LENGTH: (column = '', most = '') => `${column} tem mais de ${most} caracteres.`,
    VALUE: (column = '', found = '', rule = '') =>
      `${column} é ${found}; esperava-se ${rulesPt[column] ?? rule}.`,
  } as Problems,
};

const en: typeof pt = {
  newTitle: labels.en.uploadAStatement,
  newHint:
    'A CSV file in UTF-8, up to 128 MiB, with commas, semicolons or tabs, and with the columns transaction_id, reference, type, amount, currency, status and completed_at. Only these columns are kept, for 90 days.',
  allMerchants: 'Empty: all merchants. For a single one, its id, me_…',
  allCurrencies: 'All',
  from: labels.en.from,
  to: labels.en.until,
  periodHint:
    'The full days that the statement covers: this shows whether its beginning or end is missing.',
  chooseFile: labels.en.file,
  send: 'Upload and compare',
  wrong: {
    file: messages.en.chooseAFile,
    operator: 'Choose the operator.',
    merchant: 'No merchant has this id.',
    from: 'Enter the first and the last day of the statement.',
    to: 'Enter the first and the last day of the statement.',
    large: 'The file is larger than 128 MiB.',
    emptyPeriod: messages.en.emptyPeriod,
    line: (line, what) => `Line ${line}: ${what} Nothing was saved.`,
  },
  problems: {
    ENCODING: () => 'the file must be UTF-8: save it as “CSV UTF-8”.',
    NUL: () => 'there is a NUL character: the file must be CSV in UTF-8, not UTF-16 or Excel.',
    QUOTE_OPEN: () => 'a closing quote is missing.',
    QUOTE_PLACE: () => 'a quote is in the wrong place.',
    ROW_LENGTH: () => 'the row is too long: a quote is missing, or this is not a CSV file.',
    EMPTY: () => 'the file is empty.',
    NO_COLUMN: (column = '') => `the first line must name the columns; ${column} is missing.`,
    COLUMN_TWICE: (column = '') => `the column ${column} is named twice.`,
    FIELDS: (found = '', named = '') =>
      `there are ${found} fields, and the first line names ${named}: is there a comma too many?`,
    FIELD_LENGTH: (column = '', most = '') => `${column} has more than ${most} characters.`,
    VALUE: (column = '', found = '', rule = '') => `${column} is ${found}; it should be ${rule}.`,
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
