import { base58, bech32, bech32m } from '@scure/base'
import type { ChainId } from '@sluice/wire'
import { utils } from '@scure/btc-signer'
import { assert } from '../../base/assert.ts'
import type { Address, AddressType } from '../port.ts'
import { doubleHash, keyHash } from './hashes.ts'
import { networkOf } from './networks.ts'
import type { Network } from './networks.ts'

/** A witness program (BIP-141): the lock of a segwit output. */
interface Program {
  version: number
  bytes: Uint8Array
}

const HASH_BYTES = 20
const CHECKSUM_BYTES = 4
const COMPRESSED_KEY_BYTES = 33
/** BIP-141: 2 to 40 bytes; version 0 has exactly 20 or 32. */
const PROGRAM_BYTES_MIN = 2
const PROGRAM_BYTES_MAX = 40
const VERSION_MAX = 16
const TAPROOT_BYTES = 32
const TAPROOT_VERSION = 1
/** A P2TR output without a script tree (BIP-86). */
const NO_SCRIPTS = new Uint8Array()
/** The bech32 character of version 1, behind each known prefix. */
const TAPROOT_HEAD = /^(?:bc|tb|bcrt)1p/
/** The same for one address among several in a text, separated by spaces. */
const ANY_TAPROOT_HEAD = /(?:^| )(?:bc|tb|bcrt)1p/
/** BIP-173. */
const BECH32_LENGTH_MAX = 90

/** Opcodes that identify the forms of outputs. */
const OP_0 = 0x00
const OP_1 = 0x51
const KEY_HASH_HEAD = Buffer.from('76a914', 'hex')
const KEY_HASH_TAIL = Buffer.from('88ac', 'hex')
const SCRIPT_HASH_HEAD = Buffer.from('a914', 'hex')
const SCRIPT_HASH_TAIL = Buffer.from('87', 'hex')

/**
 * Reads an address of a network: base58 (P2PKH, P2SH), bech32 (BIP-173) or bech32m (BIP-350), the
 * last two in lower case or all upper case. Null for anything else, and for addresses of other
 * networks.
 */
export function parseBitcoinAddress(text: string, chainId: ChainId): Address | null {
  const network = networkOf(chainId)
  const program = parseProgram(text, network)
  if (program !== null) return formatProgram(network, program)
  return parseBase58(text, network) === null ? null : brandAddress(text)
}

/**
 * The address of a compressed public key: P2WPKH (BIP-84, BIP-141), or P2TR without scripts
 * (BIP-86, BIP-341).
 */
export function bitcoinAddressOf(
  publicKey: Uint8Array,
  chainId: ChainId,
  type: AddressType = 'p2wpkh',
): Address {
  assert(publicKey.length === COMPRESSED_KEY_BYTES, 'a public key that is not compressed', {
    bytes: publicKey.length,
  })
  const program =
    type === 'p2tr'
      ? { version: TAPROOT_VERSION, bytes: outputKeyOf(publicKey) }
      : { version: 0, bytes: keyHash(publicKey) }
  return formatProgram(networkOf(chainId), program)
}

/** The type of one of our addresses, which decides how its key is derived and signs. */
export function addressTypeOf(address: Address): AddressType {
  return TAPROOT_HEAD.test(address) ? 'p2tr' : 'p2wpkh'
}

/**
 * Whether a text of addresses, separated by spaces, contains one whose spending shows no key
 * (BIP-341): only the spent output then identifies the sender.
 */
export function hidesKey(addresses: string): boolean {
  return ANY_TAPROOT_HEAD.test(addresses)
}

/** The 32-byte key in the P2TR script of a key; null for every other script. */
export function outputKeyOfScript(script: Uint8Array): Uint8Array | null {
  const program = programOf(script)
  const isTaproot = program?.version === TAPROOT_VERSION && program.bytes.length === TAPROOT_BYTES
  return isTaproot ? program.bytes : null
}

/** The output script of an address of the network. Another text is a Bug. */
export function scriptOf(address: Address, chainId: ChainId): Buffer {
  const network = networkOf(chainId)
  const program = parseProgram(address, network)
  if (program !== null) {
    const { version, bytes } = program
    return Buffer.concat([
      Buffer.of(version === 0 ? OP_0 : OP_1 + version - 1, bytes.length),
      bytes,
    ])
  }
  const payload = parseBase58(address, network)
  assert(payload !== null, 'an address of no form of the network', { address })
  const hash = payload.subarray(1)
  return payload[0] === network.keyHashVersion
    ? Buffer.concat([KEY_HASH_HEAD, hash, KEY_HASH_TAIL])
    : Buffer.concat([SCRIPT_HASH_HEAD, hash, SCRIPT_HASH_TAIL])
}

/**
 * The address of an output script, byte for byte; null for scripts without one: bare keys and
 * multisignatures, data, anything else.
 */
export function addressOfScript(script: Uint8Array, chainId: ChainId): Address | null {
  const network = networkOf(chainId)
  const program = programOf(script)
  if (program !== null) return formatProgram(network, program)
  if (isWrapped(script, KEY_HASH_HEAD, KEY_HASH_TAIL)) {
    return formatBase58(network.keyHashVersion, script.subarray(3, 3 + HASH_BYTES))
  }
  if (isWrapped(script, SCRIPT_HASH_HEAD, SCRIPT_HASH_TAIL)) {
    return formatBase58(network.scriptHashVersion, script.subarray(2, 2 + HASH_BYTES))
  }
  return null
}

/**
 * The address whose key a P2WPKH input shows in its witness; null for a witness of another form. A
 * P2WSH input may look the same: only the spent output can distinguish them.
 */
export function addressOfWitness(witness: readonly Uint8Array[], chainId: ChainId): Address | null {
  const [, key] = witness
  if (witness.length !== 2 || key?.length !== COMPRESSED_KEY_BYTES) return null
  return bitcoinAddressOf(key, chainId)
}

/** `taproot_tweak_pubkey` of BIP-341, for a key without scripts. */
function outputKeyOf(publicKey: Uint8Array): Uint8Array {
  const [key] = utils.taprootTweakPubkey(publicKey.subarray(1), NO_SCRIPTS)
  return key
}

/**
 * The witness program of a script: a version and 2 to 40 bytes (BIP-141); null for any other
 * script.
 */
export function programOf(script: Uint8Array): Program | null {
  const [opcode = 0xff, length = 0] = script
  const isVersion = opcode === OP_0 || (opcode >= OP_1 && opcode < OP_1 + VERSION_MAX)
  if (!isVersion || script.length !== length + 2) return null
  const version = opcode === OP_0 ? 0 : opcode - OP_1 + 1
  const bytes = script.subarray(2)
  return fits({ version, bytes }) ? { version, bytes } : null
}

function fits({ version, bytes }: Program): boolean {
  if (version > VERSION_MAX) return false
  if (version === 0) return bytes.length === 20 || bytes.length === 32
  return bytes.length >= PROGRAM_BYTES_MIN && bytes.length <= PROGRAM_BYTES_MAX
}

function isWrapped(script: Uint8Array, head: Buffer, tail: Buffer): boolean {
  const end = head.length + HASH_BYTES
  if (script.length !== end + tail.length) return false
  return head.equals(script.subarray(0, head.length)) && tail.equals(script.subarray(end))
}

function parseProgram(text: string, { prefix }: Network): Program | null {
  if (!text.toLowerCase().startsWith(`${prefix}1`) || text.length > BECH32_LENGTH_MAX) return null
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(text)
    if (decoded === undefined || decoded.prefix !== prefix) continue
    const [version = 0xff, ...words] = decoded.words
    const bytes = coder.fromWordsUnsafe(words)
    const isRightCoder = (version === 0) === (coder === bech32)
    if (bytes && isRightCoder && fits({ version, bytes })) return { version, bytes }
  }
  return null
}

function formatProgram({ prefix }: Network, { version, bytes }: Program): Address {
  const coder = version === 0 ? bech32 : bech32m
  return brandAddress(coder.encode(prefix, [version, ...coder.toWords(bytes)]))
}

/** Version byte and hash; null for another length, version or checksum. */
function parseBase58(text: string, network: Network): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(text)) return null
  const bytes = Buffer.from(base58.decode(text))
  const payload = bytes.subarray(0, -CHECKSUM_BYTES)
  if (payload.length !== 1 + HASH_BYTES) return null
  if (!doubleHash(payload).subarray(0, CHECKSUM_BYTES).equals(bytes.subarray(-CHECKSUM_BYTES))) {
    return null
  }
  const isOurs = payload[0] === network.keyHashVersion || payload[0] === network.scriptHashVersion
  return isOurs ? payload : null
}

function formatBase58(version: number, hash: Uint8Array): Address {
  const payload = Buffer.concat([Buffer.of(version), hash])
  const checksum = doubleHash(payload).subarray(0, CHECKSUM_BYTES)
  return brandAddress(base58.encode(Buffer.concat([payload, checksum])))
}

function brandAddress(text: string): Address {
  return text as Address
}
