import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** One change of a halt. Of the rows with a valid MAC the highest number counts. */
export interface Halt {
  cause: string
  number: number
  halted: boolean
  mac: Uint8Array
}

/** Rows with a higher number are forged, and could not be read exactly. */
const NUMBER_MAX = 999_999_999

export async function selectHalts(tx: Tx, cause: string): Promise<Halt[]> {
  return tx.many(sql<Halt>`
    select cause, number, halted, mac
      from signing_halts
     where cause = ${cause}
       and number between 1 and ${NUMBER_MAX}`)
}

export async function insertHalt(tx: Tx, { cause, number, halted, mac }: Halt): Promise<void> {
  await tx.run(sql`
    insert into signing_halts (cause, number, halted, mac, at)
    values (${cause}, ${number}, ${halted}, ${mac}, ${iso(tx.clock.now())})`)
}
