import type { Address } from '../port.ts'
import { brandEvmAddress, GRAVE } from './address.ts'

/** Precompiles and system contracts, from 0x0 to 0x1ff; 0x100 is one of them (EIP-7951). */
const PRECOMPILE_COUNT = 512

/** Addresses by their use. No private key of them is known. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  // Etherscan labels these "Null" or "Burn".
  'a burn address': [
    GRAVE,
    '0xdead000000000000000000000000000000000000',
    '0xdead000000000000000042069420694206942069',
    `0x${'dead'.repeat(10)}`,
    `0x${'f'.repeat(40)}`,
  ],
  // Contracts use it for the native currency (ERC-7528).
  'a placeholder for the native currency': [`0x${'e'.repeat(40)}`],
  'the sender of system calls (EIP-4788)': [`0x${'f'.repeat(39)}e`],
  'a system contract of Polygon': [
    '0x0000000000000000000000000000000000001001',
    '0x0000000000000000000000000000000000001010',
  ],
}

/** The reason of each unspendable address. */
const REASONS: ReadonlyMap<string, string> = new Map<string, string>([
  ...Array.from(
    { length: PRECOMPILE_COUNT },
    (_, number) =>
      [
        `0x${number.toString(16).padStart(40, '0')}`,
        number === 0 ? 'the zero address' : 'a contract of the protocol',
      ] as const,
  ),
  ...Object.entries(NAMED).flatMap(([reason, addresses]) =>
    addresses.map((address) => [brandEvmAddress(address), reason] as const),
  ),
])

/** Describes an address that has no known private key; null for any other address. */
export function unspendableEvm(address: Address): string | null {
  return REASONS.get(address) ?? null
}
