import type { AlertCode } from '../../src/alerts/alert.ts'
import type { Role, Scene } from './scene.ts'

/** How an attack ends. */
export type Expectation =
  /** PostgreSQL refuses the statements: by a grant, a policy or a trigger. */
  | { is: 'refused by grants' }
  /** The alert is open afterwards. */
  | { is: 'noticed'; alert: AlertCode }
  /** The statements succeed, and what the thief does next is refused. */
  | { is: 'without effect' }
  /** Misleads readers; no money leaves. `shownBy` says what reveals it. */
  | { is: 'a lie that moves no money'; shownBy: string }
  /** Pays what was not approved, or pays twice: only a signer with its own store can refuse. */
  | { is: 'only the signer stops this'; pays: (scene: Scene) => boolean }

export interface Attack {
  role: Role
  /** The end of the test name "a thief with the rights of <role> ...". */
  name: string
  sql: (scene: Scene) => string
  /** The next steps of the thief; throws if their result is not the expected one. */
  afterwards?: (scene: Scene) => Promise<void>
  expectation: Expectation
  /** The key of the sender does not match its address: each round of the spender ends in a Bug. */
  stopsSpender?: boolean
}

export const REFUSED: Expectation = { is: 'refused by grants' }
export const WITHOUT_EFFECT: Expectation = { is: 'without effect' }
export const noticed = (alert: AlertCode): Expectation => ({ is: 'noticed', alert })

export function setPending(id: string): string {
  return `update withdrawals set status = 'Pending', spend_id = null, txn_hash = null
           where id = '${id}'`
}

export function withoutTriggers(tables: readonly string[], statements: string): string {
  const all = (verb: string) =>
    tables.map((table) => `alter table ${table} ${verb} trigger user`).join('; ')
  return `${all('disable')}; ${statements}; set constraints all immediate; ${all('enable')}`
}

export function must(
  { status, text }: { status: number; text: string },
  wanted: number,
  word = '',
): void {
  if (status !== wanted || !text.includes(word)) throw new Error(`answered ${status}: ${text}`)
}
