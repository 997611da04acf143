import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bitcoinAddressOf } from '../../src/chains/bitcoin/address.ts'
import type { Address, Coin, CoinsReservation, Intent, Signed } from '../../src/chains/port.ts'
import type { FeeCaps, Terms } from '../../src/chains/spending.ts'
import { maxFeeOf, termsFromJson, termsToJson } from '../../src/chains/spending.ts'
import { signDigest } from '../../src/keys/sign-digest.ts'
import { type BitcoinWorld, bitcoinWorlds } from './bitcoin-world.ts'
import { toldBlock } from './told-block.ts'

const CAPS: FeeCaps = { absolute: 50_000n, gasLimit: 0n, tokenGasLimit: 0n, relativePercent: null }
const FUNDED = 1_000_000n
const PAID = 300_000n

const NODES = bitcoinWorlds({ network: 'test' })

describe.each(NODES)('Bitcoin spending, on $name', ({ open, isThere }) => {
  describe.runIf(isThere)('the adapter', () => {
    let world: BitcoinWorld
    beforeAll(async () => {
      world = await open()
    })
    beforeEach(() => {
      world.proxy.rules.clear()
      world.pass(600_000)
    })
    afterAll(() => world.close())

    test('coins arrive, and the sender pays exactly the fee of the block', async () => {
      const sender = await newSender(world)
      const { intent, terms } = await quoted(world, sender)
      const { signed, change } = made(world, sender, { intent, terms })
      const { answer } = await world.adapter.broadcast(signed.raw)
      expect(answer).toContain(signed.txnHash)
      expect(await world.adapter.fate(spent(sender, [signed]))).toEqual({ state: 'unknown' })
      await world.hand.mineExactly([signed.txnHash])
      const block = await headOf(world, sender.address)
      const fee = FUNDED - PAID - change
      expect(block.transactions).toMatchObject([
        { txnHash: signed.txnHash, succeeded: true, sender: sender.address, fee },
      ])
      const from = sender.address
      expect(block.transfers).toMatchObject([
        { txnHash: signed.txnHash, position: 'out:0', from, to: intent.to, amount: PAID },
        { txnHash: signed.txnHash, position: 'out:1', from, to: from, amount: change },
      ])
      expect(await world.adapter.fate(spent(sender, [signed]))).toMatchObject({
        state: 'included',
        txnHash: signed.txnHash,
        ref: { height: block.height, hash: block.hash },
        succeeded: true,
      })
    })

    test('bytes that are broadcast again, or too late, do no harm [W13 W14]', async () => {
      const sender = await newSender(world)
      const { signed } = made(world, sender, await quoted(world, sender))
      const first = await world.adapter.broadcast(signed.raw)
      const again = await world.adapter.broadcast(signed.raw)
      expect(again).toEqual(first)
      await world.hand.mineExactly([signed.txnHash])
      const late = await world.adapter.broadcast(signed.raw)
      expect(late.answer).toContain('(-27)')
    })

    test('a replacement is accepted, and the first is never included [W18]', async () => {
      const sender = await newSender(world)
      const { intent, terms } = await quoted(world, sender)
      const first = made(world, sender, { intent, terms })
      await world.adapter.broadcast(first.signed.raw)
      const cheap = made(world, sender, { intent, terms, less: 1n })
      expect((await world.adapter.broadcast(cheap.signed.raw)).answer).toContain('(-26)')
      const dearer = world.adapter.bump(terms, await world.adapter.feeRate(), CAPS)
      if (dearer === null) throw new Error('no terms')
      const { vsize = 0 } = world.adapter.decode(first.signed.raw)
      const stuck = { fee: FUNDED - PAID - first.change, vsize }
      const second = made(world, sender, { intent, terms: dearer, stuck })
      expect((await world.adapter.broadcast(second.signed.raw)).answer).toContain(
        second.signed.txnHash,
      )
      expect(await world.hand.rpc('getrawmempool')).toEqual([second.signed.txnHash])
      await world.hand.mineExactly([second.signed.txnHash])
      expect((await world.adapter.broadcast(first.signed.raw)).answer).toMatch(/\(-2[56]\)/)
      const fate = await world.adapter.fate(spent(sender, [first.signed, second.signed]))
      expect(fate).toMatchObject({ state: 'included', txnHash: second.signed.txnHash })
    })

    test('dust is refused before signing, and by the node', async () => {
      const sender = await newSender(world)
      const dust = { ...intentOf(world, sender), amount: 293n }
      expect(await world.adapter.quote(dust, CAPS)).toMatchObject({
        ok: false,
        code: 'RECIPIENT_REFUSES',
        details: { minimum: '294' },
      })
      const { terms } = await quoted(world, sender)
      const { signed } = made(world, sender, { intent: dust, terms })
      expect((await world.adapter.broadcast(signed.raw)).answer).toContain('dust')
      const least = { ...dust, amount: 294n }
      const fine = made(world, sender, { intent: least, terms })
      expect((await world.adapter.broadcast(fine.signed.raw)).answer).toContain(fine.signed.txnHash)
      await world.hand.mineExactly([fine.signed.txnHash])
    })

    test('new coins are refused by the node until they are mature [B05]', async () => {
      const sender = senderOf('young')
      const address = bitcoinAddressOf(sender.publicKey, world.adapter.chainId)
      const hash = await world.hand.mineTo(address)
      const { tx } = await world.hand.rpc<{ tx: string[] }>('getblock', [hash, 1])
      const out = await world.hand.rpc<{ value: number }>('gettxout', [tx[0], 0])
      const coin: Coin = {
        txnHash: tx[0] ?? '',
        vout: 0,
        address,
        amount: BigInt(Math.round(out.value * 1e8)),
      }
      const young = { ...sender, address, coin }
      const { signed } = made(world, young, await quoted(world, young))
      const { answer } = await world.adapter.broadcast(signed.raw)
      expect(answer).toContain('bad-txns-premature-spend-of-coinbase')
    })

    test('an estimate below the floor is raised, one above the cap refused [W17]', async () => {
      const sender = await newSender(world)
      const estimate = (feerate: string) =>
        world.proxy.rules.add({
          match: { method: 'estimatesmartfee' },
          action: { do: 'mutate', change: () => ({ feerate: Number(feerate), blocks: 2 }) },
        })
      estimate('0.000009')
      expect(await world.adapter.feeRate()).toEqual({ family: 'bip122', perKvb: 1_000n })
      world.proxy.rules.clear()
      estimate('0.01')
      expect(await world.adapter.quote(intentOf(world, sender), CAPS)).toMatchObject({
        ok: false,
        code: 'FEE_TOO_HIGH',
      })
    })

    test('several are paid at once, and a replacement pays each the same [W18]', async () => {
      const sender = await newSender(world)
      const intent = severalOf(world, sender)
      const { terms } = await quoted(world, sender, intent)
      const first = made(world, sender, { intent, terms })
      expect((await world.adapter.broadcast(first.signed.raw)).answer).toContain(
        first.signed.txnHash,
      )
      const dearer = world.adapter.bump(terms, await world.adapter.feeRate(), CAPS)
      if (dearer === null) throw new Error('no terms')
      const fee = FUNDED - intent.amount - first.change
      const { vsize = 0 } = world.adapter.decode(first.signed.raw)
      const second = made(world, sender, { intent, terms: dearer, stuck: { fee, vsize } })
      expect((await world.adapter.broadcast(second.signed.raw)).answer).toContain(
        second.signed.txnHash,
      )
      await world.hand.mineExactly([second.signed.txnHash])
      const { transfers, transactions } = await headOf(world, sender.address)
      expect(transfers.map(({ to, amount, position }) => ({ to, amount, position }))).toEqual([
        ...(intent.payees ?? []).map((payee, vout) => ({ ...payee, position: `out:${vout}` })),
        { to: sender.address, amount: second.change, position: `out:${intent.payees?.length}` },
      ])
      const { txnHash, vout } = sender.coin
      expect(transactions).toMatchObject([
        { txnHash: second.signed.txnHash, spends: [{ txnHash, vout }] },
      ])
    })

    test('dust among several recipients is refused by its own limit', async () => {
      const sender = await newSender(world)
      const { from, payees = [], ...intent } = severalOf(world, sender)
      const dusty = payees.map((one, at) => ({ ...one, amount: at === 3 ? 200n : 1_000n }))
      const amount = dusty.reduce((sum, one) => sum + one.amount, 0n)
      const quote = await world.adapter.quote({ ...intent, from, payees: dusty, amount }, CAPS)
      expect(quote).toMatchObject({ code: 'RECIPIENT_REFUSES', details: { minimum: '294' } })
    })

    test('coins of several addresses are spent together, each signed by its own key', async () => {
      const owners = [await newSender(world), await newSender(world), await newSender(world)]
      const [own] = owners
      if (own === undefined) throw new Error('no sender')
      const intent = { ...intentOf(world, own), amount: 2_500_000n }
      const { terms } = await quoted(world, own, intent)
      const coins = owners.map(({ coin }) => coin)
      const chosen = world.adapter.choose(intent, terms, { coins, change: own.address })
      const signed = signedBy(world, owners, { intent, terms, chosen })
      expect((await world.adapter.broadcast(signed.raw)).answer).toContain(signed.txnHash)
      await world.hand.mineExactly([signed.txnHash])
      for (const { address } of owners) {
        const [outcome] = (await headOf(world, address)).transactions
        expect(outcome?.spends).toHaveLength(3)
      }
    })

    test('a child pays for its parent when both are mined together', async () => {
      const sender = await newSender(world)
      const { intent, terms } = await quoted(world, sender)
      const parent = made(world, sender, { intent, terms })
      await world.adapter.broadcast(parent.signed.raw)
      const txnHash = parent.signed.txnHash
      const output: Coin = { ...sender.coin, txnHash, vout: 1, amount: parent.change }
      const { vsize = 0 } = world.adapter.decode(parent.signed.raw)
      const stuck = { fee: FUNDED - PAID - parent.change, vsize }
      const dear = { family: 'bip122' as const, perKvb: 20_000n, maxFee: 50_000n }
      const chosen = world.adapter.chooseChild(dear, { output, stuck, change: sender.address })
      const empty = { ...intent, to: sender.address, amount: 0n, payees: [] }
      const child = signedBy(world, [{ ...sender, coin: output }], {
        intent: empty,
        terms: dear,
        chosen,
      })
      expect((await world.adapter.broadcast(child.raw)).answer).toContain(child.txnHash)
      type Entry = { ancestorsize: number; fees: { ancestor: number } }
      const entry = await world.hand.rpc<Entry>('getmempoolentry', [child.txnHash])
      const rate = (entry.fees.ancestor * 1e11) / entry.ancestorsize
      expect(rate).toBeGreaterThanOrEqual(20_000)
      expect(rate).toBeLessThan(20_500)
      await world.hand.mineExactly([txnHash, child.txnHash])
    })

    test('many coins are merged into one, and the chain has them no longer [B06]', async () => {
      const sender = await newSender(world)
      const worth = [5_000n, 7_000n, 300n, 9_000n]
      const { address, coin } = sender
      const paid = await world.hand.pay({
        payees: worth.map((amount) => ({ to: address, amount })),
      })
      await world.hand.mine()
      const coins = worth.map((amount, vout) => ({ ...coin, txnHash: paid, vout, amount }))
      expect(await world.adapter.unspent(coins)).toEqual([true, true, true, true])
      const terms = { family: 'bip122' as const, perKvb: 10_000n, maxFee: 50_000n }
      const chosen = world.adapter.chooseAll(terms, { coins, change: address })
      const intent = { ...intentOf(world, sender), to: address, amount: 0n, payees: [] }
      const spenders = coins.map((one) => ({ ...sender, coin: one }))
      const signed = signedBy(world, spenders, { intent, terms, chosen })
      expect((await world.adapter.broadcast(signed.raw)).answer).toContain(signed.txnHash)
      expect(await world.adapter.unspent(coins)).toEqual([true, true, true, true])
      await world.hand.mineExactly([signed.txnHash])
      const whole = { ...coin, txnHash: signed.txnHash, vout: 0 }
      const none = { ...whole, vout: 1 }
      expect(await world.adapter.unspent([...coins, whole, none])).toEqual([
        false,
        false,
        true,
        false,
        true,
        false,
      ])
      expect(await world.adapter.unspent([])).toEqual([])
    })

    test('a pending transaction is found, and an unknown one is not', async () => {
      const sender = await newSender(world)
      const { signed } = made(world, sender, await quoted(world, sender))
      expect(await world.adapter.transaction(signed.txnHash, { tokens: [] })).toBeNull()
      await world.adapter.broadcast(signed.raw)
      const seen = await world.adapter.transaction(signed.txnHash, { tokens: [] })
      expect(seen).toMatchObject({ block: null, succeeded: null, transfers: [] })
      expect(seen?.apart.map(({ amount }) => amount)).toContain(PAID)
      await world.hand.mineExactly([signed.txnHash])
    })
  })
})

interface CoinSender {
  secret: Uint8Array
  publicKey: Uint8Array
  address: Address
  coin: Coin
}

let senders = 0

function senderOf(name: string) {
  const secret = new Uint8Array(createHash('sha256').update(name).digest())
  return { secret, publicKey: secp256k1.getPublicKey(secret, true) }
}

/** A sender with one coin, in a block. */
async function newSender({ hand, adapter, nativeId }: BitcoinWorld): Promise<CoinSender> {
  senders += 1
  const sender = senderOf(`coin sender ${senders}`)
  const address = bitcoinAddressOf(sender.publicKey, adapter.chainId)
  const txnHash = await hand.pay({ payees: [{ to: address, amount: FUNDED }] })
  await hand.mine()
  expect(nativeId).toContain(adapter.chainId)
  return { ...sender, address, coin: { txnHash, vout: 0, address, amount: FUNDED } }
}

function intentOf(world: BitcoinWorld, { address: from }: Pick<CoinSender, 'address'>): Intent {
  const { chainId } = world.adapter
  const to = world.freshAddress()
  return { chainId, tokenId: world.nativeId, from, to, amount: PAID, memo: null }
}

/** Ten who are paid at once. */
function severalOf(world: BitcoinWorld, sender: CoinSender): Intent {
  const payees = Array.from({ length: 10 }, (_, at) => {
    return { to: world.freshAddress(), amount: 1_000n + BigInt(at) }
  })
  const [{ to } = { to: sender.address }] = payees
  const amount = payees.reduce((sum, payee) => sum + payee.amount, 0n)
  return { ...intentOf(world, sender), to, amount, payees }
}

/** Terms that were offered, as a database gives them back. */
async function quoted(world: BitcoinWorld, sender: CoinSender, override?: Intent) {
  const intent = override ?? intentOf(world, sender)
  const quote = await world.adapter.quote(intent, CAPS)
  if (!quote.ok) throw new Error(quote.message)
  const terms = termsFromJson(JSON.parse(JSON.stringify(termsToJson(quote.terms))))
  return { intent, terms }
}

/** A transaction of coins that the adapter chose, decoded again: it must equal its terms. */
function made(
  { adapter }: BitcoinWorld,
  { coin, secret }: CoinSender,
  payment: { intent: Intent; terms: Terms; stuck?: { fee: bigint; vsize: number }; less?: bigint },
): { signed: Signed; change: bigint } {
  const { intent, terms, stuck, less = 0n } = payment
  const change = coin.address
  const offer =
    stuck === undefined
      ? { coins: [coin], change }
      : { coins: [], change, stuck: { coins: [coin], ...stuck } }
  const chosen = adapter.choose(intent, terms, offer)
  if (chosen?.change === undefined || chosen.change === null) throw new Error('no choice')
  const amount = chosen.change.amount - less
  const reservation = { ...chosen, change: { address: change, amount } }
  const unsigned = adapter.craft(intent, terms, reservation)
  const signatures = unsigned.digests.map((digest) => signDigest(secret, digest))
  const signed = adapter.combine(unsigned, signatures)
  expect(adapter.decode(signed.raw, [coin])).toMatchObject({
    txnHash: signed.txnHash,
    from: coin.address,
    outputs: [
      ...(intent.payees ?? [intent]).map((payee) => ({ address: payee.to, amount: payee.amount })),
      { address: change, amount },
    ],
    maxFee: coin.amount - intent.amount - amount,
  })
  return { signed, change: amount }
}

/** Of coins of several, each signed by who has it. */
function signedBy(
  { adapter }: BitcoinWorld,
  owners: readonly CoinSender[],
  payment: { intent: Intent; terms: Terms; chosen: CoinsReservation | null },
): Signed {
  const { intent, terms, chosen } = payment
  if (chosen === null) throw new Error('no choice')
  const { digests, signers = [], ...rest } = adapter.craft(intent, terms, chosen)
  const signatures = digests.map((digest, at) => {
    const sender = owners.find(({ address }) => address === signers[at])
    if (sender === undefined) throw new Error('nobody signs')
    return signDigest(sender.secret, digest)
  })
  const signed = adapter.combine({ ...rest, digests, signers }, signatures)
  const { maxFee, spends } = adapter.decode(signed.raw, chosen.coins)
  expect(maxFee).toBeLessThanOrEqual(maxFeeOf(terms))
  expect(spends).toEqual(chosen.coins.map(({ txnHash, vout }) => ({ txnHash, vout })))
  return signed
}

function spent({ address: from, coin }: CoinSender, signed: readonly Signed[]) {
  const reservation = { kind: 'coins' as const, coins: [coin], change: null }
  return { from, reservation, hashes: signed.map(({ txnHash }) => txnHash) }
}

/** The highest block, as far as it concerns an address. */
async function headOf({ adapter }: BitcoinWorld, address: Address) {
  const { head } = await adapter.tip()
  const block = await toldBlock(adapter, { hash: head.hash }, { address })
  if (block === null) throw new Error('no block at the head')
  return block
}
