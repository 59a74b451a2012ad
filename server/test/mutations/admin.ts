import type { Mutation } from './list.ts';

const keysTest = 'server/test/flows/admin-keys.test.ts';

export const adminMutations: Mutation[] = [
  {
    name: 'admin: a key of a merchant opens the API for staff',
    file: 'server/src/admin/authenticate.ts',
    find: 'shape: /^ak_admin_[0-9A-Za-z]{32}$/',
    replace: 'shape: /^\\w+$/',
    test: keysTest,
  },
  {
    name: 'admin: a key opens routes that it lacks the permission for',
    file: 'server/src/http/route-rules.ts',
    find: '      requirePermission(holderOf(request), permission);\n',
    replace:
      "      if (permission.includes(':')) requirePermission(holderOf(request), permission);\n",
    test: keysTest,
  },
  {
    name: 'admin: a revoked key goes on working',
    file: 'server/src/people/admin-key-store.ts',
    find: 'WHERE key_hash = $1 AND revoked_at IS NULL',
    replace: 'WHERE key_hash = $1',
    test: keysTest,
    only: 'a revoked key is refused by every process',
  },
  {
    name: 'admin: a key works from everywhere',
    file: 'server/src/admin/authenticate.ts',
    find: 'allowedAddresses.length === 0 ? null',
    replace: 'allowedAddresses.length > 0 ? null',
    test: keysTest,
  },
  {
    name: 'admin: a key does not expire',
    file: 'server/src/admin/authenticate.ts',
    find: 'key: { id, expiresAtMs, allowsAddress } };',
    replace: 'key: { id, expiresAtMs: expiresAtMs && null, allowsAddress } };',
    test: keysTest,
  },
  {
    name: 'admin: everybody reaches it beside the listener for operations',
    file: 'server/src/app/compose/http.ts',
    find: '  if (admin && !own) registerAdmin(http, admin);\n',
    replace: '  if (admin) registerAdmin(http, admin);\n',
    test: keysTest,
  },
  {
    name: 'admin: the use of a key is not noted',
    file: 'server/src/app/compose/admin.ts',
    find: 'base.adminKeyUse.note({ id })',
    replace: 'void id',
    test: keysTest,
    only: 'the last use of a key is noted, and only its hash is kept',
  },
  {
    name: 'admin: its routes are in the reference of merchants',
    file: 'server/src/http/openapi.ts',
    find: 'schema: isOf(prefix, url) ?',
    replace: "schema: url.includes('/v1/') ?",
    test: keysTest,
  },
  {
    name: 'admin: guesses are not throttled',
    file: 'server/src/http/auth.ts',
    find: 'limiter?.take(ip, clock.nowMs()) ?? unlimited',
    replace: "(ip === '' && limiter?.take(ip, clock.nowMs())) || unlimited",
    test: keysTest,
    only: 'guesses are throttled by address, while a key that works goes on working',
  },
];
