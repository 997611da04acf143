import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import type { Database } from '../store/database.ts'
import {
  type Comparison,
  DIFFERENCE,
  type Finding,
  describeFinding,
  findingSubject,
  isDifference,
} from './finding.ts'
import { resolveFinding, upsertFinding } from './rows.ts'

/**
 * Stores comparisons: a difference raises an alert, and a balance without one resolves it. Returns
 * the differences.
 */
export async function recordComparisons(
  database: Database,
  comparisons: readonly Comparison[],
): Promise<Finding[]> {
  const findings = comparisons.filter(isDifference)
  await database.transaction(async (tx) => {
    for (const comparison of comparisons) {
      const subject = findingSubject(comparison)
      if (isDifference(comparison)) {
        if (!(await upsertFinding(tx, comparison))) continue
        const message = `The audit found a ${describeFinding(comparison)}.`
        await raiseAlert(tx, { code: DIFFERENCE, subject, message })
      } else if (await resolveFinding(tx, comparison)) {
        await resolveAlert(tx, { code: DIFFERENCE, subject })
      }
    }
  })
  return findings
}
