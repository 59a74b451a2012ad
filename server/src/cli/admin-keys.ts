import { type Command, InvalidArgumentError } from 'commander';
import { formatId } from '../platform/values/ids.ts';
import type { AdminKey } from '../tenants/people/admin-key-store.ts';
import {
  parseStaffPermissions,
  staffCan,
  staffOpens,
  staffPermissions,
  staffRoles,
} from '../tenants/people/staff-permissions.ts';
import { withId } from './failure.ts';
import { type Expiry, expiryOf, instantOf, networksOf } from './key-options.ts';
import { formatInstant, keepNow, type Output, printJson, printOnce, printTable } from './output.ts';
import { withWorkspace } from './workspace.ts';

const examples = `
Permissions (docs/staff.md says what each opens):
${staffPermissions.map((name) => `  ${name.padEnd(22)}${staffOpens(name)}`).join('\n')}

Instead of a list, you can name a role, for the permissions of staff in it: ${staffRoles.map((role) => role.toLowerCase()).join(', ')}.

Examples:
  $ zimbo admin-keys create --label "nightly reconciliation" --permissions reconciliations.read,reconciliations.write
  $ zimbo admin-keys create --label "Ana's laptop" --permissions finance --expires 90d --allowed-addresses 192.0.2.0/24`;

export function addAdminKeyCommands(program: Command): void {
  const keys = program
    .command('admin-keys')
    .description('create, list and revoke keys of /admin/v1, the API for staff');
  keys
    .command('create')
    .description('create a key of /admin/v1; it is shown only once')
    .requiredOption('--label <text>', 'its purpose, such as "nightly reconciliation"')
    .requiredOption('--permissions <list>', 'its permissions, separated by commas', permissionsOf)
    .option('--expires <when>', 'such as 90d, 2027-03-31 or 2027-03-31T12:00:00Z', expiryOf)
    .option('--allowed-addresses <list>', 'IP addresses and networks that may use it', networksOf)
    .option('--json', 'print {"id": …, "key": …}')
    .addHelpText('after', examples)
    .action(create);
  keys
    .command('list')
    .description('all keys of /admin/v1, newest first; expired and revoked ones too')
    .option('--json', 'print an array')
    .action(list);
  keys
    .command('revoke')
    .description('disable a key; every process refuses it within 5 seconds')
    .argument('<id>', 'the id of the key (ak_…), not the key itself')
    .option('--json', 'print the revoked key')
    .action(revoke);
}

/** Parses a list of permissions, or the name of a role. */
function permissionsOf(text: string): string[] {
  const role = staffRoles.find((name) => name === text.trim().toUpperCase());
  if (role) return staffPermissions.filter((permission) => staffCan(role, permission));
  try {
    return parseStaffPermissions(text.split(',').map((name) => name.trim()));
  } catch (error) {
    throw new InvalidArgumentError(`The ${(error as Error).message}.`);
  }
}

interface CreateOptions extends Output {
  label: string;
  permissions: string[];
  expires?: Expiry;
  allowedAddresses?: string[];
}

async function create(options: CreateOptions): Promise<void> {
  const { label, permissions, expires, allowedAddresses, json } = options;
  const { issueAdminKey } = await import('../tenants/people/admin-keys.ts');
  const issued = await withWorkspace((workspace) => {
    const expiresAtMs = expires && instantOf(expires, workspace.clock.nowMs());
    return issueAdminKey(workspace, { label, permissions, expiresAtMs, allowedAddresses });
  });
  const id = formatId('ak', issued.id);
  await printOnce(
    { json },
    {
      object: { id, key: issued.key },
      fields: { Key: issued.key, Id: id, Label: label, May: mayDo(permissions) },
      words: keepNow,
      instead: `The new key could not be shown. Revoke it:  zimbo admin-keys revoke ${id}`,
    },
  );
}

async function list({ json }: Output): Promise<void> {
  const [{ listAdminKeys }, { adminKeyView }] = await Promise.all([
    import('../tenants/people/admin-key-store.ts'),
    import('../tenants/people/admin-keys.ts'),
  ]);
  const { keys, nowMs } = await withWorkspace(async ({ database, clock }) => ({
    keys: await listAdminKeys(database, mostKeys, null),
    nowMs: clock.nowMs(),
  }));
  if (json) printJson(keys.map(adminKeyView));
  else if (keys.length === 0) console.log('There are no keys of /admin/v1, so nobody can use it.');
  else
    printTable(
      ['ID', 'KEY', 'LABEL', 'STATE', 'MAY', 'FROM', 'MADE BY', 'CREATED (UTC)', 'LAST USED (UTC)'],
      keys.map((key) => rowOf(key, nowMs)),
    );
}

/** More keys than anyone creates. */
const mostKeys = 10_000;

async function revoke(id: string, { json }: Output): Promise<void> {
  const { adminKeyView, revokeAdminKey } = await import('../tenants/people/admin-keys.ts');
  const key = await withWorkspace((workspace) =>
    withId({ name: 'admin-key', prefix: 'ak' }, id, (uuid) => revokeAdminKey(workspace, uuid)),
  );
  if (json) printJson(adminKeyView(key));
  else console.log(`${masked(key)} is revoked. Every process refuses it within 5 seconds.`);
}

const masked = ({ last4 }: AdminKey) => `ak_admin_…${last4}`;

const mayDo = (permissions: readonly string[]) =>
  permissions.length === staffPermissions.length ? 'everything' : permissions.join(', ');

const instant = (ms: number | null) => (ms === null ? '-' : formatInstant(ms));

const rowOf = (key: AdminKey, nowMs: number): string[] => [
  formatId('ak', key.id),
  masked(key),
  key.label,
  stateOf(key, nowMs),
  mayDo(key.permissions),
  key.allowedAddresses.length === 0 ? 'everywhere' : key.allowedAddresses.join(', '),
  key.createdBy,
  formatInstant(key.createdAtMs),
  instant(key.lastUsedAtMs),
];

function stateOf({ revokedAtMs, expiresAtMs }: AdminKey, nowMs: number): string {
  if (revokedAtMs !== null) return `revoked ${formatInstant(revokedAtMs)}`;
  if (expiresAtMs === null) return 'valid';
  return `${expiresAtMs <= nowMs ? 'expired' : 'until'} ${formatInstant(expiresAtMs)}`;
}
