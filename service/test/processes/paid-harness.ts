import {
  type Anvil,
  type Receiver,
  deploy,
  devWallet,
  invoke,
  mined,
  send,
  startAnvil,
  startReceiver,
  testTokenInitCode,
} from '@sluice/simulator'
import { onTestFinished } from 'vitest'
import { type Installation, install } from './installation.ts'
import { until } from './program.ts'

export const CHAIN = 'eip155:11155111'
export const COIN = `${CHAIN}/slip44:60`
export const CONFIRMATIONS = 2
const METADATA = { name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }
const payer = devWallet(0)

export interface Deposit {
  id: string
  status: string
  tokenId: string
  amount: string
  txnHash: string
}

export interface Paid {
  tokenId: string
  amount: bigint
}

/** An installation on a real chain with a new token, and a payer. */
export interface PaidHarness extends Installation {
  anvil: Anvil
  receiver: Receiver
  token: string
  /** A user's deposit address, once the chain is followed. */
  addressOf(userId: string): Promise<string>
  deposits(): Promise<Deposit[]>
  /** Waits until so many deposits are confirmed, and no other is there. */
  confirmed(count: number): Promise<Deposit[]>
  /** The n-th payment, of the token and the coin in turns, each in a separate block. */
  pay(address: string, at: number): Promise<Paid>
}

/**
 * Starts the chain and makes the installation; both are removed after the test.
 * `besides`: URLs of further nodes; `given`: more of the configuration.
 */
export async function makePaidHarness(
  besides: readonly string[] = [],
  given: { databaseUrl?: string } = {},
): Promise<PaidHarness> {
  const anvil = await startAnvil({ chainId: 11155111 })
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await receiver.stop()
    await anvil.stop()
  })
  const address = await makeToken(anvil)
  const token = `${CHAIN}/erc20:${address}`
  const harness = await install({
    ...given,
    chains: { [CHAIN]: { nodes: [anvil.url, ...besides], confirmations: CONFIRMATIONS } },
    tokens: [{ id: token, ...METADATA }],
    webhookDevOrigins: [receiver.url],
  })
  const deposits = async () => (await harness.get('/payments')).body['payments'] as Deposit[]
  return {
    ...harness,
    anvil,
    receiver,
    token,
    deposits,
    addressOf: (userId) => until('an address', () => askAddress(harness, userId)),
    confirmed: (count) =>
      until(`${count} confirmed deposits`, async () => {
        const found = await deposits()
        return found.length >= count && found.every(isConfirmed) ? found : null
      }),
    pay: async (to, at) => {
      const paid = { tokenId: at % 2 === 0 ? token : COIN, amount: BigInt(1000 + at) }
      const sent =
        paid.tokenId === COIN
          ? await send(anvil, payer, { to, value: paid.amount })
          : await invoke(anvil, payer, address, 'transfer(address,uint256)', [to, paid.amount])
      await mined(anvil, sent)
      return paid
    },
  }
}

function isConfirmed({ status }: Deposit): boolean {
  return status === 'Confirmed'
}

async function makeToken(anvil: Anvil): Promise<string> {
  const { address } = await deploy(anvil, payer, testTokenInitCode(METADATA))
  const minted = [payer.address, 10n ** 18n]
  await mined(anvil, await invoke(anvil, payer, address, 'mint(address,uint256)', minted))
  return address
}

async function askAddress(harness: Installation, userId: string): Promise<string | null> {
  const query = new URLSearchParams({ chainId: CHAIN, tokenId: COIN, userId }).toString()
  const { status, body } = await harness.get(`/payments/deposit-address?${query}`)
  if (status >= 300) return null
  const account = body['address'] as { properties: { address: string } }
  return account.properties.address
}
