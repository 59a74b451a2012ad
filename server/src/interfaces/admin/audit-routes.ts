import type { FastifyReply } from 'fastify';
import { type AuditFormat, auditFormats } from '../../platform/audit/export.ts';
import { recordView } from '../../platform/audit/record-view.ts';
import { type ListedRecord, listRecords } from '../../platform/audit/store.ts';
import { headText, mostProblems, parseHead } from '../../platform/audit/verify.ts';
import { adminAuthorOf } from '../../platform/http/author.ts';
import { listOf, listQuery, pageOf, sendPage } from '../../platform/http/lists.ts';
import { nullable, textOf } from '../../platform/http/schema.ts';
import { sendFile } from '../../platform/http/send-file.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { idPattern } from '../../platform/values/ids.ts';
import { mergeRows } from '../../tenants/cells/all-cells.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { cell, cellOf, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { anything, instant, merchantId, mode, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Audit log'];

const recordSchema = Type.Object(
  {
    id: Type.String({ examples: ['au_01m7yhp3gge018xpacn8sjzp5w'] }),
    at: instant,
    merchantId: nullable(merchantId),
    mode: nullable(mode),
    actor: Type.String({ examples: ['admin_key:ak_01kaj6e0s5f9vrbjyf1y3ykz0c'] }),
    origin: nullable(Type.String({ description: 'The origin: an address, or a host' })),
    action: Type.String({ examples: ['api_key.revoked'] }),
    subject: Type.String({ description: 'The id of the object' }),
    before: anything,
    after: anything,
    detail: anything,
    cell,
  },
  { title: 'AuditRecord' },
);

const pattern = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

const filters = {
  since: Type.Optional(instant),
  until: Type.Optional(instant),
  actor: pattern('The whole author, or a prefix before `*`, such as `key:*`.'),
  action: pattern('The whole action, or a prefix before `*`, such as `webhook.*`.'),
  subject: pattern('The id of the object.'),
  merchant_id: Type.Optional(textOf(idPattern('me'), 'must be an id that begins with me_')),
};

const listRecordsQuery = listQuery('au', filters);
const exportQuery = Type.Object(
  { format: Type.Enum([...auditFormats], { title: 'AuditFormat', default: 'JSONL' }), ...filters },
  { additionalProperties: false },
);
const verifyQuery = Type.Object(
  {
    head: Type.Optional(
      textOf('^\\d{1,18}:[0-9a-f]{64}$', 'must be a head such as 12:9f86…', {
        description:
          'A head stored elsewhere, which reveals whether the end of the log was cut off.',
      }),
    ),
  },
  { additionalProperties: false },
);

const verificationSchema = Type.Object(
  {
    clean: Type.Boolean({ description: 'No record was changed, removed or inserted' }),
    problems: Type.Array(Type.String(), { description: `The first ${mostProblems}` }),
    problemCount: Type.Integer({ description: 'How many problems there are in all' }),
    seals: Type.Integer(),
    records: Type.Integer({ description: 'How many records are sealed' }),
    unsealed: Type.Integer(),
    head: nullable(Type.String({ description: 'The last seal, to be stored elsewhere' })),
  },
  { title: 'AuditVerification' },
);

interface Filters {
  since?: string;
  until?: string;
  actor?: string;
  action?: string;
  subject?: string;
  merchant_id?: string;
}

const filterOf = ({ since, until, merchant_id, actor, action, subject }: Filters) => ({
  actor,
  action,
  subject,
  merchantId: uuidOf('me', merchant_id),
  sinceMs: since === undefined ? undefined : Date.parse(since),
  untilMs: until === undefined ? undefined : Date.parse(until),
});

const config = may('audit.read', 'LIMIT_REACHED');

export function auditRoutes(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listAuditRecords',
    summary: 'List audit records, newest first',
    querystring: listRecordsQuery,
    response: { 200: listOf(recordSchema) },
  };
  scope.get('/audit-records', { config: may('audit.read'), schema }, async ({ query }, reply) => {
    const { limit, startingAfter: beforeId } = pageOf('au', query);
    const page = { limit: limit + 1, beforeId };
    const rows = await everywhere(services, (database) =>
      listRecords(database, filterOf(query), page),
    );
    const records = mergeRows(rows, ({ id }) => [id]);
    const jsonOf = (row: ListedRecord & InCell) =>
      JSON.stringify({ ...recordView(row), ...cellOf(row) });
    return sendPage(reply, records, { limit }, jsonOf);
  });
  exportRoute(scope, services);
  verifyRoute(scope, services);
}

function exportRoute(scope: HttpScope, { exportAudit }: AdminServices): void {
  const text = { schema: Type.String() };
  const schema = {
    tags,
    operationId: 'exportAuditRecords',
    summary: 'Download all audit records that match, newest first',
    description:
      'JSONL has one AuditRecord per line. In CSV, an apostrophe precedes text that a spreadsheet would evaluate. The export is itself recorded.',
    querystring: exportQuery,
    response: {
      200: {
        description: 'The file.',
        content: { 'application/x-ndjson': text, 'text/csv': text },
      },
    },
  };
  scope.get('/audit-records/export', { config, schema }, async (request, reply) => {
    const { format, ...asked } = request.query as Filters & { format: AuditFormat };
    const author = adminAuthorOf(request);
    const csv = { separator: ',', decimal: '.' } as const;
    const begun = await exportAudit({ filter: filterOf(asked), format, csv, author });
    return sendFile(reply as FastifyReply, begun);
  });
}

function verifyRoute(scope: HttpScope, { auditVerifier }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'verifyAuditLog',
    summary: 'Check whether any record was changed, removed or inserted',
    description:
      'Reads the whole log: allow about 10 seconds for each 100,000 records on a small machine. Each process runs one check at a time; concurrent requests for the same check share its answer. The requester and the result are recorded.',
    querystring: verifyQuery,
    response: { 200: verificationSchema },
  };
  scope.get('/audit-verification', { config, schema }, async (request) => {
    const head = parseHead(request.query.head ?? '');
    const found = await auditVerifier.verify(adminAuthorOf(request), head ? [head] : []);
    const { problems, problemCount, seals, records, unsealed, head: last } = found;
    return {
      clean: problemCount === 0,
      problems,
      problemCount,
      seals: Number(seals),
      records,
      unsealed: Number(unsealed),
      head: last && headText(last),
    };
  });
}
