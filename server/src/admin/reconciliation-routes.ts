import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { operatorNames } from '../config/operator-catalogue.ts';
import { DomainError, invalid, notFound } from '../errors.ts';
import { CsvError } from '../formats/csv.ts';
import { nullable, textOf } from '../http/schema.ts';
import { sendJson } from '../http/send-json.ts';
import type { HttpScope } from '../http/server.ts';
import { idPattern } from '../ids.ts';
import {
  differenceKinds,
  EmptyPeriodError,
  NoPeriodError,
  type Reconciliation,
  reconcile,
} from '../ledger/reconcile.ts';
import { differenceView, reconciliationView } from '../ledger/reconcile-view.ts';
import { readStatementBytes } from '../ledger/statement.ts';
import { findMerchant } from '../merchants/store.ts';
import { currencies } from '../money.ts';
import { may } from './may.ts';
import { instant, mode, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';
import { withUpload } from './upload.ts';

/** A million lines and more. */
const mostBytes = 128 * 1024 * 1024;
/** A statement that has nothing to do with the ledger differs in every line. */
const mostDifferences = 10_000;

const side = nullable(
  Type.Object(
    {
      amount: Type.String({ description: 'In major units, as in 15.20' }),
      currency: nullable(Type.String()),
      status: nullable(Type.String()),
    },
    { title: 'ReconciliationSide' },
  ),
);

const reconciliationSchema = Type.Object(
  {
    clean: Type.Boolean({ description: 'The statement and the ledger agree' }),
    operator: Type.String(),
    mode,
    from: instant,
    to: instant,
    lines: Type.Integer(),
    counts: Type.Object(
      Object.fromEntries(
        ['MATCHED', 'WITHOUT_MONEY', ...differenceKinds].map((kind) => [kind, Type.Integer()]),
      ),
      { title: 'ReconciliationCounts' },
    ),
    differences: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...differenceKinds], { title: 'DifferenceKind' }),
          line: nullable(Type.Integer({ description: 'Of the statement' })),
          type: Type.String({ examples: ['DEBIT'] }),
          reference: Type.String(),
          transactionId: nullable(Type.String()),
          statement: side,
          ledger: side,
          bookedAt: nullable(instant),
        },
        { title: 'Difference' },
      ),
      { description: `The first ${mostDifferences}, in the order of the statement` },
    ),
    hasMore: Type.Boolean({ description: 'Whether there are more differences than these' }),
  },
  { title: 'Reconciliation' },
);

const compareQuery = Type.Object(
  {
    operator: Type.Enum([...operatorNames], { title: 'Operator' }),
    mode: Type.Optional(mode),
    merchant_id: Type.Optional(
      textOf(idPattern('me'), 'must be an id that begins with me_', {
        description: 'If the statement covers only this merchant.',
      }),
    ),
    currency: Type.Optional(Type.Enum([...currencies], { title: 'Currency' })),
    from: Type.Optional(instant),
    to: Type.Optional(instant),
  },
  { additionalProperties: false },
);

const noStatement = new DomainError(
  'VALIDATION_ERROR',
  'The request body must be the statement, with the Content-Type text/csv.',
);
const tooMany = new DomainError(
  'RATE_LIMITED',
  'Another statement is being compared. Try again when that has been answered.',
);

export function reconciliationRoutes(scope: HttpScope, services: AdminServices): void {
  const { database, openPatient } = services;
  const schema = {
    tags: ['Reconciliation'],
    operationId: 'compareStatement',
    summary: "Compare an operator's statement with the ledger",
    description: `The body is the statement as CSV (docs/reconciliation.md), of at most ${mostBytes / 1024 / 1024} MiB. Nothing is stored.`,
    consumes: ['text/csv'],
    querystring: compareQuery,
    body: Type.Unsafe<Readable>({ description: 'The statement' }),
    response: { 200: reconciliationSchema },
  };
  const config = may('reconciliations.write', 'NOT_FOUND');
  let isBusy = false;
  scope.register(async (uploads: HttpScope) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser(
      'text/csv',
      { bodyLimit: mostBytes },
      (_request: unknown, body: unknown, done: (error: null, body: unknown) => void) =>
        done(null, body),
    );
    uploads.addContentTypeParser(
      '*',
      (_request: unknown, _body: unknown, done: (error: Error) => void) => done(noStatement),
    );
    uploads.post('/reconciliations/compare', { config, schema }, async (request, reply) => {
      const { query, body } = request;
      if (!(body instanceof Readable)) throw noStatement;
      const merchantId = uuidOf('me', query.merchant_id) ?? null;
      if (merchantId !== null && !(await findMerchant(database, merchantId))) {
        throw notFound('merchant');
      }
      const { operator, mode: of = 'live', currency = null } = query;
      const msOf = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
      const period = { fromMs: msOf(query.from), untilMs: msOf(query.to) };
      const asked = { operator, mode: of, merchantId, currency, ...period };
      const json = await withUpload(body, mostBytes, async (path) => {
        // Each takes a connection, and room in the database for as long as it lasts.
        if (isBusy) throw tooMany;
        isBusy = true;
        const patient = openPatient();
        try {
          const rows = readStatementBytes(createReadStream(path));
          return await reconcile(patient, asked, rows, (result) => jsonOf(asked, result));
        } catch (error) {
          throw inWords(error);
        } finally {
          await patient.close();
          isBusy = false;
        }
      });
      sendJson(reply, json);
      return reply;
    });
  });
}

async function jsonOf(
  asked: Parameters<typeof reconciliationView>[0],
  result: Reconciliation,
): Promise<string> {
  const differences: ReturnType<typeof differenceView>[] = [];
  let hasMore = false;
  for await (const page of result.differences) {
    const room: number = mostDifferences - differences.length;
    differences.push(...page.slice(0, room).map(differenceView));
    hasMore = page.length > room;
    if (hasMore) break;
  }
  return JSON.stringify({ ...reconciliationView(asked, result), differences, hasMore });
}

/** What is wrong with the statement, for whoever sent it. */
function inWords(error: unknown): unknown {
  if (error instanceof CsvError) return invalid(`line ${error.line}:`, error.message);
  if (error instanceof NoPeriodError) {
    return invalid('from', 'and to must be given: the statement has no completed lines');
  }
  if (error instanceof EmptyPeriodError) return invalid('to', 'must be after from');
  return error;
}
