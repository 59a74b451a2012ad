import { noticeScopeOf } from '../../operations/notifications/audience.ts';
import { listToldToStaff } from '../../operations/notifications/list-staff-notices.ts';
import { noticeView, type StaffNotice } from '../../operations/notifications/notice-view.ts';
import { listOf, listQuery, pageOf, sendPage } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { mergeRows } from '../../tenants/cells/all-cells.ts';
import { type InCell, staffFolderOf } from '../../tenants/cells/staff-cells.ts';
import { cell, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { anything, instant, merchantFilters, merchantId, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';

const kind = Type.Enum([...noticeScopeOf(() => true).kinds], { title: 'NoticeKind' });

const noticeSchema = Type.Object(
  {
    id: Type.String({ examples: ['no_01ma8t4rkvt1yt03mdxdc2vzpn'] }),
    version: Type.Integer({ description: 'Grows when the condition ends, and when it returns' }),
    kind,
    title: Type.String({ examples: ['The operator CVMOVEL does not answer'] }),
    text: Type.String({ description: 'What it means, and what to do' }),
    detail: anything,
    merchantId: nullable(merchantId),
    at: instant,
    endedAt: nullable(instant),
    more: Type.Integer({
      description: 'How many further notices of this kind in the same hour it represents',
    }),
    url: Type.String({ description: 'The address of the related staff page' }),
    cell,
  },
  { title: 'Notice' },
);

const listNoticesQuery = listQuery('no', {
  kind: Type.Optional(kind),
  merchant_id: merchantFilters.merchant_id,
  ended: Type.Optional(
    Type.Boolean({ description: 'true: only resolved notices; false: only ongoing ones.' }),
  ),
});

/** The notices to the staff as a whole, so none is read or unread. */
export function noticeRoutes(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags: ['Notices'],
    operationId: 'listNotices',
    summary: 'List notices to the staff, newest first',
    description: "Only kinds that the key's permissions allow.",
    querystring: listNoticesQuery,
    response: { 200: listOf(noticeSchema) },
  };
  scope.get('/notices', { config: may('notices.read'), schema }, async (request, reply) => {
    const { query, adminKey } = request;
    const page = pageOf('no', query);
    const heard = noticeScopeOf((permission) => adminKey.permissions.has(permission));
    const filter = {
      kind: query.kind,
      merchantId: uuidOf('me', query.merchant_id),
      isEnded: query.ended,
    };
    const rows = await everywhere(services, (database) =>
      listToldToStaff(database, heard, filter, page),
    );
    const { consoleUrl } = services.config;
    const jsonOf = (row: StaffNotice & InCell) => {
      const staffFolder = row.cell ? staffFolderOf(row.cell) : services.staffFolder;
      return JSON.stringify(noticeView(row, { consoleUrl, staffFolder }));
    };
    return sendPage(
      reply,
      mergeRows(rows, ({ id }) => [id]),
      page,
      jsonOf,
    );
  });
}
