import type { Language } from '../words/common.ts';

const pt = {
  title: 'Os próximos passos',
  isDone: 'feito',
  steps: {
    look: {
      title: 'Dê um rosto à sua loja',
      hint: 'Nome, logótipo, cor e contacto: é o que os clientes veem ao pagar.',
    },
    charge: {
      title: 'Faça a primeira cobrança',
      hint: 'Escreva o valor e o telefone do cliente, que confirma com o PIN.',
    },
    team: {
      title: 'Convide um colega',
      hint: 'Cada pessoa entra com a sua conta e vê só o que a sua função permite.',
    },
  },
};

const en: typeof pt = {
  title: 'Next steps',
  isDone: 'done',
  steps: {
    look: {
      title: 'Give your shop a face',
      hint: 'Name, logo, colour and contact: customers see them when they pay.',
    },
    charge: {
      title: 'Make the first charge',
      hint: 'Type the amount and the phone of the customer, who confirms with the PIN.',
    },
    team: {
      title: 'Invite a colleague',
      hint: 'Each person signs in with their own account, and sees what their role allows.',
    },
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
