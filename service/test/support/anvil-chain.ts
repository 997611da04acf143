import {
  type AbiValue,
  type Anvil,
  deploy,
  devWallet,
  invoke,
  type MinedReceipt,
  mined,
  send,
  type SendRequest,
  type Sent,
  signTransaction,
  startAnvil,
  testTokenInitCode,
  type Wallet,
} from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import { parseChainId } from '@sluice/wire'
import type { OperatorToken } from '../../src/catalogue/operator-token.ts'

/** The name of every test token. */
export const METADATA = { name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
/** Wallets of a payer and of a stranger. */
export const PAYER = devWallet(0)
export const OTHER = devWallet(1)

/** A real anvil that mines each transaction at once, and a funded payer. */
export interface AnvilChain extends Anvil {
  readonly id: ChainId
  /** Sends and waits for the receipt, whether it succeeded or not. */
  send(request: SendRequest, from?: Wallet): Promise<MinedReceipt>
  /** As `send`, and keeps the signed bytes, by which a reorg brings the transaction back. */
  keep(request: SendRequest, from?: Wallet): Promise<Sent>
  /** The bytes of a transaction that is not sent. */
  sign(request: SendRequest & { nonce: number }, from?: Wallet): string
  /** wei to an address. */
  pay(to: string, wei: bigint): Promise<MinedReceipt>
  call(
    contract: string,
    signature: string,
    values: readonly AbiValue[],
    from?: Wallet,
  ): Promise<MinedReceipt>
  /** Creates a contract; without code, the test ERC-20 with a million for the payer. */
  create(initCode?: string, value?: bigint): Promise<string>
  /** Base units of an ERC-20 to an address. */
  payToken(token: string, to: string, amount: bigint): Promise<MinedReceipt>
  height(): Promise<number>
  /** All that the work sends, in one block. */
  inOneBlock(work: () => Promise<unknown>): Promise<void>
}

export async function startAnvilChain(id: ChainId, args: string[] = []): Promise<AnvilChain> {
  const chainId = Number(parseChainId(id)?.reference)
  const anvil = await startAnvil({ chainId, args })
  const sent = async (request: SendRequest, from = PAYER) =>
    mined(anvil, await send(anvil, from, request))
  const call: AnvilChain['call'] = async (contract, signature, values, from = PAYER) =>
    mined(anvil, await invoke(anvil, from, contract, signature, values))
  const create = async (initCode?: string, value = 0n) => {
    const made = await deploy(anvil, PAYER, initCode ?? testTokenInitCode(METADATA), value)
    await mined(anvil, made)
    if (initCode === undefined) {
      await call(made.address, 'mint(address,uint256)', [PAYER.address, 10n ** 12n])
    }
    return made.address
  }
  return {
    ...anvil,
    id,
    send: sent,
    async keep(request, from = PAYER) {
      const kept = await send(anvil, from, request)
      await mined(anvil, kept)
      return kept
    },
    sign: ({ gas = 500_000, ...fields }, from = PAYER) =>
      signTransaction(from, { ...fields, ...FEES, gas, type: 'eip1559', chainId }),
    pay: (to, value) => sent({ to, value, gas: 21_000 }),
    call,
    create,
    payToken: (token, to, amount) => call(token, 'transfer(address,uint256)', [to, amount]),
    height: async () => Number(await anvil.rpc<string>('eth_blockNumber')),
    async inOneBlock(work) {
      await anvil.rpc('evm_setAutomine', [false])
      await work()
      await anvil.mine()
      await anvil.rpc('evm_setAutomine', [true])
    },
  }
}

/** The id of an ERC-20 as the catalogue writes it. */
export function tokenId(chainId: ChainId, contract: string): string {
  return `${chainId}/erc20:${contract}`
}

/** A contract as an operator lists it. */
export function listed(
  chainId: ChainId,
  contract: string,
  more: Partial<OperatorToken> = {},
): OperatorToken {
  return { id: tokenId(chainId, contract), ...METADATA, ...more }
}
