import {
  type ApprovalStatus,
  approvalTransitions,
  maskedRequest,
  staffKinds,
  staffKindsFor,
} from '../../backoffice/approvals/approval.ts';
import {
  findStaffApproval,
  listStaffApprovals,
  type StaffApproval,
} from '../../backoffice/approvals/list.ts';
import { subjectOf } from '../../backoffice/approvals/subjects.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { formatId } from '../../platform/values/ids.ts';
import { lastOfPage, mergeRows } from '../../tenants/cells/all-cells.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { cell, cellOf, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { anything, instant, merchantId, mode, params } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Approvals'];
const statuses = Object.keys(approvalTransitions) as ApprovalStatus[];

const person = (title: string) =>
  Type.Object(
    {
      id: Type.String({ examples: ['pe_01m7yhp3gge018xpacn8sjzp5w'] }),
      name: nullable(Type.String({ description: 'Null if the account was deleted' })),
    },
    { title },
  );

const approvalSchema = Type.Object(
  {
    id: Type.String({ examples: ['ap_01m7yhp3gge018xpacn8sjzp5w'] }),
    kind: Type.Enum([...staffKinds], { title: 'ApprovalKind' }),
    status: Type.Enum([...statuses], { title: 'ApprovalStatus' }),
    merchantId,
    merchantName: Type.String(),
    mode,
    cell,
    about: Type.String({
      description: 'The settlement, review, payment, refund, reversal or merchant',
    }),
    request: anything,
    askedBy: person('Asker'),
    askedAt: instant,
    expiresAt: instant,
    decidedBy: nullable(person('Decider')),
    decidedAt: nullable(instant),
    endedAt: nullable(instant),
    failure: nullable(Type.String({ description: 'Why it was not carried out, as a code' })),
    tries: Type.Integer({ description: 'How often executing it has failed' }),
    remark: nullable(
      Type.String({
        description:
          'Why the last attempt failed, or what a person must do, as a code: NOT_HANDED_OVER, TAKEN_BACK, NOT_TAKEN_BACK',
      }),
    ),
  },
  { title: 'Approval' },
);

const listApprovalsQuery = listQuery('ap', {
  status: Type.Optional(Type.Enum([...statuses], { title: 'ApprovalStatus' })),
});

/** Read-only: API keys can neither request nor approve, which takes a person. */
export function approvalRoutes(scope: HttpScope, services: AdminServices): void {
  listRoute(scope, services);
  getRoute(scope, services);
}

/** The kinds that a key may see: those whose subjects it may read. */
const kindsFor = ({ permissions }: { permissions: ReadonlySet<string> }) =>
  staffKindsFor((permission) => permissions.has(permission));

const instantOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function view(approval: StaffApproval) {
  const { decidedBy } = approval;
  return {
    id: formatId('ap', approval.id),
    kind: approval.kind,
    status: approval.status,
    merchantId: formatId('me', approval.merchantId),
    merchantName: approval.merchantName,
    mode: approval.mode,
    about: subjectOf(approval),
    request: maskedRequest(approval),
    askedBy: { id: formatId('pe', approval.askedBy), name: approval.askerName },
    askedAt: new Date(approval.askedAtMs).toISOString(),
    expiresAt: new Date(approval.expiresAtMs).toISOString(),
    decidedBy:
      decidedBy === null ? null : { id: formatId('pe', decidedBy), name: approval.deciderName },
    decidedAt: instantOf(approval.decidedAtMs),
    endedAt: instantOf(approval.endedAtMs),
    failure: approval.failure,
    tries: approval.tryCount,
    remark: approval.remark,
  };
}

function listRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listApprovals',
    summary: 'List approvals, newest first',
    querystring: listApprovalsQuery,
    response: { 200: listOf(approvalSchema) },
  };
  scope.get('/approvals', { config: may('approvals.read'), schema }, async (request, reply) => {
    const { query, adminKey } = request;
    const page = pageOf('ap', query);
    const kinds = kindsFor(adminKey);
    const last = await lastOfPage(services, page.startingAfter, (database, id) =>
      findStaffApproval(database, id, kinds),
    );
    const afterMs = last?.askedAtMs;
    const rows = await everywhere(services, (database) =>
      listStaffApprovals(database, { kinds, status: query.status }, { ...page, afterMs }),
    );
    const inOrder = mergeRows(rows, ({ askedAtMs, id }) => [askedAtMs, id]);
    const jsonOf = (row: StaffApproval & InCell) =>
      JSON.stringify({ ...view(row), ...cellOf(row) });
    return sendPage(reply, inOrder, page, jsonOf);
  });
}

function getRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getApproval',
    summary: 'Get an approval',
    params,
    response: { 200: approvalSchema },
  };
  scope.get('/approvals/:id', { config: may('approvals.read'), schema }, async (request) => {
    const id = pathId('ap', request.params.id, 'request');
    const found = await findStaffApproval(database, id, kindsFor(request.adminKey));
    if (!found) throw notFound('request');
    return view(found);
  });
}
