/** The kind of page at a block explorer. */
export type OnChainKind = 'tx' | 'address'

const PLACES: Readonly<Record<OnChainKind, string>> = { tx: '{hash}', address: '{address}' }

/**
 * The page of a transaction or an address at the explorer in the properties of a chain; null
 * without one.
 */
export function explorerUrl(
  properties: Readonly<Record<string, unknown>> | undefined,
  kind: OnChainKind,
  value: string,
): string | null {
  const template = toTemplates(properties?.['explorer'])[kind]
  if (typeof template !== 'string' || !/^https?:\/\//.test(template)) return null
  return template.replace(PLACES[kind], encodeURIComponent(value))
}

function toTemplates(explorer: unknown): Partial<Record<OnChainKind, unknown>> {
  return { ...(explorer as Partial<Record<OnChainKind, unknown>> | null) }
}
