import { type EvmChain, type Seeded, transferLog } from '@sluice/simulator'
import type { Truth } from './sim-chain.ts'

interface Stage {
  chain: EvmChain
  to: string
  random: Seeded
  native: string
  dollar: string
  rogue: string
}

interface Played {
  txnHash: string
  credits?: Truth['credits']
  deviations?: Truth['deviations']
  isFalse?: boolean
  /** Balance changes of the next block without a transaction. */
  silent?: { address: string; tokenId: string; by: bigint }[]
}

/** An action of a depositor, and its real effect. */
export interface EvmTrick {
  kind: string
  play(stage: Stage): Played
}

/** Catalogue of failures, 1A, by its numbers. */
export const EVM_TRICKS: readonly EvmTrick[] = [
  trick('E01 failed with value', ({ chain, to, random }) => ({
    txnHash: chain.failed({ to, amount: amountOf(random, 15) }),
  })),
  trick('E02 inner frame reverts', ({ chain, to, random }) => ({
    txnHash: chain.payInternal({ to, amount: amountOf(random, 15), fails: true }),
  })),
  trick('E03 internal', ({ chain, to, random, native }) => {
    const amount = amountOf(random, 15)
    return {
      txnHash: chain.payInternal({ to, amount }),
      credits: [{ to, tag: null, tokenId: native, amount }],
    }
  }),
  trick('E04 selfdestruct', ({ chain, to, random, native }) => {
    const amount = amountOf(random, 15)
    const txnHash = chain.payInternal({ to, amount, via: 'selfdestruct' })
    return { txnHash, credits: [{ to, tag: null, tokenId: native, amount }] }
  }),
  trick('E05 without a transaction', ({ chain, to, random, native: tokenId }) => {
    const by = amountOf(random, 9)
    chain.setBalance({ address: to, by })
    return { txnHash: '', silent: [{ address: to, tokenId, by: -by }] }
  }),
  trick('E07 event without movement', ({ chain, to, random, rogue: tokenId }) => {
    const amount = amountOf(random, 6)
    const token = contractOf(tokenId)
    return {
      txnHash: chain.lie({ token, to, amount, from: `0x${random.hex(20)}` }),
      credits: [{ to, tag: null, tokenId, amount }],
      deviations: [{ address: to, tokenId, by: amount }],
      isFalse: true,
    }
  }),
  trick('E08 fee on transfer', ({ chain, to, random, rogue: tokenId }) => {
    const amount = amountOf(random, 6) + 100n
    const arrives = amount - amount / 100n
    return {
      txnHash: chain.payToken({ token: contractOf(tokenId), to, amount, arrives }),
      credits: [{ to, tag: null, tokenId, amount }],
      deviations: [{ address: to, tokenId, by: amount - arrives }],
      isFalse: true,
    }
  }),
  trick('E10 counterfeit', ({ chain, to, random }) => {
    const token = chain.deployToken({ symbol: 'TUSD', name: 'Test Dollar', decimals: 6 })
    return { txnHash: chain.payToken({ token, to, amount: amountOf(random, 12) }) }
  }),
  trick('E11 odd shapes of Transfer', ({ chain, to, random, dollar: tokenId }) => {
    const log = transferLog(hexOf(contractOf(tokenId)), hexOf(stranger(random)), hexOf(to), 7n)
    const [topic = '0x', from = '0x', recipient = '0x'] = log.topics
    const four = { ...log, topics: [topic, from, recipient, recipient], data: hexOf('0x') }
    const one = { ...log, topics: [topic] }
    return { txnHash: chain.emit([four, one]) }
  }),
  trick('E12 zero value', ({ chain, to, random, dollar }) => {
    const token = hexOf(contractOf(dollar))
    const [from, other] = [hexOf(stranger(random)), hexOf(to)]
    const logs = [transferLog(token, from, other, 0n), transferLog(token, other, from, 0n)]
    return { txnHash: chain.emit(logs) }
  }),
  trick('E13 third party', ({ chain, to, random, dollar: tokenId }) => {
    const amount = amountOf(random, 6)
    const spender = stranger(random)
    return {
      txnHash: chain.payToken({ token: contractOf(tokenId), to, amount, spender }),
      credits: [{ to, tag: null, tokenId, amount }],
    }
  }),
  trick('E14 batch with equals', ({ chain, to, random, native, dollar }) => {
    const amount = amountOf(random, 6)
    const coins = amountOf(random, 12)
    const token = contractOf(dollar)
    const txnHash = chain.batch([
      { to, amount, token },
      { to, amount, token },
      { to, amount: coins },
      { to, amount: coins },
      { to: stranger(random), amount, token },
    ])
    const dollars = { to, tag: null, tokenId: dollar, amount }
    const own = { to, tag: null, tokenId: native, amount: coins }
    return { txnHash, credits: [dollars, dollars, own, own] }
  }),
  trick('E19 mint', ({ chain, to, random, dollar: tokenId }) => {
    const amount = amountOf(random, 6)
    return {
      txnHash: chain.mint({ token: contractOf(tokenId), to, amount }),
      credits: [{ to, tag: null, tokenId, amount }],
    }
  }),
  trick('B06 dust', ({ chain, to, native: tokenId }) => ({
    txnHash: chain.pay({ to, amount: 1n }),
    credits: [{ to, tag: null, tokenId, amount: 1n }],
  })),
]

function trick(kind: string, play: EvmTrick['play']): EvmTrick {
  return { kind, play }
}

function amountOf(random: Seeded, digits: number): bigint {
  return BigInt(1 + random.int(9_999_999)) * 10n ** BigInt(Math.max(0, digits - 6))
}

function stranger(random: Seeded): string {
  return `0x${random.hex(20)}`
}

function contractOf(tokenId: string): string {
  return tokenId.slice(tokenId.lastIndexOf(':') + 1).toLowerCase()
}

function hexOf(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
