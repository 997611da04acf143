import type { PaymentTrace } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  refusalIn,
  TIP,
  toChainId,
  toTokenId,
} from '../../../test/support/door.ts'
import { ModelChain } from '../../../test/support/model-chain.ts'
import { Outage } from '../../base/fault.ts'
import { parseAddress } from '../../chains/format-address.ts'
import type { ChainAdapter } from '../../chains/chain-adapter.ts'
import type { TransactionSeen } from '../../chains/port.ts'

const HASH = `0x${'cd'.repeat(32)}`

let door: Door
let address: string
/** The node's answer; throws if it does not answer. */
let answer: () => TransactionSeen | null
const asked: string[] = []

beforeAll(async () => {
  const model = new ModelChain(toChainId(ETHEREUM), toTokenId(ETHER)).adapter()
  const transaction: ChainAdapter['transaction'] = async (hash) => {
    asked.push(hash)
    return answer()
  }
  const adapter = { ...model, transaction }
  door = await openDoor({ chains: { get: (id) => (id === ETHEREUM ? adapter : null) } })
  const query = new URLSearchParams({ chainId: ETHEREUM, tokenId: ETHER, userId: 'ann' })
  const { json } = await door.ask(`/payments/deposit-address?${query.toString()}`)
  address = parseAccount(json['address']).properties.address
})
afterAll(() => door.close())

const paid = (): TransactionSeen => {
  const to = parseAddress(toChainId(ETHEREUM), address)
  const from = parseAddress(toChainId(ETHEREUM), `0x${'5'.repeat(40)}`)
  if (to === null || from === null) throw new Error('no address')
  const transfer = { position: 'tx', tokenId: toTokenId(ETHER), from, to, amount: 7n, tag: null }
  const block = { height: TIP - 1, hash: '0x01' }
  return { block, succeeded: true, transfers: [{ txnHash: HASH, ...transfer }], apart: [] }
}

async function traced(query: string, key = door.a.key): Promise<PaymentTrace> {
  const { status, json } = await door.ask(`/payments/trace?${query}`, { key })
  expect(status).toBe(200)
  return parseTrace(json['trace'])
}

describe('GET /payments/trace', () => {
  test('answers the organization that owns the paid address', async () => {
    answer = paid
    const found = await traced(`chainId=${ETHEREUM}&txnHash=${HASH.slice(2).toUpperCase()}`)
    expect(asked.at(-1)).toBe(HASH)
    expect(found).toMatchObject({
      chainId: ETHEREUM,
      txnHash: HASH,
      payments: [{ recipient: address, externalUserId: 'ann', amount: '7' }],
    })
  })

  test('answers another organization only with NOTHING_FOR_YOU [S09]', async () => {
    answer = paid
    const found = await traced(`chainId=${ETHEREUM}&txnHash=${HASH}`, door.b.key)
    expect(found).toMatchObject({ outcome: 'NOTHING_FOR_YOU', payments: [] })
    expect(JSON.stringify(found)).not.toMatch(/\bann\b|0x5555/)
  })

  test('finds a deposit by the hash under which it is listed', async () => {
    await door.pay(address, [9n])
    const { json } = await door.ask('/payments?limit=1')
    const [deposit] = parseDeposits(json['payments'])
    answer = () => null
    const found = await traced(`chainId=${ETHEREUM}&txnHash=${deposit?.txnHash}`)
    expect(found.payments).toMatchObject([
      { depositId: deposit?.id, outcome: 'WAITING_FOR_CONFIRMATIONS' },
    ])
  })

  test('answers from the records while no node does [N14]', async () => {
    answer = () => {
      throw new Outage('node', 'is away')
    }
    expect((await traced(`chainId=${ETHEREUM}&txnHash=${HASH}`)).outcome).toBe('NODE_AWAY')
  })

  test('answers CHAIN_NOT_FOLLOWED for a chain without nodes', async () => {
    const found = await traced(`chainId=eip155:137&txnHash=${HASH}`)
    expect(found).toMatchObject({ outcome: 'CHAIN_NOT_FOLLOWED', payments: [] })
  })

  test.each([
    ['', 'BAD_REQUEST', 400],
    [`chainId=${ETHEREUM}`, 'BAD_REQUEST', 400],
    [`chainId=${ETHEREUM}&txnHash=0x12`, 'BAD_REQUEST', 400],
    [`chainId=${ETHEREUM}&txnHash=${'g'.repeat(64)}`, 'BAD_REQUEST', 400],
    [`chainId=eip155:2&txnHash=${HASH}`, 'INVALID_CHAIN', 422],
  ])('refuses ?%s with %s [V02]', async (query, error, statusCode) => {
    expect(refusalIn(await door.ask(`/payments/trace?${query}`))).toMatchObject({
      error,
      statusCode,
    })
  })
})

function parseTrace(value: unknown): PaymentTrace {
  return value as PaymentTrace
}

function parseAccount(value: unknown): { properties: { address: string } } {
  return value as { properties: { address: string } }
}

function parseDeposits(value: unknown): { id: string; txnHash: string }[] {
  return value as { id: string; txnHash: string }[]
}
