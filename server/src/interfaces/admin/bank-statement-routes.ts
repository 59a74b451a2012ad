import {
  BankStatementError,
  bankStatementLimits,
} from '../../backoffice/bank-statements/bank-line.ts';
import {
  type BankStatement,
  bankStatementView,
  statementLineView,
} from '../../backoffice/bank-statements/bank-statement.ts';
import { confirmLines, dismissLines } from '../../backoffice/bank-statements/confirm.ts';
import { matchKinds } from '../../backoffice/bank-statements/match-lines.ts';
import {
  findBankStatement,
  linesOf,
  listBankStatements,
} from '../../backoffice/bank-statements/store.ts';
import { takeBankStatement } from '../../backoffice/bank-statements/upload.ts';
import { currencySchema } from '../../integrations/operators/schemas.ts';
import { DomainError, notFound } from '../../platform/errors/errors.ts';
import { CsvError } from '../../platform/formats/csv.ts';
import { XmlError } from '../../platform/formats/xml.ts';
import { adminAuthorOf } from '../../platform/http/author.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { may } from './route-permission.ts';
import { instant, params } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Bank statements'];
const types = ['application/xml', 'text/xml', 'text/csv'];

const day = nullable(Type.String({ examples: ['2026-11-27'] }));

const statementSchema = Type.Object(
  {
    id: Type.String({ examples: ['bs_01m7yhp3gge018xpak30bbsq3s'] }),
    format: Type.Enum(['camt.053', 'CSV'], { title: 'BankStatementFormat' }),
    fileName: Type.String(),
    lineCount: Type.Integer({ description: 'All lines, also those of other parties' }),
    firstDay: day,
    lastDay: day,
    uploadedBy: Type.String(),
    createdAt: instant,
  },
  { title: 'BankStatement' },
);

const lineSchema = Type.Object(
  {
    line: Type.Integer({ description: 'Its place in the file' }),
    kind: Type.Enum([...matchKinds], { title: 'BankLineKind' }),
    day,
    amount: Type.String({ description: 'In centavos' }),
    currency: currencySchema,
    bankReference: Type.String(),
    settlementId: nullable(Type.String()),
    confirmedBy: nullable(Type.String()),
    confirmedAt: nullable(instant),
  },
  { title: 'BankStatementLine' },
);

const withLinesSchema = Type.Object(
  { ...statementSchema.properties, lines: Type.Array(lineSchema) },
  { title: 'BankStatementWithLines' },
);

const column = Type.Optional(
  Type.String({ maxLength: 100, description: 'The name of the column of a CSV file' }),
);

const uploadQuery = Type.Object(
  {
    file_name: Type.Optional(Type.String({ maxLength: 200 })),
    currency: Type.Optional(currencySchema),
    date: column,
    amount: column,
    reference: column,
    description: column,
  },
  { additionalProperties: false },
);

const linesBody = Type.Object(
  {
    lines: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      minItems: 1,
      maxItems: 5_000,
    }),
  },
  { title: 'ChosenBankLines', additionalProperties: false },
);

/** Statements of the gateway's own account: upload, read, confirm. */
export function bankStatementRoutes(scope: HttpScope, services: AdminServices): void {
  uploadRoute(scope, services);
  readRoutes(scope, services);
  const acts = [
    {
      path: 'confirm',
      operationId: 'confirmBankLines',
      summary: 'Confirm that lines are the payouts proposed for them',
      description:
        "The bank's references are stored with the payouts. No payout is completed by this.",
      act: confirmLines,
      config: may('settlements.decide', 'NOT_FOUND', 'INVALID_STATE'),
    },
    {
      path: 'dismiss',
      operationId: 'dismissBankLines',
      summary: 'Remove lines that only had the amount of a payout',
      act: dismissLines,
      config: may('settlements.decide', 'NOT_FOUND'),
    },
  ];
  for (const { path, act, config, ...about } of acts) {
    const schema = { tags, params, body: linesBody, response: { 200: withLinesSchema }, ...about };
    scope.post(`/bank-statements/:id/${path}`, { config, schema }, async (request) => {
      const { params: given, body } = request as {
        params: { id: string };
        body: { lines: number[] };
      };
      const found = await find(services, given.id);
      await act({ ...services, ...adminAuthorOf(request) }, found.id, body.lines);
      return withLines(services, found);
    });
  }
}

/** @throws NOT_FOUND */
async function find({ database }: AdminServices, given: string): Promise<BankStatement> {
  const found = await findBankStatement(database, pathId('bs', given, 'bank statement'));
  if (!found) throw notFound('bank statement');
  return found;
}

async function withLines({ database }: AdminServices, statement: BankStatement) {
  const lines = await linesOf(database, statement.id);
  return { ...bankStatementView(statement), lines: lines.map(statementLineView) };
}

const noFile = new DomainError(
  'VALIDATION_ERROR',
  'The request body must be the statement, with the Content-Type application/xml or text/csv.',
);

function uploadRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'createBankStatement',
    summary: "Upload a statement of the gateway's own account",
    description:
      'The body is camt.053 (ISO 20022) or CSV, at most 4 MiB. Lines about payouts are stored and matched; nothing is completed. The same file returns the earlier statement.',
    consumes: types,
    querystring: uploadQuery,
    body: Type.Unsafe<unknown>({ description: 'The statement' }),
    response: { 200: withLinesSchema },
  };
  const config = may('settlements.decide');
  scope.register(async (uploads: HttpScope) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser(
      types,
      { parseAs: 'buffer', bodyLimit: bankStatementLimits.fileBytes },
      (_request: unknown, body: unknown, done: (error: null, body: unknown) => void) =>
        done(null, body),
    );
    uploads.addContentTypeParser(
      '*',
      (_request: unknown, _body: unknown, done: (error: Error) => void) => done(noFile),
    );
    uploads.post('/bank-statements', { config, schema }, async (request) => {
      const { body } = request as { body: unknown };
      if (!Buffer.isBuffer(body)) throw noFile;
      const { file_name: name = 'statement', currency = 'CVE', ...columns } = request.query;
      const file = { name, bytes: body, currency, columns };
      const dependencies = { ...services, ...adminAuthorOf(request) };
      const { statement } = await takeBankStatement(dependencies, file).catch(inWords);
      return withLines(services, statement);
    });
  });
}

/** @throws VALIDATION_ERROR for what is wrong with the file */
function inWords(error: unknown): never {
  const isOfFile =
    error instanceof XmlError || error instanceof CsvError || error instanceof BankStatementError;
  throw isOfFile ? new DomainError('VALIDATION_ERROR', error.message) : error;
}

function readRoutes(scope: HttpScope, services: AdminServices): void {
  const config = may('settlements.read');
  const listSchema = {
    tags,
    operationId: 'listBankStatements',
    summary: 'List bank statements, newest first',
    querystring: listQuery('bs', {}),
    response: { 200: listOf(statementSchema) },
  };
  scope.get('/bank-statements', { config, schema: listSchema }, async (request, reply) => {
    const page = pageOf('bs', request.query);
    const rows = await listBankStatements(services.database, page);
    return sendPage(reply, rows, page, (row) => JSON.stringify(bankStatementView(row)));
  });
  const schema = {
    tags,
    operationId: 'getBankStatement',
    summary: 'Get a bank statement with its lines about payouts',
    params,
    response: { 200: withLinesSchema },
  };
  scope.get('/bank-statements/:id', { config, schema }, async (request) =>
    withLines(services, await find(services, request.params.id)),
  );
}
