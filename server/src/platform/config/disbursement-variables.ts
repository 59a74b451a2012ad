import type { AmountLimits } from '../values/four-eyes.ts';
import { amountsByCurrency, choice, type FeeSetting, fee, integer } from './kinds.ts';
import {
  type LiveOperatorName,
  liveOperatorNames,
  type OperatorName,
  operatorNames,
  recordOf,
} from './operator-catalogue.ts';

const disbursements = { group: 'Disbursements' };

const feeOf = (operator: string) => ({
  ...disbursements,
  kind: fee,
  default: '0',
  about: `The fee of a disbursement through ${operator}, fixed when the disbursement is created. The merchant pays it beside the amount. It is rounded half up and never exceeds the amount.`,
  example: '50+1000',
});

const feeVariables = Object.fromEntries(
  operatorNames.map((operator) => [`DISBURSEMENT_FEE_${operator}`, feeOf(operator)]),
) as Record<`DISBURSEMENT_FEE_${OperatorName}`, ReturnType<typeof feeOf>>;

const floatAlertOf = (operator: string) => ({
  ...disbursements,
  kind: integer(0, 999_999_999_999_999),
  otherwise: 'only what disbursements under way need',
  about: `Staff get a [notice](notices.md) while our account at ${operator} holds less than this, in centavos of its currency, or less than disbursements under way need.`,
  example: '50000000',
});

const floatAlertVariables = Object.fromEntries(
  liveOperatorNames.map((operator) => [
    `DISBURSEMENT_FLOAT_ALERT_${operator}`,
    floatAlertOf(operator),
  ]),
) as Record<`DISBURSEMENT_FLOAT_ALERT_${LiveOperatorName}`, ReturnType<typeof floatAlertOf>>;

/** The settings of disbursements. */
export const disbursementVariables = {
  DISBURSEMENTS: {
    ...disbursements,
    kind: choice('off', 'on'),
    default: 'off',
    about:
      'Whether merchants can send money from their balance to wallets ([disbursements](disbursements.md)). Each merchant’s live keys also need your permission (zimbo merchants disbursements).',
    example: 'on',
  },
  DISBURSEMENT_EXPIRY_HOURS: {
    ...disbursements,
    kind: integer(1, 720),
    default: '24',
    about:
      'For how many hours a disbursement that could not be sent, because its operator is down, is kept before it fails.',
    example: '72',
  },
  DISBURSEMENT_APPROVAL_ABOVE: {
    ...disbursements,
    kind: amountsByCurrency,
    otherwise: 'no disbursement needs an approval',
    about:
      'What may be disbursed at once, by one disbursement or one batch, in centavos, without the [approval](approvals.md) of a second person. A currency that is not named has no limit.',
    example: 'CVE=50000000,AOA=200000000',
  },
  ...feeVariables,
  ...floatAlertVariables,
};

/** Disbursements, as configured. */
export interface DisbursementSettings {
  isOn: boolean;
  expiryMs: number;
  fees: Record<OperatorName, FeeSetting>;
  /** Above, a second person must approve. */
  approvalAbove: AmountLimits;
  /** Our account at the operator should hold at least this, in minor units. */
  floatAlerts: Record<LiveOperatorName, bigint>;
}

type Values = {
  DISBURSEMENTS: 'off' | 'on';
  DISBURSEMENT_EXPIRY_HOURS: number;
  DISBURSEMENT_APPROVAL_ABOVE: AmountLimits | undefined;
} & Record<keyof typeof feeVariables, FeeSetting> &
  Record<keyof typeof floatAlertVariables, number | undefined>;

export const disbursementsOf = (values: Values): DisbursementSettings => ({
  isOn: values.DISBURSEMENTS === 'on',
  expiryMs: values.DISBURSEMENT_EXPIRY_HOURS * 3_600_000,
  fees: recordOf(operatorNames, (operator) => values[`DISBURSEMENT_FEE_${operator}`]),
  approvalAbove: values.DISBURSEMENT_APPROVAL_ABOVE ?? {},
  floatAlerts: recordOf(liveOperatorNames, (operator) =>
    BigInt(values[`DISBURSEMENT_FLOAT_ALERT_${operator}`] ?? 0),
  ),
});
