import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { ApprovalsBadge } from './pages/approvals/badge.tsx'
import type { IconName } from './parts/icon.tsx'
import type { TextKey } from './text/text.ts'

/** A page of the dashboard. */
export interface Route {
  /** Below `/dashboard`; `:name` is a parameter. */
  path: string
  Component: LazyExoticComponent<ComponentType>
}

/** A page with an entry in the menu. */
export interface MenuRoute extends Route {
  title: TextKey
  icon: IconName
  /** A count beside the title. */
  Badge?: ComponentType
}

const page = <Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Route => ({ path, Component: lazy(async () => ({ default: (await load())[name] })) })

/** The menu, in groups. Each page is loaded when it is first opened. */
export const MENU: readonly { title: TextKey; routes: readonly MenuRoute[] }[] = [
  {
    title: 'menu.work',
    routes: [
      {
        title: 'home.title',
        icon: 'home',
        ...page('/', () => import('./pages/home/home.tsx'), 'Home'),
      },
      {
        title: 'approvals.title',
        icon: 'approve',
        Badge: ApprovalsBadge,
        ...page('/approvals', () => import('./pages/approvals/approvals.tsx'), 'Approvals'),
      },
      {
        title: 'deposits.title',
        icon: 'deposit',
        ...page('/deposits', () => import('./pages/deposits/deposits.tsx'), 'Deposits'),
      },
      {
        title: 'withdrawals.title',
        icon: 'withdrawal',
        ...page('/withdrawals', () => import('./pages/withdrawals/withdrawals.tsx'), 'Withdrawals'),
      },
      {
        title: 'accounts.title',
        icon: 'account',
        ...page('/accounts', () => import('./pages/accounts/accounts.tsx'), 'Accounts'),
      },
      {
        title: 'unattributed.menu',
        icon: 'search',
        ...page(
          '/unattributed',
          () => import('./pages/unattributed/unattributed.tsx'),
          'Unattributed',
        ),
      },
    ],
  },
  {
    title: 'menu.money',
    routes: [
      {
        title: 'portfolio.title',
        icon: 'portfolio',
        ...page('/portfolio', () => import('./pages/portfolio/portfolio.tsx'), 'Portfolio'),
      },
      {
        title: 'ledger.title',
        icon: 'ledger',
        ...page('/ledger', () => import('./pages/ledger/ledger.tsx'), 'Ledger'),
      },
      {
        title: 'reports.title',
        icon: 'download',
        ...page('/reports', () => import('./pages/reports/reports.tsx'), 'Reports'),
      },
      {
        title: 'sweeps.title',
        icon: 'sweep',
        ...page('/sweeps', () => import('./pages/sweeps/sweeps.tsx'), 'Sweeps'),
      },
      {
        title: 'gasStation.title',
        icon: 'gas',
        ...page('/gas-station', () => import('./pages/gas-station/gas-station.tsx'), 'GasStation'),
      },
    ],
  },
  {
    title: 'menu.operation',
    routes: [
      {
        title: 'chains.title',
        icon: 'chain',
        ...page('/chains', () => import('./pages/chains/chains.tsx'), 'Chains'),
      },
      {
        title: 'tokens.title',
        icon: 'token',
        ...page('/tokens', () => import('./pages/tokens/tokens.tsx'), 'Tokens'),
      },
      {
        title: 'alerts.title',
        icon: 'alert',
        ...page('/alerts', () => import('./pages/alerts/alerts.tsx'), 'Alerts'),
      },
      {
        title: 'auditLog.title',
        icon: 'audit',
        ...page('/audit-log', () => import('./pages/audit-log/audit-log.tsx'), 'AuditLog'),
      },
    ],
  },
  {
    title: 'menu.developers',
    routes: [
      {
        title: 'webhooks.title',
        icon: 'webhook',
        ...page('/webhooks', () => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
      },
      {
        title: 'events.title',
        icon: 'event',
        ...page('/events', () => import('./pages/events/events.tsx'), 'Events'),
      },
    ],
  },
  {
    title: 'menu.organization',
    routes: [
      {
        title: 'people.title',
        icon: 'people',
        ...page('/people', () => import('./pages/people/people.tsx'), 'People'),
      },
      {
        title: 'apiKeys.title',
        icon: 'key',
        ...page('/api-keys', () => import('./pages/api-keys/api-keys.tsx'), 'ApiKeys'),
      },
      {
        title: 'settings.title',
        icon: 'settings',
        ...page('/settings', () => import('./pages/settings/settings.tsx'), 'Settings'),
      },
    ],
  },
]

/** Pages that others link to. */
export const RECORDS: readonly Route[] = [
  page('/account', () => import('./pages/account/account.tsx'), 'MyAccount'),
  page('/trace', () => import('./pages/deposits/trace-page.tsx'), 'TracePage'),
  page('/deposits/:id', () => import('./pages/deposits/deposit-page.tsx'), 'DepositPage'),
  page('/accounts/:userId', () => import('./pages/accounts/user.tsx'), 'UserPage'),
  page('/approvals/batch', () => import('./pages/approvals/batch.tsx'), 'BatchApproval'),
  page('/approvals/:id', () => import('./pages/approvals/review.tsx'), 'ApprovalReview'),
  page('/withdrawals/new', () => import('./pages/withdrawals/new-withdrawal.tsx'), 'NewWithdrawal'),
  page('/withdrawals/:id', () => import('./pages/withdrawals/withdrawal.tsx'), 'OneWithdrawal'),
  page('/people/:id', () => import('./pages/people/person.tsx'), 'PersonPage'),
  page('/api-keys/new', () => import('./pages/api-keys/new-api-key.tsx'), 'NewApiKey'),
  page('/api-keys/:id', () => import('./pages/api-keys/api-key.tsx'), 'ApiKeyPage'),
  page('/webhooks/new', () => import('./pages/webhooks/new-endpoint.tsx'), 'NewEndpoint'),
  page('/webhooks/:id', () => import('./pages/webhooks/endpoint.tsx'), 'EndpointPage'),
  page('/events/:id', () => import('./pages/events/event.tsx'), 'EventPage'),
  page('/alerts/:id', () => import('./pages/alerts/alert.tsx'), 'AlertPage'),
  page('/chains/:id', () => import('./pages/chains/chain.tsx'), 'ChainPage'),
]

/** Pages that need no session. */
export const WITHOUT_SESSION: readonly Route[] = [
  page('/invitation', () => import('./pages/invitation/invitation.tsx'), 'Invitation'),
]
