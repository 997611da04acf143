import { withDatabaseName, withSession } from '../../../src/store/connection.ts'
import type { Stage } from '../stage.ts'

/**
 * Drops the database constraints that a planted bug would not have had either. Returns whether a
 * bug is planted.
 */
export async function plantInSchema({ adminUrl, template }: Stage): Promise<boolean> {
  const text = process.env['SIM_PLANTED']
  if (text === undefined) return false
  const { schema } = parsePlanted(text)
  if (schema !== undefined)
    await withSession(withDatabaseName(adminUrl, template), (session) => session.script(schema))
  return true
}

function parsePlanted(text: string): { schema?: string } {
  return JSON.parse(text) as { schema?: string }
}
