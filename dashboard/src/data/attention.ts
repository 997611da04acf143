import type { Alert, Chain, ChainStatus, Page, WebhookEndpoint } from '@sluice/client'
import { t } from '../text/text.ts'
import { groupBy } from './groups.ts'

/** Something that a person should look at, with the page that shows it. */
export interface Attention {
  id: string
  tone: 'danger' | 'warning' | 'info'
  text: string
  href: string
}

/** Alerts of these codes have sentences elsewhere on the page. */
const SHOWN_ELSEWHERE = ['gas.low', 'webhook.failed']
/** Alerts of these codes are counted in a sentence of their code; others show their message. */
const WORDS = {
  'deposit.held': 'attention.alert.depositHeld',
  'deposit.unattributed': 'attention.alert.depositUnattributed',
  'funding.held': 'attention.alert.fundingHeld',
  'spend.stuck': 'attention.alert.spendStuck',
  'sweep.refused': 'attention.alert.sweepRefused',
  'withdrawal.waiting': 'attention.alert.withdrawalWaiting',
} as const
/** The pages of the records of these codes; others link to the alerts. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['deposit.held', '/deposits?status=Held'],
  ['deposit.unattributed', '/unattributed'],
])
/** The last sentence counts the others. */
const SENTENCES_MAX = 4
const LAG_SECONDS_MIN = 60
const LAG_BLOCK_TIMES = 10

/** Withdrawals that wait for the approval of the person. */
export function ownApprovals(count: number): Attention[] {
  if (count === 0) return []
  const text = t('attention.approvals', { count })
  return [{ id: 'approvals', tone: 'warning', text, href: '/approvals' }]
}

/** Withdrawals that failed since a time. */
export function failedWithdrawals(page: Page<unknown>, since: string): Attention[] {
  if (page.items.length === 0) return []
  const text = t('attention.failedWithdrawals', countOf(page.items.length, page.nextCursor))
  const href = `/withdrawals?status=Failed&from=${since}`
  return [{ id: 'failedWithdrawals', tone: 'danger', text, href }]
}

/** Endpoints that do not accept events now, or that the service does not use. */
export function brokenEndpoints(endpoints: readonly WebhookEndpoint[]): Attention[] {
  return endpoints.flatMap(({ id, url, state, failingSince, pendingDeliveries }): Attention[] => {
    const host = hostOf(url)
    const href = '/webhooks'
    if (state === 'tampered') {
      const text = t('attention.endpointTampered', { host })
      return [{ id: `tampered ${id}`, tone: 'danger', text, href }]
    }
    if (failingSince === null || state === 'paused') return []
    const text = t('attention.endpointFailing', { host, count: pendingDeliveries })
    return [{ id: `failing ${id}`, tone: 'danger', text, href }]
  })
}

/** Events that no attempt is left for. */
export function failedDeliveries(page: Page<unknown>, since: string): Attention[] {
  if (page.items.length === 0) return []
  const text = t('attention.failedDeliveries', countOf(page.items.length, page.nextCursor))
  const href = `/events?delivery=failed&from=${since}`
  return [{ id: 'failedDeliveries', tone: 'danger', text, href }]
}

/** Low gas wallets first, then the other open alerts; the last sentence counts what is left out. */
export function openAlerts(
  { items, nextCursor }: Page<Alert>,
  chains: ReadonlyMap<string, Chain>,
): Attention[] {
  const low = items.filter(({ code }) => code === 'gas.low').map((alert) => lowGas(alert, chains))
  const others = items.filter(({ code }) => !SHOWN_ELSEWHERE.includes(code))
  const groups = [...groupBy(others, ({ id, code }) => (hasWords(code) ? code : id)).values()]
  const shown = groups.slice(0, SENTENCES_MAX)
  const left = others.length - shown.flat().length
  const sentences = [...low, ...shown.flatMap(sentenceOf)]
  if (left === 0 && nextCursor === null) return sentences
  const text = t('attention.moreAlerts', countOf(left, nextCursor))
  return [...sentences, { id: 'alerts', tone: 'warning', text, href: '/alerts?open=true' }]
}

/** The sentence of alerts that belong together. */
function sentenceOf(alerts: readonly Alert[]): Attention[] {
  const [first] = alerts
  if (first === undefined) return []
  const { id, code, message } = first
  const text = hasWords(code) ? t(WORDS[code], { count: alerts.length }) : message
  const all = `/alerts?open=true&code=${encodeURIComponent(code)}`
  const href = PAGES.get(code) ?? (alerts.length === 1 ? `/alerts/${id}` : all)
  return [{ id, tone: 'warning', text, href }]
}

function hasWords(code: string): code is keyof typeof WORDS {
  return Object.hasOwn(WORDS, code)
}

function lowGas({ id, subject }: Alert, chains: ReadonlyMap<string, Chain>): Attention {
  const chain = chains.get(chainOfAlert(subject))
  const params = {
    chain: chain?.name ?? chainOfAlert(subject),
    coin: chain?.properties.nativeCurrency ?? t('attention.nativeCurrency'),
  }
  return { id, tone: 'warning', text: t('attention.lowGas', params), href: '/gas-station' }
}

/** The chain of an alert about a wallet, whose subject begins with it. */
export function chainOfAlert(subject: string): string {
  return subject.split(' ')[0] ?? ''
}

/** Chains that the organization uses and that do not run, or lag. */
export function troubledChains(
  statuses: readonly ChainStatus[],
  chains: ReadonlyMap<string, Chain>,
): Attention[] {
  return statuses
    .filter(({ enabled }) => enabled)
    .flatMap((status): Attention[] => {
      const { chainId, name, condition } = status
      const about = { id: `chain ${chainId}`, href: '/chains' }
      if (condition !== 'running') {
        const text = t(`attention.chain.${condition}`, { chain: name })
        return [{ ...about, tone: condition === 'undoing' ? 'warning' : 'danger', text }]
      }
      if (!isLagging(status, chains.get(chainId))) return []
      const text = t('attention.chain.lagging', { chain: name, count: status.lag?.blocks ?? 0 })
      return [{ ...about, tone: 'warning', text }]
    })
}

/** Whether blocks of a chain wait for longer than a few block times. */
export function isLagging({ lag }: Pick<ChainStatus, 'lag'>, chain: Chain | undefined): boolean {
  if (lag === null || lag.blocks === 0) return false
  const seconds = chain?.properties['blockTimeSeconds']
  const blockTime = typeof seconds === 'number' ? seconds : 0
  return lag.seconds > Math.max(LAG_SECONDS_MIN, LAG_BLOCK_TIMES * blockTime)
}

/** Danger before warnings before hints, otherwise in their order. */
export function inOrder(items: readonly Attention[]): Attention[] {
  const rank = ({ tone }: Attention) => ['danger', 'warning', 'info'].indexOf(tone)
  return items.toSorted((a, b) => rank(a) - rank(b))
}

/** A count that says that there are more than one page of them. */
function countOf(count: number, nextCursor: string | null) {
  return { count, shown: nextCursor === null ? String(count) : `${count}+` }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
