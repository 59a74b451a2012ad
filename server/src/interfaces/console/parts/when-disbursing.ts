import { notFound } from '../../../platform/errors/errors.ts';
import type { Permission } from '../../../tenants/people/permissions.ts';
import type { Action, ConsolePage } from '../page.ts';
import type { MerchantContext } from '../request-context.ts';

/** Whether this installation sends money to wallets. */
export const isDisbursing = ({ services }: Pick<MerchantContext, 'services'>): boolean =>
  services.disbursementSettings.isOn;

/**
 * A page that makes disbursements: it exists only while this installation sends money to wallets. The pages that show
 * and cancel earlier ones stay.
 */
export function whenDisbursing(page: ConsolePage): ConsolePage {
  const { actions } = page;
  const guarded = Object.entries(actions ?? {}).map(([name, action]): [string, Action] => [
    name,
    {
      ...action,
      async run(visit, sent) {
        requireDisbursing(visit);
        return action.run(visit, sent);
      },
    },
  ]);
  return {
    ...page,
    async show(visit) {
      requireDisbursing(visit);
      return page.show(visit);
    },
    ...(actions && { actions: Object.fromEntries(guarded) }),
  };
}

function requireDisbursing(visit: MerchantContext): void {
  if (!isDisbursing(visit)) throw notFound('page');
}

/**
 * The permissions that mean something here: those of disbursements only where there are any.
 * @param kept those that a role has already, which stay in its form
 */
export const permissionsHere = (
  visit: Pick<MerchantContext, 'services'>,
  all: readonly Permission[],
  kept: readonly string[] = [],
): Permission[] =>
  all.filter(
    (each) => isDisbursing(visit) || kept.includes(each) || !each.startsWith('disbursements.'),
  );
