import type { AccountStanding, Address } from '../port.ts'
import { readAccount } from './node.ts'
import { demand, isMissing, parseJson, parseList, parseUint32 } from './read.ts'
import { XrplRefusal } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'

/** Tickets of an account at a ledger. */
interface Tickets {
  numbers: readonly number[]
  height: number
}

/** An account has at most 250 of them; a node may return fewer at a time than requested. */
const PAGE = 250
const PAGES_MAX = 30

/**
 * The state of an account in the last validated ledger; without tickets that the node has used in
 * later transactions. Null if the account does not exist.
 */
export async function readAccountStanding(
  rpc: XrplRpc,
  address: Address,
): Promise<AccountStanding | null> {
  const account = await readAccount(rpc, address, { ledger_index: 'validated' })
  if (account === null) return null
  const [there, left] = [
    await readTickets(rpc, address, 'validated'),
    await readTickets(rpc, address, 'current'),
  ]
  // An older ledger, of another machine behind the same address, would lack new tickets.
  demand(left.height > there.height, 'a current ledger that is older than the validated one')
  const { height, ownerCount: owned } = account
  const tickets = there.numbers.filter((number) => left.numbers.includes(number))
  return { height: Math.min(height, there.height), owned, tickets }
}

/** The tickets of an account; empty if it does not exist. */
export async function readTickets(
  rpc: XrplRpc,
  address: Address,
  index: 'validated' | 'current',
): Promise<Tickets> {
  const asked = { account: address, type: 'ticket', ledger_index: index, limit: PAGE }
  const numbers: number[] = []
  let marker: unknown
  let height = 0
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const result = await askPage(rpc, isMissing(marker) ? asked : { ...asked, marker })
    if (result === null) return { numbers: [], height }
    demand(index === 'current' || result['validated'] === true, 'objects of no validated ledger')
    height = parseUint32(result['ledger_index'] ?? result['ledger_current_index'], 'ledger_index')
    for (const one of parseList(result['account_objects'], 'account_objects')) {
      const object = parseJson(one, 'account_objects')
      demand(object['LedgerEntryType'] === 'Ticket', 'an object that is no ticket')
      demand(object['Account'] === address, 'a ticket of another account')
      numbers.push(parseUint32(object['TicketSequence'], 'TicketSequence'))
    }
    marker = result['marker']
    if (isMissing(marker)) return { numbers: numbers.sort((a, b) => a - b), height }
  }
  demand(false, 'more tickets than an account can have')
}

async function askPage(rpc: XrplRpc, params: Parameters<XrplRpc['call']>[1]) {
  try {
    return await rpc.call('account_objects', params)
  } catch (error) {
    if (error instanceof XrplRefusal && error.error === 'actNotFound') return null
    throw error
  }
}
