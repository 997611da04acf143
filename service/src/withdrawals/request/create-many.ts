import { listHouseAmong } from '../../accounts/own-address.ts'
import { Outage, Refusal } from '../../base/fault.ts'
import { watchScope } from '../../catalogue/scope.ts'
import { parseAddress } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import { affordable } from '../../gas/afford.ts'
import type { Organization } from '../../orgs/organization.ts'
import { requireCallers } from '../../orgs/require-caller.ts'
import { readOrganization } from '../../orgs/settings.ts'
import { readMinHumans } from '../../orgs/signers.ts'
import { requireGenuine } from '../../orgs/thresholds.ts'
import type { Tx } from '../../store/database.ts'
import { insertWithdrawals, type NewWithdrawal } from '../approval-rows.ts'
import { checkLimits, checkNamed, type Named, type Offers, withMemo } from './check.ts'
import { type Creation, draftOf, tellCreated, writeCreated } from './create.ts'
import type { Vouching } from '../mac.ts'
import { readAvailables, reserveAmounts } from '../reserve.ts'
import { selectTaken } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** A request that nothing stands against so far. */
interface Candidate {
  at: number
  given: Creation
  named: Named
}

/** All that the requests of a group are held against. */
interface Picture {
  offers: Offers
  organization: Organization
  /** References that withdrawals have. */
  taken: ReadonlySet<string>
  /** Recipients that are settlement or gas addresses, by `houseKey`. */
  houses: ReadonlySet<string>
  /** Chains and fees that the gas covers, by `gasKey`. */
  covered: ReadonlySet<string>
  /** Base units that can be used, by token. */
  available: ReadonlyMap<string, bigint>
}

/**
 * Creates the withdrawals of one organization that nothing stands against, in the caller's commit,
 * each as `createWithdrawal` does. Null for a request that this cannot say yes to: whoever asked
 * does it by itself, and is told why not. Refuses as `requireCaller` does, and throws Overdrawn
 * where others took the balance meanwhile.
 */
export async function createWithdrawals(
  tx: Tx,
  serviceKey: Vouching,
  group: readonly Creation[],
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<(Withdrawal | null)[]> {
  const [first] = group
  if (first === undefined) return []
  const { catalogue } = first
  // Sent first: what the picture shows is read after who asks was waited for.
  const [, picture] = await Promise.all([
    requireCallers(tx, serviceKey, group),
    readPicture(tx, group, offersOf),
  ])
  const { organization } = picture
  requireGenuine(serviceKey, organization)
  const requiredHumans = await readMinHumans(tx, serviceKey, organization)
  const drafts = new Map<number, NewWithdrawal>(
    findCandidates(group, picture).map(({ at, given, named }) => [
      at,
      draftOf(tx, serviceKey, { ...given, named, organization, requiredHumans }),
    ]),
  )
  const inserted = await insertWithdrawals(tx, [...drafts.values()])
  const made = group.map((_given, at) => {
    const withdrawal = drafts.get(at)?.withdrawal
    return withdrawal !== undefined && inserted.has(withdrawal.id) ? withdrawal : null
  })
  const withdrawals = made.filter((one) => one !== null)
  for (const withdrawal of withdrawals) tellCreated(tx, { catalogue, withdrawal })
  // Nothing waits for the entries, and they come before the balances, which others wait for.
  await Promise.all([writeCreated(tx, withdrawals), reserveAmounts(tx, { catalogue, withdrawals })])
  return made
}

/** Everything is asked at once: it is one way to the database and back, not one for each. */
async function readPicture(
  tx: Tx,
  group: readonly Creation[],
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<Picture> {
  const orgId = group[0]?.orgId ?? ''
  const references = group.map(({ request }) => request.reference)
  const [offers, organization, taken, houses, covered, available] = await Promise.all([
    offersOf(tx),
    readOrganization(tx, orgId),
    selectTaken(tx, { orgId, references }),
    readHouses(tx, group),
    readCovered(tx, group),
    readAvailables(tx, group.flatMap(tokenOf)),
  ])
  return { offers, organization, taken, houses, covered, available }
}

function findCandidates(group: readonly Creation[], picture: Picture): Candidate[] {
  const taken = new Set(picture.taken)
  const left = new Map(picture.available)
  return group.flatMap((given, at) => {
    const { reference } = given.request
    // Of equal references the first alone; the others find it when they come by themselves.
    if (taken.has(reference)) return []
    taken.add(reference)
    const named = nameOrNull(given, picture.offers)
    if (named === null || given.foreseen) return []
    const { entry, token, amount, recipient } = named
    // Where fees come out of what is paid, or payments need tags, each is looked at by itself.
    if (!entry.hasGasWallets) return []
    if (picture.houses.has(houseKey(watchScope(entry), recipient))) return []
    const { fee } = given
    if (fee === null || fee instanceof Outage) return []
    if (!picture.covered.has(gasKey(entry.id, fee))) return []
    // As many as the balances cover, in the order in which they came.
    const available = left.get(token.id) ?? 0n
    if (available < amount) return []
    left.set(token.id, available - amount)
    return [{ at, given, named }]
  })
}

function nameOrNull({ catalogue, request }: Creation, offers: Offers): Named | null {
  try {
    const named = withMemo(checkNamed(request, { catalogue, offers }), request)
    checkLimits(named)
    return named
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function readHouses(tx: Tx, group: readonly Creation[]): Promise<Set<string>> {
  const addresses = new Map<string, Address[]>()
  for (const { catalogue, request } of group) {
    const entry = catalogue.chain(request.chainId)
    const address = entry === null ? null : parseAddress(entry.id, request.recipient)
    if (entry === null || address === null) continue
    const scope = watchScope(entry)
    addresses.set(scope, [...(addresses.get(scope) ?? []), address])
  }
  const found = [...addresses].map(async ([scope, asked]) => {
    const houses = await listHouseAmong(tx, { scope, addresses: asked })
    return houses.map((address) => houseKey(scope, address))
  })
  return new Set((await Promise.all(found)).flat())
}

/** The same question as for one alone: each is asked for its own fee. */
async function readCovered(tx: Tx, group: readonly Creation[]): Promise<Set<string>> {
  const asked = new Map<string, Promise<boolean>>()
  for (const { catalogue, orgId, request, fee } of group) {
    const entry = catalogue.chain(request.chainId)
    if (entry === null || fee === null || fee instanceof Outage) continue
    const { id: chainId } = entry
    const key = gasKey(chainId, fee)
    const ask = async () => (await affordable(tx, { orgId, chainId, fee })).ok
    asked.set(key, asked.get(key) ?? ask())
  }
  const answers = await Promise.all(
    [...asked].map(async ([key, isCovered]) => ((await isCovered) ? [key] : [])),
  )
  return new Set(answers.flat())
}

function tokenOf({ catalogue, orgId, request }: Creation) {
  const token = catalogue.token(request.tokenId)
  return token === null ? [] : [{ orgId, chainId: token.chainId, tokenId: token.id }]
}

function houseKey(scope: string, address: Address): string {
  return `${scope} ${address}`
}

function gasKey(chainId: string, fee: bigint): string {
  return `${chainId} ${fee}`
}
