import { parseXml, type XmlElement } from '../../platform/formats/xml.ts';
import {
  type BankLine,
  BankStatementError,
  isCalendarDay,
  minorOf,
  requireFewLines,
} from './bank-line.ts';

/**
 * The booked transfers of a statement in camt.053 (ISO 20022), of any version. An entry that stands for several
 * transfers gives one line for each.
 * @throws XmlError
 * @throws BankStatementError
 */
export function readCamt053(bytes: Uint8Array): BankLine[] {
  const document = parseXml(bytes);
  const message = document.name === 'Document' ? childOf(document, 'BkToCstmrStmt') : undefined;
  if (!message) throw new BankStatementError('NOT_CAMT', 'The file is no camt.053 statement.');
  const lines: BankLine[] = [];
  for (const statement of childrenOf(message, 'Stmt')) {
    for (const entry of childrenOf(statement, 'Ntry')) {
      if (!isBooked(entry)) continue;
      const parts = childrenOf(entry, 'NtryDtls').flatMap((each) => childrenOf(each, 'TxDtls'));
      for (const part of parts.length === 0 ? [undefined] : parts) {
        lines.push(lineOf(entry, part, { line: lines.length + 1, isOnly: parts.length < 2 }));
        requireFewLines(lines.length);
      }
    }
  }
  return lines;
}

const childrenOf = ({ children }: XmlElement, name: string) =>
  children.filter((child) => child.name === name);

/** The element at a path of first children. */
function childOf(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let found = element;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
}

const textAt = (element: XmlElement | undefined, ...path: string[]): string | undefined =>
  childOf(element, ...path)?.text.trim() || undefined;

/** Pending entries may still change. */
function isBooked(entry: XmlElement): boolean {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK';
  return status === 'BOOK';
}

function lineOf(
  entry: XmlElement,
  part: XmlElement | undefined,
  { line, isOnly }: { line: number; isOnly: boolean },
): BankLine {
  const ofPart = childOf(part, 'Amt') ?? childOf(part, 'AmtDtls', 'TxAmt', 'Amt');
  // The entry of several transfers has their sum.
  const amount = (isOnly ? undefined : ofPart) ?? childOf(entry, 'Amt');
  const indicator = textAt(part, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd');
  const refs = childOf(part, 'Refs');
  const bankReference =
    textAt(refs, 'AcctSvcrRef') ?? textAt(entry, 'AcctSvcrRef') ?? textAt(entry, 'NtryRef');
  const amountMinor = minorOf(amount?.text.trim() ?? '', line);
  return {
    line,
    day: dayOf(entry, line),
    amountMinor: amountMinor < 0n ? -amountMinor : amountMinor,
    currency: amount?.attributes.Ccy ?? '',
    isDebit: indicator === 'DBIT',
    bankReference: bankReference ?? null,
    texts: [
      ...(refs?.children ?? []).map(({ text }) => text),
      ...childrenOf(childOf(part, 'RmtInf') ?? entry, 'Ustrd').map(({ text }) => text),
      textAt(part, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref') ?? '',
      textAt(part, 'AddtlTxInf') ?? '',
      textAt(entry, 'AddtlNtryInf') ?? '',
      textAt(entry, 'NtryRef') ?? '',
      textAt(childOf(entry, 'NtryDtls', 'Btch'), 'MsgId') ?? '',
      textAt(childOf(entry, 'NtryDtls', 'Btch'), 'PmtInfId') ?? '',
    ].filter((text) => text !== ''),
  };
}

function dayOf(entry: XmlElement, line: number): string | null {
  const date = childOf(entry, 'BookgDt') ?? childOf(entry, 'ValDt');
  const day = (textAt(date, 'Dt') ?? textAt(date, 'DtTm'))?.slice(0, 10);
  if (day === undefined) return null;
  if (/^\d{4}-\d\d-\d\d$/.test(day) && isCalendarDay(day)) return day;
  throw new BankStatementError('DAY', `"${day}" is no date, in line ${line}.`, day, String(line));
}
