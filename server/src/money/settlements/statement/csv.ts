import { csvLine } from '../../../platform/formats/csv.ts';
import { wallClockMs } from '../../../platform/values/local-day.ts';
import { hasEnded, type Movement, type Statement } from './read.ts';

const columns = ['at', 'type', 'id', 'payment_intent_id', 'amount', 'balance', 'currency'];

/**
 * For programs: opening balance, each movement, closing balance; amounts in centavos, instants in the merchant's
 * local time. In an unfinished month, the last line is the balance so far.
 */
export async function* statementCsv(
  statement: Statement,
  movements: AsyncIterable<Movement[]>,
  nowMs: number,
): AsyncGenerator<string> {
  const { openingMinor, closingMinor, fromMs, untilMs, currency, timeZone } = statement;
  const at = localInstant(timeZone);
  const edge = (atMs: number, type: string, minor: bigint) =>
    csvLine([at(atMs), type, '', '', '', minor.toString(), currency]);
  yield csvLine(columns) + edge(fromMs, 'OPENING_BALANCE', openingMinor);
  for await (const page of movements) {
    yield page.map((movement) => lineOf(movement, at, currency)).join('');
  }
  yield hasEnded(statement, nowMs)
    ? edge(untilMs, 'CLOSING_BALANCE', closingMinor)
    : edge(nowMs, 'BALANCE_SO_FAR', closingMinor);
}

const lineOf = (movement: Movement, at: (ms: number) => string, currency: string) => {
  const { atMs, type, id, paymentId, amountMinor, balanceMinor } = movement;
  return csvLine([
    at(atMs),
    type,
    id,
    paymentId ?? '',
    amountMinor.toString(),
    balanceMinor.toString(),
    currency,
  ]);
};

/** `2026-11-01T00:00:00.000-01:00` */
export function localInstant(timeZone: string): (atMs: number) => string {
  return (atMs) => {
    const localMs = wallClockMs(atMs, timeZone);
    const minutes = Math.round((localMs - atMs) / 60_000);
    const part = (count: number) => String(count).padStart(2, '0');
    const offset = Math.abs(minutes);
    const zone = `${minutes < 0 ? '-' : '+'}${part(Math.floor(offset / 60))}:${part(offset % 60)}`;
    return new Date(localMs).toISOString().replace('Z', zone);
  };
}
