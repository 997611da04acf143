import { hash256 } from './bytes.ts'

/** How a network writes addresses. */
export interface AddressKind {
  prefix: string
  keyHash: number
  scriptHash: number
}

const BECH32_LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const BECH32 = 1
const BECH32M = 0x2bc830a3
const BASE58_LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The script of an address. Throws an Error if the text is not a valid address of this network. */
export function scriptOfAddress(text: string, kind: AddressKind): Buffer {
  const lower = text.toLowerCase()
  if (lower.startsWith(`${kind.prefix}1`)) {
    const { version, program } = segwitProgram(lower, kind.prefix)
    return Buffer.concat([Buffer.of(version === 0 ? 0 : 0x50 + version, program.length), program])
  }
  const bytes = base58Bytes(text)
  const payload = bytes.subarray(0, -4)
  const isRight = hash256(payload).subarray(0, 4).equals(bytes.subarray(-4))
  if (!isRight || payload.length !== 21) throw new Error(`${text} is no address`)
  const hash = payload.subarray(1)
  if (payload[0] === kind.keyHash) return wrap('76a914', hash, '88ac')
  if (payload[0] === kind.scriptHash) return wrap('a914', hash, '87')
  throw new Error(`${text} is an address of another network`)
}

/** The address of a script; undefined if it has no address. */
export function addressOfScript(script: Buffer, kind: AddressKind): string | undefined {
  const [opcode = 0xff, length = 0] = script
  const version = opcode === 0 ? 0 : opcode - 0x50
  const isSegwit = version >= 0 && version <= 16 && script.length === length + 2 && length >= 2
  if (isSegwit && length <= 40 && (version > 0 || length === 20 || length === 32)) {
    return segwitAddress(kind.prefix, version, script.subarray(2))
  }
  const hex = script.toString('hex')
  const key = /^76a914([0-9a-f]{40})88ac$/.exec(hex)?.[1]
  if (key !== undefined) return base58Address(kind.keyHash, key)
  const hash = /^a914([0-9a-f]{40})87$/.exec(hex)?.[1]
  return hash === undefined ? undefined : base58Address(kind.scriptHash, hash)
}

/** Core's name for the type of a script. */
export function typeOfScript(script: Buffer): string {
  const hex = script.toString('hex')
  if (/^0014[0-9a-f]{40}$/.test(hex)) return 'witness_v0_keyhash'
  if (/^0020[0-9a-f]{64}$/.test(hex)) return 'witness_v0_scripthash'
  if (/^5120[0-9a-f]{64}$/.test(hex)) return 'witness_v1_taproot'
  if (/^76a914[0-9a-f]{40}88ac$/.test(hex)) return 'pubkeyhash'
  if (/^a914[0-9a-f]{40}87$/.test(hex)) return 'scripthash'
  if (hex.startsWith('6a')) return 'nulldata'
  return 'nonstandard'
}

/** The address of a witness program (BIP-173, BIP-350). */
export function segwitAddress(prefix: string, version: number, program: Uint8Array): string {
  const words = [version, ...regroup([...program], 8, 5, true)]
  const constant = version === 0 ? BECH32 : BECH32M
  const sum = polymod([...spread(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ constant
  const checksum = [5, 4, 3, 2, 1, 0].map((place) => (sum >>> (5 * place)) & 31)
  return `${prefix}1${[...words, ...checksum].map((word) => BECH32_LETTERS[word]).join('')}`
}

function segwitProgram(text: string, prefix: string) {
  const words = Array.from(text.slice(prefix.length + 1), (letter) =>
    BECH32_LETTERS.indexOf(letter),
  )
  const [version = -1, ...rest] = words
  const constant = version === 0 ? BECH32 : BECH32M
  const isRight = !words.includes(-1) && polymod([...spread(prefix), ...words]) === constant
  if (!isRight || version > 16) throw new Error(`${text} is no address`)
  const program = Buffer.from(regroup(rest.slice(0, -6), 5, 8, false))
  const fits = program.length >= 2 && program.length <= 40
  if (!fits || (version === 0 && program.length !== 20 && program.length !== 32)) {
    throw new Error(`${text} is no address`)
  }
  return { version, program }
}

function polymod(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = (((sum & 0x1ffffff) << 5) ^ value) >>> 0
    BECH32_GENERATOR.forEach((generator, bit) => {
      if ((top >> bit) & 1) sum = (sum ^ generator) >>> 0
    })
  }
  return sum
}

function spread(prefix: string): number[] {
  const codes = [...Buffer.from(prefix)]
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function regroup(values: readonly number[], from: number, to: number, pads: boolean): number[] {
  const out: number[] = []
  let held = 0
  let bits = 0
  for (const value of values) {
    held = (held << from) | value
    bits += from
    while (bits >= to) {
      bits -= to
      out.push((held >> bits) & ((1 << to) - 1))
    }
    held &= (1 << bits) - 1
  }
  if (pads && bits > 0) out.push((held << (to - bits)) & ((1 << to) - 1))
  if (!pads && (bits >= from || held !== 0)) throw new Error('an address with too many bits')
  return out
}

function base58Bytes(text: string): Buffer {
  let number = 0n
  for (const letter of text) {
    const digit = BASE58_LETTERS.indexOf(letter)
    if (digit === -1) throw new Error(`${text} is no address`)
    number = number * 58n + BigInt(digit)
  }
  const digits = number.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([Buffer.alloc(zeros), bytes])
}

function base58Address(version: number, hash: string): string {
  const payload = Buffer.concat([Buffer.of(version), Buffer.from(hash, 'hex')])
  const bytes = Buffer.concat([payload, hash256(payload).subarray(0, 4)])
  let number = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (number > 0n) {
    text = `${BASE58_LETTERS[Number(number % 58n)]}${text}`
    number /= 58n
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros) + text
}

function wrap(head: string, middle: Buffer, tail: string): Buffer {
  return Buffer.concat([Buffer.from(head, 'hex'), middle, Buffer.from(tail, 'hex')])
}
