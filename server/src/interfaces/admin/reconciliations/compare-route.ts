import { createReadStream } from 'node:fs';
import { reconciliationLimits } from '../../../backoffice/reconciliations/reconciliation.ts';
import { readStatementBytes } from '../../../money/ledger/operator-statement.ts';
import {
  differenceKinds,
  type Reconciliation,
  reconcile,
} from '../../../money/ledger/reconcile-statement.ts';
import {
  differenceView,
  reconciliationView,
} from '../../../money/ledger/reconcile-statement-view.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { nullable } from '../../../platform/http/schema.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import { withUpload } from '../../../platform/http/upload.ts';
import { may } from '../route-permission.ts';
import { instant, mode } from '../schemas.ts';
import type { AdminServices } from '../services.ts';
import { requireMerchant, scopeOf, side, statementQuery } from './schemas.ts';
import { inWords, mebibytes, statementIn, takesStatements } from './statement-body.ts';

const { differences: mostDifferences, fileBytes: mostBytes } = reconciliationLimits;

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
    missingAtEdges: Type.Object(
      { beforeFirstLine: Type.Integer(), afterLastLine: Type.Integer() },
      {
        title: 'MissingAtEdges',
        description:
          'For MISSING_IN_STATEMENT: booked before the first completed line, or after the last',
      },
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

const tooMany = new DomainError(
  'RATE_LIMITED',
  'Another statement is being compared. Try again when that comparison has ended.',
);

export function compareRoute(scope: HttpScope, { database, openPatient }: AdminServices): void {
  const schema = {
    tags: ['Reconciliation'],
    operationId: 'compareStatement',
    summary: "Compare an operator's statement with the ledger, without storing anything",
    description: `The body is the statement as CSV (docs/reconciliation.md), at most ${mebibytes} MiB. Nothing is stored.`,
    consumes: ['text/csv'],
    querystring: statementQuery,
    body: Type.Unsafe<unknown>({ description: 'The statement' }),
    response: { 200: reconciliationSchema },
  };
  const config = may('reconciliations.write', 'NOT_FOUND');
  let isBusy = false;
  takesStatements(scope, (uploads) => {
    uploads.post('/reconciliations/compare', { config, schema }, async (request, reply) => {
      const body = statementIn(request);
      const { askedFromMs: fromMs, askedUntilMs: untilMs, ...of } = scopeOf(request.query);
      await requireMerchant(database, of);
      const asked = { ...of, fromMs, untilMs };
      const json = await withUpload(body, mostBytes, async (path) => {
        // Each comparison takes a connection, and room in the database while it runs.
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
