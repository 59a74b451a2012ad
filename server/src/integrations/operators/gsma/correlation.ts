import { isSameName } from '../transaction-ids.ts';

/** The subject of a query, by every name that an answer may repeat. */
export interface QuerySubject {
  /** Our reference. */
  reference: string;
  /** For a refund or reversal: the operator's transaction id of the debit that it returns. */
  operatorTxId?: string;
  /** The operator's id of the request or transaction, if the query used it. */
  serverCorrelationId?: string;
  transactionReference?: string;
}

/** Whether a value is this name; an operator may write a number. */
export const isSame = (named: unknown, name: string): boolean =>
  (typeof named === 'string' || typeof named === 'number') && isSameName(String(named), name);

/** Whether a value names anything: an operator may leave a field empty. */
export const isNamed = (named: unknown): boolean =>
  named !== undefined && named !== null && named !== '';

const namesIn = ({ reference, ...theirs }: QuerySubject): Map<string, string | undefined> =>
  new Map([
    ['clientcorrelationid', reference],
    ['xcorrelationid', reference],
    ['requestingorganisationtransactionreference', reference],
    ['originaltransactionreference', theirs.operatorTxId],
    ['servercorrelationid', theirs.serverCorrelationId],
    ['transactionreference', theirs.transactionReference],
  ]);

/**
 * Whether an answer names another request, transaction or debit than the one that was asked about: then it says
 * nothing about this one. Errors name things in their parameters, and states in their error.
 */
export function isOfAnother(body: unknown, asked: QuerySubject): boolean {
  const names = namesIn(asked);
  return echoesIn(body).some(([key, named]) => {
    const name = names.get(key.toLowerCase().replace(/[^a-z]/g, ''));
    return name !== undefined && isNamed(named) && !isSame(named, name);
  });
}

function echoesIn(body: unknown): [key: string, named: unknown][] {
  if (typeof body !== 'object' || body === null) return [];
  const { error, errorParameters } = body as { error?: unknown; errorParameters?: unknown };
  const parameters = Array.isArray(errorParameters) ? errorParameters : [];
  const pairs = parameters.map(
    (each: { key?: unknown; value?: unknown } | null): [string, unknown] => [
      String(each?.key),
      each?.value,
    ],
  );
  return [...Object.entries(body), ...pairs, ...(error === undefined ? [] : echoesIn(error))];
}
