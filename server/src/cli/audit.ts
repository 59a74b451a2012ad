import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { ListedRecord, RecordFilter } from '../audit/store.ts';
import type { Head } from '../audit/verify.ts';
import { homeName } from '../cells/cell.ts';
import { formatId, parseId } from '../ids.ts';
import { StartError } from '../start-error.ts';
import { collectHeads, countOf, instantOf, recordLine, recordView } from './audit-options.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { chosenCell } from './cells/option.ts';
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
    .addHelpText(
      'after',
      '\nIt exits with 0 if nothing was changed, otherwise with 1. Of several cells each has seals of its own: a head is one of the home, or of --cell.',
    )
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
  const { limit, subject } = options;
  const cells = await inEachCell(async (workspace) => ({
    records: await listRecords(workspace.database, await filterOf(workspace, options), { limit }),
    maker: subject === undefined ? undefined : await makerOf(workspace, subject),
  }));
  const found = resultsOf(cells).map(({ result }) => result);
  const maker = found.map((each) => each.maker).find((each) => each !== undefined);
  // Ids are of the instant.
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
  // Each cell has a chain of its own; a head that somebody kept is of one of them.
  const outcomes = await inEachCell(({ database }, cell) =>
    verifyAudit(database, isOfHeads(cell) ? heads : []),
  );
  const cells = resultsOf(outcomes);
  if (cells.some(({ result }) => result.problemCount > 0)) process.exitCode = 1;
  if (outcomes.length === 1) {
    const [{ result }] = cells as [(typeof cells)[0]];
    if (json) printJson(verificationView(result));
    else printVerification(result, heads.length > 0);
  } else if (json) {
    printJson(cells.map(({ cell, result }) => ({ cell, ...verificationView(result) })));
  } else {
    for (const { cell, result } of cells) {
      console.log(styleText('bold', cell));
      printVerification(result, heads.length > 0 && isOfHeads(cell));
      console.log();
    }
  }
}

const isOfHeads = (cell: string) => cell === (chosenCell() ?? homeName);

type Verification = Awaited<ReturnType<typeof import('../audit/verify.ts').verifyAudit>>;

const lastSeal = ({ head: last }: Verification) =>
  last === null ? null : `${last.number}:${last.hash.toString('hex')}`;

function verificationView(found: Verification) {
  const { problems, problemCount, seals, records, unsealed } = found;
  const counts = { seals: String(seals), records, unsealed: String(unsealed) };
  return { clean: problemCount === 0, problems, problemCount, ...counts, head: lastSeal(found) };
}

function printVerification(found: Verification, hasHeads: boolean): void {
  const { problems, problemCount, seals, records, unsealed } = found;
  const isClean = problemCount === 0;
  for (const problem of problems) console.log(`- ${problem}`);
  const more = problemCount - problems.length;
  if (more > 0) console.log(`- and ${more} more`);
  if (!isClean) console.log();
  printFields({
    Seals: String(seals),
    'Records sealed': String(records),
    'Not sealed yet': String(unsealed),
    'Last seal': lastSeal(found) ?? '-',
  });
  if (!isClean)
    console.log(
      '\nThe audit log is not as it was written, or not all of it is sealed. docs/audit.md tells what each of these means, and what to do.',
    );
  else if (!hasHeads) {
    console.log(
      '\nNothing was changed or removed. Whether the end was cut off tells only a head that you kept: --head.',
    );
  } else console.log('\nNothing was changed, removed or cut off before the heads that you kept.');
}
