<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\Currency;
use Zimbo\Model\Settlement;
use Zimbo\Model\SettlementItem;
use Zimbo\Model\SettlementStatus;
use Zimbo\Model\Statement;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class SettlementsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Settle what is payable. Without a currency, settles the one with the oldest unsettled debit. Repeat until the answer is 204: nothing is left to settle. Requires the permission `settlements:write`.
     * @param Currency|string|null|Omitted $currency
     * @throws ZimboException
     */
    public function process(
        Currency|string|null|Omitted $currency = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): Settlement {
        $request = new Request('POST', '/v1/settlements/process', body: Write::given(['currency' => $currency]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Settlement::fromJson(...));
    }

    /**
     * List settlements, newest first. Requires the permission `settlements:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<SettlementStatus|string>|Omitted $status Only those in this status, or one of several.
     * @return Pages<Settlement>
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
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/settlements', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'status' => $status]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, Settlement::fromJson(...));
    }

    /**
     * Get a settlement. Requires the permission `settlements:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): Settlement {
        $request = new Request('GET', Write::path('/v1/settlements/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Settlement::fromJson(...));
    }

    /**
     * List the payments, refunds and disbursements in a settlement, newest first. The netAmount of all items adds up to that of the settlement. A FAILED settlement has no items: they move to a later settlement. Requires the permission `settlements:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @return Pages<SettlementItem>
     * @throws ZimboException
     */
    public function items(
        string $id,
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $endingBefore = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGt = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLt = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', Write::path('/v1/settlements/{id}/items', ['id' => $id]), query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, SettlementItem::fromJson(...));
    }

    /**
     * Download the payments, refunds and disbursements in a settlement as CSV. All items, newest first, with a header line. Amounts are in centavos. Requires the permission `settlements:read`.
     * @throws ZimboException
     */
    public function itemsCsv(
        string $id,
        ?float $timeoutSeconds = null,
    ): string {
        $request = new Request('GET', Write::path('/v1/settlements/{id}/items.csv', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->text($request);
    }

    /**
     * Get the statement of a month. What moved the available balance, day by day: openingBalance + amount - feeTotal - refundTotal - disbursementTotal - payoutTotal = closingBalance. The month is that of Atlantic/Cape_Verde for CVE and of Africa/Luanda for AOA. Requires the permission `settlements:read`.
     * @param string $month In the time zone of the currency, where it must have begun
     * @param Currency|string $currency ISO currency code
     * @throws ZimboException
     */
    public function statement(
        string $month,
        Currency|string $currency,
        ?float $timeoutSeconds = null,
    ): Statement {
        $request = new Request('GET', '/v1/statements', query: Write::given(['month' => $month, 'currency' => $currency]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Statement::fromJson(...));
    }

    /**
     * Download each movement of a month as CSV. Opening balance, each movement in the order in which it was booked with the balance after it, and last CLOSING_BALANCE, dated when the month ended, or while it is not over BALANCE_SO_FAR, dated now. Amounts are in centavos, negative where they lower the balance. It is checked against the ledger before it is sent. At most 500,000 lines. Requires the permission `settlements:read`.
     * @param string $month In the time zone of the currency, where it must have begun
     * @param Currency|string $currency ISO currency code
     * @throws ZimboException
     */
    public function statementCsv(
        string $month,
        Currency|string $currency,
        ?float $timeoutSeconds = null,
    ): string {
        $request = new Request('GET', '/v1/statements.csv', query: Write::given(['month' => $month, 'currency' => $currency]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->text($request);
    }
}
