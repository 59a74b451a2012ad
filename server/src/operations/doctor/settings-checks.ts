import type { Config } from '../../platform/config/config.ts';
import { consoleOrigin } from '../../platform/config/kinds.ts';
import { type Check, ok, warning } from './check.ts';
import { mailCheck } from './mail-check.ts';

/** The consequences of well-formed settings. */
export function settingsChecks(config: Pick<Config, 'consoleUrl' | 'mail'>): Check[] {
  const { consoleUrl } = config;
  return [{ name: 'Console', run: async () => consoleFinding(consoleUrl) }, mailCheck(config)];
}

/** Without CONSOLE_URL, the address follows from other settings, which need not be a secure origin. */
function consoleFinding(consoleUrl: string) {
  if (consoleOrigin.parse(consoleUrl) !== undefined) return ok(`${consoleUrl}/console`);
  return warning(
    `people would reach the console at ${consoleUrl}, where browsers allow neither passkeys nor secure cookies`,
    'Put a proxy with TLS in front (deploy/Caddyfile, deploy/nginx.conf), and set CONSOLE_URL to its https:// URL.',
  );
}
