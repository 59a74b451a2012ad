import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { type Currency, timeZoneOf } from '../../../platform/values/money.ts';
import { type BalanceDays, readBalanceDays } from '../../ledger/daily-balances.ts';
import { type PayablePosting, payablePostings } from '../../ledger/payable-postings.ts';

export const movementTypes = [
  'PAYMENT',
  'FEE',
  'REFUND',
  'REFUND_RETURNED',
  'PAYOUT',
  'PAYOUT_RETURNED',
  'DISBURSEMENT',
  'DISBURSEMENT_RETURNED',
  'FEE_RETURNED',
  'DISBURSEMENT_CHARGED',
  'TOP_UP',
] as const;
export type MovementType = (typeof movementTypes)[number];

/** A line of a statement. */
export interface Movement {
  atMs: number;
  type: MovementType;
  /** `pi_…`, `re_…`, `di_…`, `tu_…` or `se_…`. */
  id: string;
  /** The payment of a refund. */
  paymentId: string | null;
  /** Negative for what lowers the balance. */
  amountMinor: bigint;
  balanceMinor: bigint;
}

/** The requested statement. */
export interface StatementQuestion {
  tenantId: string;
  currency: Currency;
  /** The first day, and the day after the last: `2026-11-01`, in the zone of the currency. */
  from: string;
  until: string;
}

export interface Statement extends StatementQuestion, BalanceDays {
  timeZone: string;
  fromMs: number;
  untilMs: number;
}

/** Before this, the last balance of the statement is provisional. */
export const hasEnded = ({ untilMs }: Statement, nowMs: number): boolean => untilMs <= nowMs;

/** More lines than this belong into an export of payments. */
export const mostMovements = 500_000;

/** There are more movements than a statement lists. */
export class TooManyMovements extends Error {}

/** The lines do not add up to the balance: none of them may leave. */
export class StatementMismatch extends Error {}

const edgesStatement = {
  name: 'statements.edges',
  text: 'SELECT $1::date::timestamp AT TIME ZONE $3 AS "fromMs", $2::date::timestamp AT TIME ZONE $3 AS "untilMs"',
};

/** The balance day by day, from sums that each posting updates. */
export async function readStatement(
  database: Queryable,
  question: StatementQuestion,
): Promise<Statement> {
  const timeZone = timeZoneOf[question.currency];
  const { from, until } = question;
  const days = await readBalanceDays(database, { ...question, timeZone });
  type Edges = { fromMs: number; untilMs: number };
  const [edges] = await database.query<Edges>(edgesStatement, [from, until, timeZone]);
  return { ...question, ...days, ...edges!, timeZone };
}

/**
 * Reads a statement at one instant with all its lines: consistent, despite concurrent bookings.
 * @param show must have read all lines when it ends
 */
export function withMovements<T>(
  database: Database,
  question: StatementQuestion,
  show: (
    statement: Statement,
    movements: AsyncGenerator<Movement[]>,
    snapshot: Queryable,
  ) => Promise<T>,
): Promise<T> {
  return database.transaction(async (snapshot) => {
    await snapshot.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    const statement = await readStatement(snapshot, question);
    return show(statement, movementsOf(snapshot, statement), snapshot);
  });
}

/**
 * Day by day, since only days with movements must be read.
 * @throws TooManyMovements
 * @throws StatementMismatch at the end, if the lines differ from the movement of the balance
 */
async function* movementsOf(snapshot: Queryable, statement: Statement): AsyncGenerator<Movement[]> {
  let balanceMinor = statement.openingMinor;
  let count = 0;
  for (const { day, closingMinor } of statement.days) {
    const values = [day, nextDay(day), statement.timeZone];
    type Edges = { fromMs: number; untilMs: number };
    const [edges] = await snapshot.query<Edges>(edgesStatement, values);
    for await (const page of payablePostings(snapshot, statement, edges!)) {
      const movements = page.flatMap(linesOf).map((line) => {
        balanceMinor += line.amountMinor;
        return { ...line, balanceMinor };
      });
      count += movements.length;
      if (count > mostMovements) throw new TooManyMovements();
      yield movements;
    }
    if (balanceMinor !== closingMinor) {
      throw new StatementMismatch(
        `the movements of ${day} come to ${balanceMinor}, and the balance is ${closingMinor}: see "zimbo ledger check"`,
      );
    }
  }
}

const nextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

type Line = Omit<Movement, 'balanceMinor'>;

function linesOf(posting: PayablePosting): Line[] {
  const { kind, sourceId, amountMinor, feeMinor, createdAtMs: atMs } = posting;
  const paymentId = posting.paymentId && formatId('pi', posting.paymentId);
  const line = (
    type: MovementType,
    prefix: 'pi' | 're' | 'di' | 'se' | 'tu',
    minor: bigint,
  ): Line => ({
    atMs,
    type,
    id: formatId(prefix, sourceId),
    paymentId,
    amountMinor: minor,
  });
  if (kind === 'debit_net') {
    return withFee(line('PAYMENT', 'pi', amountMinor + feeMinor), line('FEE', 'pi', -feeMinor));
  }
  if (kind === 'refund_out') return [line('REFUND', 're', -amountMinor)];
  if (kind === 'refund_back') return [line('REFUND_RETURNED', 're', amountMinor)];
  if (kind === 'disbursement_out') {
    return withFee(line('DISBURSEMENT', 'di', -amountMinor), line('FEE', 'di', -feeMinor));
  }
  if (kind === 'disbursement_back') {
    const fee = line('FEE_RETURNED', 'di', feeMinor);
    return withFee(line('DISBURSEMENT_RETURNED', 'di', amountMinor), fee);
  }
  if (kind === 'top_up') return [line('TOP_UP', 'tu', amountMinor)];
  if (kind === 'disbursement_charge') {
    const fee = line('FEE', 'di', -feeMinor);
    return withFee(line('DISBURSEMENT_CHARGED', 'di', -amountMinor), fee);
  }
  if (kind.startsWith('payout_out')) return [line('PAYOUT', 'se', -amountMinor)];
  if (kind.startsWith('payout_back')) return [line('PAYOUT_RETURNED', 'se', amountMinor)];
  throw new Error(`unknown kind of posting in a statement: ${kind}`);
}

const withFee = (moved: Line, fee: Line) => (fee.amountMinor === 0n ? [moved] : [moved, fee]);
