import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { skipForgotten } from '../accounts/after-restore.ts'
import { verifyAddresses } from '../accounts/verify-addresses.ts'
import { type Ground, MIGRATIONS, openDatabaseServer, requireOwner } from '../app/ground.ts'
import { type Keys, OTHER_SERVICE_KEY, openKeys } from '../app/keys.ts'
import { auditLedger } from '../audit/run.ts'
import { systemClock } from '../base/clock.ts'
import { systemRandom } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { freezeRunning } from '../catalogue/rows.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { insertAudit } from '../audit-log/rows.ts'
import { readSeedFile } from '../keys/seed-file.ts'
import { type KeyProof, proveServiceKey } from '../orgs/prove-service-key.ts'
import { selectAnyOrganization } from '../orgs/rows.ts'
import type { BackupHead } from '../store/backup.ts'
import { readBackupFile } from '../store/backup-file.ts'
import { RESTORED } from '../scanner/resume.ts'
import { restoreBackup } from '../store/restore.ts'
import { requireOneDatabase } from '../store/same-database.ts'
import { actor, commandLog, onGround, print, readConfig } from './context.ts'
import { EXIT } from './exit.ts'

interface Restored {
  head: BackupHead
  tables: number
  rows: number
  frozen: readonly string[]
}

interface Verified {
  serviceKey: KeyProof
  drift: number
  verified: number
  unknown: number
  wrong: readonly string[]
}

/**
 * `sluice restore`: restores a backup into a new database. The commit freezes every chain, so that
 * nothing is credited or signed until an operator has checked what happened since the backup.
 */
export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<file>', 'a backup file')
    .option('--verify', 'verify balances, addresses and the service key')
    .action(async (file: string, { verify }: { verify?: boolean }, command: Command) => {
      // Before the restore: it cannot be repeated, so missing keys must be noticed first.
      const keys = verify === true ? await openKeys(readConfig(), systemRandom) : null
      const { restored, verified } = await restoreAndProve(file, keys).finally(() =>
        keys?.keyring.destroy(),
      )
      print(command, { ...restored, verified }, () => lines(file, restored, verified))
      if (verified !== null && !isSound(verified)) process.exitCode = EXIT.unhealthy
    })
}

/** Restores, and verifies the result if keys are given. */
async function restoreAndProve(file: string, keys: Keys | null) {
  const restored = await restore(file)
  const verified = await onGround(async (ground) => {
    await announce(ground, restored)
    return keys === null ? null : proof(ground, keys)
  })
  return { restored, verified }
}

async function restore(file: string): Promise<Restored> {
  const config = readConfig()
  const log = commandLog(config)
  const server = await openDatabaseServer(config, log, 'command')
  const target = { ownerUrl: requireOwner(server.urls), folder: MIGRATIONS, log }
  let frozen: readonly string[] = []
  try {
    await requireOneDatabase(server.urls)
    const counts = await restoreBackup(
      {
        ...target,
        isVacant: async (session) => !(await selectAnyOrganization(session)),
        settle: async (session, head) => {
          requireSeed(config.seedFile, head)
          await skipForgotten(session)
          const cause = `restored from a backup of ${head.createdAt}`
          const now = systemClock.now()
          frozen = await freezeRunning(session, { cause, now })
          const details = { createdAt: head.createdAt, frozen: frozen.join(' ') }
          const entry = { at: now, orgId: null, actor: actor(), object: file, details }
          await insertAudit(session, { ...entry, action: RESTORED })
        },
      },
      readBackupFile(file),
    )
    return { ...counts, frozen }
  } finally {
    await server.stop()
  }
}

/** Refuses another seed: its addresses differ, so deposits would be missed. */
function requireSeed(seedFile: string, head: BackupHead): void {
  if (!existsSync(seedFile)) return
  const { fingerprint } = readSeedFile(seedFile)
  if (fingerprint === head.seed) return
  throw new Refusal(
    'BAD_REQUEST',
    {},
    `The backup belongs to seed ${head.seed}, but ${seedFile} contains seed ${fingerprint}.`,
  )
}

async function announce({ database }: Ground, { head, frozen }: Restored): Promise<void> {
  await database.transaction(async (tx) => {
    for (const chainId of frozen) {
      const message =
        `${chainId} is frozen: restored from a backup of ${head.createdAt}. Check what happened ` +
        `since (docs/operations.md), then: sluice chain resume ${chainId} --reason <text>`
      await raiseAlert(tx, { code: 'chain.frozen', subject: chainId, message })
    }
  })
}

async function proof(ground: Ground, { keyring, serviceKey: key }: Keys): Promise<Verified> {
  const serviceKey = await ground.database.transaction((tx) => proveServiceKey(tx, key))
  const drift = await auditLedger(ground)
  const addresses = await verifyAddresses(ground.database, keyring, ground)
  return { serviceKey, drift: drift.length, ...addresses }
}

function isSound({ serviceKey, drift, wrong }: Verified): boolean {
  return serviceKey !== 'other' && drift === 0 && wrong.length === 0
}

function lines(file: string, restored: Restored, verified: Verified | null): string[] {
  const { head, tables, rows, frozen } = restored
  const proved = verified === null ? [] : proofLines(verified)
  return [
    `Restored ${rows} rows of ${tables} tables from ${file}, as of ${head.createdAt}.`,
    ...proved,
    `Frozen chains: ${frozen.join(', ') || 'none'}.`,
    ...frozen.map((chainId) => `  sluice chain resume ${chainId} --reason <text>`),
    'Passwords, roles and API keys are those of the backup: rotate again what was rotated since.',
  ]
}

const KEY_SAYS: Record<KeyProof, string> = {
  proved: 'The service key matches this database.',
  other: `BAD: ${OTHER_SERVICE_KEY}. Replace it before you start the service.`,
  nothing: 'The service key was not verified, because the backup has no organization.',
}

function proofLines({ serviceKey, drift, verified, unknown, wrong }: Verified): string[] {
  const others = wrong.length === 0 ? '' : ` Other addresses: ${wrong.join(', ')}.`
  const all = verified + wrong.length
  return [
    `${drift} balances differ from their postings.`,
    `${verified} of ${all} addresses match this seed.${others}`,
    `${unknown} addresses on unknown chains were not compared.`,
    KEY_SAYS[serviceKey],
  ]
}
