import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, toBaseUnits } from '@sluice/client'
import type { SandboxState } from '../../simulator/src/sandbox/state.ts'

const ADMIN = 'sandbox-admin'
const APPROVERS = ['sandbox-approver-1', 'sandbox-approver-2']
const SEPOLIA = 'eip155:11155111'
const BSC = 'eip155:97'
const BITCOIN = 'bip122:000000000933ea01ad0ee984209779ba'
const TRON = 'tron:shasta'
const XRPL = 'xrpl:testnet'

interface Payment {
  chainId: string
  symbol: string
  /** In units of the token. */
  amount: string
}

const DEPOSITS: readonly (Payment & { userId: string })[] = [
  { userId: 'alice', chainId: SEPOLIA, symbol: 'USDT', amount: '12500' },
  { userId: 'bob', chainId: SEPOLIA, symbol: 'USDC', amount: '4820.50' },
  { userId: 'carol', chainId: SEPOLIA, symbol: 'ETH', amount: '1.75' },
  { userId: 'dora', chainId: BITCOIN, symbol: 'tBTC', amount: '0.42' },
  { userId: 'emil', chainId: TRON, symbol: 'USDT', amount: '3600' },
  { userId: 'frida', chainId: XRPL, symbol: 'XRP', amount: '7400' },
  { userId: 'bob', chainId: BSC, symbol: 'USDC', amount: '960' },
  { userId: 'shop-1042', chainId: BITCOIN, symbol: 'tBTC', amount: '0.085' },
  { userId: 'shop-1042', chainId: SEPOLIA, symbol: 'USDT', amount: '318.20' },
]

interface Request extends Payment {
  recipient: string
  reference: string
  internalNote: string
  externalUserId: string
  memo?: string
}

/** Approved and paid before the pictures are taken. */
const PAID: readonly Request[] = [
  {
    externalUserId: 'alice',
    chainId: SEPOLIA,
    symbol: 'USDT',
    amount: '800',
    recipient: '0x52908400098527886E0F7030069857D2E4169EE7',
    reference: 'payout-1037',
    internalNote: 'Payout of November',
  },
  {
    externalUserId: 'dora',
    chainId: BITCOIN,
    symbol: 'tBTC',
    amount: '0.03',
    recipient: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    reference: 'payout-1038',
    internalNote: 'Payout of November',
  },
]

/** They wait for approvals. */
const WAITING: readonly Request[] = [
  {
    externalUserId: 'alice',
    chainId: SEPOLIA,
    symbol: 'USDT',
    amount: '1250',
    recipient: '0x52908400098527886E0F7030069857D2E4169EE7',
    reference: 'payout-1041',
    internalNote: 'Invoice 2207',
  },
  {
    externalUserId: 'frida',
    chainId: XRPL,
    symbol: 'XRP',
    amount: '2500',
    recipient: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    memo: '7720193',
    reference: 'payout-1042',
    internalNote: 'To an exchange',
  },
  {
    externalUserId: 'dora',
    chainId: BITCOIN,
    symbol: 'tBTC',
    amount: '0.12',
    recipient: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    reference: 'payout-1043',
    internalNote: 'Invoice 2211',
  },
  {
    externalUserId: 'emil',
    chainId: TRON,
    symbol: 'USDT',
    amount: '940',
    recipient: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    reference: 'payout-1044',
    internalNote: 'Invoice 2214',
  },
]

const POLL_MS = 500
const POLLS_MAX = 600

/** What the addresses of pages need. */
export interface Records {
  /** A withdrawal that waits for approvals. */
  approvalId: string
  /** The transaction of a credited deposit. */
  depositHash: string
  /** An event that an endpoint refuses. */
  eventId: string
}

/** Makes the same users, amounts and settings each time, over HTTP. */
export async function makeRecords(state: SandboxState, failingUrl: string): Promise<Records> {
  const { baseUrl, apiKey } = state
  const client = createClient({ baseUrl, apiKey })
  const world = { state, client }
  const endpointId = await makeSettings(world, failingUrl)
  const hashes: string[] = []
  for (const deposit of DEPOSITS) hashes.push(await pay(world, deposit))
  await until(async () => {
    const { items } = await client.payments.list({ status: 'Confirmed' })
    return hashes.every((hash) => items.some(({ txnHash }) => txnHash === hash))
  })
  await payOut(world)
  const waiting: string[] = []
  for (const request of WAITING) waiting.push(await create(world, request))
  let eventId = ''
  await until(async () => {
    const { items } = await client.events.list({ type: 'deposit.confirmed', endpointId })
    eventId = items.find(({ delivery }) => delivery.lastStatus === 503)?.id ?? ''
    return eventId !== ''
  })
  return { approvalId: waiting[1] ?? '', depositHash: hashes[0] ?? '', eventId }
}

interface World {
  state: SandboxState
  client: Client
}

/** Two approvals, an invited colleague, a key of one server, and an endpoint, the id returned. */
async function makeSettings({ state, client }: World, failingUrl: string): Promise<string> {
  const admin = await signIn(state, ADMIN)
  const colleague = { username: 'dana', role: 'viewer' as const }
  await admin.users.invite(colleague, { totpCode: await codeOf(state, ADMIN) })
  const terms = { name: 'Payout server', scopes: ['read' as const, 'withdrawals' as const] }
  const networks = { allowedCidrs: ['203.0.113.0/24'], expiresAt: null }
  await admin.apiKeys.create({ ...terms, ...networks, totpCode: await codeOf(state, ADMIN) })
  await client.organisation.setMinWithdrawalSigners(2)
  const { endpoint } = await client.webhookEndpoints.create({
    url: `${failingUrl}/accounting`,
    eventTypes: ['deposit.confirmed', 'withdrawal.completed'],
  })
  return endpoint.id
}

/** Creates withdrawals, has both approvers approve them and waits until they are paid. */
async function payOut(world: World): Promise<void> {
  const { state, client } = world
  const paid: string[] = []
  for (const request of PAID) paid.push(await create(world, request))
  for (const username of APPROVERS) {
    const person = await signIn(state, username)
    const { refused } = await person.withdrawals.approveMany(paid, await codeOf(state, username))
    if (refused.length > 0) throw new Error(JSON.stringify(refused))
  }
  await until(async () => {
    const found = await Promise.all(paid.map((id) => client.withdrawals.get(id)))
    return found.every(({ status }) => status === 'Completed')
  })
}

/** A client with the session of one of the sandbox's people. */
async function signIn(state: SandboxState, username: string): Promise<Client> {
  const { baseUrl } = state
  const password = state.users.find((user) => user.username === username)?.password ?? ''
  const totpCode = await codeOf(state, username)
  const { accessToken } = await createClient({ baseUrl }).auth.login({
    username,
    password,
    totpCode,
  })
  return createClient({ baseUrl, accessToken })
}

async function codeOf({ controlUrl }: SandboxState, username: string): Promise<string> {
  const { totpCode } = parseCode(await control(controlUrl, `/totp?username=${username}`))
  return totpCode
}

function parseCode(answer: unknown) {
  return answer as { totpCode: string }
}

/** Pays a deposit and returns the hash of its transaction. */
async function pay(
  { state, client }: World,
  { userId, ...payment }: (typeof DEPOSITS)[number],
): Promise<string> {
  const { chainId } = payment
  const token = tokenOf(state, payment)
  const { properties } = await client.payments.depositAddress({
    chainId,
    tokenId: token.id,
    userId,
  })
  const { address, destinationTag } = properties
  const amount = toBaseUnits(payment.amount, token.decimals)
  const body = { chainId, tokenId: token.id, address, amount, destinationTag }
  const { txnHash } = parsePaid(await control(state.controlUrl, '/deposits', body))
  return txnHash
}

function parsePaid(answer: unknown) {
  return answer as { txnHash: string }
}

async function create(
  { state, client }: World,
  { symbol, amount, ...request }: Request,
): Promise<string> {
  const token = tokenOf(state, { ...request, symbol, amount })
  const units = toBaseUnits(amount, token.decimals)
  const body = { ...request, tokenId: token.id, amount: units }
  return (await client.withdrawals.create(body)).id
}

function tokenOf({ tokens }: SandboxState, { chainId, symbol }: Payment) {
  const token = tokens.find((one) => one.chainId === chainId && one.symbol === symbol)
  if (token === undefined) throw new Error(`the sandbox has no ${symbol} on ${chainId}`)
  return token
}

async function control(url: string, path: string, body?: object): Promise<unknown> {
  const sent = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${url}${path}`, sent)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${text}`)
  return JSON.parse(text)
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    if (await isDone()) return
    await wait(POLL_MS)
  }
  throw new Error('the sandbox did not reach the state of the pictures')
}
