import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.apiReference,
  base: 'Endereço da API',
  authorization: 'Autenticação',
  authorizationText:
    'Cada pedido leva a chave no cabeçalho Authorization. Guarde-a no servidor da loja: quem a tem pode movimentar dinheiro.',
  modes: 'A chave decide o modo: com sk_test_, nenhum dinheiro é movimentado.',
  hashed:
    'Só ficam guardados os resumos (hash) das chaves, por isso nenhuma pode ser mostrada aqui. Ponha a sua no lugar de',
  create: 'Criar uma chave de teste para esta página',
  createHint: 'A chave aparece uma vez, já dentro dos exemplos.',
  label: 'Página de referência',
  liveHint:
    'Para experimentar, passe ao modo de teste, onde pode criar uma chave para estes exemplos.',
  setup: 'Preparar a linha de comandos',
  first: 'Um primeiro pagamento',
  see: 'Ver o pagamento',
  sdk: 'Com o SDK (Node.js)',
  install: 'Instalar o SDK',
  repeat: 'Um pedido repetido com a mesma Idempotency-Key não cobra duas vezes.',
  docs: 'Todas as rotas, campos e erros',
  noDocs: 'A referência completa (/docs) está num endereço interno: peça-o a quem gere o gateway.',
};

const en: typeof pt = {
  title: labels.en.apiReference,
  base: 'Base URL of the API',
  authorization: 'Authentication',
  authorizationText:
    'Each request carries the key in the Authorization header. Keep the key on the shop’s server: anyone who has it can move money.',
  modes: 'The key decides the mode: with sk_test_, no money moves.',
  hashed: 'Only hashes of the keys are stored, so none can be shown here. Put your key in place of',
  create: 'Create a test key for this page',
  createHint: 'The key is shown once, inside the examples.',
  label: 'Reference page',
  liveHint: 'To try it, switch to test mode, where you can create a key for these examples.',
  setup: 'Prepare the shell',
  first: 'A first payment',
  see: 'See the payment',
  sdk: 'With the SDK (Node.js)',
  install: 'Install the SDK',
  repeat: 'A request repeated with the same Idempotency-Key never charges twice.',
  docs: 'All routes, fields and errors',
  noDocs: 'The full reference (/docs) is at an internal address: ask the gateway’s staff for it.',
};

export const words: Record<Language, typeof pt> = { pt, en };
