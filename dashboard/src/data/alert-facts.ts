/** The alerts that an organization can get, with the page of their subject. */
const PAGES = {
  'gas.low': 'gasStation',
  'funding.held': 'gasStation',
  'deposit.held': 'deposit',
  'deposit.unattributed': 'unattributed',
  'withdrawal.waiting': 'withdrawal',
  'withdrawal.tampered': 'withdrawal',
  'withdrawal.contradicted': 'withdrawal',
  'withdrawal.refused': 'token',
  'sweep.refused': 'token',
  'account.not_ready': 'accounts',
  'organization.tampered': 'settings',
  'api_key.tampered': 'apiKey',
} as const

/** A code that has a text. */
export type KnownCode = keyof typeof PAGES
/** The kind of the subject of an alert. */
export type About = (typeof PAGES)[KnownCode] | 'other'

/** The codes that have a text. */
export const ALERT_CODES = Object.keys(PAGES).filter(isKnownCode)

/** Runbooks for what people see; the operator's are linked from them. */
const RUNBOOKS: Readonly<Partial<Record<KnownCode, string>>> = {
  'gas.low': 'gas-empty',
  'funding.held': 'gas-empty',
  'deposit.held': 'missing-deposit',
  'deposit.unattributed': 'missing-deposit',
  'withdrawal.waiting': 'stuck-withdrawal',
  'withdrawal.tampered': 'stuck-withdrawal',
  'withdrawal.contradicted': 'reorg',
  'withdrawal.refused': 'stuck-withdrawal',
}

/** Whether a code has a text. */
export function isKnownCode(code: string): code is KnownCode {
  return Object.hasOwn(PAGES, code)
}

/** The page of the documentation for an alert; the operator's list of alerts without a runbook. */
export function alertDocs(code: string): string {
  const runbook = isKnownCode(code) ? RUNBOOKS[code] : undefined
  return runbook === undefined ? 'operations' : `runbooks/${runbook}`
}

/** The subject of an alert, with its page. */
export interface Subject {
  about: About
  /** A chain, a token or an id. */
  value: string
  /** Null without a page. */
  href: string | null
}

/** The subject of an alert. A subject of two words begins with its chain or token. */
export function subjectOf({ code, subject }: { code: string; subject: string }): Subject {
  const [value = ''] = subject.split(' ')
  const about = isKnownCode(code) ? PAGES[code] : 'other'
  return { about, value, href: hrefOf(about, encodeURIComponent(value)) }
}

function hrefOf(about: About, value: string): string | null {
  const pages: Readonly<Record<About, string | null>> = {
    gasStation: '/gas-station',
    unattributed: '/unattributed',
    accounts: '/accounts',
    settings: '/settings',
    deposit: `/deposits/${value}`,
    withdrawal: `/withdrawals/${value}`,
    apiKey: `/api-keys/${value}`,
    token: `/tokens?q=${value}`,
    other: null,
  }
  return pages[about]
}

/** The parts of a message, in turn text and commands, which it has between backticks. */
export function messageParts(message: string): readonly string[] {
  return message.split('`')
}
