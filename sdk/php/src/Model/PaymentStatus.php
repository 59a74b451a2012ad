<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum PaymentStatus: string
{
    case Created = 'CREATED';
    case OperatorPending = 'OPERATOR_PENDING';
    case UserConfirming = 'USER_CONFIRMING';
    case Debited = 'DEBITED';
    case Settled = 'SETTLED';
    case Failed = 'FAILED';
    case Expired = 'EXPIRED';
    case Refunded = 'REFUNDED';
    case PartiallyRefunded = 'PARTIALLY_REFUNDED';
    case Cancelled = 'CANCELLED';
}
