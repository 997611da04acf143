import { opensKeyHash } from '../bitcoin-wallet.ts'
import type { Utxo } from './block.ts'
import { Invalid, outpointOf } from './coins.ts'
import { isTaproot, whyClosed } from './taproot.ts'
import { type BitcoinTransaction, txidOf, wtxidOf } from './transaction.ts'

/** BIP-341: first byte of an annex, the last item of a witness. */
const ANNEX = 0x50

/** Relay policy for witnesses of BIP-341; throws Invalid if one violates it. */
export function checkPolicy({ inputs }: BitcoinTransaction, spent: readonly Utxo[]): void {
  inputs.forEach(({ witness }, at) => {
    const script = spent[at]?.script
    const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === ANNEX
    if (script !== undefined && isTaproot(script) && hasAnnex) {
      throw new Invalid('bad-witness-taproot-annex')
    }
  })
}

/**
 * Checks the scripts of all inputs: those of keys and key hashes are verified, others are accepted.
 * Throws Invalid with the words of a pool or a block.
 */
export function checkScripts(
  transaction: BitcoinTransaction,
  spent: readonly Utxo[],
  place: 'mempool' | 'mandatory',
): void {
  transaction.inputs.forEach((input, at) => {
    const coin = spent[at]
    const why = coin === undefined ? null : whyShut(transaction, at, { coin, spent })
    if (why === null) return
    const where = `input ${at} of ${txidOf(transaction)} (wtxid ${wtxidOf(transaction)})`
    const what = `${where}, spending ${outpointOf(input)}`
    throw new Invalid(`${place}-script-verify-flag-failed (${why}), ${what}`)
  })
}

function whyShut(
  transaction: BitcoinTransaction,
  at: number,
  { coin, spent }: { coin: Utxo; spent: readonly Utxo[] },
): string | null {
  if (isTaproot(coin.script)) return whyClosed(transaction, at, spent)
  const isKeyHash = coin.script.length === 22 && coin.script[0] === 0
  const isOpen = !isKeyHash || opensKeyHash(transaction, at, coin)
  return isOpen ? null : 'Signature is not valid'
}
