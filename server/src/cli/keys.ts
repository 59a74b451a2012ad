import { type Command, Option } from 'commander';
import { allPermissions, type Mode } from '../tenants/merchants/api-key.ts';
import type { keyView } from '../tenants/merchants/keys.ts';
import { atGateway, listAtGateway, type Staff } from './admin/connection.ts';
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
  const { permissions = allPermissions } = options;
  const body = orderOf(options, permissions);
  const { id, key } = await withId(merchantIds, options.merchant, () =>
    atGateway<Issued>(({ send }) => send('createKey', { body })),
  );
  await printOnce(options, {
    object: { id, key },
    fields: {
      Key: key,
      Id: id,
      ...(options.label !== undefined && { Label: options.label }),
      Merchant: options.merchant,
      May: mayDo(permissions),
    },
    words: keepNow,
    instead: `The new key could not be shown. Revoke it:  zimbo keys revoke ${id}`,
  });
}

type Key = ReturnType<typeof keyView>;

interface Issued {
  id: string;
  key: string;
}

interface Rolled extends Issued {
  expiresAt: string | null;
  old: Key;
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

async function rollKey(
  id: string,
  { overlap, expires, json }: Output & { overlap: number; expires?: Expiry },
): Promise<void> {
  const body = {
    overlapHours: overlap,
    ...(expires && { expiresAt: new Date(instantOf(expires, Date.now())).toISOString() }),
  };
  const rolled = await withId(keyIds, id, () =>
    atGateway<Rolled>(({ send }) => send('rollKey', { path: { id }, body })),
  );
  const { old, key } = rolled;
  const until = instant(old.expiresAt);
  await printOnce(
    { json },
    {
      object: { id: rolled.id, key, old },
      fields: {
        Key: key,
        Id: rolled.id,
        Label: old.label ?? '-',
        'Expires (UTC)': instant(rolled.expiresAt),
        'Old key': `${maskedKey(old)}, until ${until}`,
      },
      words: keepNow,
      instead: `The new key could not be shown, and the old one works until ${until}. Before then, revoke the new one and create another:  zimbo keys revoke ${rolled.id}`,
    },
  );
}

async function listKeys({ merchant, json }: Output & { merchant?: string }): Promise<void> {
  const list = async ({ all }: Staff) =>
    (await all<Key>('listKeys', { merchant_id: merchant })).reverse();
  const keys =
    merchant === undefined
      ? await listAtGateway(list)
      : await withId(merchantIds, merchant, () => atGateway(list));
  if (json) printJson(keys);
  else if (keys.length === 0) console.log('There are no keys.');
  else printTable(headings, keys.map(rowOf));
}

async function revokeKey(id: string, { json }: Output): Promise<void> {
  const key = await withId(keyIds, id, () =>
    atGateway<Key>(({ send }) => send('revokeKey', { path: { id } })),
  );
  if (json) printJson(key);
  else console.log(`${maskedKey(key)} is revoked. Every process refuses it within 5 seconds.`);
}

const maskedKey = ({ mode, last4 }: Key) => `sk_${mode}_…${last4}`;

const mayDo = (permissions: readonly string[]) =>
  allPermissions.every((permission) => permissions.includes(permission))
    ? 'everything'
    : permissions.join(', ');

const instant = (text: string | null) => (text === null ? '-' : formatInstant(Date.parse(text)));

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

function rowOf(key: Key): string[] {
  return [
    key.id,
    maskedKey(key),
    key.label ?? '-',
    key.merchantId,
    stateOf(key),
    mayDo(key.permissions),
    key.allowedAddresses.length === 0 ? 'everywhere' : key.allowedAddresses.join(', '),
    limitsOf(key),
    instant(key.createdAt),
    instant(key.lastUsedAt),
  ];
}

export function stateOf({ revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== null) return `revoked ${instant(revokedAt)}`;
  if (expiresAt === null) return 'valid';
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'until'} ${instant(expiresAt)}`;
}

function limitsOf({ maxPayment: payment, maxRefundedPerDay: refunded }: Key): string {
  const limits = [
    payment === null ? [] : `payment ${formatMajor(BigInt(payment))}`,
    refunded === null ? [] : `refunds a day ${formatMajor(BigInt(refunded))}`,
  ].flat();
  return limits.length === 0 ? '-' : limits.join(', ');
}
