<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\OperatorDetails;
use Zimbo\Model\OperatorPrediction;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class OperatorsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List the operators that your customers can pay with. Those that this gateway is configured for; with a test key, all. The list always has one page. Requires the permission `payments:read`.
     * @return list<OperatorDetails>
     * @throws ZimboException
     */
    public function list(
        ?float $timeoutSeconds = null,
    ): array {
        $request = new Request('GET', '/v1/operators', timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, static fn (array $answer): array => array_map(OperatorDetails::fromJson(...), $answer['data']));
    }

    /**
     * Get an operator. Requires the permission `payments:read`.
     * @throws ZimboException
     */
    public function get(
        string $name,
        ?float $timeoutSeconds = null,
    ): OperatorDetails {
        $request = new Request('GET', Write::path('/v1/operators/{name}', ['name' => $name]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, OperatorDetails::fromJson(...));
    }

    /**
     * Predict the operator of a phone. By the prefix alone: no operator is asked, and nothing is stored, so an Idempotency-Key is ignored. Let the customer correct the choice, because numbers move between operators. Requires the permission `payments:read`.
     * @param string $phone In any spelling that a payment takes.
     * @throws ZimboException
     */
    public function predict(
        string $phone,
        ?float $timeoutSeconds = null,
    ): OperatorPrediction {
        $request = new Request('POST', '/v1/operators/predict', body: Write::given(['phone' => $phone]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, OperatorPrediction::fromJson(...));
    }
}
