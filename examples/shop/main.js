// Starts the shop beside the gateway of this laptop: npm run example.
// In production all of this is your own configuration: an address, a key, and the secret of a webhook endpoint.
import { Zimbo } from '@zimbo/sdk';
import { allowFrames, registerEndpoint } from './endpoint.js';
import { dataDir, openGateway } from './gateway.js';
import { products } from './products.js';
import { createShop } from './shop.js';

const port = Number(process.env.SHOP_PORT ?? 4500);
const url = `http://localhost:${port}`;

let gateway;
let stopping;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopping ??= stop()));
// npm sends a signal only to its shell; the shell's end counts as one, even while the gateway
// starts.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stopping ??= stop();
}, 500).unref();

gateway = await openGateway();
try {
  const zimbo = new Zimbo(gateway.key, { baseUrl: gateway.url });
  const webhookSecret = await registerEndpoint(zimbo, `${url}/webhooks`, dataDir);
  await allowFrames(zimbo, url);
  const shop = createShop({ zimbo, webhookSecret, url, gatewayUrl: gateway.url, products });
  shop.on('error', fail);
  shop.listen(port, 'localhost', () =>
    console.log(
      `Open ${url} and buy something: the phone 991 23 45 pays, 991 20 49 has too little balance. Ctrl-C ends it.`,
    ),
  );
} catch (error) {
  fail(error);
}

function fail(error) {
  const isTaken = error.code === 'EADDRINUSE';
  console.error(isTaken ? `Port ${port} is taken: set SHOP_PORT to another.` : error.message);
  process.exitCode = 1;
  stopping ??= stop();
}

/** A gateway started for the shop ends with the shop; one that ran before continues. */
async function stop() {
  await gateway?.stop();
  process.exit();
}
