import type { FastifyReply } from 'fastify';
import { currencySchema } from '../../../integrations/operators/schemas.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { authorOf } from '../../../platform/http/author.ts';
import { weightOf } from '../../../platform/http/memory-limit.ts';
import { textOf } from '../../../platform/http/schema.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { formatId, type Ids } from '../../../platform/values/ids.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { statementCsv } from './csv.ts';
import { monthOf, requireBegun } from './month.ts';
import { readStatement } from './read.ts';
import { statementSchema, statementView } from './schemas.ts';
import { spoolStatement } from './spool.ts';

export interface StatementRouteDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
}

const common = {
  tags: ['Settlements'],
  querystring: Type.Object(
    {
      month: textOf('^2[0-9]{3}-(0[1-9]|1[0-2])$', 'must be a month like 2026-10', {
        description: 'In the time zone of the currency, where it must have begun',
        examples: ['2026-10'],
      }),
      currency: currencySchema,
    },
    { additionalProperties: false },
  ),
};

interface Asked {
  month: string;
  currency: Currency;
}

export function statementRoutes(scope: HttpScope, dependencies: StatementRouteDependencies): void {
  getRoute(scope, dependencies);
  csvRoute(scope, dependencies);
}

function getRoute(scope: HttpScope, { database, clock }: StatementRouteDependencies): void {
  const schema = {
    ...common,
    operationId: 'getStatement',
    summary: 'Get the statement of a month',
    description:
      'What moved the available balance, day by day: openingBalance + amount - feeTotal - refundTotal - disbursementTotal - payoutTotal = closingBalance. The month is that of Atlantic/Cape_Verde for CVE and of Africa/Luanda for AOA.',
    response: { 200: statementSchema },
  };
  const config = { permission: 'settlements:read' };
  scope.get('/statements', { config, schema }, async ({ query, principal }) => {
    const { tenantId, merchantId } = principal;
    const { month, currency } = query as Asked;
    requireBegun(month, currency, clock.nowMs());
    const statement = await readStatement(database, { tenantId, currency, ...monthOf(month) });
    return statementView(statement, { merchantId, month, nowMs: clock.nowMs() });
  });
}

function csvRoute(scope: HttpScope, dependencies: StatementRouteDependencies): void {
  const schema = {
    ...common,
    operationId: 'getStatementCsv',
    summary: 'Download each movement of a month as CSV',
    description:
      'Opening balance, each movement in the order in which it was booked with the balance after it, and last CLOSING_BALANCE, dated when the month ended, or while it is not over BALANCE_SO_FAR, dated now. Amounts are in centavos, negative where they lower the balance. It is checked against the ledger before it is sent. At most 500,000 lines.',
    response: {
      200: { description: 'The file.', content: { 'text/csv': { schema: Type.String() } } },
    },
  };
  const errors = ['LIMIT_REACHED' as const];
  const config = { permission: 'settlements:read', errors };
  scope.get('/statements.csv', { config, schema }, async (request, reply) => {
    const { tenantId, merchantId } = request.principal;
    const { month, currency } = request.query as Asked;
    const { database, clock } = dependencies;
    requireBegun(month, currency, clock.nowMs());
    const question = { tenantId, currency, ...monthOf(month) };
    // Audited first: nothing leaves without a record.
    await writeAuditRecord(
      database,
      { ...dependencies, ...authorOf(request) },
      {
        tenantId,
        action: 'statement.exported',
        subject: formatId('me', merchantId),
        detail: { month, currency },
      },
    );
    const { stream, bytes } = await spoolStatement(database, question, (statement, movements) =>
      statementCsv(statement, movements, clock.nowMs()),
    );
    scope.chargeTenant(tenantId, weightOf(bytes));
    const name = `statement-${month}-${currency.toLowerCase()}.csv`;
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-length', bytes);
    reply.header('content-disposition', `attachment; filename="${name}"`);
    return (reply as FastifyReply).send(stream);
  });
}
