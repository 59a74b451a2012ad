import { isSameName } from '../transaction-ids.ts';

/** What was asked about, by every name that an answer may repeat. */
export interface Asked {
  /** Ours. */
  reference: string;
  /** Of what goes back: the operator's own id of the debit that is returned. */
  operatorTxId?: string;
  /** Where the operator was asked by its own id of the request, or of the transaction. */
  serverCorrelationId?: string;
  transactionReference?: string;
}

/** Whether something is this name; an operator may write a number. */
export const isSame = (named: unknown, name: string): boolean =>
  (typeof named === 'string' || typeof named === 'number') && isSameName(String(named), name);

/** Whether something is named at all: an operator may leave a field empty. */
export const isNamed = (named: unknown): boolean =>
  named !== undefined && named !== null && named !== '';

const namesIn = ({ reference, ...theirs }: Asked): Map<string, string | undefined> =>
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
 * nothing about this one. Errors name things among their parameters, and states within their error.
 */
export function isOfAnother(body: unknown, asked: Asked): boolean {
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
