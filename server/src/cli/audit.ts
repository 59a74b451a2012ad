import type { Command } from 'commander';
import type { ListedRecord, RecordFilter } from '../audit/store.ts';
import type { Head } from '../audit/verify.ts';
import { formatId, parseId } from '../ids.ts';
import { StartError } from '../start-error.ts';
import { collectHeads, countOf, instantOf, recordLine, recordView } from './audit-options.ts';
import { withId } from './failure.ts';
import { type Output, printFields, printJson, printTable } from './output.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

interface FilterOptions {
  since?: number;
  until?: number;
  actor?: string;
  action?: string;
  subject?: string;
  merchant?: string;
}

const help = `
The log has every change made by a person or an API key, and every export, backup, restore and resolution. Payments
and refunds name the key that created them instead. docs/audit.md says what is recorded, and what the seals prove.

Examples:
  $ zimbo audit --since 2026-11-01 --action 'webhook.*'
  $ zimbo audit --subject pi_…
  $ zimbo audit export audit.csv --since 2026-01-01
  $ zimbo audit head >> heads.txt
  $ zimbo audit verify --head 12:9f86…`;

export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('who did what: list it, export it, check it for tampering')
    .addHelpText('after', help);
  withFilters(audit.command('list', { isDefault: true }).description('newest first'))
    .option('--limit <count>', 'the maximum number', countOf, 50)
    .option('--json', 'print an array')
    .action(list);
  withFilters(
    audit
      .command('export')
      .description('write all matching records as CSV; "-" for stdout')
      .argument('<file>', 'a new file'),
  ).action(async (file: string, options: FilterOptions) =>
    (await import('./audit-export.ts')).exportAudit(file, (workspace) =>
      filterOf(workspace, options),
    ),
  );
  audit
    .command('head')
    .description('seal new records, and print the last seal, to be kept elsewhere')
    .option('--json', 'print {"head": …, "sealedAt": …}')
    .action(head);
  audit
    .command('verify')
    .description('check whether any record was changed, removed, inserted or cut off')
    .option('--head <number:hash>', 'a head that you kept; may be repeated', collectHeads, [])
    .option('--json', 'print {"clean": …, "problems": […], …}')
    .addHelpText('after', '\nIt exits with 0 if nothing was changed, otherwise with 1.')
    .action(verify);
}

function withFilters(command: Command): Command {
  return command
    .option('--since <when>', 'from this day or instant on (UTC)', instantOf)
    .option('--until <when>', 'before this day or instant', instantOf)
    .option('--actor <name>', 'such as cli:maria, key:ak_… or "key:*"')
    .option('--action <name>', 'such as api_key.revoked or "webhook.*"')
    .option('--subject <id>', 'what it was done to')
    .option('--merchant <id>', 'for this merchant (me_…)');
}

async function filterOf(_workspace: Workspace, options: FilterOptions): Promise<RecordFilter> {
  const { since, until, actor, action, subject, merchant } = options;
  const merchantId =
    merchant === undefined
      ? undefined
      : await withId({ name: 'merchant', prefix: 'me' }, merchant, async (uuid) => uuid);
  return { sinceMs: since, untilMs: until, actor, action, subject, merchantId };
}

async function list(options: Output & FilterOptions & { limit: number }): Promise<void> {
  const { listRecords } = await import('../audit/store.ts');
  const { records, maker } = await withWorkspace(async (workspace) => {
    const filter = await filterOf(workspace, options);
    const { limit, subject } = options;
    return {
      records: await listRecords(workspace.database, filter, { limit }),
      maker: subject === undefined ? undefined : await makerOf(workspace, subject),
    };
  });
  if (options.json) {
    printJson(records.map(recordView));
    return;
  }
  if (maker !== undefined) console.log(`${maker}\n`);
  if (records.length === 0) console.log('Nothing is recorded.');
  else printRecords(records);
}

function printRecords(records: readonly ListedRecord[]): void {
  printTable(['AT (UTC)', 'WHO', 'FROM', 'WHAT', 'TO', 'CHANGE'], records.map(recordLine));
}

/** Payments, refunds and checkout sessions have no record of their creation: they name their key. */
async function makerOf({ database }: Workspace, subject: string): Promise<string | undefined> {
  const { findMaker } = await import('../audit/store.ts');
  const id = (['pi', 're', 'cs'] as const).map((prefix) => parseId(prefix, subject)).find(Boolean);
  const maker = id === undefined ? undefined : await findMaker(database, id);
  if (!maker) return undefined;
  if (maker.keyId === null) return `${subject} was made by no key that is known.`;
  const label = maker.label === null ? '' : ` (${maker.label})`;
  return `${subject} was made with the key ${formatId('ak', maker.keyId)}${label}.`;
}

async function head({ json }: Output): Promise<void> {
  const [{ sealRecords }, { findHead }] = await Promise.all([
    import('../audit/seal.ts'),
    import('../audit/store.ts'),
  ]);
  const last = await withWorkspace(async (workspace) => {
    while (await sealRecords(workspace));
    return findHead(workspace.database);
  });
  if (!last) throw new StartError('Nothing has been recorded yet, so there is no seal.');
  const { number, hash, sealedAtMs } = last;
  const text = `${number}:${hash.toString('hex')}`;
  if (json) printJson({ head: text, sealedAt: new Date(sealedAtMs).toISOString() });
  else console.log(text);
}

async function verify({ head: heads, json }: Output & { head: Head[] }): Promise<void> {
  const { verifyAudit } = await import('../audit/verify.ts');
  const found = await withWorkspace(({ database }) => verifyAudit(database, heads));
  const { problems, problemCount, seals, records, unsealed, head: last } = found;
  const isClean = problemCount === 0;
  const lastText = last === null ? null : `${last.number}:${last.hash.toString('hex')}`;
  if (!isClean) process.exitCode = 1;
  if (json) {
    const counts = { seals: String(seals), records, unsealed: String(unsealed) };
    printJson({ clean: isClean, problems, problemCount, ...counts, head: lastText });
    return;
  }
  for (const problem of problems) console.log(`- ${problem}`);
  const more = problemCount - problems.length;
  if (more > 0) console.log(`- and ${more} more`);
  if (!isClean) console.log();
  printFields({
    Seals: String(seals),
    'Records sealed': String(records),
    'Not sealed yet': String(unsealed),
    'Last seal': lastText ?? '-',
  });
  if (!isClean)
    console.log(
      '\nThe audit log is not as it was written, or not all of it is sealed. docs/audit.md tells what each of these means, and what to do.',
    );
  else if (heads.length === 0) {
    console.log(
      '\nNothing was changed or removed. Whether the end was cut off tells only a head that you kept: --head.',
    );
  } else console.log('\nNothing was changed, removed or cut off before the heads that you kept.');
}
