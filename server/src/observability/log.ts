import { type DestinationStream, type Logger, pino } from 'pino';

/** What PostgreSQL says besides its message holds the values of rows: phones, names of customers. */
const holdsValues = ['detail', 'where', 'internalQuery'] as const;

/** The log of this program, on stderr by default. On a terminal, lines of JSON would drown what a person should read. */
export function openLog(
  level: string = process.stderr.isTTY ? 'warn' : 'info',
  destination: DestinationStream = pino.destination(2),
): Logger {
  return pino({ level, serializers: { err: errorForLog } }, destination);
}

/** An error as the log shows it: of one of the database its code, constraint and table, and no values. */
function errorForLog(error: Error): object {
  return withoutValues(pino.stdSerializers.err(error));
}

/** Those of several errors in one, too. */
function withoutValues(shown: object): object {
  for (const name of holdsValues) if (name in shown) Reflect.deleteProperty(shown, name);
  for (const value of Object.values(shown).flat()) {
    if (typeof value === 'object' && value !== null && 'stack' in value) withoutValues(value);
  }
  return shown;
}
