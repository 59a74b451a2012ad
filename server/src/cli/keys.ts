import { type Command, InvalidArgumentError, Option } from 'commander';
import { allPermissions, type Mode, parsePermissions } from '../merchants/api-key.ts';
import type { ApiKey } from '../merchants/store.ts';
import type { Config } from '../platform/config.ts';
import { formatId } from '../platform/ids.ts';
import { StartError } from '../platform/start-error.ts';
import { withId } from './failure.ts';
import { formatInstant, printFields, printJson, printTable } from './output.ts';
import { withWorkspace } from './workspace.ts';

interface Output {
  json?: true;
}

const merchantIds = { name: 'merchant', prefix: 'me' } as const;
const keyIds = { name: 'key', prefix: 'ak' } as const;

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys');
  keys
    .command('create')
    .description('make an API key; it is shown this once')
    .requiredOption('--merchant <id>', 'whose key it is (me_…)')
    .addOption(
      new Option('--mode <mode>', 'test moves no money')
        .choices(['test', 'live'])
        .makeOptionMandatory(),
    )
    .option(
      '--permissions <list>',
      'what it may do, separated by commas; without: all',
      permissionList,
    )
    .option('--json', 'print {"id": …, "key": …}')
    .addHelpText('after', `\nPermissions:\n  ${allPermissions.join('\n  ')}\n${createExamples}`)
    .action(createKey);
  keys
    .command('list')
    .description('all keys, or those of one merchant; revoked ones too')
    .option('--merchant <id>', 'only keys of this merchant (me_…)')
    .option('--json', 'print an array')
    .action(listKeys);
  keys
    .command('revoke')
    .description('make a key invalid, everywhere within 5 seconds')
    .argument('<id>', 'the id of the key (ak_…), not the key itself')
    .option('--json', 'print the key as it is now')
    .action(revokeKey);
}

const createExamples = `
Examples:
  $ zimbo keys create --merchant me_01kaj6dg3kfzrss6v6x9zq3k2e --mode test
  $ zimbo keys create --merchant me_01kaj6dg3kfzrss6v6x9zq3k2e --mode live \\
      --permissions payments:read,payments:write`;

function permissionList(text: string): string[] {
  try {
    return parsePermissions(text.split(',').map((name) => name.trim()));
  } catch (error) {
    throw new InvalidArgumentError(`The ${(error as Error).message}.`);
  }
}

async function createKey(
  options: Output & { merchant: string; mode: Mode; permissions?: string[] },
): Promise<void> {
  const { mode, permissions = allPermissions } = options;
  const { issueKey } = await import('../merchants/keys.ts');
  const issued = await withWorkspace((workspace) => {
    refuseLiveOnEmbedded(workspace.config, mode);
    return withId(merchantIds, options.merchant, (merchantId) =>
      issueKey(workspace, { merchantId, mode, permissions }),
    );
  });
  const id = formatId('ak', issued.id);
  if (options.json) {
    printJson({ id, key: issued.key });
    return;
  }
  printFields({ Key: issued.key, Id: id, Merchant: options.merchant, May: mayDo(permissions) });
  console.log('\nKeep the key now: only its hash is stored, and it cannot be shown again.');
}

function refuseLiveOnEmbedded({ databaseUrl, allowLiveEmbedded }: Config, mode: Mode): void {
  if (mode === 'test' || databaseUrl || allowLiveEmbedded) return;
  throw new StartError(
    'A live key moves real money, and the embedded database is made for trying: it has no replica and no backup of its own.',
    'Set DATABASE_URL to a PostgreSQL server. If you know what you do, set ZIMBO_ALLOW_LIVE_EMBEDDED=true.',
  );
}

async function listKeys({ merchant, json }: Output & { merchant?: string }): Promise<void> {
  const { listKeys: list } = await import('../merchants/keys.ts');
  const keys = await withWorkspace((workspace) =>
    merchant === undefined
      ? list(workspace)
      : withId(merchantIds, merchant, (merchantId) => list(workspace, merchantId)),
  );
  if (json) printJson(keys.map(keyView));
  else if (keys.length === 0) console.log('There are no keys.');
  else
    printTable(['ID', 'KEY', 'MERCHANT', 'MAY', 'CREATED (UTC)', 'REVOKED (UTC)'], keys.map(rowOf));
}

async function revokeKey(id: string, { json }: Output): Promise<void> {
  const { revokeKey: revoke } = await import('../merchants/keys.ts');
  const key = await withWorkspace((workspace) =>
    withId(keyIds, id, (uuid) => revoke(workspace, uuid)),
  );
  if (json) printJson(keyView(key));
  else console.log(`${maskedKey(key)} is revoked. Every process refuses it within 5 seconds.`);
}

const maskedKey = ({ mode, last4 }: ApiKey) => `sk_${mode}_…${last4}`;

const mayDo = (permissions: readonly string[]) =>
  permissions.length === allPermissions.length ? 'everything' : permissions.join(', ');

function rowOf(key: ApiKey): string[] {
  return [
    formatId('ak', key.id),
    maskedKey(key),
    formatId('me', key.merchantId),
    mayDo(key.permissions),
    formatInstant(key.createdAtMs),
    key.revokedAtMs === null ? '-' : formatInstant(key.revokedAtMs),
  ];
}

function keyView(key: ApiKey) {
  const { mode, last4, permissions, createdAtMs, revokedAtMs } = key;
  return {
    id: formatId('ak', key.id),
    merchantId: formatId('me', key.merchantId),
    mode,
    last4,
    permissions,
    createdAt: new Date(createdAtMs).toISOString(),
    revokedAt: revokedAtMs === null ? null : new Date(revokedAtMs).toISOString(),
  };
}
