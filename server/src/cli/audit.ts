import type { Command } from 'commander';
import type { ListedRecord, RecordFilter } from '../platform/audit/store.ts';
import { formatId, parseId } from '../platform/values/ids.ts';
import { collectHeads, countOf, type KeptHead, recordLine, recordView } from './audit-options.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { withId } from './failure.ts';
import { type Output, printJson, printTable } from './output.ts';
import { instantOf } from './parse-start-time.ts';
import type { Workspace } from './workspace.ts';

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

const exportHelp = `
With several cells, it writes one after the other, the newest records of each first, with a column "cell" before all
others. It exits with 1 if a cell does not answer.`;

const headHelp = `
Each cell has its own seals: with several cells, it prints one line for each, such as north:12:9f86…`;

const verifyHelp = `
It exits with 0 if nothing was changed, otherwise with 1. With several cells, a head names its cell (north:12:9f86…); a head without a name belongs to the home, or to --cell.`;

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
      .argument('<file>', 'a new file')
      .addHelpText('after', exportHelp),
  ).action(async (file: string, options: FilterOptions) =>
    (await import('./audit-export.ts')).exportAudit(file, await filterOf(options)),
  );
  audit
    .command('head')
    .description('seal new records, and print the last seal, to be kept elsewhere')
    .option('--json', 'print {"head": …, "sealedAt": …}')
    .addHelpText('after', headHelp)
    .action(async (options: Output) => (await import('./audit-seals.ts')).printHeads(options));
  audit
    .command('verify')
    .description('check whether any record was changed, removed, inserted or cut off')
    .option('--head <number:hash>', 'a head that you kept; may be repeated', collectHeads, [])
    .option('--json', 'print {"clean": …, "problems": […], …}')
    .addHelpText('after', verifyHelp)
    .action(async (options: Output & { head: KeptHead[] }) =>
      (await import('./audit-seals.ts')).verify(options),
    );
}

function withFilters(command: Command): Command {
  return command
    .option('--since <when>', 'from this day or instant on (UTC)', instantOf)
    .option('--until <when>', 'before this day or instant', instantOf)
    .option('--actor <name>', 'such as cli:maria, key:ak_… or "key:*"')
    .option('--action <name>', 'such as api_key.revoked or "webhook.*"')
    .option('--subject <id>', 'the object that was changed')
    .option('--merchant <id>', 'for this merchant (me_…)');
}

async function filterOf(options: FilterOptions): Promise<RecordFilter> {
  const { since, until, actor, action, subject, merchant } = options;
  const merchantId =
    merchant === undefined
      ? undefined
      : await withId({ name: 'merchant', prefix: 'me' }, merchant, async (uuid) => uuid);
  return { sinceMs: since, untilMs: until, actor, action, subject, merchantId };
}

async function list(options: Output & FilterOptions & { limit: number }): Promise<void> {
  const { listRecords } = await import('../platform/audit/store.ts');
  const { limit, subject } = options;
  const filter = await filterOf(options);
  const cells = await inEachCell(async (workspace) => ({
    records: await listRecords(workspace.database, filter, { limit }),
    maker: subject === undefined ? undefined : await makerOf(workspace, subject),
  }));
  const found = resultsOf(cells).map(({ result }) => result);
  const maker = found.map((each) => each.maker).find((each) => each !== undefined);
  // Ids begin with the instant.
  const records = found
    .flatMap((each) => each.records)
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit);
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

/** The creation of payments, refunds and checkout sessions is not recorded: they name their key instead. */
async function makerOf({ database }: Workspace, subject: string): Promise<string | undefined> {
  const { findMaker } = await import('../platform/audit/store.ts');
  const id = (['pi', 're', 'cs'] as const).map((prefix) => parseId(prefix, subject)).find(Boolean);
  const maker = id === undefined ? undefined : await findMaker(database, id);
  if (!maker) return undefined;
  if (maker.keyId === null) return `${subject} was not made with a known key.`;
  const label = maker.label === null ? '' : ` (${maker.label})`;
  return `${subject} was made with the key ${formatId('ak', maker.keyId)}${label}.`;
}
