<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class StatementDay
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** In that time zone */
        public readonly string $day,
        /** What customers paid, in centavos */
        public readonly int $amount,
        /** The fees of that and of disbursements, in centavos */
        public readonly int $feeTotal,
        /** Refunds sent minus refunds that came back, in centavos */
        public readonly int $refundTotal,
        /** Payouts minus payouts that came back, in centavos */
        public readonly int $payoutTotal,
        /** What was available at the end of the day, in centavos */
        public readonly int $closingBalance,
        /** Disbursements minus those that came back, in centavos */
        public readonly int|null $disbursementTotal,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['day'],
            Read::money($raw['amount']),
            Read::money($raw['feeTotal']),
            Read::money($raw['refundTotal']),
            Read::money($raw['payoutTotal']),
            Read::money($raw['closingBalance']),
            isset($raw['disbursementTotal']) ? Read::money($raw['disbursementTotal']) : null,
            $raw,
        );
    }
}
