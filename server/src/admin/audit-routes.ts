import { Type } from 'typebox';
import { recordView } from '../audit/record-view.ts';
import { listRecords } from '../audit/store.ts';
import { verifyAudit } from '../audit/verify.ts';
import { listOf, listQuery, pageOf, sendPage } from '../http/lists.ts';
import { nullable, textOf } from '../http/schema.ts';
import type { HttpScope } from '../http/server.ts';
import { idPattern } from '../ids.ts';
import { may } from './may.ts';
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
    origin: nullable(Type.String({ description: 'From where: an address, or a host' })),
    action: Type.String({ examples: ['api_key.revoked'] }),
    subject: Type.String({ description: 'The id of what it was done to' }),
    before: anything,
    after: anything,
    detail: anything,
  },
  { title: 'AuditRecord' },
);

const pattern = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

const listRecordsQuery = listQuery('au', {
  since: Type.Optional(instant),
  until: Type.Optional(instant),
  actor: pattern('As a whole, or up to a `*`, such as `key:*`.'),
  action: pattern('As a whole, or up to a `*`, such as `webhook.*`.'),
  subject: pattern('The id of what it was done to.'),
  merchant_id: Type.Optional(textOf(idPattern('me'), 'must be an id that begins with me_')),
});

const verificationSchema = Type.Object(
  {
    clean: Type.Boolean({ description: 'Nothing was changed, removed or slipped in' }),
    problems: Type.Array(Type.String()),
    seals: Type.Integer(),
    records: Type.Integer({ description: 'How many records are sealed' }),
    unsealed: Type.Integer(),
    head: nullable(Type.String({ description: 'The last seal, to be kept elsewhere' })),
  },
  { title: 'AuditVerification' },
);

export function auditRoutes(scope: HttpScope, { database }: AdminServices): void {
  const list = {
    tags,
    operationId: 'listAuditRecords',
    summary: 'List audit records, newest first',
    querystring: listRecordsQuery,
    response: { 200: listOf(recordSchema) },
  };
  const config = may('audit.read');
  scope.get('/audit-records', { config, schema: list }, async ({ query }, reply) => {
    const { limit, startingAfter: beforeId } = pageOf('au', query);
    const { actor, action, subject, since, until } = query;
    const filter = {
      actor,
      action,
      subject,
      merchantId: uuidOf('me', query.merchant_id),
      sinceMs: since === undefined ? undefined : Date.parse(since),
      untilMs: until === undefined ? undefined : Date.parse(until),
    };
    const rows = await listRecords(database, filter, { limit: limit + 1, beforeId });
    return sendPage(reply, rows, limit, (row) => JSON.stringify(recordView(row)));
  });
  const verify = {
    tags,
    operationId: 'verifyAuditLog',
    summary: 'Check whether any record was changed, removed or slipped in',
    response: { 200: verificationSchema },
  };
  scope.get('/audit-verification', { config, schema: verify }, async () => {
    const { problems, seals, records, unsealed, head } = await verifyAudit(database);
    return {
      clean: problems.length === 0,
      problems,
      seals: Number(seals),
      records,
      unsealed: Number(unsealed),
      head: head && `${head.number}:${head.hash.toString('hex')}`,
    };
  });
}
