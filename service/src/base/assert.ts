/** A broken invariant. Caught only by the loop or the request that it ended. */
export class Bug extends Error {
  override readonly name = 'Bug'
  readonly facts: Record<string, unknown>

  constructor(message: string, facts: Record<string, unknown> = {}) {
    super(message)
    this.facts = facts
  }
}

/** Throws a Bug with `facts` unless `condition` holds. */
export function assert(
  condition: unknown,
  message: string,
  facts: Record<string, unknown> = {},
): asserts condition {
  if (!condition) throw new Bug(message, facts)
}

/** The default case of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Bug('a value outside its closed set', { value })
}
