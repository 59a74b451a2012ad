import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';

/**
 * Decrypts the gateway's stored secrets. @param hint the advice in the StartError if there is no key; thrown only on
 * use
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
