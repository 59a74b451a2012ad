import { currencySchema } from '../../../integrations/operators/schemas.ts';
import { Type } from '../../../platform/http/type.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { hasEnded, type Statement } from './read.ts';

const instant = Type.String({ format: 'date-time', examples: ['2026-10-01T01:00:00.000Z'] });
const minorUnits = (description: string, example: string) =>
  Type.String({ description: `${description}, in centavos`, examples: [example] });

const movements = {
  amount: minorUnits('What customers paid', '100000'),
  feeTotal: minorUnits('The fees of that and of disbursements', '2000'),
  refundTotal: minorUnits('Refunds sent minus refunds that came back', '10000'),
  disbursementTotal: Type.Optional(minorUnits('Disbursements minus those that came back', '0')),
  payoutTotal: minorUnits('Payouts minus payouts that came back', '88000'),
};

export const statementSchema = Type.Object(
  {
    merchantId: Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w'] }),
    month: Type.String({ description: 'Which month it is of', examples: ['2026-10'] }),
    currency: currencySchema,
    timeZone: Type.String({
      description: 'Where its days begin and end',
      examples: ['Atlantic/Cape_Verde'],
    }),
    from: { ...instant, description: 'When the month begins' },
    until: { ...instant, description: 'Does not belong to it' },
    isOver: Type.Boolean({ description: 'Whether the month has ended' }),
    openingBalance: minorUnits('What was available when the month began', '0'),
    ...movements,
    closingBalance: minorUnits('What was available when it ended, or is now', '0'),
    days: Type.Array(
      Type.Object(
        {
          day: Type.String({ description: 'In that time zone', examples: ['2026-10-31'] }),
          ...movements,
          closingBalance: minorUnits('What was available at the end of the day', '0'),
        },
        { title: 'StatementDay' },
      ),
      { description: 'Those on which something moved' },
    ),
  },
  { title: 'Statement' },
);

type Moved = Statement['total'];

const movedView = ({
  grossMinor,
  feeMinor,
  refundMinor,
  disbursementMinor,
  payoutMinor,
}: Moved) => ({
  amount: grossMinor.toString(),
  feeTotal: feeMinor.toString(),
  refundTotal: refundMinor.toString(),
  disbursementTotal: disbursementMinor.toString(),
  payoutTotal: payoutMinor.toString(),
});

/** The statement as the API shows it. */
export function statementView(
  statement: Statement,
  { merchantId, month, nowMs }: { merchantId: string; month: string; nowMs: number },
) {
  const { currency, timeZone, fromMs, untilMs } = statement;
  return {
    merchantId: formatId('me', merchantId),
    month,
    currency,
    timeZone,
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    isOver: hasEnded(statement, nowMs),
    openingBalance: statement.openingMinor.toString(),
    ...movedView(statement.total),
    closingBalance: statement.closingMinor.toString(),
    days: statement.days.map((day) => ({
      day: day.day,
      ...movedView(day),
      closingBalance: day.closingMinor.toString(),
    })),
  };
}
