import { createRequire } from 'node:module'
import type { Client } from 'pg'
import { DEPOSITS_A_BLOCK, watchedAddress } from '../chain/plan.ts'

/** A payment as the peers write it down. */
export interface Payment {
  hash: string
  position: string
  to: string
  amount: bigint
}

/** Arguments of a peer's program: `<node> <first> <last> <watched> <database>`. */
export interface PeerSettings {
  url: string
  first: number
  last: number
  watched: number
  databaseUrl: string
}

/** Packages of the peers are installed in bench/peers, apart from ours. */
export const requirePeer = createRequire(new URL('../peers/package.json', import.meta.url))

/** The settings from the command line. */
export function peerSettings(): PeerSettings {
  const [url = '', first = '0', last = '0', watched = '0', databaseUrl = ''] = process.argv.slice(2)
  return {
    url,
    first: Number(first),
    last: Number(last),
    watched: Number(watched),
    databaseUrl,
  }
}

/** The watched addresses in a Set, as programs without a database of them keep them. */
export function loadWatched(watched: number): Set<string> {
  const addresses = new Set<string>()
  for (let index = 0; index < watched; index += 1) addresses.add(watchedAddress(index))
  return addresses
}

export const PEER_TABLE = `
  create table payments (
    hash text not null, position text not null, recipient text not null, amount numeric not null,
    primary key (hash, position, recipient))`

/** Inserts payments in one statement, its own commit, and says how many there were. */
export async function writePayments(
  database: Client,
  payments: readonly Payment[],
): Promise<number> {
  if (payments.length === 0) return 0
  const { rowCount } = await database.query(
    `insert into payments
     select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[])
     on conflict do nothing`,
    [
      payments.map(({ hash }) => hash),
      payments.map(({ position }) => position),
      payments.map(({ to }) => to),
      payments.map(({ amount }) => amount.toString()),
    ],
  )
  return rowCount ?? 0
}

/** Reports the rate, and if all payments were found, to the parent process. */
export function printRate(given: { found: number; blocks: number; seconds: number }): void {
  const { found, blocks, seconds } = given
  process.send?.({ rate: blocks / seconds, ok: found === blocks * DEPOSITS_A_BLOCK, found })
}
