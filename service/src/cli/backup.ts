import { existsSync, statSync } from 'node:fs'
import { Command } from 'commander'
import { type Ground, requireOwner } from '../app/ground.ts'
import { openCommandSigner } from '../app/open-signer.ts'
import { systemClock } from '../base/clock.ts'
import { readSeedFile } from '../keys/seed-file.ts'
import { readBackup } from '../store/backup.ts'
import { writeBackupFile } from '../store/backup-file.ts'
import { onGround, print } from './context.ts'

/**
 * `sluice backup`: writes everything except the keys to one file while the service runs. The file
 * is useless without the seed and the service key, which are backed up separately.
 */
export function backupCommand(program: string): Command {
  return new Command('backup')
    .argument('<file>', 'a new file')
    .action(async (file: string, _options: unknown, command: Command) => {
      const counts = await onGround(async (ground) => {
        const { urls } = ground
        const seed = await seedOf(ground)
        const request = { ownerUrl: requireOwner(urls), program, seed, now: systemClock.now() }
        let written = { tables: 0, rows: 0 }
        await writeBackupFile(file, async (onLine) => {
          written = await readBackup(request, onLine)
        })
        return { ...written, seed }
      })
      const { size: bytes } = statSync(file)
      print(command, { file, bytes, ...counts }, () => [
        `Wrote ${counts.rows} rows of ${counts.tables} tables to ${file} (${bytes} bytes).`,
        `A restore needs the seed ${counts.seed} and the service key; keep both in another place.`,
      ])
    })
}

/** The fingerprint of the seed: of its file, or of the signer that another user runs. */
async function seedOf(ground: Ground): Promise<string> {
  const { seedFile, signerSocket } = ground.config
  if (signerSocket === '' || existsSync(seedFile)) return readSeedFile(seedFile).fingerprint
  const { signer, close } = await openCommandSigner(ground)
  try {
    return await signer.fingerprint()
  } finally {
    await close()
  }
}
