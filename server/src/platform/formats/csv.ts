/** The field separator: Excel uses the semicolon in countries with a decimal comma. */
export type Separator = ',' | ';' | '\t';

/** A row of a CSV file, and the line that it begins on. */
export interface CsvRow {
  line: number;
  fields: string[];
  separator: Separator;
}

/** The kind of problem, for pages with their own texts. */
export type CsvProblem =
  | 'ENCODING'
  | 'NUL'
  | 'QUOTE_OPEN'
  | 'QUOTE_PLACE'
  | 'ROW_LENGTH'
  | 'EMPTY'
  | 'NO_COLUMN'
  | 'COLUMN_TWICE'
  | 'FIELDS'
  | 'FIELD_LENGTH'
  | 'VALUE';

export class CsvError extends Error {
  readonly line: number;
  readonly problem: CsvProblem;
  /** A detail for the message, such as a column. */
  readonly about: readonly string[];

  constructor(line: number, message: string, problem: CsvProblem, ...about: string[]) {
    super(message);
    this.line = line;
    this.problem = problem;
    this.about = about;
  }
}

/**
 * Reads CSV (RFC 4180) as it streams in: quotes, line breaks within them, CRLF or LF, a byte order
 * mark, empty lines left out.
 * @param separator without, the first of `,`, `;` and the tab that stands outside of quotes; a line `sep=;` before all says it too
 * @throws CsvError a quote that is not closed, or stands where none may; a row without an end
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  separator: Separator | 'ANY' = ',',
): AsyncGenerator<CsvRow> {
  const reader = new RowReader(separator);
  let isFirst = true;
  for await (const chunk of chunks) {
    yield* reader.read(isFirst ? chunk.replace(/^\ufeff/, '') : chunk);
    if (chunk !== '') isFirst = false;
  }
  yield* reader.end();
}

/**
 * The text of a file, which older systems write in Windows-1252, in which every text can be read; undefined if it is in
 * neither that nor UTF-8.
 */
export function textOfFile(bytes: Uint8Array): string | undefined {
  const isWide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** In characters: far more than any row of a statement, yet small in memory. */
const longestRow = 1_000_000;

type Place = 'fieldStart' | 'plain' | 'quoted' | 'afterQuote';

class RowReader {
  #place: Place = 'fieldStart';
  #field = '';
  #fields: string[] = [];
  #length = 0;
  #line = 1;
  #rowLine = 1;
  #rows: CsvRow[] = [];
  #separator: Separator | 'ANY';

  constructor(separator: Separator | 'ANY') {
    this.#separator = separator;
  }

  read(text: string): CsvRow[] {
    for (const character of text) this.#take(character);
    return this.#rows.splice(0);
  }

  end(): CsvRow[] {
    if (this.#place === 'quoted')
      throw new CsvError(this.#rowLine, 'a quote is not closed', 'QUOTE_OPEN');
    this.#endRow();
    return this.#rows.splice(0);
  }

  #take(character: string): void {
    this.#length += 1;
    if (this.#length > longestRow) {
      const rule = `longer than ${longestRow} characters; is a quote not closed, or is the file not CSV?`;
      throw new CsvError(this.#rowLine, `the row is ${rule}`, 'ROW_LENGTH');
    }
    if (character === '\n') this.#line += 1;
    if (this.#place === 'quoted') {
      if (character === '"') this.#place = 'afterQuote';
      else this.#field += character;
    } else if (character === '\n') this.#endRow();
    else if (this.#isSeparator(character)) this.#endField();
    // A line may end in CRLF; a carriage return elsewhere has no meaning.
    else if (character !== '\r') this.#takeOrdinary(character);
  }

  #isSeparator(character: string): boolean {
    if (this.#separator !== 'ANY') return character === this.#separator;
    if (character !== ',' && character !== ';' && character !== '\t') return false;
    this.#separator = character;
    return true;
  }

  #takeOrdinary(character: string): void {
    const isQuote = character === '"';
    if (isQuote && this.#place === 'fieldStart') this.#place = 'quoted';
    else if (isQuote && this.#place === 'afterQuote') {
      this.#field += '"';
      this.#place = 'quoted';
    } else if (isQuote || this.#place === 'afterQuote') {
      throw new CsvError(this.#rowLine, 'a quote is misplaced', 'QUOTE_PLACE');
    } else {
      this.#field += character;
      this.#place = 'plain';
    }
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    this.#place = 'fieldStart';
  }

  #endFields(): void {
    const fields = this.#fields;
    this.#fields = [];
    // Excel writes the separator in a line of its own before the heading.
    if (this.#rowLine === 1 && fields.length === 2 && fields.join('') === 'sep=') return;
    const separator = this.#separator === 'ANY' ? ',' : this.#separator;
    this.#rows.push({ line: this.#rowLine, fields, separator });
  }

  #endRow(): void {
    const isEmpty = this.#fields.length === 0 && this.#field === '' && this.#place === 'fieldStart';
    if (!isEmpty) {
      this.#endField();
      this.#endFields();
    }
    this.#rowLine = this.#line;
    this.#length = 0;
  }
}

/** One line of CSV, with quotes where they are needed. For programs: formulas in it stay as they are. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => quoted(field, ',')).join(',')}\n`;
}

/** A field, quoted if necessary. */
export const quoted = (field: string, separator: ',' | ';'): string =>
  field.includes(separator) || /["\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
