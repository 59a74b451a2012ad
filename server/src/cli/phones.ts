import type { Command } from 'commander';
import { StartError } from '../platform/errors/start-error.ts';
import { formatInstant, type Output, printJson, printTable } from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

const help = `
For every merchant, a live payment from a blocked phone fails at once with PAYER_NOT_ALLOWED.
The database stores only a keyed digest of the phone, and its first and last digits, so that you can recognise it.

Examples:
  $ zimbo phones block "+238 991 23 45" --reason "asked us by telephone, 2026-11-21"
  $ zimbo phones allow "+238 991 23 45"`;

export function addPhoneCommands(program: Command): void {
  const phones = program
    .command('phones')
    .description('phones blocked from payment prompts')
    .addHelpText('after', help);
  phones
    .command('block')
    .description('block a phone: payments no longer prompt it')
    .argument('<phone>', 'in international format, with + and the country code')
    .option('--reason <text>', 'shown in the list')
    .option('--json', 'print {"changed": …}')
    .action(block);
  phones
    .command('allow')
    .description('unblock a phone: payments may prompt it again')
    .argument('<phone>', 'in international format, with + and the country code')
    .option('--json', 'print {"changed": …}')
    .action(allow);
  phones
    .command('list')
    .description('blocked phones, newest first')
    .option('--json', 'print an array')
    .action(list);
}

async function block(given: string, { reason, json }: Output & { reason?: string }): Promise<void> {
  const { blockPhone } = await import('../money/phones/block.ts');
  const changed = await withWorkspace(async (workspace) =>
    blockPhone(workspace, await named(workspace, given), reason ?? null),
  );
  tell(changed, json, ['Blocked.', 'This phone is already blocked.']);
}

async function allow(given: string, { json }: Output): Promise<void> {
  const { allowPhone } = await import('../money/phones/block.ts');
  const changed = await withWorkspace(async (workspace) =>
    allowPhone(workspace, await named(workspace, given)),
  );
  tell(changed, json, ['Payments may prompt this phone again.', 'This phone was not blocked.']);
}

function tell(changed: boolean, json: true | undefined, [done, nothing]: [string, string]): void {
  if (json) printJson({ changed });
  else console.log(changed ? done : nothing);
}

async function list({ json }: Output): Promise<void> {
  const { listBlockedPhones } = await import('../money/phones/store.ts');
  const blocked = await withWorkspace(({ database }) => listBlockedPhones(database));
  const rows = blocked.map(({ phoneDigest, maskedPhone, reason, blockedAtMs, blockedBy }) => ({
    digest: phoneDigest.toString('hex').slice(0, 16),
    phone: maskedPhone,
    blockedAt: new Date(blockedAtMs).toISOString(),
    blockedBy,
    reason,
  }));
  if (json) {
    printJson(rows);
    return;
  }
  if (rows.length === 0) {
    console.log('No phone is blocked.');
    return;
  }
  printTable(
    ['Phone', 'Digest', 'Since', 'By', 'Reason'],
    rows.map((row, index) => [
      row.phone,
      row.digest,
      formatInstant(blocked[index]!.blockedAtMs),
      row.blockedBy,
      row.reason ?? '',
    ]),
  );
}

/** The stored form of the phone, with its digest. */
async function named({ config, database, log }: Workspace, given: string) {
  const [
    { normalizePhone },
    { createPhoneDigests },
    { createDigestKey },
    { findSecretKeys },
    { createSecretBox },
  ] = await Promise.all([
    import('../platform/values/phone.ts'),
    import('../money/phones/digest.ts'),
    import('../platform/secrets/digest-key.ts'),
    import('../platform/secrets/secret-keys.ts'),
    import('../platform/secrets/secret-box.ts'),
  ]);
  const phone = normalizePhone(given);
  if (phone === undefined) {
    throw new StartError(
      `${JSON.stringify(given)} is not an international number: it must be + and 8 to 15 digits.`,
    );
  }
  const keys = await findSecretKeys(config);
  if (!keys) throw new StartError('ZIMBO_SECRET_KEY is not set.', theSameKey);
  const secrets = createSecretBox(keys.current, keys.previous);
  const phoneDigest = await createPhoneDigests(createDigestKey({ database, log, secrets })).of(
    phone,
  );
  if (!phoneDigest)
    throw new StartError('ZIMBO_SECRET_KEY is not the one of the gateway.', theSameKey);
  return { phone, phoneDigest };
}

const theSameKey =
  'Phones are stored as digests under that key: set the gateway’s ZIMBO_SECRET_KEY.';
