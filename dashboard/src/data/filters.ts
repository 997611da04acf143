import { useMemo } from 'react'
import { useLocation, useRouter, useSearch } from 'wouter'

/** The query of a page's address that filters its list; `cursor` is the page of the list. */
export interface Filters<Name extends string> {
  values: Partial<Record<Name, string>>
  cursor: string | undefined
  isFiltered: boolean
  /** Changes filters and returns to the first page of the list; an empty value removes one. */
  set: (change: Partial<Record<Name, string>>) => void
  clear: () => void
  /** Goes to the page of a cursor; the browser's Back returns to the page before. */
  turnTo: (cursor: string | null) => void
}

/** Reads and writes the filters of a page. They are in its address, so links and Back keep them. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const { base } = useRouter()
  const key = names.join(' ')
  return useMemo(() => {
    // The router decodes path and query in part; only the address itself keeps percent signs.
    const { pathname, search: exact } = globalThis.location
    const query = new URLSearchParams(exact)
    const entries = toNames<Name>(key).map((name) => [name, query.get(name) ?? ''] as const)
    const values = toValues(entries.filter(([, value]) => value !== ''))
    const go = (next: URLSearchParams) => {
      const text = next.toString()
      navigate(`${pathname.slice(base.length)}${text === '' ? '' : `?${text}`}`)
    }
    return {
      values,
      cursor: query.get('cursor') ?? undefined,
      isFiltered: Object.keys(values).length > 0,
      set: (change) => go(withChange(query, change)),
      clear: () => go(withChange(query, Object.fromEntries(entries.map(([name]) => [name, ''])))),
      turnTo: (cursor) => go(withChange(query, { cursor: cursor ?? '' })),
    }
  }, [search, path, base, navigate, key])
}

function toNames<Name extends string>(key: string): Name[] {
  return key.split(' ').filter((name) => name !== '') as Name[]
}

function toValues<Name extends string>(entries: readonly (readonly [Name, string])[]) {
  return Object.fromEntries(entries) as Partial<Record<Name, string>>
}

/** A changed query. Any change but of the cursor itself returns to the first page. */
function withChange(
  query: URLSearchParams,
  change: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete('cursor')
  for (const [name, value = ''] of Object.entries(change)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
