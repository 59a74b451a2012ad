import { DomainError, InvalidFields } from '../../../platform/errors/errors.ts';

/**
 * Checks every row of a batch, and collects what is wrong.
 * @throws VALIDATION_ERROR with all problems, each with its place: `items[3].operator`
 * @throws any other refusal of a row, with its place
 */
export async function checkRows<Row, Checked>(
  rows: readonly Row[],
  check: (row: Row, index: number) => Promise<Checked> | Checked,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  const problems: DomainError[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      checked.push(await check(row, index));
    } catch (error) {
      if (!(error instanceof DomainError) || error.param === undefined) throw error;
      const placed = inRow(error, index);
      if (error.code !== 'VALIDATION_ERROR') throw placed;
      problems.push(placed);
    }
  }
  if (problems.length > 0) throw new InvalidFields(problems);
  return checked;
}

/** The same refusal of a field within its row. */
function inRow({ code, message, param }: DomainError, index: number): DomainError {
  const row = `items[${index}].`;
  const isNamed = message.startsWith(`${param} `);
  return new DomainError(code, isNamed ? `${row}${message}` : message, `${row}${param}`);
}
