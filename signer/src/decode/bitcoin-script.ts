import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { isEqual } from './bytes.ts'
import type { Network } from './chains.ts'
import { demand } from './decoded.ts'

/** Forms of scripts: the bytes around a hash or key, its length, and how addresses encode it. */
interface Form {
  head: Uint8Array
  bytes: number
  tail: Uint8Array
  encoding: 'bech32' | 'bech32m' | 'keyHash' | 'scriptHash'
}

const KEY_HASH = form('0014', 20, '', 'bech32')
const TAPROOT = form('5120', 32, '', 'bech32m')
/** P2WPKH and P2WSH (BIP-141), P2TR (BIP-341), P2PKH, P2SH (BIP-16). */
const FORMS = [
  KEY_HASH,
  TAPROOT,
  form('0020', 32, '', 'bech32'),
  form('76a914', 20, '88ac', 'keyHash'),
  form('a914', 20, '87', 'scriptHash'),
]
const base58check = createBase58check(sha256)

/** The P2WPKH script of a key's hash (20 bytes). */
export function keyHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(KEY_HASH.head, hash)
}

/** The P2TR script of an output key (32 bytes). */
export function taprootScript(outputKey: Uint8Array): Uint8Array {
  return concatBytes(TAPROOT.head, outputKey)
}

/** The key's hash in a P2WPKH script; null for other scripts. */
export function keyHashOf(script: Uint8Array): Uint8Array | null {
  return contentOf(KEY_HASH, script)
}

/**
 * The address of an output script: P2PKH, P2SH, P2WPKH, P2WSH or P2TR. Throws Undecodable for other
 * scripts, also for witness versions that no rule defines yet.
 */
export function addressOfScript(script: Uint8Array, network: Network): string {
  for (const candidate of FORMS) {
    const content = contentOf(candidate, script)
    if (content !== null) return encode(candidate, content, network)
  }
  demand(false, 'an output script of an unknown form')
}

/**
 * The script of an address that we can spend from: P2WPKH or P2TR of the network. Throws
 * Undecodable for other addresses.
 */
export function spendableScriptOf(address: string, network: Network): Uint8Array {
  const script = [bech32, bech32m].flatMap((coder) => {
    const decoded = coder.decodeUnsafe(address)
    const [version, ...words] = decoded?.words ?? []
    const content = coder.fromWordsUnsafe(words)
    if (!content) return []
    return version === 0 ? keyHashScript(content) : taprootScript(content)
  })
  const [found] = script.filter((candidate) => isSpendable(candidate, address, network))
  demand(found !== undefined, `no P2WPKH or P2TR address of the network: ${address}`)
  return found
}

/** The decoded script counts only if it is P2WPKH or P2TR and its address is the same text. */
function isSpendable(script: Uint8Array, address: string, network: Network): boolean {
  const isOurs = [KEY_HASH, TAPROOT].some((candidate) => contentOf(candidate, script) !== null)
  return isOurs && addressOfScript(script, network) === address
}

function form(head: string, bytes: number, tail: string, encoding: Form['encoding']): Form {
  return { head: hexToBytes(head), bytes, tail: hexToBytes(tail), encoding }
}

function contentOf({ head, bytes, tail }: Form, script: Uint8Array): Uint8Array | null {
  const end = head.length + bytes
  const content = script.subarray(head.length, end)
  return isEqual(script, concatBytes(head, content, tail)) && content.length === bytes
    ? content
    : null
}

function encode({ encoding }: Form, content: Uint8Array, network: Network): string {
  switch (encoding) {
    case 'bech32':
      return bech32.encode(network.prefix, [0, ...bech32.toWords(content)])
    case 'bech32m':
      return bech32m.encode(network.prefix, [1, ...bech32m.toWords(content)])
    case 'keyHash':
      return base58check.encode(concatBytes(Uint8Array.of(network.keyHashVersion), content))
    case 'scriptHash':
      return base58check.encode(concatBytes(Uint8Array.of(network.scriptHashVersion), content))
  }
}
