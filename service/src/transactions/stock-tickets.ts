import type { TicketAdapter } from '../chains/chain-adapter.ts'
import { listBaseAccounts } from '../accounts/base-account.ts'
import type { AccountReserves, Address, Intent } from '../chains/port.ts'
import { maxFeeOf, type Terms } from '../chains/spending.ts'
import { gasOf } from './core/funds.ts'
import type { SpendDeps } from './core/payment-request.ts'
import { selectUnmined } from './core/spend-rows.ts'
import { prepareSender } from './prepare.ts'
import { sendSpend } from './send.ts'
import { selectFreeTickets } from './ticket/ticket-rows.ts'

type TicketDeps = SpendDeps & { adapter: TicketAdapter }

/** A base account that lacks tickets. */
interface Lacking {
  orgId: string
  address: Address
  /** How many it lacks. */
  count: number
}

/**
 * Keeps XRPL base accounts stocked with tickets: when fewer than half of `tickets` are free,
 * creates the missing ones. Each ticket locks a reserve, which the organization's gas must cover;
 * otherwise fewer are created. An account without tickets pays under its own sequence. Returns the
 * number of tickets requested. Throws an Outage if no node answers.
 */
export async function stockTickets(deps: SpendDeps): Promise<number> {
  const { adapter, tickets = 0 } = deps
  if (tickets === 0 || adapter.paymentModel !== 'ticket') return 0
  const lacking = await listLacking(deps, tickets)
  if (lacking.length === 0) return 0
  const reserves = await adapter.reserves()
  let asked = 0
  for (const one of lacking) asked += await ask({ ...deps, adapter }, reserves, one)
  return asked
}

async function listLacking(deps: SpendDeps, stock: number): Promise<readonly Lacking[]> {
  const { database, entry } = deps
  const noted = await database.transaction((tx) => listBaseAccounts(tx, entry.id))
  const ready = noted.filter(({ missing }) => missing === '')
  // This finds tickets from before a restore.
  for (const { address } of ready) await prepareSender(deps, address)
  return database.transaction(async (tx) => {
    const lacking: Lacking[] = []
    for (const { orgId, address } of ready) {
      const key = { chainId: entry.id, address }
      const free = (await selectFreeTickets(tx, key)).length
      const open = await selectUnmined(tx, { chainId: entry.id, sender: address })
      const isComing = open.some(({ tickets }) => tickets > 0)
      if (!isComing && free * 2 < stock) lacking.push({ orgId, address, count: stock - free })
    }
    return lacking
  })
}

async function ask(deps: TicketDeps, reserves: AccountReserves, lacking: Lacking) {
  const { adapter, entry, catalogue, database, caps } = deps
  const { orgId, address } = lacking
  const standing = await adapter.accountState(address)
  if (standing === null) return 0
  const tokenId = catalogue.nativeToken(entry.id).id
  const bare = { chainId: entry.id, tokenId, from: address, to: address, amount: 0n, memo: null }
  const quote = await adapter.quote({ ...bare, tickets: 1 }, { ...caps, relativePercent: null })
  if (!quote.ok) return 0
  const { terms } = quote
  const gas = await database.transaction((tx) => {
    return gasOf(tx, { orgId, chainId: entry.id, native: tokenId })
  })
  const count = affordable(lacking.count, { ...reserves, owned: standing.owned, gas, terms })
  if (count === 0) return 0
  const intent: Intent = { ...bare, tickets: count }
  const subjectId = await database.transaction(async (tx) => tx.ids.next())
  const sent = await sendSpend(deps, {
    purpose: 'filler',
    orgId,
    subjectId,
    intent,
    terms,
    claim: async () => intent,
    sent: async () => undefined,
  })
  return sent.outcome === 'sent' ? count : 0
}

/** How many of the wanted tickets the reserve leaves room for. */
function affordable(
  wanted: number,
  { base, step, owned, gas, terms }: AccountReserves & { owned: number; gas: bigint; terms: Terms },
): number {
  const room = gas - maxFeeOf(terms) - base - step * BigInt(owned)
  if (room < 0n) return 0
  const most = step === 0n ? BigInt(wanted) : room / step
  return most < BigInt(wanted) ? Number(most) : wanted
}
