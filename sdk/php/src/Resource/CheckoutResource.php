<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Transport;

final class CheckoutResource
{
    public readonly CheckoutSessionsResource $sessions;
    public readonly CheckoutSettingsResource $settings;

    public function __construct(private readonly Transport $transport)
    {
        $this->sessions = new CheckoutSessionsResource($transport);
        $this->settings = new CheckoutSettingsResource($transport);
    }
}
