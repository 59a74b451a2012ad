<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class Disbursement
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** What you call it, such as the number of your order. Need not be unique. */
        public readonly string|null $externalId,
        /** The batch that it belongs to. */
        public readonly string|null $batchId,
        /** The amount that the recipient gets, in centavos */
        public readonly int $amount,
        public readonly Currency|string $currency,
        /** The fee, which is taken from the balance beside the amount, in centavos */
        public readonly int $feeAmount,
        public readonly Operator|string $operator,
        /** Masked (+238•••••45) for a key without phones:read; null after it has been erased. */
        public readonly string|null $operatorPhone,
        /** The operator’s transaction. On a FAILED disbursement, the sign that it succeeded after all. */
        public readonly string|null $operatorTxId,
        public readonly DisbursementStatus|string $status,
        public readonly DisbursementFailureCode|string|null $failureCode,
        /** Why it failed, for people to read; null if it did not. */
        public readonly string|null $failureMessage,
        /** A text of your own. */
        public readonly string|null $description,
        /** What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on. */
        public readonly string|null $statementDescriptor,
        /** What you call the customer. Not interpreted, and not shown to the customer. */
        public readonly string|null $customerId,
        /**
         * Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
         * @var array<string, mixed>|null
         */
        public readonly array|null $metadata,
        /** If it could not be sent until then, it fails. */
        public readonly \DateTimeImmutable $expiresAt,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['externalId'] ?? null,
            $raw['batchId'] ?? null,
            Read::money($raw['amount']),
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            Read::money($raw['feeAmount']),
            Operator::tryFrom($raw['operator']) ?? $raw['operator'],
            $raw['operatorPhone'] ?? null,
            $raw['operatorTxId'] ?? null,
            DisbursementStatus::tryFrom($raw['status']) ?? $raw['status'],
            isset($raw['failureCode']) ? DisbursementFailureCode::tryFrom($raw['failureCode']) ?? $raw['failureCode'] : null,
            $raw['failureMessage'] ?? null,
            $raw['description'] ?? null,
            $raw['statementDescriptor'] ?? null,
            $raw['customerId'] ?? null,
            $raw['metadata'] ?? null,
            Read::instant($raw['expiresAt']),
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw,
        );
    }
}
