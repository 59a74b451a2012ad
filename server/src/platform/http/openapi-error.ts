import { statusOf } from './errors.ts';

/** The body of every error, as a schema of the OpenAPI documents. */
export const errorSchema = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      title: 'ErrorDetail',
      type: 'object',
      required: ['message', 'code'],
      properties: {
        message: { type: 'string', description: 'For people to read.' },
        code: {
          title: 'ErrorCode',
          type: 'string',
          description: 'For programs to act on.',
          enum: Object.keys(statusOf),
        },
        param: {
          type: 'string',
          description:
            'The field, parameter or header that is refused, such as `items[0].quantity`, where it is one.',
        },
        requestId: {
          type: 'string',
          description: 'That of the header X-Request-Id: quote it when you report a problem.',
        },
        details: {
          type: 'array',
          maxItems: 20,
          description:
            'All problems of the request, where it has several; the first is that of `message`.',
          items: {
            title: 'ErrorProblem',
            type: 'object',
            required: ['param', 'message'],
            properties: {
              param: {
                type: 'string',
                description: 'The field, parameter or header, such as `items[0].quantity`.',
              },
              message: { type: 'string', description: 'For people to read.' },
            },
          },
        },
      },
    },
  },
};
