import type { Clock, Millis } from '../base/clock.ts'
import type { Database } from '../store/database.ts'
import { updateLastUse } from './key-rows.ts'

/** Records the last use of API keys outside the requests that use them. */
export interface KeyUses {
  /** Notes one use; it costs a write to memory. */
  note(key: { orgId: string; keyId: string }): void
  /** Writes down what was noted since the last time: one statement for all keys. */
  flush(database: Database): Promise<void>
}

/** Opens the buffer; a loop flushes it. A crash loses unflushed times, which are informational. */
export function openKeyUses(clock: Clock): KeyUses {
  let uses = new Map<string, { orgId: string; keyId: string; at: Millis }>()
  return {
    note: ({ orgId, keyId }) => {
      uses.set(keyId, { orgId, keyId, at: clock.now() })
    },
    flush: async (database) => {
      const noted = [...uses.values()]
      if (noted.length === 0) return
      uses = new Map()
      await database.transaction((tx) => updateLastUse(tx, noted))
    },
  }
}
