<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class Settlement
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** The merchant. */
        public readonly string $merchantId,
        /** The total of its debits before fees, in centavos */
        public readonly int $amount,
        /** The fees of its debits and disbursements, less those of disbursements that came back, in centavos */
        public readonly int $feeTotal,
        /** Refunds sent minus refunds that came back, in centavos */
        public readonly int $refundTotal,
        /** What is paid out: amount - feeTotal - refundTotal - disbursementTotal, in centavos */
        public readonly int $netAmount,
        public readonly Currency|string $currency,
        public readonly SettlementStatus|string $status,
        /** Where the period begins, in UTC. */
        public readonly \DateTimeImmutable $periodStart,
        /** Where the period ends, in UTC; that instant is no longer part of it. */
        public readonly \DateTimeImmutable $periodEnd,
        /** The reference of the payout at the bank */
        public readonly string|null $payoutRef,
        /** The number of its items: debits, refunds and disbursements, what came back of these, and what stays in the balance */
        public readonly int $itemCount,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it was handed over for payout, in UTC; null before that. */
        public readonly \DateTimeImmutable|null $processedAt,
        /** When it was completed, in UTC; null before that. */
        public readonly \DateTimeImmutable|null $completedAt,
        /** Disbursements minus those that came back, and what stays in the balance minus what the settlement before left there, in centavos */
        public readonly int|null $disbursementTotal,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['merchantId'],
            Read::money($raw['amount']),
            Read::money($raw['feeTotal']),
            Read::money($raw['refundTotal']),
            Read::money($raw['netAmount']),
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            SettlementStatus::tryFrom($raw['status']) ?? $raw['status'],
            Read::instant($raw['periodStart']),
            Read::instant($raw['periodEnd']),
            $raw['payoutRef'] ?? null,
            $raw['itemCount'],
            Read::instant($raw['createdAt']),
            isset($raw['processedAt']) ? Read::instant($raw['processedAt']) : null,
            isset($raw['completedAt']) ? Read::instant($raw['completedAt']) : null,
            isset($raw['disbursementTotal']) ? Read::money($raw['disbursementTotal']) : null,
            $raw,
        );
    }
}
