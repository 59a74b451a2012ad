<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum SettlementItemType: string
{
    case Payment = 'PAYMENT';
    case Refund = 'REFUND';
    case RefundReturned = 'REFUND_RETURNED';
    case Disbursement = 'DISBURSEMENT';
    case DisbursementReturned = 'DISBURSEMENT_RETURNED';
    case DisbursementCharged = 'DISBURSEMENT_CHARGED';
    case TopUp = 'TOP_UP';
    case Kept = 'KEPT';
    case KeptReturned = 'KEPT_RETURNED';
}
