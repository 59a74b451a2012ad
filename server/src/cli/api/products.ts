import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Output } from '../output.ts';
import type { CreateProductBody, UpdateProductBody } from './connection.ts';
import {
  addDelete,
  addForId,
  addList,
  centavos,
  examples,
  idArgument,
  metadata,
  show,
  withJson,
} from './resource.ts';

const id = 'the product (pr_…)';

export function addProductCommands(program: Command): void {
  const products = program
    .command('products')
    .description('products that checkout sessions can sell');
  addList(products, {
    about: 'products, newest first',
    columns: { ID: 'id', NAME: 'name', PRICE: 'price', ACTIVE: 'active', AGE: 'createdAt' },
    filters: [active()],
    list: (zimbo, query) => zimbo.products.list(query),
  });
  addForId(products, 'get', { about: 'one product', id }, (zimbo, productId) =>
    zimbo.products.get(productId),
  );
  const create = products
    .command('create')
    .description('create a product')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--price <centavos>', 'its price: 10000 is 100.00', centavos);
  withJson(withDetails(create))
    .addHelpText('after', examples('zimbo products create --name Café --price 15000'))
    .action(({ json, ...body }: Output & CreateProductBody) =>
      show({ json }, (zimbo) => zimbo.products.create(body)),
    );
  const update = products
    .command('update')
    .description('change the given fields; existing sessions do not change')
    .argument('<id>', id, idArgument)
    .option('--name <name>', 'its name')
    .option('--price <centavos>', 'its price', centavos);
  withJson(withDetails(update)).action(
    (productId: string, { json, ...body }: Output & UpdateProductBody) =>
      show({ json }, (zimbo) => zimbo.products.update(productId, body)),
  );
  addDelete(products, { about: 'remove a product', id }, (zimbo, productId) =>
    zimbo.products.delete(productId),
  );
}

function withDetails(command: Command): Command {
  return command
    .option('--description <text>', 'a longer description')
    .option('--currency <currency>', 'CVE or AOA (default: CVE)')
    .addOption(active())
    .option('--metadata <name=value>', 'your own data; may be repeated', metadata);
}

export function active(): Option {
  return new Option('--active <true|false>', 'whether it can be sold').argParser((text) => {
    if (text !== 'true' && text !== 'false')
      throw new InvalidArgumentError('It must be true or false.');
    return text === 'true';
  });
}
