import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { FaultProxy } from '@sluice/simulator'
import { createHash } from 'node:crypto'
import { evmAddressOf } from '../../src/chains/evm/address.ts'
import type { Address } from '../../src/chains/port.ts'
import { signDigest } from '../../src/keys/sign-digest.ts'
import type { Signature } from '../../src/keys/sign-digest.ts'

/** An address whose key a test has. */
export interface Sender {
  readonly address: Address
  readonly sign: (digest: Uint8Array) => Signature
}

/** Control of a chain and its node in spending tests. */
export interface SpendingHand {
  /** A fresh address with coins and tokens, mined. */
  readonly newSender: () => Promise<Sender>
  /** A contract that takes far more gas than a payment is given. */
  readonly glutton: Address
  /** A contract that takes no coins. */
  readonly refuser: Address
  /** From now on every transfer of the token fails, or none. */
  readonly pauseToken: (on: boolean) => Promise<void>
  /** The node takes what is broadcast, and its answers are lost. */
  readonly loseAnswers: () => void
  /** The node takes what is broadcast, and answers that it does not. */
  readonly denyAnswers: () => void
  /** The node asks ten thousand times the usual price, which is a gwei. */
  readonly overcharge: (what: 'tip' | 'base fee') => void
}

/** Initial balance of each sender, in base units. */
export const SENDER_COINS = 10n ** 18n
export const SENDER_TOKENS = 1_000_000n

/** A sender of EVM chains, by its number. */
export function evmSender(number: number): Sender {
  const key = new Uint8Array(createHash('sha256').update(`sender ${number}`).digest())
  return {
    address: evmAddressOf(secp256k1.getPublicKey(key, true)),
    sign: (digest) => signDigest(key, digest),
  }
}

/** The faults of an EVM node behind a proxy. */
export function evmFaults({ rules }: FaultProxy) {
  const broadcast = { method: 'eth_sendRawTransaction' }
  const dear = `0x${(10_000n * 10n ** 9n).toString(16)}`
  const message = 'transaction underpriced'
  return {
    loseAnswers: () => void rules.add({ match: broadcast, action: { do: 'dropAfter' } }),
    denyAnswers: () => {
      const action = { do: 'error', code: -32_000, message, accepted: true } as const
      rules.add({ match: broadcast, action })
    },
    overcharge: (what: 'tip' | 'base fee') => {
      const tips = /^eth_(maxPriorityFeePerGas|gasPrice)$/
      const method = what === 'tip' ? tips : 'eth_getBlockByNumber'
      const change = (result: unknown) => {
        return what === 'tip' ? dear : { ...Object(result), baseFeePerGas: dear }
      }
      rules.add({ match: { method }, action: { do: 'mutate', change } })
    },
  }
}
