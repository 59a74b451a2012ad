import { choice, type FeeSetting, fee, integer } from './kinds.ts';
import { type OperatorName, operatorNames, recordOf } from './operator-catalogue.ts';

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
  ...feeVariables,
};

/** Disbursements, as configured. */
export interface DisbursementSettings {
  isOn: boolean;
  expiryMs: number;
  fees: Record<OperatorName, FeeSetting>;
}

type Values = { DISBURSEMENTS: 'off' | 'on'; DISBURSEMENT_EXPIRY_HOURS: number } & Record<
  keyof typeof feeVariables,
  FeeSetting
>;

export const disbursementsOf = (values: Values): DisbursementSettings => ({
  isOn: values.DISBURSEMENTS === 'on',
  expiryMs: values.DISBURSEMENT_EXPIRY_HOURS * 3_600_000,
  fees: recordOf(operatorNames, (operator) => values[`DISBURSEMENT_FEE_${operator}`]),
});
