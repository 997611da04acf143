import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import { Doubt } from '../../src/chains/doubt.ts'
import type { Block, Intent, Signed } from '../../src/chains/port.ts'
import { maxFeeOf, termsFromJson, termsToJson, tronTermsOf } from '../../src/chains/spending.ts'
import type { FeeCaps, TronTerms } from '../../src/chains/spending.ts'
import { bytesOf, readMessage } from '../../src/chains/tron/protobuf.ts'
import { oracle } from '../support/oracles.ts'
import type { Sender } from './spending-hand.ts'
import { parseHolder } from './brands.ts'
import { openTronWorld, SENDER_SUN, SENDER_TOKENS } from './tron-world.ts'
import type { TronWorld } from './tron-world.ts'

const LONG_MS = 600_000
/** Without it (`npm ci --prefix tools/oracles`) payments are not compared with it. */
const TRONWEB = oracle('tronweb')
const CAPS: FeeCaps = {
  absolute: 100_000_000n,
  gasLimit: 100_000n,
  tokenGasLimit: 300_000n,
  relativePercent: 50,
}

describe('spending on TRON', () => {
  let world: TronWorld
  let payments = 0
  beforeAll(async () => {
    world = await openTronWorld()
  })
  beforeEach(async () => {
    await world.node.mend()
    world.pass(LONG_MS)
    world.chain.lets = () => true
  })
  afterAll(() => world.close())

  const tokenId = () => world.token?.id ?? world.nativeId
  const intentOf = (sender: Sender, change: Partial<Intent> = {}): Intent => ({
    chainId: world.adapter.chainId,
    tokenId: world.nativeId,
    from: sender.address,
    to: change.to ?? world.freshAddress(),
    amount: 10_000_000n,
    memo: null,
    ...change,
  })
  const quoted = async (intent: Intent, caps = CAPS): Promise<TronTerms> => {
    const quote = await world.adapter.quote(intent, caps)
    if (!quote.ok) throw new Error(`${quote.code}: ${quote.message}`)
    return tronTermsOf(termsFromJson(JSON.parse(JSON.stringify(termsToJson(quote.terms)))))
  }
  /** Its window is a minute from now unless the test says otherwise. */
  const made = async (sender: Sender, intent: Intent, change: Partial<TronTerms> = {}) => {
    payments += 1
    const expiration = BigInt(world.chain.head().time + 60_000)
    const terms: TronTerms = { ...(await quoted(intent)), expiration, ...change }
    const unsigned = world.adapter.craft(intent, terms, { kind: 'nonce', nonce: payments })
    const signed = world.adapter.combine(unsigned, unsigned.digests.map(sender.sign))
    expectWitnessed(intent, signed)
    return { ...signed, terms }
  }
  const minedBlock = async (): Promise<Block> => {
    world.chain.mine()
    const { head } = await world.adapter.tip()
    const block = await world.adapter.blockAt({ hash: head.hash }, { tokens: [tokenId()] })
    if (block === null) throw new Error('no block')
    return block
  }
  const spentBy = (sender: Sender, { terms, txnHash }: Signed & { terms: TronTerms }) => ({
    from: sender.address,
    reservation: { kind: 'window' as const, expiration: Number(terms.expiration) },
    hashes: [txnHash],
  })
  const fateOf = (sender: Sender, signed: Signed & { terms: TronTerms }) =>
    world.adapter.fate(spentBy(sender, signed))

  test('the contract of a token is a contract, and the address of a user is not', async () => {
    const { adapter, contract } = world
    const address = parseHolder(adapter.chainId, contract)
    expect(await adapter.isContract(address)).toBe(true)
    expect(await adapter.isContract(world.freshAddress())).toBe(false)
  })

  test('a payment of coins arrives, and costs at most the estimated fee', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender)
    const signed = await made(sender, intent)
    const { answer } = await world.adapter.broadcast(signed.raw)
    expect(answer).toContain(signed.txnHash)
    const block = await minedBlock()
    const [outcome] = block.transactions
    expect(outcome).toMatchObject({ txnHash: signed.txnHash, succeeded: true })
    expect(outcome?.fee).toBe(1_100_000n)
    expect(outcome?.fee).toBeLessThanOrEqual(maxFeeOf(signed.terms))
    expect(world.chain.balance(intent.to)).toBe(10_000_000n)
    expect(world.chain.balance(sender.address)).toBe(SENDER_SUN - 10_000_000n - 1_100_000n)
    expect(await fateOf(sender, signed)).toMatchObject({ state: 'included', succeeded: true })
  })

  test('a token payment arrives, and costs only the fee in coins', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender, { tokenId: tokenId(), amount: 1_000n })
    const signed = await made(sender, intent)
    await world.adapter.broadcast(signed.raw)
    const block = await minedBlock()
    const [outcome] = block.transactions
    expect(block.transfers).toMatchObject([{ to: intent.to, amount: 1_000n, position: 'log:0' }])
    expect(world.chain.tokens(world.contract, sender.address)).toBe(SENDER_TOKENS - 1_000n)
    expect(world.chain.balance(sender.address)).toBe(SENDER_SUN - (outcome?.fee ?? 0n))
    expect(outcome?.fee).toBeLessThanOrEqual(maxFeeOf(signed.terms))
  })

  test('the estimated fee includes activation and memo [T13]', async () => {
    const sender = await world.spending.newSender()
    const known = (await world.spending.newSender()).address
    const fee = async (change: Partial<Intent>) => maxFeeOf(await quoted(intentOf(sender, change)))
    const plain = await fee({ to: known })
    expect(plain).toBeGreaterThanOrEqual(265_000n)
    expect(plain).toBeLessThan(300_000n)
    expect(await fee({})).toBe(plain + 1_000_000n)
    const memo = await fee({ to: known, memo: 'a memo of 20 letters' })
    expect(memo).toBe(plain + 1_000_000n + 22_000n)
  })

  test('a sweep pays for the additional amount that a lower fee leaves [W20]', async () => {
    const sender = await world.spending.newSender()
    const to = (await world.spending.newSender()).address
    // An amount from here on takes a byte more.
    const there = 2n ** 28n + 500_000n
    const feared = 1_385_000n
    const terms = await quoted(intentOf(sender, { to, amount: there - feared }))
    const amount = there - terms.fee
    expect(amount).toBeGreaterThanOrEqual(2n ** 28n)
    const swept = intentOf(sender, { to, amount })
    const unsigned = world.adapter.craft(swept, terms, { kind: 'nonce', nonce: 1 })
    const { raw } = world.adapter.combine(unsigned, unsigned.digests.map(sender.sign))
    expect(terms.fee).toBeGreaterThanOrEqual(BigInt(raw.length + 64) * 1_000n)
  })

  test('a memo is sent with the coins and paid for', async () => {
    const sender = await world.spending.newSender()
    const to = (await world.spending.newSender()).address
    const signed = await made(sender, intentOf(sender, { to, memo: 'für Übung' }))
    expect(world.adapter.decode(signed.raw).memo).toBe('für Übung')
    await world.adapter.broadcast(signed.raw)
    const [outcome] = (await minedBlock()).transactions
    expect(outcome?.fee).toBeGreaterThanOrEqual(1_000_000n)
    expect(outcome?.fee).toBeLessThanOrEqual(maxFeeOf(signed.terms))
  })

  test('a sender without coins for the fee is refused before signing [T13]', async () => {
    const sender = await world.spending.newSender()
    world.chain.endow(sender.address, 5_000_000n)
    const quote = await world.adapter.quote(
      intentOf(sender, { tokenId: tokenId(), amount: 5n }),
      CAPS,
    )
    expect(quote).toMatchObject({ ok: false, code: 'INSUFFICIENT_GAS' })
    const coins = await world.adapter.quote(intentOf(sender, { amount: 4_000_000n }), CAPS)
    expect(coins).toMatchObject({ ok: false, code: 'INSUFFICIENT_GAS' })
    const most = await world.adapter.quote(intentOf(sender, { amount: 6_000_000n }), CAPS)
    expect(most).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE' })
  })

  test('a payment of coins to a contract is refused before signing [V04]', async () => {
    const sender = await world.spending.newSender()
    const to = world.spending.refuser
    const quote = await world.adapter.quote(intentOf(sender, { to }), CAPS)
    expect(quote).toMatchObject({ ok: false, code: 'RECIPIENT_REFUSES' })
  })

  test('a contract or a fee above its cap is refused before missing coins', async () => {
    const poor = { ...(await world.spending.newSender()), address: world.freshAddress() }
    const code = async (change: Partial<Intent>) => {
      const quote = await world.adapter.quote(intentOf(poor, change), CAPS)
      return quote.ok ? 'ok' : quote.code
    }
    expect(await code({ to: world.spending.refuser })).toBe('RECIPIENT_REFUSES')
    expect(await code({ amount: 1_000_000n })).toBe('FEE_TOO_HIGH')
    expect(await code({})).toBe('INSUFFICIENT_BALANCE')
  })

  test('an excessive fee or an impossible price is refused [W16 N11]', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender, { tokenId: tokenId(), amount: 5n })
    const low = await world.adapter.quote(intent, { ...CAPS, absolute: 10_000_000n })
    expect(low).toMatchObject({ ok: false, code: 'FEE_TOO_HIGH' })
    const little = await world.adapter.quote(intent, { ...CAPS, tokenGasLimit: 100_000n })
    expect(little).toMatchObject({ ok: false, code: 'FEE_TOO_HIGH' })
    const relative = await world.adapter.quote(intentOf(sender, { amount: 1_000_000n }), CAPS)
    expect(relative).toMatchObject({ ok: false, code: 'FEE_TOO_HIGH' })
    world.spending.overcharge('base fee')
    await expect(world.adapter.quote(intent, CAPS)).rejects.toBeInstanceOf(Outage)
    await expect(world.adapter.feeEstimate(tokenId())).rejects.toBeInstanceOf(Outage)
    world.chain.params.energyFee = 100n
  })

  test('a transfer that would fail is refused before signing', async () => {
    const sender = await world.spending.newSender()
    await world.spending.pauseToken(true)
    const quote = await world.adapter.quote(
      intentOf(sender, { tokenId: tokenId(), amount: 5n }),
      CAPS,
    )
    expect(quote).toMatchObject({ ok: false, code: 'RECIPIENT_REFUSES' })
    await world.spending.pauseToken(false)
  })

  test('a token transfer that fails in its block costs only its fee [T11 W22]', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender, { tokenId: tokenId(), amount: 5n })
    const signed = await made(sender, intent)
    await world.spending.pauseToken(true)
    await world.adapter.broadcast(signed.raw)
    const block = await minedBlock()
    await world.spending.pauseToken(false)
    expect(block.transfers).toEqual([])
    expect(block.transactions).toMatchObject([{ txnHash: signed.txnHash, succeeded: false }])
    expect(await fateOf(sender, signed)).toMatchObject({ state: 'included', succeeded: false })
  })

  test('an energy limit that is too low costs that limit and no more [T11]', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender, { tokenId: tokenId(), amount: 5n })
    const signed = await made(sender, intent, { fee: 500_000n, feeLimit: 100_000n })
    await world.adapter.broadcast(signed.raw)
    const [outcome] = (await minedBlock()).transactions
    expect(outcome).toMatchObject({ succeeded: false, fee: 100_000n })
  })

  test('a transfer that fails at one machine alone is a doubt [N01]', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender, { tokenId: tokenId(), amount: 5n })
    const isTransfer = ([body]: readonly unknown[]) => /transfer\(/.test(JSON.stringify(body))
    // As a machine that lags behind the deposit of the sender answers.
    const reverted = {
      message: Buffer.from('REVERT opcode executed').toString('hex'),
      result: true,
    }
    const transaction = { ret: [{ ret: 'FAILED' }] }
    const change = (answer: unknown) => ({
      ...Object(answer),
      result: reverted,
      constant_result: [''],
      transaction: { ...Object(answer).transaction, ...transaction },
    })
    const match = { method: /triggerconstantcontract/, params: isTransfer, times: 1 }
    const rule = world.proxy.rules.add({ match, action: { do: 'mutate', change } })
    await expect(world.adapter.quote(intent, CAPS)).rejects.toBeInstanceOf(Doubt)
    expect(rule.hits).toBe(1)
    expect(await world.adapter.quote(intent, CAPS)).toMatchObject({ ok: true })
  })

  test('a pending transaction expires once solid time passes its end [T07]', async () => {
    const sender = await world.spending.newSender()
    const signed = await made(sender, intentOf(sender))
    world.chain.lets = () => false
    await world.adapter.broadcast(signed.raw)
    world.chain.mine(21)
    // The head is past the end, the solid chain is not: the fork that wins may still have it.
    expect(world.chain.head().time).toBeGreaterThan(Number(signed.terms.expiration))
    expect(await fateOf(sender, signed)).toEqual({ state: 'unknown' })
    world.chain.mine(17)
    expect(world.chain.solid().time).toBe(Number(signed.terms.expiration))
    expect(await fateOf(sender, signed)).toEqual({ state: 'unknown' })
    world.chain.mine(1)
    expect(await fateOf(sender, signed)).toEqual({ state: 'expired' })
    world.chain.lets = () => true
    world.chain.mine(2)
    expect(world.chain.blockOf(signed.txnHash)).toBeNull()
  })

  test('repeated bytes count as accepted, and pay once [T08 W13]', async () => {
    const sender = await world.spending.newSender()
    const intent = intentOf(sender)
    const signed = await made(sender, intent)
    world.spending.loseAnswers()
    await world.adapter.broadcast(signed.raw).catch(() => undefined)
    await world.node.mend()
    world.pass(LONG_MS)
    const again = await world.adapter.broadcast(signed.raw)
    expect(again.answer).toContain('DUP_TRANSACTION_ERROR')
    expect(again.answer).toContain(signed.txnHash)
    world.chain.mine(2)
    expect((await world.adapter.broadcast(signed.raw)).answer).toContain('DUP_TRANSACTION_ERROR')
    world.chain.mine(2)
    expect(world.chain.balance(intent.to)).toBe(intent.amount)
  })

  test('a node’s answer to a broadcast decides nothing [T09]', async () => {
    const sender = await world.spending.newSender()
    const soon = BigInt(world.chain.head().time + 3_000)
    const expired = await made(sender, intentOf(sender), { expiration: soon })
    world.chain.mine(3)
    const { answer } = await world.adapter.broadcast(expired.raw)
    expect(answer).toContain('TRANSACTION_EXPIRATION_ERROR')
    const { reference } = await quoted(intentOf(sender))
    const unknown = (reference >> 192n) << 192n
    const astray = await made(sender, intentOf(sender), { reference: unknown + 7n })
    expect((await world.adapter.broadcast(astray.raw)).answer).toContain('TAPOS_ERROR')
    expect(await fateOf(sender, astray)).toEqual({ state: 'unknown' })
  })

  test('an expiry is ignored when another node has the transaction in a block [N15]', async () => {
    const sender = await world.spending.newSender()
    const signed = await made(sender, intentOf(sender))
    await world.adapter.broadcast(signed.raw)
    world.chain.mine(60)
    const nodes = [{ url: world.proxy.url }, { url: world.tron.url }]
    const adapter = world.openAdapter({ nodes })
    await adapter.identify()
    const match = { method: /gettransactioninfobyid/ }
    world.proxy.rules.add({ match, action: { do: 'http', status: 200, body: '{}' } })
    const spent = spentBy(sender, signed)
    expect(await world.adapter.fate(spent)).toEqual({ state: 'expired' })
    expect(await adapter.fate(spent)).toMatchObject({ state: 'included', succeeded: true })
  })
})

/** The public library reads the same sender, recipient and amount in the same bytes. */
function expectWitnessed(intent: Intent, { raw, txnHash }: Signed): void {
  if (TRONWEB === null) return
  const { TronWeb, utils } = TRONWEB
  const outer = readMessage(raw)
  const parts = outer === null ? [] : [1, 2].map((field) => bytesOf(outer, field))
  const [body = '', signature = ''] = parts.map((one) => Buffer.from(one).toString('hex'))
  const signer = utils.crypto.ecRecover(txnHash, signature)
  expect(TronWeb.address.fromHex(signer)).toBe(intent.from)
  const isCoins = intent.tokenId.endsWith('/slip44:195')
  const type = isCoins ? 'TransferContract' : 'TriggerSmartContract'
  const read: unknown = utils.deserializeTx.deserializeTransaction(type, body)
  const said = Object(Object(read).contract?.[0]?.parameter?.value)
  expect(TronWeb.address.fromHex(said.owner_address)).toBe(intent.from)
  if (isCoins) {
    expect(TronWeb.address.fromHex(said.to_address)).toBe(intent.to)
    expect(BigInt(said.amount)).toBe(intent.amount)
    return
  }
  const to = TronWeb.address.toHex(intent.to).slice(2).toLowerCase()
  const words = [to, intent.amount.toString(16)].map((one) => one.padStart(64, '0'))
  expect(String(said.data).toLowerCase()).toBe(`a9059cbb${words.join('')}`)
}
