import type { Anvil } from '../anvil.ts'
import { testTokenInitCode } from '../contracts/creations.ts'
import { deploy, invoke, mined } from '../evm-send.ts'
import type { Wallet } from '../evm-wallet.ts'
import { quantity } from '../hex.ts'

/** A contract token of a sandbox chain, at the address it has on the real test network. */
export interface ContractToken {
  symbol: string
  name: string
  decimals: number
  /** In EIP-55. */
  address: string
  /** True if the sandbox offers it; the others are only placed at their catalogue address. */
  offered: boolean
}

/** Far more than all payments, and far from 2^256. */
const SUPPLY = 10n ** 36n
/** Storage slots of a test token's name and symbol; its decimals are in its code. */
const TEXT_SLOTS = [0, 1]

/**
 * Places every token at its own address: one is deployed elsewhere, and its code and texts are
 * copied. Chains that have them are unchanged.
 */
export async function placeTokens(
  anvil: Anvil,
  owner: Wallet,
  tokens: readonly ContractToken[],
): Promise<void> {
  const codes = await Promise.all(tokens.map(({ address }) => codeAt(anvil, address)))
  if (codes.every((code) => code !== '0x')) return
  for (const token of tokens) await place(anvil, owner, token)
}

async function place(anvil: Anvil, owner: Wallet, token: ContractToken): Promise<void> {
  const template = await deploy(anvil, owner, testTokenInitCode(token))
  await anvil.mine()
  await mined(anvil, template)
  await anvil.rpc('anvil_setCode', [token.address, await codeAt(anvil, template.address)])
  for (const slot of TEXT_SLOTS) {
    const value = await anvil.rpc('eth_getStorageAt', [template.address, quantity(slot), 'latest'])
    await anvil.rpc('anvil_setStorageAt', [token.address, quantity(slot), value])
  }
  const minted = await invoke(anvil, owner, token.address, 'mint(address,uint256)', [
    owner.address,
    SUPPLY,
  ])
  await anvil.mine()
  await mined(anvil, minted)
}

function codeAt(anvil: Anvil, address: string): Promise<string> {
  return anvil.rpc('eth_getCode', [address, 'latest'])
}
