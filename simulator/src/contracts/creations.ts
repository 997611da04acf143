import { encodeValues } from '../evm-abi.ts'
import type { Hex } from '../hex.ts'
import {
  ETH_SPLITTER,
  FALSE_MOVER,
  FALSE_TOKEN,
  GAS_GLUTTON,
  LYING_TOKEN,
  ODD_TRANSFERS,
  SHARED_LEDGER,
  TEST_TOKEN,
} from './init-code.ts'

export interface TokenMetadata {
  name: string
  symbol: string
  decimals: number
}

/** An ERC-20 with open mint, batchTransfer, burnFrom, fee, blacklist and pause (TestToken.sol). */
export function testTokenInitCode(metadata: TokenMetadata): Hex {
  return withMetadata(TEST_TOKEN, metadata)
}

/** A token whose events and balances are set by calls of `say` and `set` (Rogue.sol). */
export function lyingTokenInitCode(metadata: TokenMetadata): Hex {
  return withMetadata(LYING_TOKEN, metadata)
}

/** A token whose transfer returns false if the balance is too small (Rogue.sol). */
export function falseTokenInitCode(): Hex {
  return FALSE_TOKEN
}

/** A token whose transfer moves and returns false; once closed, it does not move (Rogue.sol). */
export function falseMoverInitCode(): Hex {
  return FALSE_MOVER
}

/**
 * One ledger that creates two token contracts, OLDF with its nonce 1 and NEWF with its nonce 2; a
 * transfer through the first is logged by both (Rogue.sol).
 */
export function sharedLedgerInitCode(): Hex {
  return SHARED_LEDGER
}

/** Emits logs with ERC-20's topic in other shapes (Rogue.sol). */
export function oddTransfersInitCode(): Hex {
  return ODD_TRANSFERS
}

/** Pays ether to lists, with whole or inner reverts on demand (Rogue.sol). */
export function ethSplitterInitCode(): Hex {
  return ETH_SPLITTER
}

/** Burns this much gas on every ether payment (Rogue.sol). */
export function gasGluttonInitCode(appetite: bigint): Hex {
  return `${GAS_GLUTTON}${encodeValues(['uint256'], [appetite]).slice(2)}`
}

function withMetadata(code: Hex, { name, symbol, decimals }: TokenMetadata): Hex {
  return `${code}${encodeValues(['string', 'string', 'uint8'], [name, symbol, decimals]).slice(2)}`
}
