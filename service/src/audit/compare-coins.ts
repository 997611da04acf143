import { readChainState } from '../catalogue/chain-state.ts'
import { nativeTokenId } from '../catalogue/chains.ts'
import { payingBy } from '../chains/chain-adapter.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import { placedOn } from '../ledger/placed-on.ts'
import { unspentOn } from '../transactions/utxo/coin-rows.ts'
import { type OwnCoin, pointKey } from '../transactions/utxo/coin.ts'
import type { Auditor, OwnAddress } from './auditor.ts'
import { type Compared, type Expectation, findingSubject } from './finding.ts'

/** Coins in one query of a node. */
const ASKED_MAX = 200

/** Amount that the ledger places on an address, and our coins there, in one snapshot. */
interface Picture {
  expectation: Expectation
  coins: readonly OwnCoin[]
}

/**
 * Compares, for each address, the ledger with our unspent coins, and these with the node: a coin
 * that the chain has spent is missing. A node answers only for its head. If that is not our tip,
 * only differences between ledger and coins are returned; the other balances are left uncompared.
 */
export async function compareCoins(
  auditor: Auditor,
  question: { addresses: readonly OwnAddress[]; besides?: ReadonlySet<string> },
): Promise<Compared> {
  const tokenId = nativeTokenId(auditor.entry)
  const addresses = question.addresses.filter(
    ({ address }) => question.besides?.has(findingSubject({ tokenId, address })) !== true,
  )
  const { pictures, tip } = await readPictures(auditor, { addresses })
  if (tip === null)
    return { tip, comparisons: [], left: pictures.map(({ expectation }) => expectation) }
  const coins = pictures.flatMap((picture) => picture.coins)
  const gone = await spentOnNode(auditor, { coins, tip })
  const compared: Compared = { tip, comparisons: [], left: [] }
  for (const { expectation, coins: ours } of pictures) {
    // The node may know a spend of ours one block before we do.
    const isUnclear =
      gone === null || ours.some((coin) => coin.spendId !== null && gone.has(pointKey(coin)))
    const left = isUnclear ? ours : ours.filter((coin) => !gone.has(pointKey(coin)))
    const found = left.reduce((sum, { amount }) => sum + amount, 0n)
    if (isUnclear && found === expectation.expected) compared.left.push(expectation)
    else compared.comparisons.push({ ...expectation, found })
  }
  return compared
}

async function readPictures(
  { database, entry }: Auditor,
  { addresses }: { addresses: readonly OwnAddress[] },
): Promise<{ pictures: Picture[]; tip: BlockRef | null }> {
  const chainId = entry.id
  const tokenId = nativeTokenId(entry)
  return database.snapshot(async (tx) => {
    const tip = (await readChainState(tx, chainId))?.tip ?? null
    const placed = await placedOn(tx, { chainId, addresses })
    const wanted = addresses.map(({ address }) => address)
    const coins = byAddress(await unspentOn(tx, { chainId, addresses: wanted }))
    const pictures = addresses.map(({ orgId, address }) => ({
      expectation: {
        orgId,
        chainId,
        tokenId,
        address,
        expected: placed.get(address)?.get(tokenId) ?? 0n,
        height: tip?.height ?? 0,
      },
      coins: coins.get(address) ?? [],
    }))
    return { pictures, tip }
  })
}

function byAddress(coins: readonly OwnCoin[]): Map<Address, OwnCoin[]> {
  const found = new Map<Address, OwnCoin[]>()
  for (const coin of coins) {
    const there = found.get(coin.address)
    if (there === undefined) found.set(coin.address, [coin])
    else there.push(coin)
  }
  return found
}

/** Coins that are spent on the node; null unless its head is our tip before and after. */
async function spentOnNode(
  auditor: Auditor,
  { coins, tip }: { coins: readonly OwnCoin[]; tip: BlockRef },
): Promise<ReadonlySet<string> | null> {
  const adapter = payingBy(auditor.adapter, 'utxo')
  if ((await adapter.tip()).head.hash !== tip.hash) return null
  const gone = new Set<string>()
  for (let from = 0; from < coins.length; from += ASKED_MAX) {
    const asked = coins.slice(from, from + ASKED_MAX)
    const answers = await adapter.unspent(asked)
    asked.forEach((coin, at) => {
      if (answers[at] === false) gone.add(pointKey(coin))
    })
  }
  return (await adapter.tip()).head.hash === tip.hash ? gone : null
}
