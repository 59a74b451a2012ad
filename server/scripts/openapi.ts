import { pino } from 'pino';
import { compose, type Gateway } from '../src/app/compose.ts';
import { loadAdapters } from '../src/integrations/operators/load-adapters.ts';
import { loadConfig } from '../src/platform/config/config.ts';

/** The OpenAPI 3.1 document that the gateway serves at /openapi.json; no database is asked for it. */
export const openApiDocument = () => documentOf((http) => http.openApi());

/** The same for /admin/openapi.json. */
export const adminOpenApiDocument = () =>
  documentOf((http) => (http as unknown as { adminOpenApi(): Promise<object> }).adminOpenApi());

async function documentOf(read: (http: Gateway['http']) => Promise<object>): Promise<string> {
  const secretKey = Buffer.alloc(32);
  const databaseUrl = 'postgres://localhost/none';
  const log = pino({ level: 'silent' });
  const config = loadConfig({});
  const adapterOf = await loadAdapters(config.operators);
  const gateway = compose({ config, adapterOf, databaseUrl, secretKey, log });
  await gateway.http.ready();
  const document = await read(gateway.http);
  await gateway.stop();
  return `${JSON.stringify(document, null, 2)}\n`;
}
