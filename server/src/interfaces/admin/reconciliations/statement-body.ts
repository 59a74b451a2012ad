import { Readable } from 'node:stream';
import { reconciliationLimits } from '../../../backoffice/reconciliations/reconciliation.ts';
import { EmptyPeriodError, NoPeriodError } from '../../../money/ledger/reconcile-statement.ts';
import { DomainError, invalid } from '../../../platform/errors/errors.ts';
import { CsvError } from '../../../platform/formats/csv.ts';
import type { HttpScope } from '../../../platform/http/server.ts';

export const mebibytes = reconciliationLimits.fileBytes / 1024 / 1024;

const noStatement = new DomainError(
  'VALIDATION_ERROR',
  'The request body must be the statement, with the Content-Type text/csv.',
);

/** Routes whose body is a statement: only the route itself reads the body. */
export function takesStatements(scope: HttpScope, register: (uploads: HttpScope) => void): void {
  scope.register(async (uploads: HttpScope) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser(
      'text/csv',
      { bodyLimit: reconciliationLimits.fileBytes },
      (_request: unknown, body: unknown, done: (error: null, body: unknown) => void) =>
        done(null, body),
    );
    uploads.addContentTypeParser(
      '*',
      (_request: unknown, _body: unknown, done: (error: Error) => void) => done(noStatement),
    );
    register(uploads);
  });
}

/** @throws VALIDATION_ERROR if the body has no statement */
export function statementIn({ body }: { body: unknown }): Readable {
  if (!(body instanceof Readable)) throw noStatement;
  return body;
}

/** The problem with the statement, for its sender. */
export function inWords(error: unknown): unknown {
  if (error instanceof CsvError)
    return new DomainError('VALIDATION_ERROR', `line ${error.line}: ${error.message}`);
  if (error instanceof NoPeriodError) {
    return invalid('from', 'and to must be given: the statement has no completed lines');
  }
  if (error instanceof EmptyPeriodError) return invalid('to', 'must be after from');
  return error;
}
