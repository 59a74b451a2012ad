import { unauthorized } from '../../platform/errors/errors.ts';
import type { KeyKind } from '../../platform/http/auth.ts';
import type { Authenticate, KeyHolder } from '../../platform/http/principal.ts';
import { networkMatcher } from '../../platform/network/networks.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type AuthenticateDependencies, makeLookUp } from '../../tenants/merchants/authenticate.ts';
import { findAdminKeyByHash } from '../../tenants/people/admin-key-store.ts';

/** The keys of `/admin/v1`. */
export const adminKeys: KeyKind = {
  shape: /^ak_admin_[0-9A-Za-z]{32}$/,
  missing: unauthorized('Send your admin key in the header "Authorization: Bearer ak_admin_…".'),
  malformed: unauthorized(
    'This is not an admin key: admin keys are ak_admin_ followed by 32 letters and digits.',
  ),
  paths: '/admin/v1',
};

/** Looks up keys of `/admin/v1` in the same way as merchants' keys. */
export const makeAuthenticateAdmin = (
  dependencies: AuthenticateDependencies,
): Authenticate<KeyHolder> => makeLookUp(dependencies, findHolder);

async function findHolder(database: Database, hash: Buffer): Promise<KeyHolder | undefined> {
  const found = await findAdminKeyByHash(database, hash);
  if (!found) return undefined;
  const { id, permissions, allowedAddresses, expiresAtMs } = found;
  const allowsAddress = allowedAddresses.length === 0 ? null : networkMatcher(allowedAddresses);
  return { permissions: new Set(permissions), key: { id, expiresAtMs, allowsAddress } };
}
