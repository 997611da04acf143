import { join } from 'node:path'
import { type Anvil, startAnvil } from '../anvil.ts'
import { testTokenInitCode } from '../contracts/creations.ts'
import { deploy, endow, holding, invoke, mined, send } from '../evm-send.ts'
import { createAddress, devWallet } from '../evm-wallet.ts'

const BLOCK_TIME_SECONDS = 2
/** Far more than anybody pays in, and far from 2^256. */
const SUPPLY = 10n ** 36n
const ONE_COIN = 10n ** 18n

/** A chain of the sandbox: an anvil under the id of a test network, with one test token. */
export interface SandboxChain {
  chainId: string
  anvil: Anvil
  native: SandboxToken
  token: SandboxToken & { address: string }
}

export interface SandboxToken {
  id: string
  chainId: string
  name: string
  symbol: string
  decimals: number
}

export interface SandboxChainOptions {
  reference: number
  port: number
  nativeSymbol: string
  tokenDecimals: number
  folder: string
}

/** The wallet that pays deposits in, and owns the test tokens. */
const faucet = devWallet(0)

/** Starts a chain, or goes on with the one of last time, and makes sure that its token stands. */
export async function startChain(options: SandboxChainOptions): Promise<SandboxChain> {
  const { reference, port, folder, nativeSymbol, tokenDecimals } = options
  const anvil = await startAnvil({
    chainId: reference,
    port,
    blockTimeSeconds: BLOCK_TIME_SECONDS,
    stateFile: join(folder, `anvil-${reference}.json`),
    home: join(folder, `anvil-${reference}`),
  })
  const metadata = { name: 'Sandbox USDT', symbol: 'USDT', decimals: tokenDecimals }
  const address = await standingToken(anvil, metadata)
  const chainId = `eip155:${reference}`
  return {
    chainId,
    anvil,
    native: {
      id: `${chainId}/slip44:60`,
      chainId,
      name: nativeSymbol,
      symbol: nativeSymbol,
      decimals: 18,
    },
    token: { id: `${chainId}/erc20:${address}`, chainId, ...metadata, address },
  }
}

/** The faucet's first transaction makes the token, so its address is always the same. */
async function standingToken(
  anvil: Anvil,
  metadata: { name: string; symbol: string; decimals: number },
): Promise<string> {
  const address = createAddress(faucet.address, 0)
  const code = await anvil.rpc<string>('eth_getCode', [address, 'latest'])
  if (code !== '0x') return address
  await deploy(anvil, faucet, testTokenInitCode(metadata))
  const minted = await invoke(anvil, faucet, address, 'mint(address,uint256)', [
    faucet.address,
    SUPPLY,
  ])
  await anvil.mine()
  await mined(anvil, minted)
  return address
}

/** Pays an amount in base units to an address and mines it; gives the transaction's hash. */
export async function payIn(
  chain: SandboxChain,
  given: { tokenId: string; address: string; amount: bigint },
): Promise<{ txnHash: string; blockNumber: number }> {
  const { anvil, token } = chain
  const isToken = given.tokenId.toLowerCase() === token.id.toLowerCase()
  const funds = await holding(anvil, faucet.address)
  const needed = (isToken ? 0n : given.amount) + ONE_COIN
  if (funds < needed) await endow(anvil, faucet.address, needed)
  const sent = isToken
    ? await invoke(anvil, faucet, token.address, 'transfer(address,uint256)', [
        given.address,
        given.amount,
      ])
    : await send(anvil, faucet, { to: given.address, value: given.amount })
  await anvil.mine()
  const receipt = await mined(anvil, sent)
  if (receipt.status !== '0x1') throw new Error(`the payment ${sent.hash} failed on the chain`)
  return { txnHash: sent.hash, blockNumber: Number(receipt.blockNumber) }
}
