import { basename } from 'node:path';

/**
 * What a person types to run a command here. `ZIMBO_COMMAND` says so where the program cannot know: compose.yaml and
 * the systemd unit set it.
 */
export function calledAs(
  env: NodeJS.ProcessEnv = process.env,
  path: string = process.argv[1] ?? '',
): string {
  if (env.ZIMBO_COMMAND) return env.ZIMBO_COMMAND;
  // npx and npm call the link in node_modules/.bin; an installation has one in the PATH.
  const isInstalled = basename(path) === 'zimbo' && !/[\\/]node_modules[\\/]/.test(path);
  return isInstalled ? 'zimbo' : 'npx zimbo';
}

/** A help text with its usage and examples as they are typed here. */
export const asTyped = (help: string, command = calledAs()): string =>
  help.replaceAll(/^(Usage: | +\$ )zimbo\b/gm, `$1${command}`);
