/** The floor of HTTP: a Fastify handler with a schema and no work. Prints its address. */
import fastify from 'fastify';

const app = fastify();
const body = {
  type: 'object',
  required: ['amount', 'operator', 'operatorPhone'],
  properties: {
    amount: { type: 'integer' },
    operator: { type: 'string' },
    operatorPhone: { type: 'string' },
  },
};
app.post('/', { schema: { body } }, () => ({ id: 'pi_00000000000000000000000000' }));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
