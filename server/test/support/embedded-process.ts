/**
 * Uses the embedded database as a gateway or a command does, in a process that tests can kill:
 * `node embedded-process.ts DATA_DIR ROLE`. Prints one line of JSON, and exits on request.
 */
import pg from 'pg';
import { StartError } from '../../src/platform/errors/start-error.ts';
import { openEmbeddedDatabase, type Role } from '../../src/platform/postgres/embedded/embedded.ts';

const [dataDir, role] = process.argv.slice(2);
const told = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
});
try {
  const database = await openEmbeddedDatabase({ dataDir: dataDir!, role: role as Role });
  const { url, location } = database;
  process.stdout.write(`${JSON.stringify({ url, location })}\n`);
  await told;
  // The signal must not hit the server, which first finishes the work in flight.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
  await database.close();
} catch (error) {
  const message = error instanceof StartError ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ error: message })}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
