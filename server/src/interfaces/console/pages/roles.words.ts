import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Funções',
  who: 'Quem pode fazer o quê',
  whoHint: 'Cada função permite o que tem um visto. Só os proprietários gerem a equipa.',
  what: 'Permissão',
  yes: labels.pt.yes,
  no: labels.pt.no,
  own: 'Funções próprias',
  none: 'Ainda não há funções próprias.',
  ownHint: 'Junte as permissões de que precisa quem não cabe nas outras funções.',
  make: 'Nova função',
  name: 'Nome da função',
  permissions: 'O que permite',
  chooseOne: 'Escolha pelo menos uma permissão.',
  badName: 'Escreva um nome com até 40 letras, que nenhuma outra função tenha.',
  tooMany: 'Já há 20 funções próprias. Apague uma primeiro.',
  tooMuch: 'Uma função não pode permitir mais do que lhe é permitido a si.',
  remove: 'Apagar a função',
  inUse: 'Há pessoas ou convites com esta função: dê-lhes primeiro outra.',
  uses: (count: number) => (count === 1 ? '1 pessoa ou convite' : `${count} pessoas ou convites`),
  at: 'As pessoas com esta função têm as novas permissões no pedido seguinte.',
  useless: (permission: string, lacks: readonly string[]) =>
    `«${permission}» só serve com ${lacks.map((each) => `«${each}»`).join(' ou ')}.`,
  team: labels.pt.team,
  done: {
    made: 'A função foi criada. Dê-a a alguém na página da equipa.',
    changed: 'A função foi alterada.',
    deleted: 'A função foi apagada.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: 'Roles',
  who: 'Who may do what',
  whoHint: 'Each role allows what has a tick. Only owners manage the team.',
  what: 'Permission',
  yes: labels.en.yes,
  no: labels.en.no,
  own: 'Your custom roles',
  none: 'There are no custom roles yet.',
  ownHint: 'Put together the permissions of people who do not fit the other roles.',
  make: 'New role',
  name: 'Name of the role',
  permissions: 'What it allows',
  chooseOne: 'Choose at least one permission.',
  badName: 'Type a name of up to 40 letters that no other role has.',
  tooMany: 'There are 20 custom roles already. Delete one first.',
  tooMuch: 'A role cannot allow more than you may do yourself.',
  remove: 'Delete the role',
  inUse: 'People or invitations have this role: give them another one first.',
  uses: (count) => (count === 1 ? '1 person or invitation' : `${count} people or invitations`),
  at: 'People with this role have the new permissions with their next request.',
  useless: (permission, lacks) =>
    `“${permission}” is of use only with ${lacks.map((each) => `“${each}”`).join(' or ')}.`,
  team: labels.en.team,
  done: {
    made: 'The role was created. Give it to somebody on the team page.',
    changed: 'The role was changed.',
    deleted: 'The role was deleted.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
