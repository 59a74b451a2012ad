import type { ErrorCode } from '../../platform/errors/errors.ts';
import type { StaffPermission } from '../../tenants/people/staff-permissions.ts';

/** What a key must hold for a route, and how else than usually it may answer. */
export const may = (permission: StaffPermission, ...errors: ErrorCode[]) => ({
  permission,
  errors,
});
