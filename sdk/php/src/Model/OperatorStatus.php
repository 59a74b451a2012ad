<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum OperatorStatus: string
{
    case Up = 'UP';
    case Degraded = 'DEGRADED';
    case Down = 'DOWN';
}
