<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

/** How many rows are in each status. */
final class DisbursementBatchCounts
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Not sent yet; also rows whose disbursement is not created yet. */
        public readonly int $created,
        /** Sent to the operator. */
        public readonly int $processing,
        /** Paid. */
        public readonly int $succeeded,
        /** Failed, for example because the balance did not cover them. */
        public readonly int $failed,
        /** Cancelled. */
        public readonly int $cancelled,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['created'],
            $raw['processing'],
            $raw['succeeded'],
            $raw['failed'],
            $raw['cancelled'],
            $raw,
        );
    }
}
