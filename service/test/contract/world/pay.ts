import {
  createAddress,
  deploy,
  invoke,
  mined,
  rpcClient,
  send,
  signXrpl,
  xrplWallet,
} from '@sluice/simulator'
import { expect } from 'vitest'
import { type Json, ask, until } from './ask.ts'
import { theWorld } from './given.ts'
import { payerWallet, type Tenant } from './state.ts'
import type { XRP_PAYERS } from './tag-chain.ts'

/** An outside payer; two test files never share a wallet and its nonces. */
export interface Payer {
  /** Pays an amount of a token, by its id, and gives the transaction's hash. */
  pay(tokenId: string, to: string, amount: bigint): Promise<string>
  /** Makes a contract and gives its address. */
  deploy(initCode: string): Promise<string>
  /** The address of the next contract, unless a payment comes first. */
  nextContract(): Promise<string>
  /** Money for an organization, in its settlement account and its gas wallet, ready for use. */
  fund(tenant: Tenant, amounts: Readonly<Record<string, bigint>>, gas?: bigint): Promise<void>
}

const GAS = 10n ** 18n
/** The payer of that number. */
export function payerOf(number: number): Payer {
  const wallet = payerWallet(number)
  const client = rpcClient(theWorld().nodeUrl)
  const node = {
    rpc: <T>(method: string, params?: readonly unknown[]) => client.call<T>(method, params),
  }
  let last: Promise<unknown> = Promise.resolve()
  // One payment after the other, or two would take the same nonce.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const pay = (tokenId: string, to: string, amount: bigint) =>
    inTurn(async () => {
      const contract = /erc20:(.*)$/.exec(tokenId)?.[1]
      const { hash } =
        contract === undefined
          ? await send(node, wallet, { to, value: amount })
          : await invoke(node, wallet, contract, 'transfer(address,uint256)', [to, amount])
      return hash
    })
  const deployed = (initCode: string) =>
    inTurn(async () => {
      const sent = await deploy(node, wallet, initCode)
      await mined(node, sent)
      return sent.address
    })
  const nextNonce = async () =>
    Number(await node.rpc<string>('eth_getTransactionCount', [wallet.address, 'pending']))
  return {
    pay,
    deploy: deployed,
    nextContract: () => inTurn(async () => createAddress(wallet.address, await nextNonce())),
    fund: (tenant, amounts, gas = GAS) => fund({ pay }, tenant, amounts, gas),
  }
}

async function fund(
  { pay }: Pick<Payer, 'pay'>,
  { apiKey }: Tenant,
  amounts: Readonly<Record<string, bigint>>,
  gas: bigint,
): Promise<void> {
  const read = async () => {
    const { json } = await ask('/portfolio', { key: apiKey })
    return (json['portfolio'] ?? []) as Json[]
  }
  const addressOf = (type: string) =>
    until(`a ${type} account`, async () => {
      const found = (await read()).find(({ accountType }) => accountType === type)
      return found === undefined ? null : String(found['accountId'])
    })
  const { coin } = theWorld().tokens
  if (gas > 0n) await pay(coin, await addressOf('gas'), gas)
  const settlement = await addressOf('settlement')
  for (const [tokenId, amount] of Object.entries(amounts)) await pay(tokenId, settlement, amount)
  await until('the money', async () => {
    const entries = await read()
    const holds = (type: string, name: string, id: string, least: bigint) =>
      entries.some(
        (entry) =>
          entry['accountType'] === type &&
          entry['tokenId'] === id &&
          BigInt(String(entry[name])) >= least,
      )
    const isThere = Object.entries(amounts).every(([id, least]) =>
      holds('settlement', 'available', id, least),
    )
    return isThere && holds('gas', 'balance', coin, gas / 2n) ? true : null
  })
}

/** An XRP payment from outside, in drops. Returns the hash of the transaction. */
export async function payXrp(
  from: (typeof XRP_PAYERS)[number],
  { to, amount, tag }: { to: string; amount: bigint; tag?: number },
): Promise<string> {
  const payer = xrplWallet(from)
  const client = rpcClient(theWorld().ledgersUrl)
  const { account_data: data } = await client.call<{ account_data: Json }>('account_info', [
    { account: payer.address, ledger_index: 'current' },
  ])
  const blob = signXrpl(
    {
      TransactionType: 'Payment',
      Account: payer.address,
      Destination: to,
      Amount: String(amount),
      Fee: '10',
      Sequence: data['Sequence'],
      ...(tag !== undefined && { DestinationTag: tag }),
    },
    payer,
  )
  const answer = await client.call<Json>('submit', [{ tx_blob: blob }])
  client.close()
  expect(answer).toMatchObject({ engine_result: 'tesSUCCESS' })
  return String(Object(answer['tx_json']).hash)
}
