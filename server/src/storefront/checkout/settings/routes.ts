import { authorOf } from '../../../platform/http/author.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { ChangeCheckoutSettings } from './change.ts';
import { settingsSchema, updateSettingsBody } from './schemas.ts';
import { findCheckoutSettings } from './store.ts';

const tags = ['Checkout'];
const response = { 200: settingsSchema };

/** The settings of the payment page: those of the key's mode, live or test. */
export function checkoutSettingsRoutes(
  scope: HttpScope,
  dependencies: { database: Database; changeCheckoutSettings: ChangeCheckoutSettings },
): void {
  const get = {
    tags,
    operationId: 'getCheckoutSettings',
    summary: 'Get the settings of the payment page',
    response,
  };
  const read = { permission: 'checkout:read' };
  scope.get('/checkout/settings', { config: read, schema: get }, ({ principal }) =>
    findCheckoutSettings(dependencies.database, principal.tenantId),
  );
  const update = {
    tags,
    operationId: 'updateCheckoutSettings',
    summary: 'Change the settings of the payment page',
    description:
      'Fields that you omit stay as they are; a list replaces the list before. Live and test have their own settings.',
    body: updateSettingsBody,
    response,
  };
  const write = { permission: 'checkout:write' };
  scope.patch('/checkout/settings', { config: write, schema: update }, (request) =>
    dependencies.changeCheckoutSettings(
      request.principal.tenantId,
      { frameOrigins: request.body.frameOrigins ?? undefined },
      authorOf(request),
    ),
  );
}
