// Registers the shop's webhook endpoint and its site, each once. By hand: npx zimbo webhooks create and npx zimbo
// checkout set, or POST /v1/webhooks and PATCH /v1/checkout/settings.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from './gateway.js';

/** @returns the secret that signs the webhooks */
export async function registerEndpoint(zimbo, url, folder) {
  const path = join(folder, 'shop.env');
  const wanted = { url, events: ['checkout.completed'] };
  const { ZIMBO_WEBHOOK_ID: id, ZIMBO_WEBHOOK_SECRET: secret } = await readEnvironment(path);
  if (id && (await isUpdated(zimbo, id, wanted))) return secret;
  const endpoint = await zimbo.webhooks.create({ ...wanted, description: 'examples/shop' });
  // The secret is shown only now: without it, you need another endpoint.
  const lines = `ZIMBO_WEBHOOK_ID=${endpoint.id}\nZIMBO_WEBHOOK_SECRET=${endpoint.secret}\n`;
  await writeFile(path, lines, { mode: 0o600 });
  return endpoint.secret;
}

/** The port may have changed, and an endpoint that did not answer for days has been disabled. */
async function isUpdated(zimbo, id, wanted) {
  try {
    await zimbo.webhooks.update(id, { ...wanted, status: 'ACTIVE' });
    return true;
  } catch (error) {
    if (error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** Lets the shop's pages show the payment page in a dialog. */
export async function allowFrames(zimbo, origin) {
  const { frameOrigins } = await zimbo.checkout.settings.get();
  if (frameOrigins.includes(origin)) return;
  // The shop may have been on many ports; the list has room for twenty.
  await zimbo.checkout.settings.update({ frameOrigins: [...frameOrigins, origin].slice(-20) });
}
