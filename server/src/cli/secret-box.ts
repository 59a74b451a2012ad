import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';

/**
 * What opens what the gateway keeps encrypted.
 * @param hint what a person is told who needs it where there is no key; it throws a StartError only when it is used
 */
export async function secretBoxOf(config: Config, hint: string): Promise<SecretBox> {
  const [{ findSecretKeys }, { createSecretBox }] = await Promise.all([
    import('../platform/secrets/secret-keys.ts'),
    import('../platform/secrets/secret-box.ts'),
  ]);
  const keys = await findSecretKeys(config);
  if (keys) return createSecretBox(keys.current, keys.previous);
  const refuse = () => {
    throw new StartError('ZIMBO_SECRET_KEY is not set.', hint);
  };
  return { encrypt: refuse, decrypt: refuse, header: Buffer.alloc(0) };
}
