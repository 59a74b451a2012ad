import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ExportedPosting } from '../money/ledger/export.ts';
import { sourceText } from '../money/ledger/postings.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { formatId } from '../platform/values/ids.ts';
import { formatMajor } from './output.ts';

const columns = [
  'created_at',
  'merchant',
  'mode',
  'kind',
  'source',
  'from_account',
  'to_account',
  'amount',
  'currency',
];

/** Writes all postings of all cells as CSV: to stdout, or to a file that appears only when complete. */
export async function exportLedger(file: string): Promise<void> {
  await writeExport(file, 'posting', (output) => write(output, file));
}

/**
 * Gives an export its output: stdout for "-", or a file that appears only when complete. @param write returns how many
 * items it wrote
 */
export async function writeExport(
  file: string,
  noun: string,
  write: (output: Writable) => Promise<number>,
): Promise<void> {
  if (file === '-') {
    await untilClosed(() => write(process.stdout));
    return;
  }
  const partial = `${file}.partial`;
  const output = createWriteStream(partial, { mode: 0o600 });
  const opened = once(output, 'open');
  await opened.catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `${JSON.stringify(file)} cannot be written (${error.code}).`,
      'Name a file in a folder that exists and that you may write to, or "-" for stdout.',
    );
  });
  try {
    const count = await write(output);
    output.end();
    await finished(output);
    await rename(partial, file);
    console.log(`${count} ${noun}${count === 1 ? '' : 's'} written to ${file}`);
  } catch (error) {
    output.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

async function write(output: Writable, file: string): Promise<number> {
  const [{ exportPostings }, { writeCells }] = await Promise.all([
    import('../money/ledger/export.ts'),
    import('./cells/export.ts'),
  ]);
  return writeCells(output, {
    columns,
    record: { tenantId: null, action: 'ledger.exported', subject: 'all', detail: { file } },
    rowsOf: ({ database }, take) => exportPostings(database, (page) => take(page.map(fieldsOf))),
  });
}

/** Waits for the output to drain, so that memory holds at most one page. */
export async function writeText(output: Writable, text: string): Promise<void> {
  if (output.destroyed) throw output.errored ?? new Error('the output was closed');
  if (!output.write(text)) await once(output, 'drain');
}

/** A reader such as "head" that stops early is not an error. */
async function untilClosed(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!process.stdout.destroyed && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function fieldsOf(posting: ExportedPosting): string[] {
  return [
    new Date(posting.createdAtMs).toISOString(),
    formatId('me', posting.merchantId),
    posting.mode,
    posting.kind,
    sourceText(posting),
    posting.fromAccount,
    posting.toAccount,
    formatMajor(posting.amountMinor),
    posting.currency,
  ];
}
