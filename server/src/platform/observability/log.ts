import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { dropRowValues } from '../errors/errors.ts';
import { outageOf } from './outage.ts';

/** The log of this program, on stderr by default. On a terminal, JSON lines would bury the messages for people. */
export function openLog(
  level: string = process.stderr.isTTY ? 'warn' : 'info',
  destination: DestinationStream = pino.destination(2),
): Logger {
  const serializers = { err: errorForLog };
  return pino({ level, serializers, hooks: { logMethod: logUnlessReported } }, destination);
}

const debugLevel = 20;

/** An outage of the database has its own lines, instead of one for each failing request and loop. */
function logUnlessReported(
  this: Logger,
  args: Parameters<LogFn>,
  method: LogFn,
  level: number,
): void {
  const about: unknown = args[0];
  const error =
    typeof about === 'object' && about !== null && 'err' in about ? about.err : undefined;
  if (level > debugLevel && outageOf(error)) this.debug(...args);
  else method.apply(this, args);
}

/** Serializes an error for the log: for a database error, its code, constraint and table, but no values. */
function errorForLog(error: Error): object {
  return dropRowValues(pino.stdSerializers.err(error));
}
