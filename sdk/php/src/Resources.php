<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo;

/** @internal The resources of a client. */
abstract class Resources
{
    public readonly Resource\PaymentsResource $payments;
    public readonly Resource\RefundsResource $refunds;
    public readonly Resource\DisbursementsResource $disbursements;
    public readonly Resource\ProductsResource $products;
    public readonly Resource\PaymentLinksResource $paymentLinks;
    public readonly Resource\EventsResource $events;
    public readonly Resource\OperatorsResource $operators;
    public readonly Resource\SettlementsResource $settlements;
    public readonly Resource\BalanceResource $balance;
    public readonly Resource\WebhooksResource $webhooks;
    public readonly Resource\CheckoutResource $checkout;

    protected function __construct(Transport $transport)
    {
        $this->payments = new Resource\PaymentsResource($transport);
        $this->refunds = new Resource\RefundsResource($transport);
        $this->disbursements = new Resource\DisbursementsResource($transport);
        $this->products = new Resource\ProductsResource($transport);
        $this->paymentLinks = new Resource\PaymentLinksResource($transport);
        $this->events = new Resource\EventsResource($transport);
        $this->operators = new Resource\OperatorsResource($transport);
        $this->settlements = new Resource\SettlementsResource($transport);
        $this->balance = new Resource\BalanceResource($transport);
        $this->webhooks = new Resource\WebhooksResource($transport);
        $this->checkout = new Resource\CheckoutResource($transport);
    }
}
