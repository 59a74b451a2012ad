<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum CheckoutSessionStatus: string
{
    case Open = 'OPEN';
    case Completed = 'COMPLETED';
    case Expired = 'EXPIRED';
}
