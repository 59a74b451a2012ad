import { type Command, Option } from 'commander';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { formatId, parseId } from '../platform/values/ids.ts';
import { allPermissions, type Mode } from '../tenants/merchants/api-key.ts';
import { keyView } from '../tenants/merchants/keys.ts';
import type { ApiKey } from '../tenants/merchants/store.ts';
import { type AdminConnection, atGateway, listAtGateway } from './admin/connection.ts';
import { type KeyView, keyOf } from './admin/parse-responses.ts';
import { withId } from './failure.ts';
import {
  amountOf,
  type Expiry,
  expiryOf,
  hoursOf,
  instantOf,
  networksOf,
  permissionList,
  type TermOptions,
  termsOf,
} from './key-options.ts';
import {
  formatInstant,
  formatMajor,
  keepNow,
  type Output,
  printJson,
  printOnce,
  printTable,
} from './output.ts';
import type { Workspace } from './workspace.ts';

const merchantIds = { name: 'merchant', prefix: 'me' } as const;
const keyIds = { name: 'key', prefix: 'ak' } as const;

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('create, list, roll and revoke API keys');
  addCreate(keys);
  keys
    .command('list')
    .description('all keys, or those of one merchant; expired and revoked ones too')
    .option('--merchant <id>', 'only keys of this merchant (me_…)')
    .option('--json', 'print an array')
    .action(listKeys);
  addRoll(keys);
  keys
    .command('revoke')
    .description('disable a key; every process refuses it within 5 seconds')
    .argument('<id>', 'the id of the key (ak_…), not the key itself')
    .option('--json', 'print the revoked key')
    .action(revokeKey);
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--merchant <id>', 'the merchant (me_…)')
    .addOption(
      new Option('--mode <mode>', 'a test key moves no real money')
        .choices(['test', 'live'])
        .makeOptionMandatory(),
    )
    .option(
      '--permissions <list>',
      'permissions, separated by commas (default: all)',
      permissionList,
    )
    .option('--label <text>', 'its purpose, such as "till 3"')
    .option('--expires <when>', 'such as 90d, 2027-03-31 or 2027-03-31T12:00:00Z', expiryOf)
    .option('--addresses <list>', 'IP addresses and networks that may use it', networksOf)
    .option(
      '--max-payment <amount>',
      'the limit for one payment or checkout session, such as 250.00',
      amountOf,
    )
    .option('--max-refunded-per-day <amount>', 'the limit for all refunds in a day (UTC)', amountOf)
    .option('--json', 'print {"id": …, "key": …}')
    .addHelpText('after', `\nPermissions:\n  ${allPermissions.join('\n  ')}\n${createExamples}`)
    .action(createKey);
}

function addRoll(keys: Command): void {
  keys
    .command('roll')
    .description(
      'create a new key with the same label, permissions and limits; the old one expires',
    )
    .argument('<id>', 'the id of the key (ak_…), not the key itself')
    .option('--overlap <hours>', 'how many hours the old key still works', hoursOf, 24)
    .option(
      '--expires <when>',
      'when the new one expires (default: the lifetime the old one was created with)',
      expiryOf,
    )
    .option('--json', 'print {"id": …, "key": …, "old": …}')
    .addHelpText('after', '\nExample:\n  $ zimbo keys roll ak_… --overlap 48')
    .action(rollKey);
}

const createExamples = `
Examples:
  $ zimbo keys create --merchant me_01kaj6dg3kfzrss6v6x9zq3k2e --mode test
  $ zimbo keys create --merchant me_01kaj6dg3kfzrss6v6x9zq3k2e --mode live --label "till 3" \\
      --permissions payments:read,payments:write --addresses 192.0.2.0/24 --max-payment 250 --expires 365d`;

type CreateOptions = Output &
  TermOptions & { merchant: string; mode: Mode; permissions?: string[] };

async function createKey(options: CreateOptions): Promise<void> {
  const { mode, permissions = allPermissions } = options;
  const { issueKey } = await import('../tenants/merchants/keys.ts');
  const issued = await withId(merchantIds, options.merchant, (merchantId) =>
    atGateway(
      async (admin) => {
        const made = await admin.call<Issued>('POST', '/keys', orderOf(options, permissions));
        return { id: parseId('ak', made.id)!, key: made.key };
      },
      (workspace) => {
        refuseLiveOnEmbedded(workspace.config, mode);
        const terms = termsOf(options, workspace.clock.nowMs());
        return issueKey(workspace, { merchantId, mode, permissions, terms });
      },
    ),
  );
  const id = formatId('ak', issued.id);
  await printOnce(options, {
    object: { id, key: issued.key },
    fields: {
      Key: issued.key,
      Id: id,
      ...(options.label !== undefined && { Label: options.label }),
      Merchant: options.merchant,
      May: mayDo(permissions),
    },
    words: keepNow,
    instead: `The new key could not be shown. Revoke it:  zimbo keys revoke ${id}`,
  });
}

interface Issued {
  id: string;
  key: string;
}

/** The parameters of the API; durations count from this machine's clock. */
function orderOf({ merchant, mode, ...options }: CreateOptions, permissions: readonly string[]) {
  const terms = termsOf(options, Date.now());
  return {
    merchantId: merchant,
    mode,
    permissions,
    label: terms.label ?? null,
    allowedAddresses: terms.allowedAddresses ?? [],
    expiresAt: terms.expiresAtMs == null ? null : new Date(terms.expiresAtMs).toISOString(),
    maxPayment: terms.maxPaymentMinor?.toString() ?? null,
    maxRefundedPerDay: terms.maxRefundedPerDayMinor?.toString() ?? null,
  };
}

function refuseLiveOnEmbedded({ databaseUrl, allowLiveEmbedded }: Config, mode: Mode): void {
  if (mode === 'test' || databaseUrl || allowLiveEmbedded) return;
  throw new StartError(
    'A live key moves real money, and the embedded database is meant for trying Zimbo out: it has no replica and no automatic backups.',
    'Set DATABASE_URL to a PostgreSQL server. If you know what you are doing, set ZIMBO_ALLOW_LIVE_EMBEDDED=true.',
  );
}

async function rollKey(
  id: string,
  { overlap, expires, json }: Output & { overlap: number; expires?: Expiry },
): Promise<void> {
  const { rollKey: roll } = await import('../tenants/merchants/roll-key.ts');
  const rolled = await withId(keyIds, id, (uuid) =>
    atGateway(
      async (admin) => {
        const atMs = expires && instantOf(expires, Date.now());
        const body = {
          overlapHours: overlap,
          ...(atMs !== undefined && { expiresAt: new Date(atMs).toISOString() }),
        };
        type Rolled = Issued & { expiresAt: string | null; old: KeyView };
        const made = await admin.call<Rolled>('POST', `/keys/${id}/roll`, body);
        const expiresAtMs = made.expiresAt === null ? null : Date.parse(made.expiresAt);
        return {
          id: parseId('ak', made.id)!,
          key: made.key,
          expiresAtMs,
          old: keyOf(made.old),
        };
      },
      (workspace) =>
        roll(workspace, uuid, {
          overlapMs: overlap * 3_600_000,
          expiresAtMs: expires && instantOf(expires, workspace.clock.nowMs()),
        }),
    ),
  );
  const newId = formatId('ak', rolled.id);
  const until = instant(rolled.old.expiresAtMs);
  await printOnce(
    { json },
    {
      object: { id: newId, key: rolled.key, old: keyView(rolled.old) },
      fields: {
        Key: rolled.key,
        Id: newId,
        Label: rolled.old.label ?? '-',
        'Expires (UTC)': instant(rolled.expiresAtMs),
        'Old key': `${maskedKey(rolled.old)}, until ${until}`,
      },
      words: keepNow,
      instead: `The new key could not be shown, and the old one works until ${until}. Before then, revoke the new one and create another:  zimbo keys revoke ${newId}`,
    },
  );
}

async function listKeys({ merchant, json }: Output & { merchant?: string }): Promise<void> {
  const { listKeys: list } = await import('../tenants/merchants/keys.ts');
  const remote = async (admin: AdminConnection) => {
    const query = merchant === undefined ? {} : { merchant_id: merchant };
    const views = await admin.all<KeyView>('/keys', query);
    return views.reverse().map((view) => ({ key: keyOf(view), nowMs: Date.now() }));
  };
  const local = (merchantId?: string) => async (workspace: Workspace) =>
    (await list(workspace, merchantId)).map((key) => ({ key, nowMs: workspace.clock.nowMs() }));
  const keys =
    merchant === undefined
      ? await listAtGateway(remote, local())
      : await withId(merchantIds, merchant, (id) => atGateway(remote, local(id)));
  const rows = keys.map(({ key, nowMs }) => rowOf(key, nowMs));
  if (json) printJson(keys.map(({ key }) => keyView(key)));
  else if (keys.length === 0) console.log('There are no keys.');
  else printTable(headings, rows);
}

async function revokeKey(id: string, { json }: Output): Promise<void> {
  const { revokeKey: revoke } = await import('../tenants/merchants/keys.ts');
  const key = await withId(keyIds, id, (uuid) =>
    atGateway(
      async (admin) => keyOf(await admin.call<KeyView>('POST', `/keys/${id}/revoke`)),
      (workspace) => revoke(workspace, uuid),
    ),
  );
  if (json) printJson(keyView(key));
  else console.log(`${maskedKey(key)} is revoked. Every process refuses it within 5 seconds.`);
}

const maskedKey = ({ mode, last4 }: ApiKey) => `sk_${mode}_…${last4}`;

const mayDo = (permissions: readonly string[]) =>
  allPermissions.every((permission) => permissions.includes(permission))
    ? 'everything'
    : permissions.join(', ');

const instant = (ms: number | null) => (ms === null ? '-' : formatInstant(ms));

const headings = [
  'ID',
  'KEY',
  'LABEL',
  'MERCHANT',
  'STATE',
  'MAY',
  'FROM',
  'LIMITS',
  'CREATED (UTC)',
  'LAST USED (UTC)',
];

function rowOf(key: ApiKey, nowMs: number): string[] {
  return [
    formatId('ak', key.id),
    maskedKey(key),
    key.label ?? '-',
    formatId('me', key.merchantId),
    stateOf(key, nowMs),
    mayDo(key.permissions),
    key.allowedAddresses.length === 0 ? 'everywhere' : key.allowedAddresses.join(', '),
    limitsOf(key),
    formatInstant(key.createdAtMs),
    instant(key.lastUsedAtMs),
  ];
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): string {
  if (revokedAtMs !== null) return `revoked ${formatInstant(revokedAtMs)}`;
  if (expiresAtMs === null) return 'valid';
  return `${expiresAtMs <= nowMs ? 'expired' : 'until'} ${formatInstant(expiresAtMs)}`;
}

function limitsOf({ maxPaymentMinor: payment, maxRefundedPerDayMinor: refunded }: ApiKey): string {
  const limits = [
    payment === null ? [] : `payment ${formatMajor(payment)}`,
    refunded === null ? [] : `refunds a day ${formatMajor(refunded)}`,
  ].flat();
  return limits.length === 0 ? '-' : limits.join(', ');
}
