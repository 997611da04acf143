import { chmod, mkdtemp, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { startEmbedded } from '../../src/store/embedded.ts'
import type { EmbeddedOptions, EmbeddedServer } from '../../src/store/embedded.ts'
import { silentLog } from '../support/clock.ts'

/** A folder for a server of a test's own, and the servers that ran in it. */
export interface ServerFolder {
  path: string
  start(options?: Partial<EmbeddedOptions>): Promise<EmbeddedServer>
  /** Stops what still runs and removes everything. */
  clear(): Promise<void>
}

/** Makes such a folder; `below` makes it that much deeper. */
export async function makeServerFolder(below = ''): Promise<ServerFolder> {
  const top = await mkdtemp(join(tmpdir(), 'sluice-server-'))
  await chmod(top, 0o755)
  const path = join(top, below)
  const started: EmbeddedServer[] = []
  const start: ServerFolder['start'] = async (options = {}) => {
    const server = await startEmbedded({
      dataFolder: path,
      log: silentLog(),
      clock: systemClock,
      keepsSuperuser: true,
      ...options,
    })
    started.push(server)
    return server
  }
  const clear = async () => {
    for (const server of started) await server.stop()
    const elsewhere = await readlink(join(path, 'elsewhere')).catch(() => null)
    if (elsewhere !== null) await rm(elsewhere, { recursive: true, force: true })
    await rm(top, { recursive: true, force: true })
  }
  return { path, start, clear }
}
