import type { Config } from '../platform/config/config.ts';

/** The settings that say where the console is; PORT=0 says nothing. */
const names = ['CONSOLE_URL', 'PUBLIC_URL', 'HOST', 'PORT'] as const;

/**
 * Where people reach the console: as the settings say, or, without any, where demo.env says that the gateway of
 * DATA_DIR listens. A shell need not have the settings of the gateway.
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
