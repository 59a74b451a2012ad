import { adminAuthorOf } from '../../platform/http/author.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { listAdminKeys } from '../../tenants/people/admin-key-store.ts';
import { adminKeyView, revokeAdminKey } from '../../tenants/people/admin-keys.ts';
import { may } from './route-permission.ts';
import { instant, params } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Admin keys'];

const adminKeySchema = Type.Object(
  {
    id: Type.String({ examples: ['ak_01kaj6e0s5f9vrbjyf1y3ykz0c'] }),
    last4: Type.String({ description: 'The last characters of the key' }),
    label: Type.String(),
    permissions: Type.Array(Type.String()),
    expiresAt: nullable(instant),
    allowedAddresses: Type.Array(Type.String()),
    createdBy: Type.String({ examples: ['cli:maria'] }),
    createdAt: instant,
    revokedAt: nullable(instant),
    lastUsedAt: nullable(instant),
  },
  { title: 'AdminKey' },
);

const listAdminKeysQuery = listQuery('ak', {});

/**
 * Only the command line and the console create keys: if a key could create keys, revoking it would
 * not be enough.
 */
export function adminKeyRoutes(scope: HttpScope, { home, clock, ids }: AdminServices): void {
  const list = {
    tags,
    operationId: 'listAdminKeys',
    summary: 'List keys of /admin/v1, newest first',
    querystring: listAdminKeysQuery,
    response: { 200: listOf(adminKeySchema) },
  };
  const read = may('admin_keys.read');
  scope.get('/admin-keys', { config: read, schema: list }, async ({ query }, reply) => {
    const { limit, startingAfter = null } = pageOf('ak', query);
    const rows = await listAdminKeys(home, limit + 1, startingAfter);
    return sendPage(reply, rows, { limit }, (row) => JSON.stringify(adminKeyView(row)));
  });
  const revoke = {
    tags,
    operationId: 'revokeAdminKey',
    summary: 'Revoke a key of /admin/v1',
    description:
      'Every process rejects the key within 5 seconds. Revoking it again changes nothing.',
    params,
    response: { 200: adminKeySchema },
  };
  const config = may('admin_keys.write');
  const people = { database: home, clock, ids };
  scope.post('/admin-keys/:id/revoke', { config, schema: revoke }, async (request) => {
    const id = pathId('ak', request.params.id, 'admin key');
    return adminKeyView(await revokeAdminKey({ ...people, ...adminAuthorOf(request) }, id));
  });
}
