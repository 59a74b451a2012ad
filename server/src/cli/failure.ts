import { CommanderError } from 'commander';
import { DomainError, dropRowValues, reasonOf } from '../platform/errors/errors.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { type IdPrefix, parseId } from '../platform/values/ids.ts';

const failed = 1;
const misused = 2;

/** Reports an error on stderr. @returns the exit code */
export function reportFailure(error: unknown): number {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
  if (error instanceof StartError) {
    console.error(error.message);
    if (error.hint) console.error(error.hint);
  } else if (error instanceof DomainError) {
    console.error(error.message);
  } else if (isFullDisk(error)) {
    console.error(`The output cannot be written: ${reasonOf(error)}.`);
    console.error('Free space at the destination of the output, and run the command again.');
  } else if (isOfDatabase(error) || isOfDriver(error)) {
    console.error(`The database cannot be used: ${reasonOf(error)}.`);
    console.error(
      'Check that PostgreSQL is running and that DATABASE_URL is right. If the machine is very busy, try again.',
    );
  } else if (isOfFiles(error)) {
    console.error(`A file or folder cannot be used: ${reasonOf(error)}.`);
  } else {
    // The gateway logs what its commands print.
    console.error(error instanceof Error ? dropRowValues(error) : error);
  }
  return failed;
}

const isFullDisk = (error: unknown): error is Error =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOSPC';

/** A refusal of the operating system, which is not a fault of this program. */
const isOfFiles = (error: unknown): error is Error =>
  error instanceof Error &&
  'syscall' in error &&
  /^E(ACCES|BUSY|DQUOT|EXIST|FBIG|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NFILE|NOENT|NOTDIR|NOTEMPTY|PERM|ROFS|STALE|XDEV)$/.test(
    (error as NodeJS.ErrnoException).code ?? '',
  );

/** The message of a refused request, and below it the other problems that the request has. */
export function wordsOfProblems(refusal: {
  message: string;
  details?: readonly { message: string }[] | undefined;
}): string {
  const others = (refusal.details ?? []).slice(1).map(({ message }) => message);
  return [refusal.message, ...others].join('\n');
}

/** Explains an error of one of several cells in sentences, with advice if there is any. */
export function failureText(error: Error): string {
  const reason = reasonOf(error);
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return error instanceof StartError && error.hint ? `${sentence} ${error.hint}` : sentence;
}

/** The server's refusals have an SQLSTATE, connections that fail an errno. */
export function isOfDatabase(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    typeof code === 'string' &&
    /^(08|28|3D|53|57)\w{3}$|^(25006|42501)$|^E(CONN|NOTFOUND|AI_|HOST|TIMEDOUT|PIPE|NOPRIMARY)/.test(
      code,
    )
  );
}

/** A connection that timed out or broke: the driver's own errors have no code. */
const isOfDriver = (error: unknown): error is Error =>
  error instanceof Error &&
  !('code' in error) &&
  /^(timeout e|Connection terminated|Query read timeout)/.test(error.message);

/** Runs with the UUID of an id that a person gave. @throws StartError if the object does not exist */
export async function withId<T>(
  what: { name: string; prefix: IdPrefix },
  id: string,
  run: (uuid: string) => Promise<T>,
): Promise<T> {
  const unknown = new StartError(
    `There is no ${what.name} ${JSON.stringify(id)}.`,
    `"zimbo ${what.name}s list" shows them all.`,
  );
  const uuid = parseId(what.prefix, id);
  if (uuid === undefined) throw unknown;
  try {
    return await run(uuid);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') throw unknown;
    throw error;
  }
}
