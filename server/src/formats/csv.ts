/** A row of a CSV file, and the line that it begins on. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** What is wrong, for pages that say it in words of their own. */
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
  /** What the message names, such as a column. */
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
 * @throws CsvError a quote that is not closed, or stands where none may; a row without an end
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const reader = new RowReader();
  let isFirst = true;
  for await (const chunk of chunks) {
    yield* reader.read(isFirst ? chunk.replace(/^\ufeff/, '') : chunk);
    if (chunk !== '') isFirst = false;
  }
  yield* reader.end();
}

/** In characters: far more than any row of a statement, and little beside the memory. */
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
      const rule = `longer than ${longestRow} characters; is a quote not closed, or is it no CSV?`;
      throw new CsvError(this.#rowLine, `the row is ${rule}`, 'ROW_LENGTH');
    }
    if (character === '\n') this.#line += 1;
    if (this.#place === 'quoted') {
      if (character === '"') this.#place = 'afterQuote';
      else this.#field += character;
    } else if (character === '\n') this.#endRow();
    else if (character === ',') this.#endField();
    // The end of a line may be CRLF; a carriage return elsewhere says nothing.
    else if (character !== '\r') this.#takeOrdinary(character);
  }

  #takeOrdinary(character: string): void {
    const isQuote = character === '"';
    if (isQuote && this.#place === 'fieldStart') this.#place = 'quoted';
    else if (isQuote && this.#place === 'afterQuote') {
      this.#field += '"';
      this.#place = 'quoted';
    } else if (isQuote || this.#place === 'afterQuote') {
      throw new CsvError(this.#rowLine, 'a quote stands where none may', 'QUOTE_PLACE');
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

  #endRow(): void {
    const isEmpty = this.#fields.length === 0 && this.#field === '' && this.#place === 'fieldStart';
    if (!isEmpty) {
      this.#endField();
      this.#rows.push({ line: this.#rowLine, fields: this.#fields });
      this.#fields = [];
    }
    this.#rowLine = this.#line;
    this.#length = 0;
  }
}

/** One line of CSV, with quotes where they are needed. For programs: formulas in it stay as they are. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => quoted(field, ',')).join(',')}\n`;
}

/** A field, in quotes where it needs them. */
export const quoted = (field: string, separator: ',' | ';'): string =>
  field.includes(separator) || /["\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
