const GROUP = 4
const KNOWN = ['recipient', 'deposit', 'settlement', 'gas'] as const

/** Four letters of an address, with those that differ from another one. */
export interface Group {
  from: number
  letters: { at: number; letter: string; isDifferent: boolean }[]
}

/**
 * An address in groups of four letters, compared with another one, letter by letter. Capitals of an
 * address in hexadecimal digits are only its checksum.
 */
export function differencesOf(address: string, other: string): Group[] {
  const isHex = address.startsWith('0x') && other.startsWith('0x')
  const plain = (letter: string | undefined) => (isHex ? letter?.toLowerCase() : letter)
  return Array.from({ length: Math.ceil(address.length / GROUP) }, (_, index) => {
    const from = index * GROUP
    const letters = Array.from(address.slice(from, from + GROUP), (letter, offset) => {
      const at = from + offset
      return { at, letter, isDifferent: plain(other[at]) !== plain(letter) }
    })
    return { from, letters }
  })
}

/** A known address that another one resembles. */
export interface LookAlike {
  address: string
  known: (typeof KNOWN)[number] | 'other'
}

/** The known addresses in the details of a warning. */
export function lookAlikesIn({ addresses }: Readonly<Record<string, unknown>>): LookAlike[] {
  if (!Array.isArray(addresses)) return []
  return addresses.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('address' in one)) return []
    const { address } = one
    const known = 'known' in one ? KNOWN.find((name) => name === one.known) : undefined
    return typeof address === 'string' ? [{ address, known: known ?? 'other' }] : []
  })
}
