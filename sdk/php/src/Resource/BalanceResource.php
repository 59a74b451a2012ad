<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\Balance;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\ZimboException;

final class BalanceResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Get the balance by currency. Requires the permission `settlements:read`.
     * @throws ZimboException
     */
    public function get(
        ?float $timeoutSeconds = null,
    ): Balance {
        $request = new Request('GET', '/v1/balance', timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Balance::fromJson(...));
    }
}
