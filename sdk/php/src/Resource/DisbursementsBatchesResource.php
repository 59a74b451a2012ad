<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\CreateDisbursementBody;
use Zimbo\Model\Disbursement;
use Zimbo\Model\DisbursementBatch;
use Zimbo\Model\DisbursementBatchStatus;
use Zimbo\Model\DisbursementStatus;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class DisbursementsBatchesResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Send money to many wallets. All rows are checked first: if one is wrong, the answer is 400 with the problems in details (at most 20), and nothing is created. Otherwise the batch is answered at once, and its disbursements are created in the background, in the order of the rows. A row that the balance does not cover becomes a FAILED disbursement, and the rest goes on. The body may have 4 MiB. Requires the permission `disbursements:write`.
     * @param list<CreateDisbursementBody> $items The rows; each is what POST /v1/disbursements takes.
     * @param string|null|Omitted $externalId What you call it, such as the number of your order. Need not be unique.
     * @param string|null|Omitted $description A text of your own.
     * @param string|null|Omitted $retryOf The batch whose rows this one tries again.
     * @throws ZimboException
     */
    public function create(
        array $items,
        string $idempotencyKey,
        string|null|Omitted $externalId = Omitted::Value,
        string|null|Omitted $description = Omitted::Value,
        string|null|Omitted $retryOf = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): DisbursementBatch {
        $request = new Request('POST', '/v1/disbursement_batches', body: Write::given(['items' => $items, 'externalId' => $externalId, 'description' => $description, 'retryOf' => $retryOf]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, DisbursementBatch::fromJson(...));
    }

    /**
     * List batches of disbursements, newest first. Requires the permission `disbursements:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<DisbursementBatchStatus|string>|Omitted $status Only those in this status, or one of several.
     * @param string|Omitted $externalId Only those that you gave this name.
     * @return Pages<DisbursementBatch>
     * @throws ZimboException
     */
    public function list(
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $endingBefore = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGt = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLt = Omitted::Value,
        array|Omitted $status = Omitted::Value,
        string|Omitted $externalId = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/disbursement_batches', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'status' => $status, 'external_id' => $externalId]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, DisbursementBatch::fromJson(...));
    }

    /**
     * Get a batch of disbursements. Requires the permission `disbursements:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): DisbursementBatch {
        $request = new Request('GET', Write::path('/v1/disbursement_batches/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, DisbursementBatch::fromJson(...));
    }

    /**
     * List the disbursements of a batch, last row first. A row appears once its disbursement is created. Requires the permission `disbursements:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<DisbursementStatus|string>|Omitted $status Only those in this status, or one of several.
     * @return Pages<Disbursement>
     * @throws ZimboException
     */
    public function disbursements(
        string $id,
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $endingBefore = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGt = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLt = Omitted::Value,
        array|Omitted $status = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', Write::path('/v1/disbursement_batches/{id}/disbursements', ['id' => $id]), query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'status' => $status]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, Disbursement::fromJson(...));
    }

    /**
     * Cancel a batch of disbursements. Cancels every row that has not been sent to its operator; rows whose disbursement is not created yet never get one. Answers 409 if there is no such row. Requires the permission `disbursements:write`.
     * @throws ZimboException
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): DisbursementBatch {
        $request = new Request('POST', Write::path('/v1/disbursement_batches/{id}/cancel', ['id' => $id]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, DisbursementBatch::fromJson(...));
    }

    /**
     * Try the failed rows of a batch again. Creates a batch of those rows that have definitely failed. Answers 409 while rows of the batch are open, if none has failed, or if it has been tried again before. Requires the permission `disbursements:write`.
     * @throws ZimboException
     */
    public function retry(
        string $id,
        string $idempotencyKey,
        ?float $timeoutSeconds = null,
    ): DisbursementBatch {
        $request = new Request('POST', Write::path('/v1/disbursement_batches/{id}/retry', ['id' => $id]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, DisbursementBatch::fromJson(...));
    }
}
