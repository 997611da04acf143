import { sql } from 'kysely'
import { iso } from '../../src/base/clock.ts'
import { SEALED_AT_ONCE_MAX, sealAudit } from '../../src/audit-log/seal-audit.ts'
import type { AuditHead } from '../../src/audit-log/audit-head.ts'
import { AS_OWNER } from '../../src/store/as-owner.ts'
import { withSession } from '../../src/store/connection.ts'
import type { TestDatabase } from './database.ts'

type Log = Pick<TestDatabase, 'database' | 'urls' | 'clock'>

/** Writes `count` entries in one transaction, as the engine. */
export async function writeEntries({ database, clock }: Log, count: number): Promise<void> {
  await database.transaction((tx) =>
    tx.run(sql`
      insert into audit_log
        (at, actor, action, object)
      select ${iso(clock.now())}, 'cli:root', 'chain.resume', 'chain ' || n
        from generate_series(1, ${count}::int) n`),
  )
}

/** Seals all that waits. */
export async function sealEverything({ database }: Log): Promise<AuditHead> {
  for (;;) {
    const { sealed, head } = await database.transaction(sealAudit)
    if (sealed < SEALED_AT_ONCE_MAX) return head
  }
}

/** Runs a statement as the tables' owner with all triggers disabled. */
export function tamper({ urls }: Log, statements: string): Promise<void> {
  const tables = ['audit_log', 'audit_seals']
  const triggers = (verb: string) =>
    tables.map((table) => `alter table ${table} ${verb} trigger user`).join('; ')
  return withSession(urls.owner, (session) =>
    session.script(
      `begin; ${AS_OWNER}; ${triggers('disable')}; ${statements}; ${triggers('enable')}; commit`,
    ),
  )
}
