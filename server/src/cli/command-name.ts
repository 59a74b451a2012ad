import { basename } from 'node:path';

/**
 * The command that a person types here. `ZIMBO_COMMAND` names it if the program cannot know: compose.yaml and the
 * systemd unit set it.
 */
export function calledAs(
  env: NodeJS.ProcessEnv = process.env,
  path: string = process.argv[1] ?? '',
): string {
  if (env.ZIMBO_COMMAND) return env.ZIMBO_COMMAND;
  // npx and npm call the link in node_modules/.bin; an installation has a link in the PATH.
  const isInstalled = basename(path) === 'zimbo' && !/[\\/]node_modules[\\/]/.test(path);
  return isInstalled ? 'zimbo' : 'npx zimbo';
}

/** Adapts the usage and examples of a help text to the command name here. */
export const asTyped = (help: string, command = calledAs()): string =>
  help.replaceAll(/^(Usage: | +\$ )zimbo\b/gm, `$1${command}`);
