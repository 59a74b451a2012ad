export interface Fee {
  basisPoints: number;
  fixedMinor: bigint;
}

/** The fee of an amount in minor units: rounded half up, never more than the amount. */
export function feeOf(amountMinor: bigint, fee: Fee): bigint {
  const proportional = (amountMinor * BigInt(fee.basisPoints) + 5_000n) / 10_000n;
  const total = proportional + fee.fixedMinor;
  // Stryker disable next-line EqualityOperator: of two equal sums, either is right
  return total < amountMinor ? total : amountMinor;
}
