<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum ErrorCode: string
{
    case ValidationError = 'VALIDATION_ERROR';
    case Unauthorized = 'UNAUTHORIZED';
    case Forbidden = 'FORBIDDEN';
    case AddressNotAllowed = 'ADDRESS_NOT_ALLOWED';
    case KeyLimitExceeded = 'KEY_LIMIT_EXCEEDED';
    case NotFound = 'NOT_FOUND';
    case InvalidState = 'INVALID_STATE';
    case RefundExceedsPayment = 'REFUND_EXCEEDS_PAYMENT';
    case InsufficientBalance = 'INSUFFICIENT_BALANCE';
    case IdempotencyKeyReused = 'IDEMPOTENCY_KEY_REUSED';
    case LimitReached = 'LIMIT_REACHED';
    case RateLimited = 'RATE_LIMITED';
    case Unavailable = 'UNAVAILABLE';
    case InternalError = 'INTERNAL_ERROR';
}
