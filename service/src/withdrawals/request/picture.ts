import { listPlatformAmong } from '../../accounts/own-address.ts'
import { Outage } from '../../base/fault.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { watchScope } from '../../catalogue/scope.ts'
import { parseRecipient } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import { type Affordable, affordable } from '../../gas/afford.ts'
import { CLAIM } from '../../ledger/account.ts'
import { readOrganization } from '../../orgs/settings.ts'
import type { Tx } from '../../store/database.ts'
import { readClaims } from '../reserve.ts'
import { selectByReferences } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'
import {
  type Creation,
  gasKey,
  type Offers,
  type Picture,
  platformKey,
  type Standing,
} from './check.ts'

type Whose = Pick<Withdrawal, 'orgId' | 'chainId' | 'tokenId'>

/**
 * Reads the picture of a group. All queries are sent at once. References come last: if another
 * transaction has taken from the balances that are read before them, its reference is seen too.
 */
export async function readPicture(
  tx: Tx,
  group: readonly Creation[],
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<Picture> {
  const orgId = group[0]?.orgId ?? ''
  const tokens = group.flatMap(tokenOf)
  const slow = tokens.filter(({ entry }) => entry.paymentModel === 'utxo')
  const [available, unconfirmed, offers, organization, platform, gas, taken] = await Promise.all([
    readClaims(tx, tokens, CLAIM.available),
    readClaims(tx, slow, CLAIM.unconfirmed),
    offersOf(tx),
    readOrganization(tx, orgId),
    readPlatform(tx, group),
    readGas(tx, group),
    readTaken(tx, group),
  ])
  return { available, unconfirmed, offers, organization, platform, gas, taken }
}

/** The withdrawals that have one of the references of the group, by reference. */
export async function readTaken(
  tx: Tx,
  group: readonly Pick<Creation, 'orgId' | 'request'>[],
): Promise<Map<string, Withdrawal>> {
  const orgId = group[0]?.orgId ?? ''
  const references = group.map(({ request }) => request.reference)
  const found = await selectByReferences(tx, { orgId, references })
  return new Map(found.map((withdrawal) => [withdrawal.reference, withdrawal]))
}

/** Reads from what a withdrawal may be paid. */
export async function readStanding(tx: Tx, entry: ChainEntry, whose: Whose): Promise<Standing> {
  const available = await readClaims(tx, [whose], CLAIM.available)
  const unconfirmed = await readClaims(
    tx,
    entry.paymentModel === 'utxo' ? [whose] : [],
    CLAIM.unconfirmed,
  )
  const { tokenId } = whose
  return {
    available: available.get(tokenId) ?? 0n,
    unconfirmed: unconfirmed.get(tokenId) ?? 0n,
  }
}

async function readPlatform(tx: Tx, group: readonly Creation[]): Promise<Set<string>> {
  const addresses = new Map<string, Address[]>()
  for (const { catalogue, request } of group) {
    const entry = catalogue.chain(request.chainId)
    const recipient = entry === null ? null : parseRecipient(entry, request.recipient)
    if (entry === null || recipient === null) continue
    const scope = watchScope(entry)
    addresses.set(scope, [...(addresses.get(scope) ?? []), recipient.address])
  }
  const found = [...addresses].map(async ([scope, asked]) => {
    const platform = await listPlatformAmong(tx, { scope, addresses: asked })
    return platform.map((address) => platformKey(scope, address))
  })
  return new Set((await Promise.all(found)).flat())
}

async function readGas(tx: Tx, group: readonly Creation[]): Promise<Map<string, Affordable>> {
  const asked = new Map<string, Promise<Affordable>>()
  for (const { catalogue, orgId, request, fee } of group) {
    const entry = catalogue.chain(request.chainId)
    if (entry === null || !entry.hasGasWallets || fee === null || fee instanceof Outage) continue
    const { id: chainId } = entry
    const key = gasKey(chainId, fee)
    asked.set(key, asked.get(key) ?? affordable(tx, { orgId, chainId, fee }))
  }
  const verdicts = [...asked].map(async ([key, verdict]) => [key, await verdict] as const)
  return new Map(await Promise.all(verdicts))
}

function tokenOf({ catalogue, orgId, request }: Creation): (Whose & { entry: ChainEntry })[] {
  const token = catalogue.token(request.tokenId)
  const entry = token && catalogue.chain(token.chainId)
  if (token === null || entry === null) return []
  return [{ orgId, chainId: token.chainId, tokenId: token.id, entry }]
}
