import { createHmac, hkdfSync } from 'node:crypto';
import type { SecretKeys } from '../secrets/secret-keys.ts';
import type { Config } from './config.ts';
import { type Variable, variables } from './variables.ts';

/** The prefix of a digest shown in place of a secret. */
export const digestMark = 'digest ';

const notSet = 'not set';
const digestLength = 12;

/**
 * Returns each setting on which all processes must agree, as text. A secret appears as a digest, keyed with the secret
 * key.
 */
export function sharedSettings(config: Config, keys: SecretKeys): Record<string, string> {
  const digest = digester(keys.current);
  const table: [string, Variable<unknown>][] = Object.entries(variables);
  const settings = table
    .filter(([, { perProcess }]) => !perProcess)
    .map(([name, variable]) => {
      const text = textOf(config.values[name]);
      const isHidden = text !== notSet && (variable.secret === true || variable.digest === true);
      return [name, isHidden ? digest(text) : text] as const;
    });
  const { live, test } = config.webhookAllowPrivate;
  return {
    ...Object.fromEntries(settings),
    // Settings whose default depends on others, or, for the key, lies in DATA_DIR.
    PUBLIC_URL: config.publicUrl,
    CONSOLE_URL: config.consoleUrl,
    WEBHOOK_ALLOW_PRIVATE: `${live} (live), ${test} (test)`,
    // The digest is over the name: the key itself is never digested.
    ZIMBO_SECRET_KEY: digest('ZIMBO_SECRET_KEY'),
    ZIMBO_SECRET_KEY_PREVIOUS: keys.previous ? digest(keys.previous.toString('hex')) : notSet,
  };
}

/** Equal values have equal texts, however the environment spells them. */
function textOf(value: unknown): string {
  if (value === undefined) return notSet;
  if (value instanceof Set || Array.isArray(value))
    return [...value].map(textOf).join(',') || notSet;
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, part]) => `${name} ${textOf(part)}`)
      .join(', ');
  return typeof value === 'string' ? value : String(value as number | bigint | boolean);
}

/** Without the key, a digest reveals only whether two texts are the same. */
function digester(secretKey: Buffer): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo shared settings', 32));
  return (text) => {
    const digest = createHmac('sha256', key).update(text).digest('base64url');
    return digestMark + digest.slice(0, digestLength);
  };
}
