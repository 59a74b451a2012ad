export { ZimboError, } from './error.js';
export { signWebhook, verifyWebhook, WebhookVerificationError, } from './webhook.js';
export { Zimbo } from './zimbo.js';
