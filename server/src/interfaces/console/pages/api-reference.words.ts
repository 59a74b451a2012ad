import type { Language } from '../words/common.ts';

const pt = {
  title: 'Referência da API',
  base: 'Endereço da API',
  authorization: 'Autenticação',
  authorizationText:
    'Cada pedido leva a chave no cabeçalho Authorization. Guarde-a no servidor da loja: quem a tem pode movimentar dinheiro.',
  modes: 'A chave decide o modo: com sk_test_ nenhum dinheiro é movimentado.',
  hashed:
    'As chaves só são guardadas em resumo (hash), por isso nenhuma pode ser mostrada aqui. Ponha a sua no lugar de',
  create: 'Criar uma chave de teste para esta página',
  createHint: 'A chave aparece uma vez, já dentro dos exemplos.',
  label: 'Página de referência',
  liveHint:
    'Para experimentar, passe ao modo de teste: aí pode criar uma chave para estes exemplos.',
  setup: 'Preparar a linha de comandos',
  first: 'Um primeiro pagamento',
  see: 'Ver o pagamento',
  sdk: 'Com o SDK (Node.js)',
  install: 'Instalar o SDK',
  repeat: 'Um pedido repetido com a mesma Idempotency-Key não cobra duas vezes.',
  docs: 'Todas as rotas, campos e erros',
  noDocs: 'A referência completa (/docs) está num endereço interno: peça-o a quem gere o sistema.',
};

const en: typeof pt = {
  title: 'API reference',
  base: 'Base URL of the API',
  authorization: 'Authentication',
  authorizationText:
    'Each request carries the key in the header Authorization. Keep it on the shop’s server: whoever has it can move money.',
  modes: 'The key decides the mode: with sk_test_ no money moves.',
  hashed: 'Of keys only hashes are stored, so none can be shown here. Put yours in the place of',
  create: 'Create a test key for this page',
  createHint: 'The key is shown once, within the samples.',
  label: 'Reference page',
  liveHint: 'To try it, go to test mode: there you can make a key for these samples.',
  setup: 'Prepare the shell',
  first: 'A first payment',
  see: 'See the payment',
  sdk: 'With the SDK (Node.js)',
  install: 'Install the SDK',
  repeat: 'A request that is repeated with the same Idempotency-Key never charges twice.',
  docs: 'All routes, fields and errors',
  noDocs:
    'The whole reference (/docs) has an internal address: ask whoever runs the system for it.',
};

export const words: Record<Language, typeof pt> = { pt, en };
