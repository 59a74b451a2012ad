<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum FailureCode: string
{
    case InsufficientFunds = 'INSUFFICIENT_FUNDS';
    case PayerNotFound = 'PAYER_NOT_FOUND';
    case PayerLimitReached = 'PAYER_LIMIT_REACHED';
    case AmountOutOfRange = 'AMOUNT_OUT_OF_RANGE';
    case PayerDeclined = 'PAYER_DECLINED';
    case PayerAuthFailed = 'PAYER_AUTH_FAILED';
    case PayerUnreachable = 'PAYER_UNREACHABLE';
    case PayerBusy = 'PAYER_BUSY';
    case PayerNotAllowed = 'PAYER_NOT_ALLOWED';
    case ConfirmationTimeout = 'CONFIRMATION_TIMEOUT';
    case OperatorUnavailable = 'OPERATOR_UNAVAILABLE';
    case OperatorRejected = 'OPERATOR_REJECTED';
    case OperatorError = 'OPERATOR_ERROR';
}
