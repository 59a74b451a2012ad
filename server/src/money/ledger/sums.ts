/** Over the postings of a FROM item: our fees, less those that were given back. */
export const feeMinor = `coalesce(sum(CASE kind WHEN 'debit_fee' THEN amount_minor
        WHEN 'disbursement_fee' THEN amount_minor WHEN 'disbursement_fee_back' THEN -amount_minor END), 0)`;

/** What was disbursed, less what came back. */
export const disbursementMinor = `coalesce(sum(CASE kind WHEN 'disbursement_out' THEN amount_minor
        WHEN 'disbursement_back' THEN -amount_minor END), 0)`;

/** The kind of the posting that has the fee of another, by the kind of that one. */
export const feeKindOf = (kind: string) =>
  `CASE ${kind} WHEN 'debit_net' THEN 'debit_fee' WHEN 'disbursement_out' THEN 'disbursement_fee'
    WHEN 'disbursement_back' THEN 'disbursement_fee_back' END`;
