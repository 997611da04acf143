import { type RawBuilder, sql } from 'kysely'

/** Joins the conditions of a filter, without those that do not apply (false). */
export function joinConditions(
  parts: readonly (RawBuilder<unknown> | false)[],
  separator: RawBuilder<unknown> = sql` `,
): RawBuilder<unknown> {
  return sql.join(
    parts.filter((part) => part !== false),
    separator,
  )
}
