import type { Command } from 'commander';
import type { Reencrypted } from '../integrations/webhooks/reencrypt.ts';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import { formatId } from '../platform/values/ids.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { type Output, printJson } from './output.ts';
import { commandConfig, type Workspace } from './workspace.ts';

const help = `
With DATABASE_URL: set ZIMBO_SECRET_KEY to the new key and ZIMBO_SECRET_KEY_PREVIOUS to the old one, restart
every gateway with both, and run this with the same settings. With the embedded database: stop the
gateway and run this; it creates the new key itself.

You can interrupt it at any time and start again. docs/keys.md#the-secret-key has the whole procedure.

Example:
  $ ZIMBO_SECRET_KEY=… ZIMBO_SECRET_KEY_PREVIOUS=… zimbo secrets rotate`;

export function addSecretCommands(program: Command): void {
  const secrets = program.command('secrets').description('manage the secret key');
  secrets
    .command('rotate')
    .description('encrypt stored secrets with a new secret key')
    .option('--json', 'print {"reencrypted": …, "unreadable": […]}')
    .addHelpText('after', help)
    .action(rotate);
}

async function rotate({ json }: Output): Promise<void> {
  const outcomes = await inEachCell(rotateIn, { role: 'sole command' });
  const results = resultsOf(outcomes).map(({ result }) => result);
  const result: Reencrypted = {
    changed: results.reduce((sum, { changed }) => sum + changed, 0),
    raced: results.reduce((sum, { raced }) => sum + raced, 0),
    unreadable: results.flatMap(({ unreadable }) => unreadable),
  };
  const isAll = results.length === outcomes.length;
  const done = isAll && result.unreadable.length === 0 && result.raced === 0;
  const config = await commandConfig();
  const embedded = isEmbedded(config);
  if (embedded && done) {
    const { finishKeyRotation } = await import('../platform/secrets/secret-keys.ts');
    await finishKeyRotation(config.dataDir);
  }
  if (!done) process.exitCode = 1;
  if (json) printJson({ reencrypted: result.changed, unreadable: unreadableIds(result) });
  else if (done) console.log(successWords(result, embedded));
  else if (isAll || result.unreadable.length > 0) console.log(failureWords(result, embedded));
  else console.log(`${keptWords(embedded)} Run this again when every cell answers.`);
}

const isEmbedded = ({ databaseUrl, secretKey }: Config) => !databaseUrl && !secretKey;

async function rotateIn(workspace: Workspace): Promise<Reencrypted> {
  const [{ createSecretBox }, { reencrypt }, { reencryptDigestKey }, { reencryptCodes }] =
    await Promise.all([
      import('../platform/secrets/secret-box.ts'),
      import('../integrations/webhooks/reencrypt.ts'),
      import('../platform/secrets/digest-key.ts'),
      import('../tenants/people/reencrypt.ts'),
    ]);
  const { current, previous } = await keysOf(workspace, isEmbedded(workspace.config));
  const secrets = createSecretBox(current, previous);
  const result = await reencrypt({ ...workspace, secrets }, ({ changed }) =>
    console.error(`${changed} encrypted with the new key`),
  );
  if (!(await reencryptDigestKey(workspace.database, secrets))) {
    throw new StartError(
      'Neither key decrypts the digest key, which identifies blocked phones and earlier requests.',
      'Set ZIMBO_SECRET_KEY_PREVIOUS to the key it was encrypted with, and run this again. If that key is lost, docs/keys.md#the-secret-key says what to do.',
    );
  }
  const codes = await reencryptCodes(workspace.database, secrets);
  if (codes.length > 0) {
    throw new StartError(
      `Neither key decrypts the one-time codes of ${codes.map((id) => formatId('pe', id)).join(', ')}.`,
      'Run this again with the key they were encrypted with as ZIMBO_SECRET_KEY_PREVIOUS. If it is lost, let these people set up new ones ("zimbo people reset EMAIL"), and run this again when they have.',
    );
  }
  return result;
}

async function keysOf({ config }: Workspace, embedded: boolean): Promise<SecretKeys> {
  if (embedded) {
    const { beginKeyRotation } = await import('../platform/secrets/secret-keys.ts');
    return beginKeyRotation(config.dataDir);
  }
  const { secretKey: current, previousSecretKey: previous } = config;
  if (current && previous && !current.equals(previous)) return { current, previous };
  throw new StartError(
    current && previous
      ? 'ZIMBO_SECRET_KEY and ZIMBO_SECRET_KEY_PREVIOUS are the same key.'
      : `${current ? 'ZIMBO_SECRET_KEY_PREVIOUS' : 'ZIMBO_SECRET_KEY'} is not set.`,
    'Set ZIMBO_SECRET_KEY to the new key (make one with: openssl rand -base64 32), and ZIMBO_SECRET_KEY_PREVIOUS to the old one.',
  );
}

const unreadableIds = ({ unreadable }: Reencrypted) =>
  unreadable.map(({ id }) => formatId('we', id));

function successWords({ changed }: Reencrypted, embedded: boolean): string {
  const done = `Every stored secret is encrypted with the new key; ${changed} ${changed === 1 ? 'was' : 'were'} re-encrypted.`;
  const rest = embedded
    ? 'The old key is gone. Start the gateway.'
    : `If every gateway runs with both keys, you can remove ZIMBO_SECRET_KEY_PREVIOUS at the next restart.
If one still runs with the old key alone, restart it with both first, and run this again.`;
  return `${done}\n${rest}`;
}

const keptWords = (embedded: boolean) =>
  embedded ? 'The old key stays beside the new one.' : 'Keep both keys.';

function failureWords(result: Reencrypted, embedded: boolean): string {
  const { raced, unreadable } = result;
  const kept = keptWords(embedded);
  if (unreadable.length === 0)
    return `${raced} changed meanwhile and were skipped. ${kept} Run this again.`;
  const otherKey = embedded
    ? 'Delete these endpoints'
    : 'Run this again with that key as ZIMBO_SECRET_KEY_PREVIOUS, or delete these endpoints';
  return `Neither key opens the secrets of ${unreadable.length}: ${unreadableIds(result).join(', ')}.
They were encrypted with another key. All others are under the new one. ${kept}
${otherKey} (DELETE /v1/webhooks/{id}), make them anew, and run this again.`;
}
