// A webhook receiver without dependencies (Node 20 or later): checks each signature, prints each event.
//
//   ZIMBO_WEBHOOK_SECRET=whsec_… node examples/receiver.js PORT [EVENT_TYPE]
//
// With an event type, it ends when an event of that type has arrived.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [port, lastType] = process.argv.slice(2);
const secret = process.env.ZIMBO_WEBHOOK_SECRET;
if (!port || !secret) {
  console.error('Usage: ZIMBO_WEBHOOK_SECRET=whsec_… node examples/receiver.js PORT [EVENT_TYPE]');
  process.exit(2);
}

const maxAgeSeconds = 300;
/** An event has at most a few hundred kilobytes; a stranger could send without end. */
const maxBytes = 4 * 1024 * 1024;
/** Events can arrive more than once; a real receiver keeps these ids in its database. */
const seen = new Set();

/**
 * The signature covers the timestamp and the raw bytes of the body, so check before parsing. During a rotation, two
 * secrets sign.
 */
function isGenuine(headers, body) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const isSigned = ['x-service-signature', 'x-service-signature-next'].some((name) => {
    const given = Buffer.from(headers[name] ?? '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned && Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds;
}

function receive(headers, body, response) {
  if (!isGenuine(headers, body)) {
    response.writeHead(400).end();
    console.log('refused: the signature is wrong or too old');
    return;
  }
  // Answer first and work afterwards: an answer that takes too long counts as a failure.
  response.writeHead(200, { Connection: 'close' }).end();
  const { id, type, data } = JSON.parse(body);
  if (seen.has(id)) return;
  seen.add(id);
  console.log(`${type}  ${data.id}  ${data.status}  (signature verified)`);
  if (type === lastType) server.close();
}

const server = createServer((request, response) => {
  const chunks = [];
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (!response.headersSent) {
      console.log('refused: the body is too large');
      response.writeHead(413, { Connection: 'close' }).end(() => request.destroy());
    }
  });
  request.on('end', () => {
    if (bytes <= maxBytes) receive(request.headers, Buffer.concat(chunks), response);
  });
});
server.listen(Number(port), 'localhost');
