import type { TokenId } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { addressOf, displayAddress } from '../chains/format-address.ts'
import { type ChainAdapter, noncesOf } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'
import type { Keyring } from '../keys/keyring.ts'
import { type AddressType, accountPathOf, pathOf } from '../keys/paths.ts'
import { INDEX_STEP, WALLET_STEP } from './after-restore.ts'

/** An address of the seed that was used on the chain, and what it holds. */
export interface Recovered {
  address: string
  path: string
  holds: readonly { tokenId: TokenId; amount: bigint }[]
}

export interface RecoverOptions {
  entry: ChainEntry
  /** Every token that is looked for. */
  tokens: readonly TokenId[]
  /** Consecutive unused addresses that end the search of a wallet. */
  gap: number
  /** Consecutive unused wallets that end the search. */
  walletGap: number
}

interface Search extends RecoverOptions {
  keyring: Pick<Keyring, 'publicKey'>
}

const UNTOLD = 'its nodes do not serve balances of addresses'

/** Addresses queried at once. */
const AT_ONCE = 20

/**
 * Finds the money of the seed without a database: derives wallets and addresses in order, with the
 * gap limit of BIP-44, and queries the chain for used ones. Also searches each step to which a
 * restored database skips (docs/decisions/0007), until a step is unused. Throws an Outage if no
 * node answers.
 */
export async function* recoverAddresses(
  adapter: ChainAdapter,
  keyring: Pick<Keyring, 'publicKey'>,
  options: RecoverOptions,
): AsyncGenerator<Recovered> {
  const { entry } = options
  if (entry.paymentModel === 'utxo') throw new Outage(entry.id, untoldOf(entry))
  const search = { ...options, keyring }
  for (let start = 0; ; start += WALLET_STEP) {
    let found = 0
    let unused = 0
    for (let wallet = start; unused < options.walletGap; wallet += 1) {
      const before = found
      for await (const one of recoverWallet(adapter, search, wallet)) {
        found += 1
        yield one
      }
      unused = found === before ? unused + 1 : 0
    }
    if (found === 0) return
  }
}

/** Names the paths for a wallet program if no node can search; contains no key. */
function untoldOf({ namespace, isTestnet }: ChainEntry): string {
  const tree = (addressType: AddressType) =>
    accountPathOf({ namespace, isTestnet, wallet: 0, addressType }).replace(/0'$/, "N'/0/*")
  return (
    `${UNTOLD}: let a wallet that takes the seed (BIP-39) search wpkh(${tree('p2wpkh')}) and ` +
    `tr(${tree('p2tr')}), for each N from 0 on (docs/operations.md)`
  )
}

async function* recoverWallet(
  adapter: ChainAdapter,
  search: Search,
  wallet: number,
): AsyncGenerator<Recovered> {
  for (let start = 0; ; start += INDEX_STEP) {
    let found = 0
    let unused = 0
    for (let from = start; unused < search.gap; from += AT_ONCE) {
      const asked = Array.from({ length: AT_ONCE }, (_, at) =>
        look(adapter, search, { wallet, index: from + at }),
      )
      for (const one of await Promise.all(asked)) {
        unused = one === null ? unused + 1 : 0
        if (one === null) continue
        found += 1
        yield one
      }
    }
    // A wallet that was never used is not worth a look at its later steps.
    if (found === 0 && (start > 0 || wallet % WALLET_STEP > 0)) return
  }
}

/** Null where the address never held nor sent anything. */
async function look(
  adapter: ChainAdapter,
  { keyring, entry, tokens }: Search,
  { wallet, index }: { wallet: number; index: number },
): Promise<Recovered | null> {
  const { namespace, isTestnet } = entry
  const at = { namespace, isTestnet, wallet, branch: 0, index } as const
  const address = addressOf(entry.id, keyring.publicKey(at))
  const holds = await balancesOf(adapter, { address, tokens, native: nativeTokenId(entry) })
  if (holds.length === 0 && (await noncesOf(adapter, address)).latest === 0) return null
  return { address: displayAddress(entry.id, address), path: pathOf(at), holds }
}

/** At the head: nodes forget what was held at older blocks, TRON's with the next one. */
async function balancesOf(
  adapter: ChainAdapter,
  { address, tokens, native }: { address: Address; tokens: readonly TokenId[]; native: TokenId },
): Promise<Recovered['holds']> {
  const balances = await Promise.all(
    tokens.map(async (tokenId) => {
      const amount = await adapter.balanceOf(address, tokenId, 'head')
      // A missing contract is not an error: it may have been destroyed or never deployed.
      if (amount === null && tokenId === native) throw new Outage(adapter.chainId, UNTOLD)
      return { tokenId, amount: amount ?? 0n }
    }),
  )
  return balances.filter(({ amount }) => amount > 0n)
}
