/*
 * A merchant that has moved leaves no row behind in its old cell, and no check either. A process that was frozen, or has
 * waited for a request's body or an operator's answer, may still write there. So each INSERT of a row that needs no other
 * row of its tenant asks for the tenant itself, in the same statement (docs/decisions/0037-cells.md). A foreign key would
 * do it too, and lock the tenant's row for each payment.
 */

/** What the statement fails with, beside SQLSTATE 22P02; `isMoving` knows it. */
export const absence = 'no such tenant in this cell';

/**
 * A condition that holds, or fails the whole statement where this cell does not have the tenant. Nothing written would
 * be read as "it is there already". A NULL in a column that takes none would fail as well, and have the row logged.
 * @param tenant the column or parameter with its id, named so that it is none of the table `tenants`
 * @param condition what must hold beside, or the row is left out: of aggregates over the one row `here`
 */
export const requireTenant = (tenant: string, condition = 'true'): string => `(
    SELECT CASE count(*) WHEN 0 THEN '${absence}' ELSE (${condition})::text END
    FROM tenants AS here WHERE here.id = ${tenant})::boolean`;

/** The same, but the row is left out without a word: of what is written for many tenants at once. */
export const hasTenant = (tenant: string): string =>
  `EXISTS (SELECT FROM tenants AS here WHERE here.id = ${tenant})`;
