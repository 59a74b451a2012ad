import type { HttpScope } from '../platform/http/server.ts';
import { urlsOf } from '../platform/postgres/hosts.ts';

/** For the whole process: webhooks of one cell must not reach a port of another either. */
const listened = new Set<number>();
const databases = new Set<number>();

/** Whether a port of this machine belongs to the gateway itself or to its database. */
export const isOwnPort = (port: number): boolean => listened.has(port) || databases.has(port);

/** Records the port of a listener while it is open. */
export function noteListener(app: HttpScope): void {
  let port: number | undefined;
  app.addHook('onListen', (done) => {
    const address = app.server.address();
    port = typeof address === 'string' ? undefined : address?.port;
    if (port !== undefined) listened.add(port);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    if (port !== undefined) listened.delete(port);
    done();
  });
}

/** Records the ports of a database on any host: a host name may mean this machine. */
export function noteDatabase(databaseUrl: string): void {
  for (const text of urlsOf(databaseUrl)) {
    const url = new URL(text);
    databases.add(Number(url.searchParams.get('port') ?? url.port) || 5432);
  }
}
