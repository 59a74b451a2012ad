import { type Output, printFields, printJson } from '../output.ts';
import { secretBoxOf } from '../secret-box.ts';
import { commandConfig, withHome, workIn } from '../workspace.ts';
import { refuseNoUrl, secretHint } from './create.ts';

/** `zimbo cells set-url`: what lies at the new address must be that cell. */
export async function setUrl(name: string, { url, json }: Output & { url: string }): Promise<void> {
  refuseNoUrl(url);
  const [{ makeSetCellUrl }, config] = await Promise.all([
    import('../../tenants/cells/set-url.ts'),
    commandConfig(),
  ]);
  const place = await withHome(config, 'command', (homeUrl) =>
    workIn({ config, url: homeUrl }, async (home) => {
      const secrets = await secretBoxOf(config, secretHint);
      return makeSetCellUrl({ ...home, homeUrl, secrets })(name, url);
    }),
  );
  if (json) {
    printJson({ cell: name, place });
    return;
  }
  printFields({ Cell: name, Place: place });
  console.log('\nGateways use the old address until they are started again: restart all of them.');
}
