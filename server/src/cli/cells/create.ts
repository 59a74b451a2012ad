import { StartError } from '../../platform/errors/start-error.ts';
import { isDatabaseUrl } from '../../platform/postgres/hosts.ts';
import type { Cell, Engine } from '../../tenants/cells/cell.ts';
import type { NewCell } from '../../tenants/cells/create.ts';
import { printFields, printJson } from '../output.ts';
import { secretBoxOf } from '../secret-box.ts';
import { commandConfig, withHome, workIn } from '../workspace.ts';
import { type CreateOptions, cellName, engineOf } from './cells.ts';
import { reaching } from './find.ts';

export const engineWords: Record<Engine, string> = { POSTGRESQL: 'PostgreSQL', CITUS: 'Citus' };

export const secretHint =
  'Cells share a key that is kept encrypted. Set the key that the gateway runs with; the embedded database has one after the first start.';

export async function createCell(name: string, options: CreateOptions): Promise<void> {
  const [{ makeCreateCell, placeOf }, config] = await Promise.all([
    import('../../tenants/cells/create.ts'),
    commandConfig(),
  ]);
  const asked = askedFor(name, options);
  const { cell, isNew, twice, place } = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (workspace) => {
      const secrets = await secretBoxOf(config, secretHint);
      const tell = (words: string) => console.error(words);
      const create = makeCreateCell({ ...workspace, homeUrl, secrets, tell });
      const made = await reaching(asked.databaseUrl ?? homeUrl, () => create(asked));
      return { ...made, place: placeOf(asked, homeUrl) };
    }),
  );
  if (options.json) printJson({ name, engine: cell.engine, schema: asked.schemaName, place });
  else printMade(cell, { isNew, place });
  if (twice.length > 0) warnOfTwo(name, twice);
}

function warnOfTwo(name: string, twice: readonly string[]): void {
  process.exitCode = 1;
  const count = `${twice.length} merchant${twice.length === 1 ? ' is' : 's are'}`;
  console.error(`
${count} in ${name} and in the home, which was set back to before they moved. Both would pay them out: do not start a
gateway before they are taken out of the home:  zimbo cells settle home`);
}

/** @throws StartError unless it is an address of a database */
export function refuseNoUrl(url: string): void {
  if (isDatabaseUrl(url)) return;
  const example = 'For example: --url postgres://zimbo:secret@db2.internal:5432/zimbo';
  throw new StartError('--url is no address of a PostgreSQL database.', example);
}

function askedFor(name: string, options: CreateOptions): NewCell {
  const { url, schema } = options;
  if (url !== undefined) refuseNoUrl(url);
  const schemaName = schema === undefined ? name : cellName(schema);
  return { name, engine: engineOf(options), schemaName, databaseUrl: url ?? null };
}

function printMade(
  { name, engine }: Cell,
  { isNew, place }: { isNew: boolean; place: string },
): void {
  printFields({ Cell: name, Place: place, Engine: engineWords[engine] });
  if (!isNew) {
    console.log('\nIt had been made before, and is up to date.');
    return;
  }
  console.log(`
Gateways serve it once they are started again. Then make a merchant in it, or move one to it:
  zimbo merchants create --cell ${name} --name NAME
  zimbo cells move --help`);
}
