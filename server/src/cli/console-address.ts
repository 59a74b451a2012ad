import type { Config } from '../platform/config/config.ts';

/** The settings that determine the console's address; PORT=0 does not. */
const names = ['CONSOLE_URL', 'PUBLIC_URL', 'HOST', 'PORT'] as const;

/**
 * The address of the console: from the settings or, without any, from demo.env, which names the address of the gateway
 * of DATA_DIR. A shell need not have the settings of the gateway.
 */
export async function consoleAddress(
  { consoleUrl, databaseUrl, dataDir }: Pick<Config, 'consoleUrl' | 'databaseUrl' | 'dataDir'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const isSet = names.some((name) => env[name] && !(name === 'PORT' && env[name] === '0'));
  if (databaseUrl !== undefined || isSet) return consoleUrl;
  const [{ join }, { readDemoFile }, { baseUrl, consoleUrlAt }] = await Promise.all([
    import('node:path'),
    import('../tenants/merchants/demo-file.ts'),
    import('../platform/config/kinds.ts'),
  ]);
  const demo = await readDemoFile(join(dataDir, 'demo.env'));
  const url = baseUrl.parse(demo?.url ?? '');
  return url === undefined ? consoleUrl : consoleUrlAt(url);
}
