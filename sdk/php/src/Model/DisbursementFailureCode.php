<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum DisbursementFailureCode: string
{
    case PayeeNotFound = 'PAYEE_NOT_FOUND';
    case PayeeLimitReached = 'PAYEE_LIMIT_REACHED';
    case PayeeNotAllowed = 'PAYEE_NOT_ALLOWED';
    case PayeeUnreachable = 'PAYEE_UNREACHABLE';
    case InsufficientBalance = 'INSUFFICIENT_BALANCE';
    case OperatorUnavailable = 'OPERATOR_UNAVAILABLE';
    case OperatorRejected = 'OPERATOR_REJECTED';
    case OperatorError = 'OPERATOR_ERROR';
}
