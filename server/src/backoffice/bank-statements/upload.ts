import { createHash } from 'node:crypto';
import { withoutPhones } from '../../platform/audit/mask.ts';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type CsvColumns, readBankCsv } from './bank-csv.ts';
import { type BankLines, BankStatementError } from './bank-line.ts';
import type { BankStatement, StatementLine } from './bank-statement.ts';
import { readCamt053 } from './camt053.ts';
import { type MatchedLine, matchLines, referenceOf, settlementIdIn } from './match-lines.ts';
import { findCandidates, findSameFile, insertBankStatement } from './store.ts';

/** An uploaded file, and how to read it if it is no camt.053. */
export interface BankFile {
  name: string;
  bytes: Buffer;
  columns: CsvColumns;
  currency: string;
}

export type UploadDependencies = Administration & { database: Database };

/** More lines of ours are not on one statement. */
const mostStored = 5_000;
const longestName = 200;

/**
 * Stores the lines of a bank statement that concern our payouts, with proposals for a person to confirm. It changes no
 * payout. The same file gives the earlier statement.
 * @throws XmlError
 * @throws CsvError
 * @throws BankStatementError
 */
export async function takeBankStatement(
  dependencies: UploadDependencies,
  file: BankFile,
): Promise<{ statement: BankStatement; isNew: boolean }> {
  const { database } = dependencies;
  const digest = createHash('sha256').update(file.bytes).digest();
  const earlier = await findSameFile(database, digest);
  if (earlier) return { statement: earlier, isNew: false };
  const read = await linesIn(file);
  const statement = newStatement(dependencies, file, { ...read, digest });
  const ids = read.lines.flatMap((line) => settlementIdIn(line) ?? []);
  const references = [...new Set(read.lines.map(referenceOf))];
  const candidates = await findCandidates(database, statement.firstDay, { ids, references });
  const rows = matchLines(read.lines, candidates).map((line) => rowOf(statement, line));
  if (rows.length > mostStored) {
    const message = `More than ${mostStored} of its lines are about payouts.`;
    throw new BankStatementError('TOO_MANY_LINES', message, String(mostStored));
  }
  const isNew = await database.transaction(async (transaction) => {
    if (!(await insertBankStatement(transaction, statement, rows))) return false;
    const { format, lineCount, fileName } = statement;
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'bank_statement.uploaded',
      subject: formatId('bs', statement.id),
      detail: {
        format,
        fileName,
        lines: lineCount,
        ofPayouts: rows.length,
        sha256: digest.toString('hex'),
      },
    });
    return true;
  });
  return isNew
    ? { statement, isNew }
    : { statement: (await findSameFile(database, digest))!, isNew };
}

/** The content decides, not the name. */
async function linesIn({ bytes, columns, currency }: BankFile): Promise<BankLines> {
  const start = bytes
    .subarray(0, 100)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  return start.startsWith('<')
    ? { format: 'camt.053', lines: readCamt053(bytes) }
    : { format: 'CSV', lines: await readBankCsv(bytes, columns, currency) };
}

function newStatement(
  { clock, ids, actor = 'gateway' }: UploadDependencies,
  { name }: BankFile,
  { format, lines, digest }: BankLines & { digest: Buffer },
): BankStatement {
  const nowMs = clock.nowMs();
  const days = lines.flatMap(({ day }) => day ?? []).sort();
  return {
    id: ids.next(nowMs),
    format,
    fileName: withoutPhones(name.slice(0, longestName).toWellFormed()),
    fileDigest: digest,
    lineCount: lines.length,
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    uploadedBy: actor,
    createdAtMs: nowMs,
  };
}

function rowOf({ id }: BankStatement, { settlement, ...line }: MatchedLine): StatementLine {
  return {
    ...line,
    statementId: id,
    bankReference: referenceOf({ ...line, isDebit: true }),
    tenantId: settlement?.tenantId ?? null,
    settlementId: settlement?.id ?? null,
    confirmedBy: null,
    confirmedAtMs: null,
  };
}
