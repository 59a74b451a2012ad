<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class OperatorDetails
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        public readonly Operator|string $name,
        /** What customers call it. */
        public readonly string $label,
        /** ISO 3166 country code */
        public readonly string|null $country,
        /**
         * The currencies of its payments.
         * @var list<Currency|string>
         */
        public readonly array $currencies,
        /**
         * How its numbers begin. Only a hint: customers take their numbers to other operators.
         * @var list<string>
         */
        public readonly array $prefixes,
        public readonly OperatorStatus|string $status,
        /** Null: for as long as the gateway knows. */
        public readonly \DateTimeImmutable|null $statusSince,
        /** The smallest payment, in centavos */
        public readonly int $minAmount,
        /** The largest payment, in centavos */
        public readonly int $maxAmount,
        /** How long customers have to confirm. */
        public readonly int $confirmationSeconds,
        public readonly OperatorPrompt $prompt,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            Operator::tryFrom($raw['name']) ?? $raw['name'],
            $raw['label'],
            $raw['country'] ?? null,
            array_map(static fn (string $each) => Currency::tryFrom($each) ?? $each, $raw['currencies']),
            $raw['prefixes'],
            OperatorStatus::tryFrom($raw['status']) ?? $raw['status'],
            isset($raw['statusSince']) ? Read::instant($raw['statusSince']) : null,
            Read::money($raw['minAmount']),
            Read::money($raw['maxAmount']),
            $raw['confirmationSeconds'],
            OperatorPrompt::fromJson($raw['prompt']),
            $raw,
        );
    }
}
