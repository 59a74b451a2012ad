import { Resource } from './resource.js';
/** The deliveries to an endpoint, and their results. */
export class WebhookDeliveries extends Resource {
    /** @throws {ZimboError} `NOT_FOUND` */
    get(endpointId, deliveryId, options) {
        const path = { id: endpointId, deliveryId };
        return this.transport.call('getWebhookDelivery', { path }, options);
    }
    /**
     * Deliveries of an endpoint with their attempts, newest event first.
     *
     * @throws {ZimboError} when walked: `NOT_FOUND`; `VALIDATION_ERROR` for an invalid cursor.
     */
    list(endpointId, query = {}, options) {
        return this.transport.list('listWebhookDeliveries', query, options, { id: endpointId });
    }
    /**
     * Sends an event again, with a fresh series of attempts.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if the endpoint is DISABLED.
     */
    redeliver(endpointId, deliveryId, options) {
        const path = { id: endpointId, deliveryId };
        return this.transport.call('redeliverWebhookDelivery', { path }, options);
    }
}
/**
 * The endpoints to which the gateway sends events (contract, sections 2.7 and 4.4). Verify
 * deliveries there with `verifyWebhook`.
 */
export class WebhookEndpoints extends Resource {
    /**
     * Registers a URL for events of the given types. Only this answer contains the `secret`: store it.
     *
     * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body, options) {
        return this.transport.call('createWebhookEndpoint', { body }, options);
    }
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id, options) {
        return this.transport.call('getWebhookEndpoint', { path: { id } }, options);
    }
    /**
     * Endpoints, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid cursor.
     */
    list(query = {}, options) {
        return this.transport.list('listWebhookEndpoints', query, options);
    }
    /**
     * Changes the fields in the body; ACTIVE and DISABLED switch the endpoint on and off.
     *
     * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
     */
    update(id, body, options) {
        return this.transport.call('updateWebhookEndpoint', { path: { id }, body }, options);
    }
    /**
     * Abandons its pending deliveries.
     *
     * @throws {ZimboError} `NOT_FOUND`
     */
    async delete(id, options) {
        await this.transport.call('deleteWebhookEndpoint', { path: { id } }, options);
    }
    /** The deliveries to endpoints. */
    deliveries = new WebhookDeliveries(this.transport);
    /**
     * Gives an endpoint a new secret, which only this answer contains. For `overlapHours` (0 to 72, by
     * default 24) deliveries are signed with the old secret too.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` during an earlier overlap, without `endOverlap: true` or `overlapHours: 0`.
     */
    rotateSecret(id, body = {}, options) {
        return this.transport.call('rotateWebhookSecret', { path: { id }, body }, options);
    }
    /**
     * Resends the events of a period, such as an outage. If the answer has `nextSince`, call again from there.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it is DISABLED; `VALIDATION_ERROR`.
     */
    redeliver(id, body, options) {
        return this.transport.call('redeliverWebhookEvents', { path: { id }, body }, options);
    }
    /**
     * Sends an event of the type `webhook.test`.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it is DISABLED.
     */
    sendTest(id, options) {
        return this.transport.call('testWebhookEndpoint', { path: { id } }, options);
    }
}
