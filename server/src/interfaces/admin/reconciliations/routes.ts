import type { HttpScope } from '../../../platform/http/server.ts';
import type { AdminServices } from '../services.ts';
import { workRoutes } from './action-routes.ts';
import { compareRoute } from './compare-route.ts';
import { storedRoutes } from './statement-routes.ts';

export function reconciliationRoutes(scope: HttpScope, services: AdminServices): void {
  compareRoute(scope, services);
  storedRoutes(scope, services);
  workRoutes(scope, services);
}
