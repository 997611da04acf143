import { type ReceivedWebhook, type Receiver, startReceiver } from '@sluice/simulator'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BITCOIN_NODES, type BitcoinTestChain, REGTEST, TBTC } from '../support/bitcoin-chain.ts'
import { type ServedApp, serveApp } from '../support/served-app.ts'

const REACHED = { timeout: 20_000, interval: 50 }
const REQUIRED = 2

describe.each(BITCOIN_NODES)('a Bitcoin deposit, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('from block to webhook', () => {
    let chain: BitcoinTestChain
    let receiver: Receiver
    let app: ServedApp
    let secret: string
    beforeAll(async () => {
      chain = await start()
      receiver = await startReceiver()
      app = await serveApp({
        chains: { [REGTEST]: { nodes: [chain.url], confirmations: REQUIRED } },
        webhookDevOrigins: [receiver.url],
      })
      await app.ask('PATCH', '/organisation/webhook', { webhookUrl: `${receiver.url}/in` })
      const organisation = await app.ask('GET', '/organisation')
      secret = String(organisation.body['webhookSigningSecret'])
    })
    afterAll(async () => {
      await app?.stop()
      await receiver?.stop()
      await chain?.stop()
    })

    test('a deposit sends four signed webhooks from address to credit [I13]', async () => {
      const query = new URLSearchParams({ userId: 'ann', tokenId: TBTC, chainId: REGTEST })
      const asked = await vi.waitFor(async () => {
        const answer = await app.ask('GET', `/payments/deposit-address?${query.toString()}`)
        expect(answer.status).toBe(201)
        return answer
      }, REACHED)
      const account = Object(asked.body['address'])
      const address = String(Object(account.properties).address)
      expect(account).toMatchObject({ chainId: REGTEST, externalUserId: 'ann' })
      expect(address).toMatch(/^bcrt1q[02-9ac-hj-np-z]{38}$/)

      const txid = await chain.hand.pay({ payees: [{ to: address, amount: 123_456n }] })
      await chain.hand.mine()
      await receiver.waitFor((received) => typesOf(received).length >= 2)
      expect(typesOf(receiver.received)).toEqual(['account.created', 'deposit.detected'])
      await chain.hand.mine(REQUIRED)
      await receiver.waitFor((received) => typesOf(received).length >= 4)
      const events = sorted(receiver.received)
      expect(events.map(({ type }) => type)).toEqual([
        'account.created',
        'deposit.detected',
        'deposit.confirmed',
        'balance.updated',
      ])
      const [created, detected, confirmed, updated] = events.map(({ payload }) => payload)
      expect(created).toMatchObject({ externalUserId: 'ann', properties: { address } })
      expect(detected).toMatchObject({
        txnHash: txid,
        tokenId: TBTC,
        index: 0,
        amount: '123456',
        senderAddress: chain.hand.address,
        confirmations: 0,
        status: 'Detected',
      })
      expect(confirmed).toMatchObject({ id: detected?.['id'], status: 'Confirmed' })
      expect(updated).toMatchObject({ accountId: address, balance: '123456', delta: '123456' })
      for (const webhook of receiver.received.slice(-events.length)) {
        expect(new Webhook(secret).verify(webhook.body, webhook.headers)).toEqual(
          parseTold(webhook),
        )
      }
      const { body } = await app.ask('GET', '/payments?userId=ann')
      expect(body['payments']).toMatchObject([
        { id: detected?.['id'], status: 'Confirmed', amount: '123456', confirmations: REQUIRED },
      ])
    })
  })
})

interface Told {
  type: string
  sequence: number
  payload: Record<string, unknown>
}

function parseTold({ body }: ReceivedWebhook): Told {
  return JSON.parse(body) as Told
}

/** Sorts deliveries by sequence, because they arrive in any order; leaves out setup events. */
function sorted(received: readonly ReceivedWebhook[]): Told[] {
  const told = received.map(parseTold).filter(({ type }) => type !== 'settings.changed')
  return told.sort((a, b) => a.sequence - b.sequence)
}

function typesOf(received: readonly ReceivedWebhook[]): string[] {
  return sorted(received).map(({ type }) => type)
}
