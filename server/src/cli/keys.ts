import { type Command, Option } from 'commander';
import {
  allPermissions,
  type Mode,
  parsePermissions,
  unlistedPermissions,
} from '../tenants/merchants/api-key.ts';
import type { keyView } from '../tenants/merchants/keys.ts';
import { atGateway, listAtGateway, type Staff } from './admin/connection.ts';
import { withId } from './failure.ts';
import {
  addRevoke,
  type Issued,
  instant,
  type KeyKind,
  keyId,
  printIssued,
  printKeys,
} from './key-kind.ts';
import { amountOf, expiryOf, hoursOf, networksOf, permissionsOf } from './key-options.ts';
import { formatMajor, keepNow, type Output, printOnce } from './output.ts';

const merchantIds = { name: 'merchant', prefix: 'me' } as const;

type Key = ReturnType<typeof keyView>;

const kind: KeyKind<Key> = {
  name: 'key',
  revoke: 'revokeKey',
  permissions: allPermissions,
  maskedKey: ({ mode, last4 }) => `sk_${mode}_…${last4}`,
  columns: [[['MERCHANT', ({ merchantId }) => merchantId]], [['LIMITS', limitsOf]]],
  nothing: 'There are no keys.',
};

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
  addRevoke(keys, kind);
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
      'permissions, separated by commas (default: all; for a live key, all but disbursements)',
      (text) => permissionsOf(parsePermissions, text),
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
    .option('--max-disbursement <amount>', 'the limit for one disbursement', amountOf)
    .option(
      '--max-disbursed-per-day <amount>',
      'the limit for all disbursements in a day (UTC)',
      amountOf,
    )
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
    .argument(...keyId)
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

interface CreateOptions extends Output {
  merchant: string;
  mode: Mode;
  permissions?: string[];
  label?: string;
  expires?: Date;
  addresses?: string[];
  maxPayment?: string;
  maxRefundedPerDay?: string;
  maxDisbursement?: string;
  maxDisbursedPerDay?: string;
}

async function createKey(options: CreateOptions): Promise<void> {
  const { json, merchant, expires, addresses, ...rest } = options;
  const { permissions = unlistedPermissions(rest.mode), ...terms } = rest;
  const body = {
    ...terms,
    merchantId: merchant,
    permissions,
    expiresAt: expires,
    allowedAddresses: addresses,
  };
  const issued = await withId(merchantIds, merchant, () =>
    atGateway<Issued>(({ send }) => send('createKey', { body })),
  );
  const label = terms.label === undefined ? {} : { Label: terms.label };
  await printIssued(kind, issued, { json, permissions, fields: { ...label, Merchant: merchant } });
}

interface Rolled extends Issued {
  expiresAt: string | null;
  old: Key;
}

async function rollKey(
  id: string,
  { overlap, expires, json }: Output & { overlap: number; expires?: Date },
): Promise<void> {
  const body = { overlapHours: overlap, expiresAt: expires };
  const rolled = await withId({ name: 'key', prefix: 'ak' }, id, () =>
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
        'Old key': `${kind.maskedKey(old)}, until ${until}`,
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
  printKeys(kind, keys, { json });
}

function limitsOf(key: Key): string {
  const limits = [
    ['payment', key.maxPayment],
    ['refunds a day', key.maxRefundedPerDay],
    ['disbursement', key.maxDisbursement],
    ['disbursements a day', key.maxDisbursedPerDay],
  ] as const;
  const texts = limits.flatMap(([name, minor]) =>
    minor === null ? [] : `${name} ${formatMajor(BigInt(minor))}`,
  );
  return texts.join(', ') || '-';
}
