<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum DisbursementBatchStatus: string
{
    case Created = 'CREATED';
    case Processing = 'PROCESSING';
    case Completed = 'COMPLETED';
}
