import { formatId } from '../../platform/values/ids.ts';
import type { BankLines } from './bank-line.ts';
import type { MatchKind } from './match-lines.ts';

/** An uploaded statement of our own account. */
export interface BankStatement {
  id: string;
  format: BankLines['format'];
  fileName: string;
  fileDigest: Buffer;
  /** All lines, also those of other parties, which are not stored. */
  lineCount: number;
  firstDay: string | null;
  lastDay: string | null;
  uploadedBy: string;
  createdAtMs: number;
}

/** A stored line, which concerns a payout or looks as if it did. */
export interface StatementLine {
  statementId: string;
  line: number;
  kind: MatchKind;
  day: string | null;
  amountMinor: bigint;
  currency: string;
  bankReference: string;
  tenantId: string | null;
  settlementId: string | null;
  confirmedBy: string | null;
  confirmedAtMs: number | null;
}

/** Whether a person may confirm that the line is the payout. */
export const isProposal = ({ kind, confirmedAtMs }: StatementLine): boolean =>
  confirmedAtMs === null && (kind === 'EXACT' || kind === 'BY_AMOUNT');

export const bankStatementView = (statement: BankStatement) => ({
  id: formatId('bs', statement.id),
  format: statement.format,
  fileName: statement.fileName,
  lineCount: statement.lineCount,
  firstDay: statement.firstDay,
  lastDay: statement.lastDay,
  uploadedBy: statement.uploadedBy,
  createdAt: new Date(statement.createdAtMs).toISOString(),
});

export const statementLineView = (line: StatementLine) => ({
  line: line.line,
  kind: line.kind,
  day: line.day,
  amount: line.amountMinor.toString(),
  currency: line.currency as 'CVE' | 'AOA',
  bankReference: line.bankReference,
  settlementId: line.settlementId === null ? null : formatId('se', line.settlementId),
  confirmedBy: line.confirmedBy,
  confirmedAt: line.confirmedAtMs === null ? null : new Date(line.confirmedAtMs).toISOString(),
});
