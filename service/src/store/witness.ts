import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { settleSession } from './session-settings.ts'

/**
 * An idle connection that proves to other processes that this one is alive: the server closes it
 * when the process ends.
 */
export interface Witness {
  /**
   * Its backend, `<pid>/<start>`. Empty if the database is unreachable, or behind a pooler, whose
   * connections do not end with this process.
   */
  name(): Promise<string>
  close(): Promise<void>
}

/** Opens the witness, which connects when its name is needed, and again after a loss. */
export function openWitness(config: ClientConfig): Witness {
  let standing: Promise<string> | null = null
  let client: Client | null = null
  const forget = (gone: Client) => {
    if (client !== gone) return
    client = null
    standing = null
  }
  const stand = async () => {
    const made = new Client(config)
    client = made
    made.on('error', () => forget(made))
    made.on('end', () => forget(made))
    return introduce(made).catch(() => {
      forget(made)
      void made.end().catch(() => undefined)
      return ''
    })
  }
  return {
    name: () => (standing ??= stand()),
    close: async () => {
      await client?.end().catch(() => undefined)
    },
  }
}

/**
 * A pooler reports an invented process id and lends a backend that outlives this process: the
 * server reports a different id then.
 */
async function introduce(client: Client): Promise<string> {
  await client.connect()
  await settleSession(client)
  const { rows } = await client.query<{ pid: number; name: string }>(`
    select pid, pid || '/' || extract(epoch from backend_start) as name
      from pg_stat_activity
     where pid = pg_backend_pid()`)
  const [row] = rows
  const told = 'processID' in client ? client.processID : null
  return row !== undefined && row.pid === told ? row.name : ''
}
