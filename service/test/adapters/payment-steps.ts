import type { TokenId } from '@sluice/wire'
import { expect } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import type { Address, Block, Intent, Signed } from '../../src/chains/port.ts'
import { maxFeeOf, termsFromJson, termsToJson } from '../../src/chains/spending.ts'
import type { FeeCaps, Terms } from '../../src/chains/spending.ts'
import type { World } from './conformance.ts'
import type { Sender } from './spending-hand.ts'
import { toldBlock } from './told-block.ts'

/** Longer than any node stays set aside. */
export const LONG_MS = 600_000

/** Bounds of every payment here, unless a test says otherwise. */
export const CAPS: FeeCaps = {
  absolute: 10n ** 17n,
  gasLimit: 100_000n,
  tokenGasLimit: 300_000n,
  relativePercent: 10,
}

/** An outage instead of a refusal: either way no signature is made. */
export function outage(error: unknown) {
  expect(error).toBeInstanceOf(Outage)
  return { ok: false, code: 'FEE_TOO_HIGH' }
}

/** The token of a world that has one. */
export function tokenOf({ token }: World): TokenId {
  if (token === null) throw new Error('no token')
  return token.id
}

/** Coins to a fresh address unless the test says otherwise. */
export function intentOf(
  world: World,
  { address: from }: Pick<Sender, 'address'>,
  change: Partial<Intent> = {},
): Intent {
  const { chainId } = world.adapter
  const isToken = change.tokenId !== undefined && change.tokenId !== world.nativeId
  const amount = isToken ? 1_000n : 10n ** 16n
  const tokenId = world.nativeId
  const to = change.to ?? world.freshAddress()
  return { chainId, tokenId, from, amount, memo: null, ...change, to }
}

/** Terms that were offered, as a database gives them back. */
export async function quoted(world: World, intent: Intent): Promise<Terms> {
  const quote = await world.adapter.quote(intent, CAPS)
  if (!quote.ok) throw new Error(`${quote.code}: ${quote.message} ${JSON.stringify(quote.details)}`)
  return termsFromJson(JSON.parse(JSON.stringify(termsToJson(quote.terms))))
}

/** Signs, and decodes the result: it must equal the terms. */
export function signedBy(
  { adapter }: World,
  sender: Sender,
  intent: Intent,
  terms: Terms,
  nonce = 0,
): Signed {
  const unsigned = adapter.craft(intent, terms, { kind: 'nonce', nonce })
  const signed = adapter.combine(unsigned, unsigned.digests.map(sender.sign))
  const { chainId, tokenId, from, to, amount } = intent
  expect(adapter.decode(signed.raw)).toEqual({
    chainId,
    tokenId,
    from,
    to,
    amount,
    nonce,
    txnHash: signed.txnHash,
    maxFee: maxFeeOf(terms),
  })
  return signed
}

/** Quotes, signs, and verifies the result against the terms. */
export async function made(
  world: World,
  sender: Sender,
  intent: Intent,
  nonce = 0,
): Promise<Signed> {
  return signedBy(world, sender, intent, await quoted(world, intent), nonce)
}

/** The same, and handed to the nodes. */
export async function paid(world: World, sender: Sender, intent: Intent): Promise<Signed> {
  const signed = await made(world, sender, intent)
  const { answer } = await world.adapter.broadcast(signed.raw)
  expect(answer).toContain(signed.txnHash)
  return signed
}

/** The question for the fate of the first nonce of a sender. */
export function spentBy({ address: from }: Sender, signed: readonly Signed[]) {
  const reservation = { kind: 'nonce' as const, nonce: 0 }
  return { from, reservation, hashes: signed.map(({ txnHash }) => txnHash) }
}

/** Mines the pool, and returns what concerns the sender. */
export async function mined(world: World, { address }: Sender): Promise<Block> {
  await world.mine()
  const { head } = await world.adapter.tip()
  const tokens = world.token ? [world.token.id] : []
  const block = await toldBlock(world.adapter, { hash: head.hash }, { address, tokens })
  if (block === null) throw new Error('no block at the head')
  return block
}

/** The outcome of the one transaction that concerns the sender. */
export function onlyOutcome({ transactions }: Block) {
  const [outcome] = transactions
  expect(transactions).toHaveLength(1)
  if (outcome === undefined) throw new Error('no outcome')
  return outcome
}

/** Base units at the head, on TRON with pending effects; of the native coin without a token. */
export async function holdingOf(world: World, holder: Address, tokenId = world.nativeId) {
  const held = await world.adapter.balanceOf(holder, tokenId, 'head')
  if (held === null) throw new Error('no balance')
  return held
}
