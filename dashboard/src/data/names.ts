import { usePeople } from './people.ts'

/** The names of people by their ids; null until they are known. */
export function useNames(): ReadonlyMap<string, string> | null {
  const { data } = usePeople()
  return data === undefined ? null : new Map(data.map(({ id, username }) => [id, username]))
}
