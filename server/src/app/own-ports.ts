import type { HttpScope } from '../platform/http/server.ts';
import { urlsOf } from '../platform/postgres/hosts.ts';

/** Of this process: that of one cell is no receiver for another either. */
const listened = new Set<number>();
const databases = new Set<number>();

/** Whether the gateway itself, or a database of it, is behind a port of this machine. */
export const isOwnPort = (port: number): boolean => listened.has(port) || databases.has(port);

/** Notes the port of a listener from when it is open until it closes. */
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

/** Notes the ports of a database, wherever it is: a name may mean this machine. */
export function noteDatabase(databaseUrl: string): void {
  for (const text of urlsOf(databaseUrl)) {
    const url = new URL(text);
    databases.add(Number(url.searchParams.get('port') ?? url.port) || 5432);
  }
}
