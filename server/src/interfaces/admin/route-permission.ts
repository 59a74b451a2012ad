import type { ErrorCode } from '../../platform/errors/errors.ts';
import type { StaffPermission } from '../../tenants/people/staff-permissions.ts';

/** The permission that a key needs for a route, and the route's special answers. */
export const may = (permission: StaffPermission, ...errors: ErrorCode[]) => ({
  permission,
  errors,
});
