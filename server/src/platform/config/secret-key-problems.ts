const secretKeyNeeded = `ZIMBO_SECRET_KEY is required with DATABASE_URL: it encrypts the secrets of webhook endpoints.
  Generate one, and keep it safe: openssl rand -base64 32
  or, without openssl:    node -p "crypto.randomBytes(32).toString('base64')"`;

const previousKeyAlone =
  'ZIMBO_SECRET_KEY_PREVIOUS is the key before ZIMBO_SECRET_KEY, which is not set: set both, or neither.';

const previousKeyEqual =
  'ZIMBO_SECRET_KEY_PREVIOUS is the same key as ZIMBO_SECRET_KEY: set it to the old key, or remove it.';

interface SecretKeyValues {
  ZIMBO_SECRET_KEY: Buffer | undefined;
  ZIMBO_SECRET_KEY_PREVIOUS: Buffer | undefined;
}

/** The problems of the secret key. @param use most commands encrypt nothing */
export function secretKeyProblems(
  env: NodeJS.ProcessEnv,
  { ZIMBO_SECRET_KEY: key, ZIMBO_SECRET_KEY_PREVIOUS: previous }: SecretKeyValues,
  use: 'gateway' | 'command',
): string[] {
  const problems: string[] = [];
  const lacksKey = env.DATABASE_URL && !env.ZIMBO_SECRET_KEY && use === 'gateway';
  if (lacksKey) problems.push(secretKeyNeeded);
  if (env.ZIMBO_SECRET_KEY_PREVIOUS && !env.ZIMBO_SECRET_KEY) problems.push(previousKeyAlone);
  if (key && previous?.equals(key)) problems.push(previousKeyEqual);
  return problems;
}
