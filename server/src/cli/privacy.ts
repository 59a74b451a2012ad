import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type Command, InvalidArgumentError } from 'commander';
import type { Erased, TenantWait } from '../operations/privacy/erasures.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { formatId } from '../platform/values/ids.ts';
import { erasedPhone, normalizePhone } from '../platform/values/phone.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { defaultDataDir } from './operator-simulator.ts';
import {
  formatCount,
  formatInstant,
  type Output,
  printable,
  printFields,
  printJson,
} from './output.ts';
import type { Workspace } from './workspace.ts';

interface Options extends Output {
  phone: string;
  simulatorDir: string;
}

/** The rights of a person: access to their data, and erasure. */
export function addPrivacyCommands(program: Command): void {
  const privacy = program
    .command('privacy')
    .description('show or erase what is stored about a person')
    .addHelpText('after', help);
  privacy
    .command('export')
    .description('print everything stored about a person, as lines of JSON')
    .requiredOption('--phone <phone>', "the person's phone, such as +2389912345", phoneOf)
    .action(exportAll);
  privacy
    .command('erase')
    .description('erase a person’s data now, or as soon as it is no longer needed')
    .requiredOption('--phone <phone>', "the person's phone, such as +2389912345", phoneOf)
    .option('--simulator-dir <folder>', 'the data of the operator simulator', defaultDataDir)
    .option('--json', 'print the erased data, and the data that must wait')
    .action(erase);
}

const help = `
Both leave an audit record, without the phone. Use the gateway's ZIMBO_SECRET_KEY and DATA_DIR; the gateway may be
running. docs/privacy.md explains how to answer a person's request.

Examples:
  $ zimbo privacy export --phone +2389912345 > person.jsonl
  $ zimbo privacy erase --phone +2389912345`;

function phoneOf(text: string): string {
  const phone = normalizePhone(text);
  if (phone === undefined) throw new InvalidArgumentError('It must be + and 8 to 15 digits.');
  return phone;
}

/** The key to recognise phones without storing them. */
export async function privacyDependencies({
  config,
  database,
  log,
}: Pick<Workspace, 'config' | 'database' | 'log'>) {
  const [
    { findSecretKeys },
    { createDigestKey },
    { makeDigestPhone },
    { openRequestHashes },
    { createSecretBox },
    { erasuresFile },
  ] = await Promise.all([
    import('../platform/secrets/secret-keys.ts'),
    import('../platform/secrets/digest-key.ts'),
    import('../operations/privacy/phone-digest.ts'),
    import('../platform/idempotency/idempotency.ts'),
    import('../platform/secrets/secret-box.ts'),
    import('../operations/privacy/erasures-file.ts'),
  ]);
  const keys = await findSecretKeys(config);
  if (!keys) {
    throw new StartError(
      'There is no secret key, but the erasure is stored as a digest under it.',
      "Set ZIMBO_SECRET_KEY to the gateway's; or, with the embedded database, start the gateway once.",
    );
  }
  const secrets = createSecretBox(keys.current, keys.previous);
  const digestKey = createDigestKey({ database, secrets, log });
  return {
    digestPhone: makeDigestPhone(keys),
    requestHashes: await openRequestHashes({ digestKey, keys }),
    legalRetentionMs: config.legalRetentionMs,
    file: erasuresFile(config.dataDir),
  };
}

async function exportAll({ phone }: Pick<Options, 'phone'>): Promise<void> {
  const { exportPerson } = await import('../operations/privacy/export.ts');
  const printed = new Map<string, number>();
  const outcomes = await inEachCell(
    async (workspace, cell, isOnly) => {
      const { digestPhone } = await privacyDependencies(workspace);
      for await (const line of exportPerson({ ...workspace, digestPhone }, phone)) {
        console.log(isOnly ? line : inCell(line, cell));
        printed.set(cell, (printed.get(cell) ?? 0) + 1);
      }
    },
    { inTurn: true },
  );
  resultsOf(outcomes);
  for (const outcome of outcomes) {
    const count = 'error' in outcome && printed.get(outcome.cell);
    if (count)
      console.error(`The export broke off: the ${count} lines of ${outcome.cell} are incomplete.`);
  }
}

/** With several cells, each line names its cell. The rest is copied as text: parsing it would round large numbers. */
const inCell = (line: string, cell: string) => `{"cell":${JSON.stringify(cell)},${line.slice(1)}`;

async function erase({ phone, json, simulatorDir }: Options): Promise<void> {
  const { erasePerson } = await import('../operations/privacy/erasures.ts');
  const outcomes = await inEachCell(async (workspace) => {
    const dependencies = await privacyDependencies(workspace);
    const done = await erasePerson({ ...workspace, ...dependencies }, phone);
    return { erased: done, file: dependencies.file };
  });
  const cells = resultsOf(outcomes);
  const simulatedTransactions = await eraseSimulated(simulatorDir, phone);
  const isOne = outcomes.length === 1;
  if (json) {
    const views = cells.map(({ cell, result }) => ({ cell, ...viewOf(result.erased) }));
    const { cell: _, ...only } = views[0]!;
    printJson({ ...(isOne ? only : { cells: views }), simulatedTransactions });
  } else {
    for (const [index, { cell, result }] of cells.entries()) {
      if (!isOne) console.log(`${index === 0 ? '' : '\n'}${styleText('bold', cell)}`);
      printErased(result.erased, result.file);
    }
  }
}

/** The operator simulator is a separate program with its own file. */
async function eraseSimulated(dataDir: string, phone: string): Promise<number> {
  const { fileName, Store } = await import('../../../operator-simulator/src/store.ts');
  if (!existsSync(join(dataDir, fileName))) return 0;
  const store = Store.open(dataDir);
  try {
    return store.erasePayer(phone, erasedPhone);
  } finally {
    store.close();
  }
}

function viewOf({ erasure, payments, waits, traces, endpoints }: Erased) {
  return {
    id: formatId('er', erasure.id),
    erasedPayments: payments,
    erasedTexts: traces,
    endpointsNamingIt: endpoints.map(({ id, url }) => ({ id: formatId('we', id), url })),
    waiting: waits.map(({ id, reason, keptUntilMs }) => ({
      paymentId: formatId('pi', id),
      reason,
      keptUntil: keptUntilMs === null ? null : new Date(keptUntilMs).toISOString(),
    })),
  };
}

function printErased(erased: Erased, file: string): void {
  const { erasure, payments, waits, traces, endpoints } = erased;
  const texts = Object.entries(traces).map(([table, count]) => `${formatCount(count)} ${table}`);
  printFields({
    Erasure: formatId('er', erasure.id),
    'Payments erased': formatCount(payments),
    'Payments that must wait': formatCount(waits.length),
    ...(texts.length > 0 && { 'Named in texts of': texts.join(', ') }),
    'Kept outside the database in': file,
  });
  if (waits.length > 0) console.log(`\n${waitsInWords(waits).join('\n')}`);
  if (endpoints.length > 0) {
    const urls = endpoints.map(({ id, url }) => `- ${formatId('we', id)}  ${printable(url)}`);
    console.log(
      `\nThe URLs of these webhook endpoints contain the phone. Ask the merchant to change them:\n${urls.join('\n')}`,
    );
  }
}

const reasons: Record<TenantWait['reason'], string> = {
  MONEY_UNDER_WAY: 'until their money, or its refund, has arrived',
  FOR_REVIEW: 'until a person has looked into them: zimbo review',
  SESSION_OPEN: 'until their checkout session has ended',
  KEPT_BY_LAW: 'because they must be kept by law (LEGAL_RETENTION_DAYS)',
};

function waitsInWords(waits: readonly TenantWait[]): string[] {
  return [...Map.groupBy(waits, ({ reason }) => reason)].map(([reason, found]) => {
    const untilMs = found.flatMap(({ keptUntilMs }) => keptUntilMs ?? []);
    const dates = untilMs.length > 0 ? `; the last until ${latest(untilMs)}` : '';
    return `- ${formatCount(found.length)} wait ${reasons[reason]}${dates}. The gateway then erases them.`;
  });
}

const latest = (instants: readonly number[]) =>
  `${formatInstant(instants.reduce((a, b) => Math.max(a, b)))} (UTC)`;
