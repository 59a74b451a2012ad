<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\CheckoutSettings;
use Zimbo\Omitted;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class CheckoutSettingsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Get the settings of the payment page. Requires the permission `checkout:read`.
     * @throws ZimboException
     */
    public function get(
        ?float $timeoutSeconds = null,
    ): CheckoutSettings {
        $request = new Request('GET', '/v1/checkout/settings', timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, CheckoutSettings::fromJson(...));
    }

    /**
     * Change the settings of the payment page. Fields that you omit stay as they are; a list replaces the list before. Live and test have their own settings. Requires the permission `checkout:write`.
     * @param list<string>|null|Omitted $frameOrigins The sites that may show the payment page inside their pages, as checkout.js does: https origins, and with a test key also http on localhost. Empty: none.
     * @throws ZimboException
     */
    public function update(
        array|null|Omitted $frameOrigins = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): CheckoutSettings {
        $request = new Request('PATCH', '/v1/checkout/settings', body: Write::given(['frameOrigins' => $frameOrigins]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, CheckoutSettings::fromJson(...));
    }
}
