import type { Catalogue } from '../catalogue/find.ts'
import { addressOf, displayAddress, pathTypeOf } from '../chains/format-address.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Database } from '../store/database.ts'
import { type IssuedAddress, selectIssued } from './restore-rows.ts'

const BATCH = 1_000

/**
 * Derives every address that was ever issued once more, from the seed, and compares: the proof that
 * this seed and this database belong together. Addresses on chains that the program does not know
 * are counted and not compared.
 */
export async function verifyAddresses(
  database: Database,
  keyring: Pick<Keyring, 'publicKey'>,
  { catalogue }: { catalogue: Catalogue },
): Promise<{ verified: number; unknown: number; wrong: readonly string[] }> {
  const report = { verified: 0, unknown: 0, wrong: new Array<string>() }
  let after: string | null = null
  for (;;) {
    const from: string | null = after
    const batch: IssuedAddress[] = await database.transaction((tx) =>
      selectIssued(tx, { after: from, limit: BATCH }),
    )
    for (const issued of batch) {
      const right = isOurs(keyring, catalogue, issued)
      if (right === null) report.unknown += 1
      else if (right) report.verified += 1
      else report.wrong.push(displayAddress(issued.chainId, issued.address))
    }
    after = batch.at(-1)?.id ?? null
    if (batch.length < BATCH) return report
  }
}

function isOurs(
  keyring: Pick<Keyring, 'publicKey'>,
  catalogue: Catalogue,
  { chainId, address, wallet, index }: IssuedAddress,
): boolean | null {
  const entry = catalogue.chain(chainId)
  if (entry === null) return null
  const { namespace, isTestnet } = entry
  const type = pathTypeOf(chainId, address)
  const key = keyring.publicKey({ namespace, isTestnet, wallet, branch: 0, index, ...type })
  return addressOf(chainId, key, type.addressType) === address
}
