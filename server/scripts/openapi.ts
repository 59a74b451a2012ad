import { pino } from 'pino';
import { compose } from '../src/app/compose.ts';
import { loadConfig } from '../src/config/config.ts';
import { loadAdapters } from '../src/operators/load-adapters.ts';

/** The OpenAPI 3.1 document that the gateway serves at /openapi.json; no database is asked for it. */
export async function openApiDocument(): Promise<string> {
  const secretKey = Buffer.alloc(32);
  const databaseUrl = 'postgres://localhost/none';
  const log = pino({ level: 'silent' });
  const config = loadConfig({});
  const adapterOf = await loadAdapters(config.operators);
  const gateway = compose({ config, adapterOf, databaseUrl, secretKey, log });
  await gateway.http.ready();
  const document = gateway.http.swagger();
  await gateway.stop();
  return `${JSON.stringify(document, null, 2)}\n`;
}
