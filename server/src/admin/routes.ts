import type { HttpScope } from '../http/server.ts';
import { merchantRoutes } from './merchants/routes.ts';
import type { AdminServices } from './services.ts';

/** Everything under `/admin/v1`. */
export function adminRoutes(scope: HttpScope, services: AdminServices): void {
  merchantRoutes(scope, services);
}
