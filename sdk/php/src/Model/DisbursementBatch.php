<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class DisbursementBatch
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** What you call it, such as the number of your order. Need not be unique. */
        public readonly string|null $externalId,
        /** A text of your own. */
        public readonly string|null $description,
        public readonly DisbursementBatchStatus|string $status,
        /** How many rows it has. */
        public readonly int $itemCount,
        public readonly Currency|string|null $currency,
        /** The amounts of all rows; null with several currencies, in centavos */
        public readonly int|null $amount,
        /** The fees of all rows; null with several currencies, in centavos */
        public readonly int|null $feeAmount,
        /**
         * By currency, as requested, whatever has become of the rows.
         * @var list<DisbursementBatchTotal>
         */
        public readonly array $totals,
        public readonly DisbursementBatchCounts $counts,
        /** The batch whose rows it tries again. */
        public readonly string|null $retryOf,
        /** A warning: this earlier batch had exactly the same rows. */
        public readonly string|null $duplicateOf,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        /** When its last row ended. */
        public readonly \DateTimeImmutable|null $completedAt,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['externalId'] ?? null,
            $raw['description'] ?? null,
            DisbursementBatchStatus::tryFrom($raw['status']) ?? $raw['status'],
            $raw['itemCount'],
            isset($raw['currency']) ? Currency::tryFrom($raw['currency']) ?? $raw['currency'] : null,
            isset($raw['amount']) ? Read::money($raw['amount']) : null,
            isset($raw['feeAmount']) ? Read::money($raw['feeAmount']) : null,
            array_map(static fn (array $each) => DisbursementBatchTotal::fromJson($each), $raw['totals']),
            DisbursementBatchCounts::fromJson($raw['counts']),
            $raw['retryOf'] ?? null,
            $raw['duplicateOf'] ?? null,
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            isset($raw['completedAt']) ? Read::instant($raw['completedAt']) : null,
            $raw,
        );
    }
}
