import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import type { Address, Payee } from '../../src/chains/port.ts'
import { unspentOn } from '../../src/transactions/utxo/coin-rows.ts'
import type { OwnCoin } from '../../src/transactions/utxo/coin.ts'
import { parseHolder } from '../adapters/brands.ts'
import { type BitcoinTestChain, REGTEST } from './bitcoin-chain.ts'
import type { World } from './world.ts'

const RATE = 10_000n
const FEE_MAX = 1_000_000n

/** The coins of ours at some addresses, as the rows have them. */
export function coinsAtAddresses(world: World, ...texts: string[]): Promise<OwnCoin[]> {
  const addresses = texts.map((text) => parseHolder(REGTEST, text))
  return world.database.transaction((tx) => unspentOn(tx, { chainId: REGTEST, addresses }))
}

/**
 * Spends coins of a world with its keys but without its database, as an older installation or an
 * owner of the seed does. The rest is the fee. Mines it at once and returns its hash.
 */
export async function spendSecretly(
  world: World,
  chain: BitcoinTestChain,
  given: { coins: readonly OwnCoin[]; payees: readonly { to: string; amount: bigint }[] },
): Promise<string> {
  const { coins } = given
  const adapter = world.adapter(REGTEST)
  const payees = given.payees.map(({ to, amount }): Payee => ({ to: holder(to), amount }))
  const [first] = payees
  const [coin] = coins
  if (first === undefined || coin === undefined) throw new Error('no payee or no coin')
  const amount = payees.reduce((sum, payee) => sum + payee.amount, 0n)
  const tokenId = world.catalogue.nativeToken(REGTEST).id
  const what = { chainId: REGTEST, tokenId, from: coin.address, to: first.to, amount, memo: null }
  const terms = { family: 'bip122', perKvb: RATE, maxFee: FEE_MAX } as const
  const reservation = { kind: 'coins', coins, change: null } as const
  const unsigned = adapter.craft({ ...what, payees }, terms, reservation)
  const signatures = await world.database.transaction(async (tx) => {
    const signed = []
    for (const [at, digest] of unsigned.digests.entries()) {
      const address = unsigned.signers?.[at] ?? coin.address
      const entry = world.entry(REGTEST)
      const path = await signerPath(tx, world.keys, { entry, address })
      if (path === null) throw new Error(`${address} is not ours`)
      signed.push(world.keys.keyring.sign(derivationOf(entry, path), digest))
    }
    return signed
  })
  const { raw, txnHash } = adapter.combine(unsigned, signatures)
  await chain.hand.mineExactly([Buffer.from(raw).toString('hex')])
  return txnHash
}

function holder(text: string): Address {
  return parseHolder(REGTEST, text)
}
