import { printFields, printJson } from '../output.ts';
import { secretBoxOf } from '../secret-box.ts';
import { commandConfig, withHome, workIn } from '../workspace.ts';
import type { CreateOptions } from './cells.ts';

const secretHint =
  'Cells share a key that is kept encrypted. Set the key that the gateway runs with; the embedded database has one after the first start.';

export async function createCell(name: string, options: CreateOptions): Promise<void> {
  const [{ makeCreateCell, describeLocation }, { refuseScheduledBackups }, config] =
    await Promise.all([
      import('../../tenants/cells/create.ts'),
      import('../../tenants/cells/refuse-scheduled-backups.ts'),
      commandConfig(),
    ]);
  refuseScheduledBackups(config);
  const asked = { name, isOnCitus: true, schemaName: options.schema ?? name };
  const { isNew, place } = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (workspace) => {
      const secrets = await secretBoxOf(config, secretHint);
      const report = (words: string) => console.error(words);
      const created = await makeCreateCell({ ...workspace, homeUrl, secrets, report })(asked);
      return { ...created, place: describeLocation(asked, homeUrl) };
    }),
  );
  if (options.json) printJson({ name, schema: asked.schemaName, place });
  else printCreated(name, { isNew, place });
}

function printCreated(name: string, { isNew, place }: { isNew: boolean; place: string }): void {
  printFields({ Cell: name, Place: place });
  if (!isNew) {
    console.log('\nThe cell existed before, and is up to date.');
    return;
  }
  console.log(`
Gateways serve it after their next start. Then create a merchant in it:
  zimbo merchants create --cell ${name} --name NAME`);
}
