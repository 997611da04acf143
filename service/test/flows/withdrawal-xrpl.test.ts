import {
  type Receiver,
  signXrpl,
  startReceiver,
  startXrplNode,
  type XrplNode,
  type XrplWallet,
  xrplWallet,
} from '@sluice/simulator'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { formatXAddress } from '../../src/chains/xrpl/address.ts'
import { parseChain, parseHolder } from '../adapters/brands.ts'
import { type ServedApp, serveApp } from '../support/served-app.ts'

const SOON = { timeout: 30_000, interval: 50 }
const CHAIN = 'xrpl:testnet'
const XRP = `${CHAIN}/slip44:144`
const FUNDED = 20_000_000n
/** The reserve of the account and of eight tickets, and of one more. */
const KEPT = 1_000_000n + 9n * 200_000n
const DEPOSITED = 100_000_000n
/** More ledgers than the validity of our transactions. */
const LEDGERS_PAST = 24

let node: XrplNode
let receiver: Receiver
let app: ServedApp
let base = ''
let closing: NodeJS.Timeout | undefined
/** The network drops every transaction. */
let isLossy = false
/** The tag of the payment that is always dropped, however often it is signed. */
let lostTag: number | null = null
let references = 0
beforeAll(async () => {
  node = await startXrplNode()
  node.chain.close(3)
  receiver = await startReceiver()
  app = await serveApp({
    chains: { [CHAIN]: { nodes: [node.url] } },
    webhookDevOrigins: [receiver.url],
  })
  closing = setInterval(() => {
    node.chain.forget((_hash, one) => isLossy || one['DestinationTag'] === lostTag)
    node.chain.close()
  }, 200)
  base = await baseOf()
  node.chain.pay({ to: base, amount: FUNDED })
  const tag = await vi.waitFor(async () => {
    const { status, body } = await askAddress()
    expect(status).toBe(201)
    return Number(Object(Object(body['address']).properties).destinationTag)
  }, SOON)
  node.chain.pay({ to: base, amount: DEPOSITED, tag })
  const whole = DEPOSITED + FUNDED - KEPT
  await vi.waitFor(async () => expect(await available()).toBe(whole), SOON)
  await vi.waitFor(() => expect(tickets()).toHaveLength(8), SOON)
})
afterAll(async () => {
  clearInterval(closing)
  await app?.stop()
  await receiver?.stop()
  await node?.stop()
})

test('a withdrawal with a tag arrives once, with its tag, and costs its fee', async () => {
  const wallet = await holder('exchange')
  const before = node.chain.account(wallet.address)?.balance ?? 0n
  const left = await available()
  const { id } = await asked({ recipient: wallet.address, amount: '3000000', memo: '77' })
  const done = await ended(id)
  expect(done).toMatchObject({ status: 'Completed', memo: '77' })
  expect(node.chain.account(wallet.address)?.balance).toBe(before + 3_000_000n)
  const fee = BigInt(String(done['fee']))
  expect(fee).toBeGreaterThanOrEqual(10n)
  await vi.waitFor(async () => expect(await available()).toBe(left - 3_000_000n - fee), SOON)
  expect(paymentsTo(wallet.address)).toEqual([{ amount: '3000000', tag: 77 }])
})

test('an X-address carries the tag, and may not contradict the memo [X08]', async () => {
  const wallet = await holder('second exchange', { requiresTag: true })
  const named = (tag: number | null, isTestnet = true) =>
    formatXAddress({ address: addressOf(wallet), tag, isTestnet })
  const first = await asked({ recipient: named(5), amount: '1000000' })
  const second = await asked({ recipient: named(6), amount: '1000000', memo: '6' })
  expect(first).toMatchObject({ recipient: wallet.address, memo: '5' })
  const conflict = await post({ recipient: named(5), amount: '1000000', memo: '6' })
  expect([conflict.status, conflict.body['error']]).toEqual([400, 'BAD_REQUEST'])
  const wrong = await post({ recipient: named(5, false), amount: '1000000' })
  expect([wrong.status, wrong.body['error']]).toEqual([422, 'INVALID_RECIPIENT_ADDRESS'])
  const untagged = await post({ recipient: named(null), amount: '1000000' })
  expect([untagged.status, untagged.body['error']]).toEqual([400, 'MISSING_DESTINATION_TAG'])
  const plain = await post({ recipient: wallet.address, amount: '1000000' })
  expect([plain.status, plain.body['error']]).toEqual([400, 'MISSING_DESTINATION_TAG'])
  const memo = await post({ recipient: wallet.address, amount: '1000000', memo: '4294967296' })
  expect([memo.status, memo.body['error']]).toEqual([400, 'BAD_REQUEST'])
  for (const { id } of [first, second]) expect((await ended(id))['status']).toBe('Completed')
  expect(paymentsTo(wallet.address)).toEqual([
    { amount: '1000000', tag: 5 },
    { amount: '1000000', tag: 6 },
  ])
})

test('requests are equal when address and memo name the same tag [A04]', async () => {
  const wallet = await holder('retrying exchange')
  const { address } = wallet
  const [five, none] = [5, null].map((tag) =>
    formatXAddress({ address: addressOf(wallet), tag, isTestnet: true }),
  )
  const reference = 'retried'
  const amount = '1000000'
  const { id } = await asked({ recipient: String(five), amount, reference })
  const isSame = async (recipient: unknown, memo?: string) => {
    const request = { recipient: String(recipient), amount, reference }
    const { body } = await post(memo === undefined ? request : { ...request, memo })
    expect(body['error']).toBe('DUPLICATE_REFERENCE')
    return Object(body['details']).sameParameters
  }
  expect([await isSame(five), await isSame(five, '5')]).toEqual([true, true])
  expect([await isSame(none, '5'), await isSame(address, '5')]).toEqual([true, true])
  expect([await isSame(five, '6'), await isSame(five, 'five')]).toEqual([false, false])
  expect([await isSame(none), await isSame(address, '6')]).toEqual([false, false])
  expect((await ended(id))['status']).toBe('Completed')
})

test('an amount below the reserve of a new account is rejected at creation [X12 X13]', async () => {
  const left = await available()
  const nobody = xrplWallet('nobody yet').address
  const small = await post({ recipient: nobody, amount: '999999' })
  expect(small).toMatchObject({
    status: 422,
    body: {
      error: 'WITHDRAWAL_BELOW_MINIMUM',
      details: { provided: '999999', minimum: '1000000' },
    },
  })
  expect(await available()).toBe(left)
  const enough = await asked({ recipient: nobody, amount: '1000000' })
  expect((await ended(enough.id))['status']).toBe('Completed')
  expect(node.chain.account(nobody)?.balance).toBe(1_000_000n)
})

test('a withdrawal must cover its fee, and may not pay an own account', async () => {
  const left = await available()
  const { address } = await holder('exchange')
  const all = await post({ recipient: address, amount: left.toString(), memo: '1' })
  expect([all.status, all.body['error']]).toEqual([422, 'INSUFFICIENT_BALANCE'])
  const { required } = Object(all.body['details'])
  expect(BigInt(required)).toBeGreaterThan(left)
  // The memo makes no difference.
  for (const memo of ['1', 'no tag']) {
    const own = await post({ recipient: base, amount: '1000000', memo })
    expect([own.status, own.body['error']]).toEqual([422, 'INVALID_RECIPIENT_ADDRESS'])
  }
  expect(await available()).toBe(left)
})

test('a lost payment is signed again with the same ticket [X10]', async () => {
  const wallet = await holder('third exchange')
  const left = await available()
  const [ticket] = tickets()
  const before = validated()?.sequence
  isLossy = true
  const { id } = await asked({ recipient: wallet.address, amount: '2000000', memo: '9' })
  const first = await vi.waitFor(async () => {
    const { txnHash } = await read(id)
    expect(txnHash).not.toBeNull()
    return txnHash
  }, SOON)
  const lost = node.chain.closed().height + LEDGERS_PAST
  await vi.waitFor(() => expect(node.chain.closed().height).toBeGreaterThan(lost), SOON)
  expect(validated()?.sequence).toBe(before)
  expect(tickets()).toContain(ticket)
  expect((await read(id))['status']).toBe('Processing')
  isLossy = false
  const done = await ended(id)
  expect(done['status']).toBe('Completed')
  expect(done['txnHash']).not.toBe(first)
  expect(paymentsTo(wallet.address)).toEqual([{ amount: '2000000', tag: 9 }])
  expect(tickets()).not.toContain(ticket)
  const fee = BigInt(String(done['fee']))
  await vi.waitFor(async () => expect(await available()).toBe(left - 2_000_000n - fee), SOON)
})

test('a stuck payment blocks no other [W18]', async () => {
  const wallet = await holder('fourth exchange')
  const paid = (tag: number) => paymentsTo(wallet.address).some((one) => one.tag === tag)
  lostTag = 1
  const stuck = await asked({ recipient: wallet.address, amount: '1000000', memo: '1' })
  await vi.waitFor(async () => expect((await read(stuck.id))['txnHash']).not.toBeNull(), SOON)
  const others = []
  for (const memo of ['2', '3']) {
    others.push(await asked({ recipient: wallet.address, amount: '1000000', memo }))
  }
  for (const { id } of others) expect((await ended(id))['status']).toBe('Completed')
  expect([1, 2, 3].map(paid)).toEqual([false, true, true])
  expect((await read(stuck.id))['status']).toBe('Processing')
  lostTag = null
  expect((await ended(stuck.id))['status']).toBe('Completed')
  expect(paymentsTo(wallet.address)).toHaveLength(3)
})

/** The base account in the validated ledger; `chain.account` also counts pending payments. */
function validated() {
  return node.chain.closed().accounts?.get(base)
}

/** The tickets of the base account. */
function tickets(): readonly number[] {
  return validated()?.tickets ?? []
}

/** The payments of our account to an address in validated ledgers. */
function paymentsTo(address: string) {
  return node.chain.paymentsBetween(base, address)
}

/** A wallet with an account. */
async function holder(name: string, { requiresTag = false } = {}): Promise<XrplWallet> {
  const wallet = xrplWallet(name)
  const { chain } = node
  if (chain.account(wallet.address) !== undefined) return wallet
  chain.pay({ to: wallet.address, amount: 50_000_000n })
  await vi.waitFor(() => expect(chain.account(wallet.address)).toBeDefined(), SOON)
  if (!requiresTag) return wallet
  const flag = { ...chain.fieldsFor(wallet.address), TransactionType: 'AccountSet', SetFlag: 1 }
  chain.submit(signXrpl(flag, wallet))
  await vi.waitFor(() => {
    expect(chain.closed().accounts?.get(wallet.address)?.flags).toBeGreaterThan(0)
  }, SOON)
  return wallet
}

function addressOf({ address }: XrplWallet) {
  return parseHolder(parseChain(CHAIN), address)
}

async function baseOf(): Promise<string> {
  return vi.waitFor(async () => {
    const { address } = Object((await askAddress()).body['details'])
    expect(address).toMatch(/^r/)
    return String(address)
  }, SOON)
}

function askAddress() {
  const query = new URLSearchParams({ userId: 'ann', tokenId: XRP, chainId: CHAIN })
  return app.ask('GET', `/payments/deposit-address?${query.toString()}`)
}

function post(request: { recipient: string; amount: string; memo?: string; reference?: string }) {
  references += 1
  const reference = `reference ${references}`
  return app.ask('POST', '/withdrawals', { chainId: CHAIN, tokenId: XRP, reference, ...request })
}

async function asked(request: Parameters<typeof post>[0]): Promise<Record<string, string>> {
  const { status, body } = await post(request)
  expect(body).toMatchObject({ withdrawal: expect.anything() })
  expect(status).toBe(201)
  return Object(body['withdrawal'])
}

async function read(id: string | undefined): Promise<Record<string, unknown>> {
  const { body } = await app.ask('GET', `/withdrawals/${id}`)
  return body
}

async function ended(id: string | undefined): Promise<Record<string, unknown>> {
  return vi.waitFor(async () => {
    const withdrawal = await read(id)
    expect(['Completed', 'Failed']).toContain(withdrawal['status'])
    return withdrawal
  }, SOON)
}

async function available(): Promise<bigint> {
  const { body } = await app.ask('GET', `/portfolio?chainId=${CHAIN}`)
  const rows: Record<string, string>[] = Object(body['portfolio'])
  const settlement = rows.find(({ accountType }) => accountType === 'settlement')
  return BigInt(settlement?.['available'] ?? '0')
}
