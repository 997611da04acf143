import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { settleSession } from './session-settings.ts'

/**
 * A connection that says nothing and stands for this process: the server drops it when the process
 * is gone, and everybody who may connect sees that.
 */
export interface Witness {
  /**
   * Which backend of the server it is, `<pid>/<start>`. Empty where that says nothing of us: the
   * database is away, or a pooler stands between and keeps connections of its own.
   */
  name(): Promise<string>
  close(): Promise<void>
}

/** Opens the witness; it connects when its name is first asked for, and again once it was cut. */
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
 * A pooler answers with a process id that it made up, and lends us a backend that outlives us: what
 * the server itself says is then another one.
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
