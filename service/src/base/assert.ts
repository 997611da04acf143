/**
 * A bug of ours: something that cannot be, is. Never caught but by the loop or door that lost the
 * work.
 */
export class Bug extends Error {
  override readonly name = 'Bug'
  readonly facts: Record<string, unknown>

  constructor(message: string, facts: Record<string, unknown> = {}) {
    super(message)
    this.facts = facts
  }
}

/** States what must hold. Throws a Bug with the facts where it does not. */
export function assert(
  condition: unknown,
  message: string,
  facts: Record<string, unknown> = {},
): asserts condition {
  if (!condition) throw new Bug(message, facts)
}

/** For the end of a switch over a closed set: a value that arrives here is a bug. */
export function unreachable(value: never): never {
  throw new Bug('a value outside its closed set', { value })
}
