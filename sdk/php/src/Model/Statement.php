<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class Statement
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** The merchant. */
        public readonly string $merchantId,
        /** Which month it is of */
        public readonly string $month,
        public readonly Currency|string $currency,
        /** Where its days begin and end */
        public readonly string $timeZone,
        /** When the month begins */
        public readonly \DateTimeImmutable $from,
        /** Does not belong to it */
        public readonly \DateTimeImmutable $until,
        /** Whether the month has ended */
        public readonly bool $isOver,
        /** What was available when the month began, in centavos */
        public readonly int $openingBalance,
        /** What customers paid, in centavos */
        public readonly int $amount,
        /** The fees of that and of disbursements, in centavos */
        public readonly int $feeTotal,
        /** Refunds sent minus refunds that came back, in centavos */
        public readonly int $refundTotal,
        /** Payouts minus payouts that came back, in centavos */
        public readonly int $payoutTotal,
        /** What was available when it ended, or is now, in centavos */
        public readonly int $closingBalance,
        /**
         * Those on which something moved
         * @var list<StatementDay>
         */
        public readonly array $days,
        /** Disbursements minus those that came back, in centavos */
        public readonly int|null $disbursementTotal,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['merchantId'],
            $raw['month'],
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            $raw['timeZone'],
            Read::instant($raw['from']),
            Read::instant($raw['until']),
            $raw['isOver'],
            Read::money($raw['openingBalance']),
            Read::money($raw['amount']),
            Read::money($raw['feeTotal']),
            Read::money($raw['refundTotal']),
            Read::money($raw['payoutTotal']),
            Read::money($raw['closingBalance']),
            array_map(static fn (array $each) => StatementDay::fromJson($each), $raw['days']),
            isset($raw['disbursementTotal']) ? Read::money($raw['disbursementTotal']) : null,
            $raw,
        );
    }
}
