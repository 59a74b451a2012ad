import type { Language } from '../words/common.ts';

const pt = {
  title: 'Links reutilizáveis',
  hint: 'Um link que se paga as vezes que for preciso: uma quota, um serviço, um donativo.',
  nothing: 'Ainda não há links reutilizáveis',
  description: 'O que se paga',
  amount: 'Montante',
  amountHint: 'Deixe vazio para o cliente escolher entre o mínimo e o máximo.',
  least: 'Mínimo',
  most: 'Máximo',
  maxUses: 'Usos, no máximo',
  maxUsesHint: 'Vazio: sem limite.',
  currency: 'Moeda',
  create: 'Criar link',
  product: 'O preço do produto',
  uses: 'Usos',
  state: 'Estado',
  on: 'Ativo',
  off: 'Desligado',
  turnOn: 'Ligar',
  turnOff: 'Desligar',
  toggleOf: (description: string) => `o link ${description}`,
  address: 'Endereço',
  wrong:
    'Indique o que se paga, e um montante ou um mínimo e um máximo. Os usos são um número inteiro.',
  done: {
    created: 'O link foi criado.',
    earlier: 'O link já tinha sido criado.',
    changed: 'O link foi alterado.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: 'Reusable links',
  hint: 'A link that is paid as often as needed: a fee, a service, a donation.',
  nothing: 'No reusable links yet',
  description: 'What is paid for',
  amount: 'Amount',
  amountHint: 'Leave it empty to let the customer choose between the least and the most.',
  least: 'Least',
  most: 'Most',
  maxUses: 'Uses, at most',
  maxUsesHint: 'Empty: any number.',
  currency: 'Currency',
  create: 'Create link',
  product: 'The price of the product',
  uses: 'Uses',
  state: 'Status',
  on: 'Active',
  off: 'Turned off',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  toggleOf: (description) => `the link ${description}`,
  address: 'Address',
  wrong: 'Say what is paid for, and an amount or a least and a most. Uses are a whole number.',
  done: {
    created: 'The link was created.',
    earlier: 'The link had been created before.',
    changed: 'The link was changed.',
  } as Record<string, string>,
};

export const words: Record<Language, typeof pt> = { pt, en };
